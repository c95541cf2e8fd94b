// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Buffers of TPipe and queues, begin and end of cores, and errors that the runtime itself reports.
#include <cstring>
#include "../core/group.h"
#include "../core/kernel_error.h"
#include "checker.h"

namespace ascendc_cpu {

namespace {

bool Contains(const std::string &text, const char *part)
{
    return text.find(part) != std::string::npos;
}

// What kind of mistake the text of an API's own check is about.
FindingKind KindOf(const char *api, const std::string &text)
{
    if (Contains(text, " starts at ")) {
        return FindingKind::MISALIGNED;
    }
    if (Contains(text, ", allowed is ") || Contains(text, " does not have")) {
        return FindingKind::WRONG_MEMORY;
    }
    if (Contains(text, "no InitBuffer")) {
        return FindingKind::NO_BUFFER;
    }
    if (Contains(text, " are left in ")) {
        return FindingKind::OUT_OF_BOUNDS;
    }
    for (const char *queueApi : {"AllocTensor", "EnQue", "DeQue", "FreeTensor"}) {
        if (strcmp(api, queueApi) == 0) {
            return FindingKind::QUEUE_MISUSE;
        }
    }
    if (strcmp(api, "CrossCoreSetFlag") == 0 || strcmp(api, "CrossCoreWaitFlag") == 0) {
        return FindingKind::CROSS_CORE_FLAG;
    }
    return FindingKind::ARGUMENT;
}

} // namespace

void Checker::OnBuffer(CoreState &state, BufferEvent event, Memory memory, uint32_t address, uint32_t bytes,
                       const void *frame)
{
    CoreCheck &core = CheckOf(state);
    switch (event) {
    case BufferEvent::RESET:
        core.hasPipe = true;
        core.buffers.clear();
        break;
    case BufferEvent::INIT:
    case BufferEvent::INIT_QUEUE:
        core.buffers.push_back({memory, address, address + bytes, event == BufferEvent::INIT_QUEUE, event});
        break;
    case BufferEvent::LEAKED: {
        Finding finding;
        finding.kind = FindingKind::LEAKED_BUFFER;
        finding.message = "a queue's buffer is still taken when its TPipe ends";
        finding.memory = MemoryName(memory);
        finding.begin = finding.end = address;
        finding.here = SideAt(core, "", "TPipe", SiteOf(state, frame));
        findings.Add(std::move(finding));
        break;
    }
    default:
        for (CheckedBuffer &buffer : core.buffers) {
            if (buffer.memory == memory && buffer.begin == address) {
                buffer.state = event;
            }
        }
    }
}

void Checker::OnTruncation(CoreState &state, const char *how, const char *type, long long value, const void *frame)
{
    Finding finding;
    finding.kind = FindingKind::TRUNCATION;
    finding.message = Format("%lld does not fit into %s", value, type);
    finding.here = SideAt(CheckOf(state), PipeName(S_PIPE), how, SiteOf(state, frame));
    findings.Add(std::move(finding));
}

void Checker::OnFail(CoreState &state, const char *api, const std::string &text, const void *frame)
{
    hasFailed = true;
    Finding finding;
    finding.kind = KindOf(api, text);
    finding.isWrite = Contains(text, "dst ");
    finding.message = text;
    finding.here = SideAt(CheckOf(state), "", api, SiteOf(state, frame));
    findings.Add(std::move(finding));
}

void Checker::OnCoreStart(CoreState &state)
{
    CheckOf(state).hasRun = true;
}

void Checker::OnCoreEnd(CoreState &state)
{
    CoreCheck &core = CheckOf(state);
    for (int from = 0; from < PIPES; from++) {
        for (int to = 0; to < PIPES; to++) {
            for (int id = 0; id < EVENT_IDS; id++) {
                const PipeFlag &flag = core.flags[from][to][id];
                if (flag.isSet) {
                    Finding finding;
                    finding.kind = FindingKind::UNPAIRED_FLAG;
                    finding.message = Format("%s to %s, event id %d is still set when the core ends", PipeName(from),
                                             PipeName(to), id);
                    finding.here = SideAt(core, PipeName(from), "SetFlag", flag.site);
                    findings.Add(std::move(finding));
                }
            }
        }
    }
    for (const UnitFlag &flag : core.unitFlags) {
        if (flag.isFull) {
            Finding finding;
            finding.kind = FindingKind::UNPAIRED_FLAG;
            finding.message = "L0C that this Mmad has filled with unitFlag 3 is still full when the core ends";
            finding.here = SideOf(flag.turned);
            findings.Add(std::move(finding));
        }
    }
    const StickyState &sticky = state.sticky;
    if (sticky.atomicOp != AtomicOp::NONE || sticky.counterMode) {
        Finding finding;
        finding.kind = FindingKind::STICKY_STATE;
        finding.message = sticky.counterMode ? "the core ends in counter mode, SetMaskNorm is missing"
                                             : "the core ends with atomic stores on, SetAtomicNone is missing";
        finding.here = SideAt(core, PipeName(S_PIPE), sticky.counterMode ? "SetMaskCount" : "SetAtomic", 0);
        findings.Add(std::move(finding));
    }
}

void Checker::OnEnd(const std::string &error)
{
    if (error.empty() || hasFailed) {
        return;
    }
    Finding finding;
    const bool isDeadlock = Contains(error, "deadlock");
    finding.kind = isDeadlock                                                  ? FindingKind::DEADLOCK
                   : Contains(error, "CrossCore") || Contains(error, "flagId") ? FindingKind::CROSS_CORE_FLAG
                                                                               : FindingKind::KERNEL_ERROR;
    finding.message = error;
    for (const auto &core : cores) {
        if (isDeadlock && core != nullptr && core->waitSite != 0) {
            finding.here = SideAt(*core, PipeName(S_PIPE), "CrossCoreWaitFlag", core->waitSite);
            break;
        }
    }
    findings.Add(std::move(finding));
}

} // namespace ascendc_cpu
