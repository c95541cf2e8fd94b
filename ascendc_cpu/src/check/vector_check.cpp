// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Rules of one vector instruction: strides of the destination, operands that overlap.
#include <cstring>
#include "access_runs.h"
#include "checker.h"

namespace ascendc_cpu {

namespace {

constexpr uint32_t REPEAT_BYTES = 256;

struct Run {
    uint64_t begin;
    uint64_t end;
};

bool IsIn(const char *api, std::initializer_list<const char *> names)
{
    return std::any_of(names.begin(), names.end(), [api](const char *name) { return strcmp(api, name) == 0; });
}

bool IsContiguous(const Access &access)
{
    const Region &region = access.region;
    return access.lanes.shape == nullptr && region.inner.count * region.middle.count * region.outer.count == 1;
}

// Element i of one comes of element i of the other.
bool IsElementwise(const Access &write, const Access &read)
{
    if (write.lanes.shape != nullptr) {
        return write.lanes.shape == read.lanes.shape;
    }
    return IsContiguous(write) && IsContiguous(read) &&
           write.region.runBytes / write.elementBytes == read.region.runBytes / read.elementBytes;
}

// One operand of an instruction in repeats, which take as many elements as fit into 256 B of `widest` bytes each.
class Operand {
public:
    Operand(const Access &access, uint32_t widest)
        : access(access), start(access.address + access.offset), chunk(REPEAT_BYTES / widest * access.elementBytes)
    {
    }
    uint32_t Repeats() const
    {
        return access.lanes.shape != nullptr ? RepeatsOf(*access.lanes.shape)
                                             : static_cast<uint32_t>((access.region.runBytes + chunk - 1) / chunk);
    }
    // Not less than the bytes that are touched.
    Run Extent() const
    {
        if (access.lanes.shape == nullptr) {
            return {start, start + access.region.runBytes};
        }
        const uint64_t blocks = static_cast<uint64_t>(Repeats() - 1) * access.lanes.stride.repeat + OneRepeat();
        return {start, start + blocks * SHADOW_BLOCK};
    }
    bool HasDisjointRepeats() const
    {
        return access.lanes.shape == nullptr || Repeats() == 1 || access.lanes.stride.repeat >= OneRepeat();
    }
    std::vector<Run> RunsOf(uint32_t repeat) const
    {
        std::vector<Run> runs;
        if (access.lanes.shape != nullptr) {
            ForEachLaneRunOf(access.lanes, repeat, access.elementBytes, start,
                             [&runs](uint64_t begin, uint64_t end) { runs.push_back({begin, end}); });
        } else {
            const uint64_t begin = start + static_cast<uint64_t>(repeat) * chunk;
            runs.push_back({begin, std::min(begin + chunk, start + access.region.runBytes)});
        }
        return runs;
    }

private:
    // blocks
    uint64_t OneRepeat() const
    {
        return (REPEAT_BYTES / SHADOW_BLOCK - 1) * static_cast<uint64_t>(access.lanes.stride.block) + 1;
    }

    const Access &access;
    uint64_t start;
    uint64_t chunk; // of a contiguous operand
};

uint64_t BytesOf(const std::vector<Run> &runs)
{
    uint64_t bytes = 0;
    for (const Run &run : runs) {
        bytes += run.end - run.begin;
    }
    return bytes;
}

// Which repeat has written each byte of an instruction's destination last; 0: none so far.
class Writers {
public:
    explicit Writers(const Run &extent) : extent(extent), repeats(extent.end - extent.begin, 0)
    {
    }
    void Write(const std::vector<Run> &runs, uint32_t repeat)
    {
        ForEach(runs, [repeat](uint32_t &writer) { writer = repeat; });
    }
    // Bytes of the runs that one of the repeats first to last has written.
    uint64_t Count(const std::vector<Run> &runs, uint32_t first, uint32_t last)
    {
        uint64_t count = 0;
        ForEach(runs, [&](uint32_t &writer) { count += writer >= first && writer <= last; });
        return count;
    }

private:
    template <typename Each>
    void ForEach(const std::vector<Run> &runs, const Each &each)
    {
        for (const Run &run : runs) {
            for (uint64_t at = std::max(run.begin, extent.begin); at < std::min(run.end, extent.end); at++) {
                each(repeats[at - extent.begin]);
            }
        }
    }

