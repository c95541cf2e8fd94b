// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A group is one AIC and its AIVs, each a fiber. One thread runs a group at a time; between its turns a group that
// waits is parked and may go on in another thread.
#ifndef ASCENDC_CPU_GROUP_H
#define ASCENDC_CPU_GROUP_H
#include <string>
#include "arena.h"
#include "kernel_table.h"

namespace ascendc_cpu {

struct Job;

enum class WaitKind : uint8_t { NONE, FLAG, SYNC_ALL };

struct Wait {
    WaitKind kind = WaitKind::NONE;
    uint8_t mode = 0;
    uint16_t flagId = 0;
    bool isAivOnly = false;  // SYNC_ALL
    uint32_t generation = 0; // SYNC_ALL: over when the barrier's generation differs
};

struct GroupCore {
    CoreState state;
    const KernelRecord *kernel = nullptr;
    bool isDone = false;
    Wait wait;
    uint32_t allCoreSent[CROSS_CORE_FLAGS] = {};     // mode 0 sets by this core
    uint32_t allCoreReceived[CROSS_CORE_FLAGS] = {}; // mode 0 releases already in its counter
};

struct Group {
    Job *job = nullptr;
    Arena *arena = nullptr; // from the group's start to its end
    int coreCount = 0;
    int current = 0; // core whose fiber runs
    bool isFailed = false;
    ChangingCopy changing;
    ProductsInGm inGm;
    GroupCore cores[MAX_GROUP_CORES];             // AIC first where there is one
    uint8_t aivSent[2][2][CROSS_CORE_FLAGS] = {}; // [mode - 1][AIV]: sets that still miss the other AIV's
};

enum class GroupState { FINISHED, WAITING, FAILED };

void InitGroup(Group &group, Job &job, int index);
// Run its fibers until all have ended, all wait, or the launch has failed.
GroupState RunGroup(Group &group);
// Give back the arena; fibers that have not ended are dropped where they stand (kernels own no host memory).
void ReleaseGroup(Group &group);

// Can the core's wait end now? Takes in mode 0 releases.
bool IsReady(GroupCore &core);
// Of the current core: leave the fiber until `wait` can end. If it can already, the group's other cores have their turn
// all the same: none runs far ahead, and what one passes on is read and overwritten while it is in the caches.
void SuspendUntil(const Wait &wait);
GroupCore &CurrentCore();

// "AIV 3.1": core type, group, and on AIV its index in the group.
std::string CoreName(const CoreState &core);
// The launch's error, if it is the first one.
void RecordFailure(CoreState &core, const std::string &text);
[[noreturn]] void AbandonFiber();

} // namespace ascendc_cpu
#endif
