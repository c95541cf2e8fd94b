// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "job.h"
#include <algorithm>
#include <exception>
#include <utility>
#include "deadlock_report.h"
#include "kernel_error.h"

namespace ascendc_cpu {

namespace {

std::atomic<uint64_t> g_launches{0};

} // namespace

Job::Job(const Kernel &kernel, int blockDim, uint8_t *const *args, WaitingCopies copies)
    : kernel(kernel), serial(++g_launches), blockDim(blockDim), args(args), waitingCopies(std::move(copies)),
      groups(new Group[blockDim])
{
    for (int i = 0; i < blockDim; i++) {
        InitGroup(groups[i], *this, i);
    }
}

Job::~Job()
{
    for (int i = 0; i < blockDim; i++) {
        ReleaseGroup(groups[i]);
    }
}

// Parked groups go first: a group that has not started needs one more arena.
Group *Job::TakeGroup()
{
    if (isFailed) {
        return nullptr;
    }
    if (!resumed.empty()) {
        Group *group = resumed.front();
        resumed.pop_front();
        return group;
    }
    return started < blockDim ? &groups[started++] : nullptr;
}

void Job::Work()
{
    std::unique_lock<std::mutex> lock(mutex);
    while (finished < blockDim && !isFailed) {
        Group *group = TakeGroup();
        if (group == nullptr) {
            if (running == 0) {
                ReportDeadlock();
                break;
            }
            changed.wait(lock);
            continue;
        }
        running++;
        lock.unlock();
        GroupState state = GroupState::FAILED;
        try {
            state = RunGroup(*group);
        } catch (const std::exception &exception) { // no memory for an arena
            Fail(std::string("cannot start a group: ") + exception.what());
        }
        if (state == GroupState::FINISHED) {
            ReleaseGroup(*group);
        }
        lock.lock();
        running--;
        finished += state == GroupState::FINISHED;
        if (state == GroupState::WAITING) {
            Park(*group);
        }
        if (finished == blockDim || isFailed || running == 0) {
            changed.notify_all();
        }
    }
}

// What the group waits for may have come between its last look and now.
void Job::Park(Group &group)
{
    for (int i = 0; i < group.coreCount; i++) {
        if (!group.cores[i].isDone && IsReady(group.cores[i])) {
            resumed.push_back(&group);
            return;
        }
    }
    parked.push_back(&group);
}

void Job::WakeParked()
{
    resumed.insert(resumed.end(), parked.begin(), parked.end());
    parked.clear();
    changed.notify_all();
}

void Job::Fail(const std::string &text)
{
    std::lock_guard<std::mutex> lock(mutex);
    if (!isFailed) {
        error = text;
        isFailed = true;
    }
    changed.notify_all();
}

void Job::ReportDeadlock()
{
    error = DescribeDeadlock(groups.get(), blockDim);
    isFailed = true;
    changed.notify_all();
}

void Job::ThrowIfFailed()
{
    if (!isFailed) {
        CheckNothingLeft();
    }
    if (isFailed) {
        throw KernelError(error);
    }
}

void Job::CheckNothingLeft()
{
    error = DescribeLeftFlags(groups.get(), blockDim);
    isFailed = !error.empty();
}

int Job::CoreCount(bool isAivOnly) const
{
    const int aics = kernel.type == KernelType::AIV_ONLY ? 0 : 1;
    return blockDim * (kernel.AivCount() + (isAivOnly ? 0 : aics));
}

const AllCoreFlag &Job::FlagOf(const GroupCore &core, uint16_t flagId) const
{
    return flags[core.state.type == CoreType::AIV][flagId];
}

void Job::SetAllCoreFlag(GroupCore &core, uint16_t flagId)
{
    const bool isAiv = core.state.type == CoreType::AIV;
    const uint32_t round = core.allCoreSent[flagId]++;
    const uint32_t cores = isAiv ? CoreCount(true) : blockDim;
    std::lock_guard<std::mutex> lock(mutex);
    AllCoreFlag &flag = flags[isAiv][flagId];
    uint32_t &arrived = flag.arrived[round % (CROSS_CORE_FLAG_MAX + 1)];
    if (++arrived == cores) {
        arrived = 0;
        flag.released.fetch_add(1, std::memory_order_release);
        WakeParked();
    }
}

uint32_t Job::ArriveAtBarrier(bool isAivOnly)
{
    std::lock_guard<std::mutex> lock(mutex);
    AllCoreBarrier &barrier = barriers[isAivOnly];
    const uint32_t generation = barrier.generation.load(std::memory_order_relaxed);
    if (++barrier.arrived == static_cast<uint32_t>(CoreCount(isAivOnly))) {
        barrier.arrived = 0;
        barrier.generation.store(generation + 1, std::memory_order_release);
        WakeParked();
    }
    return generation;
}

} // namespace ascendc_cpu
