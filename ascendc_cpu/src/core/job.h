// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One launch: its groups, the queue of those that can run, and what all of its cores share.
#ifndef ASCENDC_CPU_JOB_H
#define ASCENDC_CPU_JOB_H
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>
#include "group.h"

namespace ascendc_cpu {

constexpr int MAX_GROUPS = 64;

// A mode 0 flag of all AICs or of all AIVs. At most 15 rounds are open at a time.
struct AllCoreFlag {
    uint32_t arrived[CROSS_CORE_FLAG_MAX + 1] = {}; // sets in round r % 16
    std::atomic<uint32_t> released{0};              // rounds that every core has set
};

struct AllCoreBarrier {
    uint32_t arrived = 0;
    std::atomic<uint32_t> generation{0};
};

class Checker;

// Whether copies may wait (deferred_copies.h), and memory that stays as it is during the launch.
struct WaitingCopies {
    bool allowed = false;
    std::vector<ConstantRange> constants;
};

struct Job {
    Job(const Kernel &kernel, int blockDim, uint8_t *const *args, WaitingCopies copies = {});
    ~Job();

    // A worker's loop: run groups until all have finished or the launch has failed.
    void Work();
    // After all workers have left: throws KernelError with the first error.
    void ThrowIfFailed();

    void Fail(const std::string &text);
    void SetAllCoreFlag(GroupCore &core, uint16_t flagId);
    const AllCoreFlag &FlagOf(const GroupCore &core, uint16_t flagId) const;
    // Arrive at the barrier; returns the generation to wait for the end of.
    uint32_t ArriveAtBarrier(bool isAivOnly);
    int CoreCount(bool isAivOnly) const;

    const Kernel kernel;
    const uint64_t serial; // no other launch of the process has it
    const int blockDim;
    uint8_t *const *const args;
    const WaitingCopies waitingCopies;
    std::atomic<bool> isFailed{false};
    Checker *checker = nullptr; // of a checked launch
    AllCoreBarrier barriers[2]; // every core, AIVs only

private:
    Group *TakeGroup();
    void Park(Group &group);
    void WakeParked();
    void ReportDeadlock();
    void CheckNothingLeft();

    std::mutex mutex;
    std::condition_variable changed;
    std::unique_ptr<Group[]> groups;
    int started = 0;             // groups that have ever run
    std::deque<Group *> resumed; // groups that ran before and can go on
    std::deque<Group *> parked;
    int running = 0;
    int finished = 0;
    std::string error;
    AllCoreFlag flags[2][CROSS_CORE_FLAGS]; // AIC, AIV
};

} // namespace ascendc_cpu
#endif
