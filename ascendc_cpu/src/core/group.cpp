// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "group.h"
#include <exception>
#include "job.h"
#include "../check/checker.h"
#include "kernel_error.h"

namespace ascendc_cpu {

namespace {

void RunKernel(GroupCore &core)
{
    std::string error;
    try {
        core.kernel->invoke(core.state.group->job->args);
        if (Checker *checker = core.state.group->job->checker) {
            checker->OnCoreEnd(core.state);
        }
        return;
    } catch (const std::exception &exception) {
        error = exception.what();
    } catch (...) {
        error = "an exception that is not a std::exception";
    }
    RecordFailure(core.state, "exception in the kernel: " + error);
}

void FiberMain(void *argument)
{
    GroupCore &core = *static_cast<GroupCore *>(argument);
    RunKernel(core);
    core.isDone = true;
}

void InitCore(Group &group, int index, CoreType type, int subBlock)
{
    GroupCore &core = group.cores[group.coreCount++];
    core.state.type = type;
    core.state.subBlock = subBlock;
    core.state.subBlockNum = type == CoreType::AIV ? group.job->kernel.AivCount() : 1;
    core.state.block = index;
    core.state.blockNum = group.job->blockDim;
    core.state.group = &group;
    const WaitingCopies &copies = group.job->waitingCopies;
    core.state.deferred.allowed = copies.allowed;
    core.state.deferred.constants = {copies.constants.data(), static_cast<uint32_t>(copies.constants.size())};
    core.state.deferred.changing = &group.changing;
    core.state.deferred.inGm = &group.inGm;
    core.kernel = type == CoreType::AIV ? group.job->kernel.aiv : group.job->kernel.aic;
}

void StartGroup(Group &group)
{
    group.arena = AcquireArena();
    for (int i = 0; i < group.coreCount; i++) {
        GroupCore &core = group.cores[i];
        group.arena->Assign(core.state);
        if (Checker *checker = group.job->checker) {
            group.arena->Poison(core.state);
            checker->OnCoreStart(core.state);
        }
        group.arena->fibers[i].Start(group.arena->Stack(i), STACK_BYTES, FiberMain, &core);
    }
}

} // namespace

void InitGroup(Group &group, Job &job, int index)
{
    group.job = &job;
    if (job.kernel.type != KernelType::AIV_ONLY) {
        InitCore(group, index, CoreType::AIC, 0);
    }
    for (int i = 0; i < job.kernel.AivCount(); i++) {
        InitCore(group, index, CoreType::AIV, i);
    }
}

GroupState RunGroup(Group &group)
{
    if (group.arena == nullptr) {
        StartGroup(group);
    }
    for (;;) {
        bool isFinished = true;
        bool hasRun = false;
        for (int i = 0; i < group.coreCount; i++) {
            GroupCore &core = group.cores[i];
            if (core.isDone) {
                continue;
            }
            isFinished = false;
            if (!IsReady(core)) {
                continue;
            }
            core.wait.kind = WaitKind::NONE;
            group.current = i;
            t_core = &core.state;
            group.arena->fibers[i].Resume();
            t_core = nullptr;
            hasRun = true;
            if (group.job->isFailed.load(std::memory_order_relaxed)) {
                return GroupState::FAILED;
            }
        }
        if (isFinished) {
            return GroupState::FINISHED;
        }
        if (!hasRun) {
            return GroupState::WAITING;
        }
    }
}

void ReleaseGroup(Group &group)
{
    if (group.arena != nullptr) {
        ReleaseArena(group.arena);
        group.arena = nullptr;
    }
}

GroupCore &CurrentCore()
{
    Group &group = *Core().group;
    return group.cores[group.current];
}

void SuspendUntil(const Wait &wait)
{
    CurrentCore().wait = wait;
    Group &group = *Core().group;
    group.arena->fibers[group.current].Suspend();
}

void AbandonFiber()
{
    Group &group = *Core().group;
    group.arena->fibers[group.current].Suspend();
    std::terminate(); // never resumed
}

std::string CoreName(const CoreState &core)
{
    if (core.type == CoreType::AIC) {
        return Format("AIC %d", core.block);
    }
    return core.subBlockNum == 1 ? Format("AIV %d", core.block) : Format("AIV %d.%d", core.block, core.subBlock);
}

void RecordFailure(CoreState &core, const std::string &text)
{
    core.group->job->Fail(CoreName(core) + ": " + text);
}

} // namespace ascendc_cpu
