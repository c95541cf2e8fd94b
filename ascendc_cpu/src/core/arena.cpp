// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "arena.h"
#include <cstring>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include "runtime_mutex.h"

namespace ascendc_cpu {

namespace {

constexpr size_t HUGE_PAGE = 2 * 1024 * 1024;

// Order in the arena. UB exists twice, once an AIV.
constexpr Memory AIC_MEMORIES[] = {Memory::L0A, Memory::L0B, Memory::L0C, Memory::L1, Memory::BT, Memory::FB};

constexpr size_t HostBytes(Memory memory)
{
    const size_t scale = memory == Memory::L0A || memory == Memory::L0B ? L0_ARENA_SCALE : 1;
    return scale * MEMORY_CAPACITY[static_cast<int>(memory)];
}

constexpr size_t AicBytes()
{
    size_t bytes = 0;
    for (Memory memory : AIC_MEMORIES) {
        bytes += HostBytes(memory);
    }
    return bytes;
}
static_assert(AicBytes() + 2 * HostBytes(Memory::UB) <= HUGE_PAGE, "a group's memories share one huge page");

Arena *g_free = nullptr;

uint8_t *Map(size_t bytes)
{
    void *address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED) {
        throw std::bad_alloc();
    }
    return static_cast<uint8_t *>(address);
}

uint8_t *MapHugePage()
{
    uint8_t *raw = Map(2 * HUGE_PAGE);
    const size_t before = (HUGE_PAGE - reinterpret_cast<uintptr_t>(raw) % HUGE_PAGE) % HUGE_PAGE;
    if (before != 0) {
        munmap(raw, before);
    }
    munmap(raw + before + HUGE_PAGE, HUGE_PAGE - before);
    madvise(raw + before, HUGE_PAGE, MADV_HUGEPAGE);
    return raw + before;
}

size_t GuardBytes()
{
    return static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

Arena *NewArena()
{
    auto arena = std::make_unique<Arena>();
    const size_t pitch = GuardBytes() + STACK_BYTES;
    arena->stacks = Map(MAX_GROUP_CORES * pitch);
    try {
        arena->memory = MapHugePage();
    } catch (...) {
        munmap(arena->stacks, MAX_GROUP_CORES * pitch);
        throw;
    }
    for (int core = 0; core < MAX_GROUP_CORES; core++) {
        mprotect(arena->stacks + core * pitch, GuardBytes(), PROT_NONE);
    }
    return arena.release();
}

void Place(CoreState &core, Memory memory, uint8_t *base)
{
    core.memory[static_cast<int>(memory)] = {base, MEMORY_CAPACITY[static_cast<int>(memory)], 0};
}

} // namespace

void Arena::Assign(CoreState &core) const
{
    if (core.type == CoreType::AIV) {
        Place(core, Memory::UB, memory + AicBytes() + core.subBlock * HostBytes(Memory::UB));
        return;
    }
    uint8_t *base = memory;
    for (Memory each : AIC_MEMORIES) {
        Place(core, each, base);
        base += HostBytes(each);
    }
}

void Arena::Poison(const CoreState &core)
{
    for (int i = 0; i < MEMORY_COUNT; i++) {
        if (core.memory[i].base != nullptr) {
            memset(core.memory[i].base, 0xff, HostBytes(static_cast<Memory>(i)));
        }
    }
}

uint8_t *Arena::Stack(int core) const
{
    return stacks + core * (GuardBytes() + STACK_BYTES) + GuardBytes();
}

Arena *AcquireArena()
{
    {
        std::lock_guard<std::mutex> lock(RuntimeMutex());
        if (g_free != nullptr) {
            Arena *arena = g_free;
            g_free = arena->next;
            return arena;
        }
    }
    return NewArena();
}

void ReleaseArena(Arena *arena)
{
    std::lock_guard<std::mutex> lock(RuntimeMutex());
    arena->next = g_free;
    g_free = arena;
}

} // namespace ascendc_cpu
