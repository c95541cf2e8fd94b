// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Memories and fiber stacks of one resident group.
#ifndef ASCENDC_CPU_ARENA_H
#define ASCENDC_CPU_ARENA_H
#include "ascendc_cpu/core_state.h"
#include "fiber.h"

namespace ascendc_cpu {

constexpr int MAX_GROUP_CORES = 3; // one AIC, two AIVs
constexpr size_t STACK_BYTES = 256 * 1024;

struct Arena {
    uint8_t *memory = nullptr; // 2 MiB aligned; contents stay from group to group, like the device's
    uint8_t *stacks = nullptr; // MAX_GROUP_CORES times a guard page, then STACK_BYTES
    Fiber fibers[MAX_GROUP_CORES];
    Arena *next = nullptr;

    // The memories that exist on this kind of core; subBlock picks the UB.
    void Assign(CoreState &core) const;
    uint8_t *Stack(int core) const;
    // Fill the core's memories with NaN.
    static void Poison(const CoreState &core);
};

// The arena used last is handed out first, so one launch touches as few as possible. Throws std::bad_alloc.
Arena *AcquireArena();
void ReleaseArena(Arena *arena);

} // namespace ascendc_cpu
#endif
