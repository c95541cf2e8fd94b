// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Cross-core flags and barriers. Modes 1 and 2 stay inside a group, hence inside one thread at a time.
#include "ascendc_cpu/cross_core.h"
#include <chrono>
#include "../check/checker.h"
#include "job.h"

namespace ascendc_cpu {

namespace {

constexpr const char *SET_FLAG = "CrossCoreSetFlag";

// Move mode 0 releases into the core's counter.
void Receive(GroupCore &core, uint16_t flagId)
{
    const uint32_t released = core.state.group->job->FlagOf(core, flagId).released.load(std::memory_order_acquire);
    core.state.crossCoreCounter[flagId] += static_cast<uint8_t>(released - core.allCoreReceived[flagId]);
    core.allCoreReceived[flagId] = released;
}

bool HasFlag(GroupCore &core, uint16_t flagId)
{
    Receive(core, flagId);
    return core.state.crossCoreCounter[flagId] > 0;
}

void CheckFlagId(const char *api, uint16_t flagId)
{
    if (flagId >= CROSS_CORE_FLAGS) {
        Fail(api, "flagId is %d, allowed are 0 to %d", flagId, CROSS_CORE_FLAGS - 1);
    }
}

[[noreturn]] void FailOverflow(uint8_t mode, uint16_t flagId, const std::string &target)
{
    Fail(SET_FLAG, "mode %d, flagId %d: this would be set number %d that %s has not waited for, the counter holds %d",
         mode, flagId, CROSS_CORE_FLAG_MAX + 1, target.c_str(), CROSS_CORE_FLAG_MAX);
}

void Raise(GroupCore &target, uint8_t mode, uint16_t flagId)
{
    if (target.state.crossCoreCounter[flagId] >= CROSS_CORE_FLAG_MAX) {
        FailOverflow(mode, flagId, CoreName(target.state));
    }
    target.state.crossCoreCounter[flagId]++;
}

void SetForAllOfKind(GroupCore &core, uint16_t flagId)
{
    Receive(core, flagId);
    const uint32_t open = core.allCoreSent[flagId] - core.allCoreReceived[flagId];
    if (open + core.state.crossCoreCounter[flagId] >= static_cast<uint32_t>(CROSS_CORE_FLAG_MAX)) {
        FailOverflow(0, flagId, CoreName(core.state));
    }
    core.state.group->job->SetAllCoreFlag(core, flagId);
}

// The hardware forwards an AIV's set only when both AIVs of the group have set.
void SetByAiv(Group &group, GroupCore &core, uint8_t mode, uint16_t flagId)
{
    auto &sent = group.aivSent[mode - 1];
    const int aivs = core.state.subBlockNum;
    if (sent[core.state.subBlock][flagId] >= CROSS_CORE_FLAG_MAX) {
        FailOverflow(mode, flagId, "the other AIV of the group, or the AIC,");
    }
    sent[core.state.subBlock][flagId]++;
    for (int i = 0; i < aivs; i++) {
        if (sent[i][flagId] == 0) {
            return;
        }
    }
    for (int i = 0; i < aivs; i++) {
        sent[i][flagId]--;
    }
    for (int i = 0; i < group.coreCount; i++) {
        if ((group.cores[i].state.type == CoreType::AIC) == (mode == 2)) {
            Raise(group.cores[i], mode, flagId);
        }
    }
}

void SetByAic(Group &group, uint16_t flagId)
{
    for (int i = 1; i < group.coreCount; i++) {
        Raise(group.cores[i], 2, flagId);
    }
}

// What others may overwrite has been read when they hear that this core has come here.
void ReadBeforeSignal(bool toOtherGroups)
{
    if (Core().deferred.product.waits) {
        SettleProduct();
    }
    if (toOtherGroups) {
        SettleChanging();
        SettleProductsInGm();
    }
}

} // namespace

bool IsReady(GroupCore &core)
{
    switch (core.wait.kind) {
    case WaitKind::FLAG:
        return HasFlag(core, core.wait.flagId);
    case WaitKind::SYNC_ALL:
        return core.state.group->job->barriers[core.wait.isAivOnly].generation.load(std::memory_order_acquire) !=
               core.wait.generation;
    default:
        return true;
    }
}

void CrossCoreSet(uint8_t mode, uint16_t flagId)
{
    CheckFlagId(SET_FLAG, flagId);
    ReadBeforeSignal(mode == 0);
    GroupCore &core = CurrentCore();
    Group &group = *core.state.group;
    const KernelType type = group.job->kernel.type;
    const bool isMix = type == KernelType::MIX_AIC_1_1 || type == KernelType::MIX_AIC_1_2;
    if (mode != 0 && !isMix) {
        Fail(SET_FLAG, "mode %d needs a mix kernel", mode);
    }
    if (mode == 0) {
        SetForAllOfKind(core, flagId);
    } else if (core.state.type == CoreType::AIV) {
        SetByAiv(group, core, mode, flagId);
    } else if (mode == 2) {
        SetByAic(group, flagId);
    } else {
        Fail(SET_FLAG, "mode 1 is between the AIVs of a group, this is an AIC");
    }
}

void CrossCoreWait(uint8_t mode, uint16_t flagId)
{
    CheckFlagId("CrossCoreWaitFlag", flagId);
    ReadBeforeSignal(false);
    GroupCore &core = CurrentCore();
    if (Checker *checker = core.state.group->job->checker) {
        checker->OnCrossCoreWait(core.state, __builtin_frame_address(0));
    }
    Wait wait;
    wait.kind = WaitKind::FLAG;
    wait.mode = mode;
    wait.flagId = flagId;
    SuspendUntil(wait);
    core.state.crossCoreCounter[flagId]--;
}

void SyncAllCores(bool isAivOnly)
{
    GroupCore &core = CurrentCore();
    if (isAivOnly && core.state.type == CoreType::AIC) {
        Fail("SyncAll", "SyncAll<true> is between AIVs, this is an AIC");
    }
    ReadBeforeSignal(true);
    Wait wait;
    wait.kind = WaitKind::SYNC_ALL;
    wait.isAivOnly = isAivOnly;
    wait.generation = core.state.group->job->ArriveAtBarrier(isAivOnly);
    SuspendUntil(wait);
}

int64_t SystemCycle()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() / 20;
}

} // namespace ascendc_cpu
