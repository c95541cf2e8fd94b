// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "checker.h"
#include "../core/group.h"
#include "../core/kernel_error.h"
#include "access_runs.h"

namespace ascendc_cpu {

namespace {

bool IsStoreToGm(int pipe, const Access &access)
{
    return access.memory == Memory::GM && access.kind == AccessKind::WRITE && pipe != S_PIPE;
}

} // namespace

const char *PipeName(int pipe)
{
    static const char *const names[PIPES] = {"PIPE_S",    "PIPE_V",    "PIPE_M",   "PIPE_MTE1",
                                             "PIPE_MTE2", "PIPE_MTE3", "PIPE_ALL", "PIPE_FIX"};
    return names[pipe];
}

Checker::Checker(int blockDim, const CheckOptions &options, std::vector<ArgumentRange> argumentRanges,
                 FindingList &findings)
    : blockDim(blockDim), options(options), ranges(std::move(argumentRanges)), findings(findings)
{
    log.resize(BY_HOST + 1, Instruction{"the host", 0, 0, 0, PLAIN});
    cores.resize(static_cast<size_t>(blockDim) * MAX_GROUP_CORES);
    for (const ArgumentRange &range : ranges) {
        if (!range.isUnwritten) {
            global.AddInitialised(range.begin, range.end);
        }
    }
}

int Checker::IndexOf(const CoreState &core) const
{
    return core.block * MAX_GROUP_CORES + (core.type == CoreType::AIV ? 1 + core.subBlock : 0);
}

CoreCheck &Checker::CheckOf(const CoreState &core)
{
    std::unique_ptr<CoreCheck> &check = cores[static_cast<size_t>(IndexOf(core))];
    if (check == nullptr) {
        check = std::make_unique<CoreCheck>();
        check->name = CoreName(core);
        check->isAiv = core.type == CoreType::AIV;
        for (Clock &clock : check->clocks) {
            clock = Clock(cores.size() * PIPES);
        }
        for (Clock &clock : check->waited) {
            clock = Clock(cores.size() * PIPES);
        }
    }
    return *check;
}

uint32_t Checker::SiteOf(const CoreState &core, const void *frame)
{
    const Group &group = *core.group;
    return sites.Intern(frame, group.arena->Stack(group.current) + STACK_BYTES);
}

Side Checker::SideAt(const CoreCheck &core, const char *pipe, const char *api, uint32_t site) const
{
    return {core.name, pipe, api, sites.At(site)};
}

Side Checker::SideOf(InstructionId id) const
{
    const Instruction &instruction = log[id];
    if (id <= BY_HOST) {
        return {"host", "", "launch", {}};
    }
    return SideAt(*cores[instruction.core], PipeName(instruction.pipe), instruction.api, instruction.site);
}

Finding Checker::FindingOf(FindingKind kind, const Current &current, std::string message) const
{
    Finding finding;
    finding.kind = kind;
    finding.message = std::move(message);
    finding.here = SideOf(current.id);
    if (current.access != nullptr) {
        finding.isWrite = !IsRead(*current.access);
        finding.memory = MemoryName(current.access->memory);
        finding.begin = current.runBegin;
        finding.end = current.runEnd;
        const bool isGm = current.access->memory == Memory::GM;
        if (const ArgumentRange *range = isGm ? RangeAt(current.runBegin) : nullptr) {
            finding.argument = range->argument;
            finding.begin -= range->begin;
            finding.end -= range->begin;
        }
    }
    return finding;
}

void Checker::OnInstruction(CoreState &state, int pipe, const char *api, const Access *accesses, int count,
                            uint16_t flags, const void *frame)
{
    CoreCheck &core = CheckOf(state);
    Current current = {};
    current.state = &state;
    current.core = &core;
    current.coreIndex = IndexOf(state);
    current.pipe = pipe;
    current.flags = flags;
    for (int i = 0; i < count; i++) {
        if (IsStoreToGm(pipe, accesses[i]) && state.sticky.atomicOp != AtomicOp::NONE) {
            current.flags |= ATOMIC;
        }
    }
    current.id = static_cast<InstructionId>(log.size());
    log.push_back({api, SiteOf(state, frame), static_cast<uint16_t>(current.coreIndex), static_cast<uint8_t>(pipe),
                   static_cast<uint8_t>(current.flags & LOGGED_FLAGS)});
    core.issued[pipe] = current.id;
    for (const Phase phase : {Phase::JUDGE_WRITES, Phase::READ, Phase::ENTER_WRITES}) {
        current.phase = phase;
        for (int i = 0; i < count; i++) {
            if (IsRead(accesses[i]) == (phase == Phase::READ)) {
                CheckAccess(current, accesses[i]);
            }
        }
    }
    CheckSpecial(current, accesses, count);
}

void Checker::CheckAccess(Current &current, const Access &access)
{
    uint64_t begin = ~0ULL;
    uint64_t end = 0;
    const uint64_t start = access.address + access.offset;
    ForEachRun(access, start, [&](uint64_t runBegin, uint64_t runEnd) {
        begin = std::min(begin, runBegin);
        end = std::max(end, runEnd);
    });
    if (begin >= end) {
        return;
    }
    current.access = &access;
    current.runBegin = begin;
    current.runEnd = end;
    if (current.phase != Phase::ENTER_WRITES && access.alignment > 1 && access.address % access.alignment != 0) {
        findings.Add(FindingOf(FindingKind::MISALIGNED, current,
                               Format("%s of %s at byte %llu, allowed are multiples of %u",
                                      IsRead(access) ? "read" : "write", MemoryName(access.memory),
                                      static_cast<unsigned long long>(access.address), access.alignment)));
    }
    if (hasFailed || (current.phase != Phase::ENTER_WRITES && !CheckPlace(current, begin, end)) ||
        access.kind == AccessKind::TOUCH || (access.memory == Memory::GM && RangeAt(begin) == nullptr)) {
        return;
    }
    current.before = current.after = Cell();
    current.before.write = ~0u; // no cell is like this
    ForEachRun(access, start, [&](uint64_t runBegin, uint64_t runEnd) { CheckRun(current, runBegin, runEnd); });
}

// The argument that the address is in, or nullptr. Where several share it, the one that goes on for longest.
const ArgumentRange *Checker::RangeAt(uint64_t address) const
{
    const ArgumentRange *found = nullptr;
    for (const ArgumentRange &range : ranges) {
        if (address >= range.begin && address < range.end && (found == nullptr || range.end > found->end)) {
            found = &range;
        }
    }
    return found;
}

// False when the bytes are not to be looked at further.
bool Checker::CheckPlace(const Current &current, uint64_t begin, uint64_t end)
{
    if (current.access->memory != Memory::GM) {
        return CheckLocalPlace(current, begin, end);
    }
    const ArgumentRange *range = RangeAt(begin);
    if (range != nullptr && end <= range->end) {
        return true;
    }
    if (range != nullptr) {
        findings.Add(FindingOf(FindingKind::OUT_OF_BOUNDS, current,
                               Format("%llu bytes of argument %d are accessed, it has %llu",
                                      static_cast<unsigned long long>(end - range->begin), range->argument,
                                      static_cast<unsigned long long>(range->end - range->begin))));
        hasFailed = true;
    } else if (options.knowsArguments) {
        findings.Add(FindingOf(FindingKind::OUT_OF_BOUNDS, current, "GM that belongs to no argument of the launch"));
        hasFailed = true;
    }
    return false;
}

bool Checker::CheckLocalPlace(const Current &current, uint64_t begin, uint64_t end)
{
    const Memory memory = current.access->memory;
    if (end > MEMORY_CAPACITY[static_cast<int>(memory)]) {
        findings.Add(FindingOf(FindingKind::OUT_OF_BOUNDS, current,
                               Format("bytes up to %llu of %s, which has %u", static_cast<unsigned long long>(end),
                                      MemoryName(memory), MEMORY_CAPACITY[static_cast<int>(memory)])));
        return false;
    }
    if (!current.core->hasPipe) {
        return true;
    }
    bool isKnown = false;
    for (const CheckedBuffer &buffer : current.core->buffers) {
        if (buffer.memory != memory) {
            continue;
        }
        isKnown = true;
        if (begin < buffer.begin || begin >= buffer.end) {
            continue;
        }
        if (end > buffer.end) {
            findings.Add(FindingOf(FindingKind::OUT_OF_BOUNDS, current,
                                   Format("bytes up to %llu of a buffer that ends at %u of %s",
                                          static_cast<unsigned long long>(end), buffer.end, MemoryName(memory))));
        } else if (buffer.isQueue && (buffer.state == BufferEvent::FREED || buffer.state == BufferEvent::INIT_QUEUE)) {
            findings.Add(FindingOf(FindingKind::NOT_ALLOCATED, current,
                                   buffer.state == BufferEvent::FREED ? "the queue's buffer has been freed"
                                                                      : "the queue's buffer was never allocated"));
        } else if (buffer.isQueue && buffer.state == BufferEvent::QUEUED) {
            findings.Add(FindingOf(FindingKind::BUFFER_STATE, current, "the tensor is in its queue"));
        }
        return true;
    }
    findings.Add(FindingOf(isKnown ? FindingKind::NOT_ALLOCATED : FindingKind::NO_BUFFER, current,
                           isKnown ? "bytes that no InitBuffer has handed out"
                                   : std::string("no InitBuffer has taken memory of ") + MemoryName(memory)));
    return true;
}

void Checker::CheckRun(Current &current, uint64_t begin, uint64_t end)
{
    const Memory memory = current.access->memory;
    current.runBegin = begin;
    current.runEnd = end;
    if (memory == Memory::GM && current.phase != Phase::ENTER_WRITES && (!lines.empty() || current.pipe == S_PIPE)) {
        CheckCacheLines(current, begin, end);
    }
    while (begin < end) {
        ShadowBlock *block;
        uint64_t chunkEnd = end;
        if (memory == Memory::GM) {
            block = global.BlocksAt(begin);
            chunkEnd = std::min(end, (begin / GlobalShadow::PAGE_BYTES + 1) * GlobalShadow::PAGE_BYTES);
        } else {
            block = current.core->shadows[static_cast<int>(memory)].BlocksAt(begin,
                                                                             MEMORY_CAPACITY[static_cast<int>(memory)]);
        }
        while (begin < chunkEnd) {
            const uint64_t next = std::min(chunkEnd, (begin / SHADOW_BLOCK + 1) * SHADOW_BLOCK);
            CheckCells(current, *block++, begin % SHADOW_BLOCK, begin % SHADOW_BLOCK + (next - begin));
            begin = next;
        }
    }
}

// Bytes [from, to) of a block.
void Checker::CheckCells(Current &current, ShadowBlock &block, uint64_t from, uint64_t to)
{
    const bool isWhole = to - from == SHADOW_BLOCK;
    if (block.bytes == nullptr && isWhole) {
        Update(current, block.cell);
        return;
    }
    block.Split();
    for (uint64_t i = from; i < to; i++) {
        Update(current, block.bytes[i]);
    }
    if (isWhole && current.phase == Phase::ENTER_WRITES) {
        block.Merge(current.after);
    }
}

void Checker::Update(Current &current, Cell &cell)
{
    if (!(cell == current.before)) {
        current.before = cell;
        current.after = cell;
        if (current.phase == Phase::READ) {
            current.after = AfterRead(current, cell);
        } else if (current.phase == Phase::JUDGE_WRITES) {
            JudgeWrite(current, cell);
        } else {
            current.after = Cell();
            current.after.write = current.access->kind == AccessKind::SPOIL ? NEVER_WRITTEN : current.id;
        }
    }
    cell = current.after;
}

void Checker::AddReader(const Current &current, Cell &cell)
{
    int place = 0;
    for (int i = 0; i < Cell::READERS; i++) {
        const Instruction &other = log[cell.read[i]];
        if (cell.read[i] == 0 || (other.core == current.coreIndex && other.pipe == current.pipe)) {
            place = i;
            break;
        }
        if (IsOrdered(current, cell.read[i]) || cell.read[i] < cell.read[place]) {
            place = i;
        }
    }
    cell.read[place] = current.id;
}

Cell Checker::AfterRead(const Current &current, const Cell &cell)
{
    Cell after = cell;
    if (cell.write == NEVER_WRITTEN && current.access->kind == AccessKind::LOAD) {
        // judged where somebody uses them
    } else if (cell.write == NEVER_WRITTEN) {
        findings.Add(FindingOf(FindingKind::NEVER_WRITTEN, current, "bytes that nothing has written are read"));
    } else {
        log[cell.write].flags |= WAS_READ;
        if (!IsOrdered(current, cell.write)) {
            ReportOrder(current, FindingKind::UNORDERED_READ, cell.write, "is read before its write has ended");
        }
        if (current.pipe == S_PIPE && current.access->memory == Memory::GM) {
            CheckCachedRead(current, cell);
        }
    }
    AddReader(current, after);
    return after;
}

void Checker::JudgeWrite(const Current &current, const Cell &cell)
{
    const bool isAtomic = (current.flags & ATOMIC) != 0;
    if (isAtomic && cell.write == NEVER_WRITTEN) {
        findings.Add(
            FindingOf(FindingKind::NEVER_WRITTEN, current, "an atomic store adds to bytes that nothing has written"));
    }
    bool hasReaders = false;
    bool isRelayed = false; // the write has ended before a reader that has ended
    for (const InstructionId reader : cell.read) {
        hasReaders |= reader != 0;
        isRelayed |= reader != 0 && (log[reader].flags & current.flags & UNIT_FLAG) != 0;
        if (!IsOrdered(current, reader)) {
            ReportOrder(current, FindingKind::UNORDERED_WRITE, reader, "is written before an earlier read has ended");
        }
    }
    if (!isRelayed && !IsOrdered(current, cell.write)) {
        ReportOrder(current, FindingKind::UNORDERED_WRITE, cell.write, "is written before an earlier write has ended");
    }
    const Instruction &before = log[cell.write];
    if (current.pipe == MTE2_PIPE && before.pipe == MTE2_PIPE && cell.write > BY_HOST && !hasReaders &&
        (before.flags & (WAS_READ | CLEARS)) == 0) {
        Finding finding =
            FindingOf(FindingKind::OVERWRITTEN_UNREAD, current, "a load replaces one of which nothing was read");
        finding.other = SideOf(cell.write);
        findings.Add(std::move(finding));
    }
}

// Has `other` ended before the current instruction starts?
bool Checker::IsOrdered(const Current &current, InstructionId other) const
{
    if (other <= BY_HOST || other == current.id) {
        return true;
    }
    const Instruction &earlier = log[other];
    const bool isSameCore = earlier.core == current.coreIndex;
    const bool isSamePipe = isSameCore && earlier.pipe == current.pipe;
    if (isSamePipe && (current.pipe == S_PIPE || (current.pipe == M_PIPE && (earlier.flags & ORDERED_MMAD) != 0))) {
        return true;
    }
    if ((earlier.flags & current.flags & ATOMIC) != 0 && !isSamePipe) {
        return true; // any order adds up
    }
    if ((earlier.flags & current.flags & UNIT_FLAG) != 0 && isSameCore && !isSamePipe) {
        return true; // CheckUnitFlags
    }
    if (options.autoSync && isSameCore && current.core->isAiv &&
        ((isSamePipe && current.pipe == V_PIPE) || earlier.pipe == S_PIPE || current.pipe == S_PIPE)) {
        return true;
    }
    return current.core->clocks[current.pipe][ClockIndex(earlier.core, earlier.pipe)] >= other;
}

void Checker::ReportOrder(const Current &current, FindingKind kind, InstructionId other, const char *what)
{
    Finding finding = FindingOf(kind, current, "");
    finding.other = SideOf(other);
    const bool isSameCore = log[other].core == current.coreIndex;
    finding.message = finding.memory + " " + what + " (" + (isSameCore ? "" : "by another core, ") +
                      finding.other.pipe + " before " + finding.here.pipe + ")";
    findings.Add(std::move(finding));
}

} // namespace ascendc_cpu
