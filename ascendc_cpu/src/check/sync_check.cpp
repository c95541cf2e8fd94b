// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Flags, barriers and cross-core counters: what each of them puts in order.
#include "../core/group.h"
#include "../core/job.h"
#include "../core/kernel_error.h"
#include "checker.h"

namespace ascendc_cpu {

// What has ended once everything that `pipe` has been given so far has.
Clock Checker::EndOf(const CoreCheck &core, int coreIndex, int pipe) const
{
    Clock clock = core.clocks[pipe];
    clock.Advance(ClockIndex(coreIndex, pipe), core.issued[pipe]);
    clock.Join(core.waited[pipe]);
    return clock;
}

void Checker::SetFlag(CoreCheck &core, int coreIndex, int from, int to, int id, uint32_t site)
{
    PipeFlag &flag = core.flags[from][to][id];
    if (flag.isSet) {
        Finding finding;
        finding.kind = FindingKind::DOUBLED_FLAG;
        finding.message = Format("%s to %s, event id %d is set, and set again before anything has waited for it",
                                 PipeName(from), PipeName(to), id);
        finding.here = SideAt(core, PipeName(from), "SetFlag", site);
        finding.other = SideAt(core, PipeName(from), "SetFlag", flag.site);
        findings.Add(std::move(finding));
    }
    flag.isSet = true;
    flag.site = site;
    flag.clock = EndOf(core, coreIndex, from);
}

void Checker::WaitFlag(CoreCheck &core, int from, int to, int id, uint32_t site)
{
    PipeFlag &flag = core.flags[from][to][id];
    if (!flag.isSet) {
        Finding finding;
        finding.kind = FindingKind::UNPAIRED_FLAG;
        finding.message =
            Format("%s waits for %s, event id %d, which nothing has set", PipeName(to), PipeName(from), id);
        finding.here = SideAt(core, PipeName(to), "WaitFlag", site);
        findings.Add(std::move(finding));
        return;
    }
    flag.isSet = false;
    if (to == S_PIPE) {
        AcquireAll(core, flag.clock); // the scalar unit issues everything that follows
    } else {
        core.clocks[to].Join(flag.clock);
    }
}

void Checker::AcquireAll(CoreCheck &core, const Clock &clock)
{
    for (Clock &each : core.clocks) {
        each.Join(clock);
    }
}

void Checker::Barrier(CoreCheck &core, int coreIndex, int pipe)
{
    if (pipe != ALL_PIPES) {
        core.clocks[pipe] = EndOf(core, coreIndex, pipe);
        return;
    }
    Clock all(0);
    for (int each = 0; each < PIPES; each++) {
        all.Join(EndOf(core, coreIndex, each));
    }
    AcquireAll(core, all);
}

void Checker::Deliver(int coreIndex, int id, const Clock &clock)
{
    if (cores[static_cast<size_t>(coreIndex)] != nullptr) {
        cores[static_cast<size_t>(coreIndex)]->arrivals[id].push_back(clock);
    }
}

// An AIV's set counts once the other AIV of the group has set too.
void Checker::SendFromAiv(const CoreState &state, int mode, int id, Clock clock)
{
    const int first = state.block * MAX_GROUP_CORES + 1;
    const auto queueOf = [&](int aiv) -> std::deque<Clock> & {
        CoreState other = state;
        other.subBlock = aiv;
        return CheckOf(other).sent[mode][id];
    };
    queueOf(state.subBlock).push_back(std::move(clock));
    for (int aiv = 0; aiv < state.subBlockNum; aiv++) {
        if (queueOf(aiv).empty()) {
            return;
        }
    }
    Clock joined(0);
    for (int aiv = 0; aiv < state.subBlockNum; aiv++) {
        joined.Join(queueOf(aiv).front());
        queueOf(aiv).pop_front();
    }
    if (mode == 2) {
        Deliver(first - 1, id, joined);
    } else {
        for (int aiv = 0; aiv < state.subBlockNum; aiv++) {
            Deliver(first + aiv, id, joined);
        }
    }
}

void Checker::SendToAll(const CoreState &state, CoreCheck &core, int id, const Clock &clock)
{
    const bool isAiv = core.isAiv;
    Round &round = rounds[std::make_tuple(isAiv, id, core.sentRounds[id]++)];
    round.clock.Join(clock);
    const int perGroup = isAiv ? state.subBlockNum : 1;
    if (++round.arrived < static_cast<uint32_t>(blockDim * perGroup)) {
        return;
    }
    for (int group = 0; group < blockDim; group++) {
        for (int each = 0; each < perGroup; each++) {
            Deliver(group * MAX_GROUP_CORES + (isAiv ? 1 + each : 0), id, round.clock);
        }
    }
}

void Checker::SetCrossCore(CoreState &state, CoreCheck &core, int pipe, int mode, int id)
{
    if (id < 0 || id >= CROSS_CORE_FLAGS) {
        return; // the runtime refuses it
    }
    const int coreIndex = IndexOf(state);
    Clock clock = EndOf(core, coreIndex, pipe);
    if (mode == 0) {
        SendToAll(state, core, id, clock);
    } else if (core.isAiv) {
        SendFromAiv(state, mode, id, std::move(clock));
    } else {
        for (int aiv = 1; aiv < state.group->coreCount; aiv++) {
            CheckOf(state.group->cores[aiv].state).arrivals[id].push_back(clock);
        }
    }
}

void Checker::OnSync(CoreState &state, SyncKind kind, int from, int to, int id, const void *frame)
{
    CoreCheck &core = CheckOf(state);
    const int coreIndex = IndexOf(state);
    switch (kind) {
    case SyncKind::SetFlag:
        SetFlag(core, coreIndex, from, to, id, SiteOf(state, frame));
        break;
    case SyncKind::WaitFlag:
        WaitFlag(core, from, to, id, SiteOf(state, frame));
        break;
    case SyncKind::PipeBarrier:
        Barrier(core, coreIndex, from);
        break;
    case SyncKind::CrossCoreSetFlag:
        SetCrossCore(state, core, from, to, id);
        break;
    case SyncKind::CrossCoreWaitFlag:
        if (id >= 0 && id < CROSS_CORE_FLAGS && !core.arrivals[id].empty()) {
            AcquireAll(core, core.arrivals[id].front()); // it stalls the issue of everything that follows
            core.arrivals[id].pop_front();
        }
        break;
    case SyncKind::SyncAll: {
        core.waitSite = SiteOf(state, frame);
        Barrier(core, coreIndex, ALL_PIPES);
        barriers[{id, core.barriers[id]}].Join(core.clocks[S_PIPE]);
        break;
    }
    case SyncKind::SyncAllDone:
        AcquireAll(core, barriers[{id, core.barriers[id]++}]);
        break;
    case SyncKind::ClearUnitFlags:
        core.unitFlags.clear();
        break;
    default:
        break;
    }
}

void Checker::OnCrossCoreWait(CoreState &state, const void *frame)
{
    CheckOf(state).waitSite = SiteOf(state, frame);
}

} // namespace ascendc_cpu