    Run extent;
    std::vector<uint32_t> repeats;
};

} // namespace

void Checker::CheckBlockStride(const Current &current, const Access &write)
{
    if (write.lanes.shape != nullptr && write.lanes.stride.block == 0 &&
        BytesOf(Operand(write, write.elementBytes).RunsOf(0)) > SHADOW_BLOCK) {
        findings.Add(FindingOf(FindingKind::ARGUMENT, current,
                               "the destination's block stride is 0: blocks of a repeat are written to one place"));
    }
}

// Of each repeat, source and destination are the same bytes or have none in common; no repeat reads what an earlier one
// has written. Except: the second source of a few instructions may be where the results go if one of the two stands
// still. A narrowing Cast may write to the start of what it reads.
void Checker::CheckOverlap(const Current &current, const Access &write, const Access &read, bool isSecond)
{
    const uint32_t widest = std::max(write.elementBytes, read.elementBytes);
    const Operand to(write, widest);
    const Operand from(read, widest);
    const Run written = to.Extent();
    const Run source = from.Extent();
    const bool isSame =
        write.address + write.offset == read.address + read.offset && write.elementBytes == read.elementBytes &&
        write.lanes.stride.block == read.lanes.stride.block && write.lanes.stride.repeat == read.lanes.stride.repeat;
    if (written.end <= source.begin || source.end <= written.begin || (isSame && to.HasDisjointRepeats())) {
        return;
    }
    const bool mayAccumulate = isSecond && IsIn(log[current.id].api, {"Add", "Sub", "Mul", "Max", "Min"}) &&
                               (write.lanes.stride.repeat == 0 || read.lanes.stride.repeat == 0);
    const char *found = nullptr;
    Writers writers(written);
    for (uint32_t repeat = 1; repeat <= to.Repeats() && found == nullptr; repeat++) {
        const std::vector<Run> reads = from.RunsOf(repeat - 1);
        const std::vector<Run> writes = to.RunsOf(repeat - 1);
        if (!mayAccumulate && writers.Count(reads, 1, repeat - 1) != 0) {
            found = "a repeat reads what an earlier one has written";
        }
        writers.Write(writes, repeat);
        const uint64_t common = writers.Count(reads, repeat, repeat);
        const bool isPart = common != 0 && (common != BytesOf(reads) || common != BytesOf(writes));
        if (isPart && read.elementBytes <= write.elementBytes) {
            found = "source and destination of a repeat overlap in part";
        }
    }
    if (found != nullptr) {
        Current place = current;
        place.access = &write;
        place.runBegin = std::max(written.begin, source.begin);
        place.runEnd = std::min(written.end, source.end);
        findings.Add(FindingOf(FindingKind::ARGUMENT, place, found));
    }
}

void Checker::CheckVector(const Current &current, const Access *accesses, int count)
{
    const auto isUb = [](const Access &access) { return access.memory == Memory::UB; };
    for (int i = 0; i < count; i++) {
        if (accesses[i].kind != AccessKind::WRITE || !isUb(accesses[i])) {
            continue;
        }
        Current place = current;
        place.access = &accesses[i];
        CheckBlockStride(place, accesses[i]);
        // the last read of these is their destination
        const int target = IsIn(log[current.id].api, {"Axpy", "MulAddDst"}) ? i - 1 : count;
        for (int k = 0; k < count; k++) {
            if (k != target && accesses[k].kind == AccessKind::READ && isUb(accesses[k]) &&
                IsElementwise(accesses[i], accesses[k])) {
                CheckOverlap(current, accesses[i], accesses[k], k == 1);
            }
        }
    }
}

} // namespace ascendc_cpu
