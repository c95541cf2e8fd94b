// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "deadlock_report.h"
#include "job.h"
#include "kernel_error.h"

namespace ascendc_cpu {

namespace {

constexpr int MAX_LINES = 24;

std::string DescribeWait(const Wait &wait)
{
    if (wait.kind == WaitKind::SYNC_ALL) {
        return Format("waits in SyncAll<%s>", wait.isAivOnly ? "true" : "false");
    }
    return Format("waits in CrossCoreWaitFlag<%d>(flagId %d)", wait.mode, wait.flagId);
}

// Flags that this core could have waited for, with their counters.
std::string DescribeCounters(const CoreState &core)
{
    std::string text;
    for (int id = 0; id < CROSS_CORE_FLAGS; id++) {
        if (core.crossCoreCounter[id] != 0) {
            text += Format(" %d:%d", id, core.crossCoreCounter[id]);
        }
    }
    return text.empty() ? text : "; its counters (flagId:count):" + text;
}

std::string LeftOn(GroupCore &core, const Group &group, int id)
{
    IsReady(core); // takes in mode 0 releases
    if (core.state.crossCoreCounter[id] != 0) {
        return Format("%s: flagId %d is still %d at the end of the kernel: that many CrossCoreWaitFlag are missing",
                      CoreName(core.state).c_str(), id, core.state.crossCoreCounter[id]);
    }
    if (core.allCoreSent[id] != core.allCoreReceived[id]) {
        return Format("%s: CrossCoreSetFlag<0>(flagId %d) was never answered by all cores of its kind",
                      CoreName(core.state).c_str(), id);
    }
    for (int mode = 1; core.state.type == CoreType::AIV && mode <= 2; mode++) {
        if (group.aivSent[mode - 1][core.state.subBlock][id] != 0) {
            return Format("%s: CrossCoreSetFlag<%d>(flagId %d) was never joined by the other AIV's",
                          CoreName(core.state).c_str(), mode, id);
        }
    }
    return {};
}

} // namespace

std::string DescribeDeadlock(const Group *groups, int count)
{
    std::string text = "deadlock, every core waits or has ended:";
    int lines = 0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < groups[i].coreCount; j++) {
            const GroupCore &core = groups[i].cores[j];
            if (core.isDone && groups[i].arena == nullptr) {
                continue; // its whole group has ended
            }
            if (lines++ < MAX_LINES) {
                text += "\n  " + CoreName(core.state) + " " + (core.isDone ? "has ended" : DescribeWait(core.wait)) +
                        DescribeCounters(core.state);
            }
        }
    }
    return lines > MAX_LINES ? text + Format("\n  and %d more", lines - MAX_LINES) : text;
}

std::string DescribeLeftFlags(Group *groups, int count)
{
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < groups[i].coreCount; j++) {
            for (int id = 0; id < CROSS_CORE_FLAGS; id++) {
                std::string text = LeftOn(groups[i].cores[j], groups[i], id);
                if (!text.empty()) {
                    return text;
                }
            }
        }
    }
    return {};
}

} // namespace ascendc_cpu
