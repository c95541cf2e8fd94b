// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Flags and barriers between the pipes of a core, and between cores.
// Fast mode executes instructions in program order, so flags between pipes only have to be well formed.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_BLOCK_SYNC_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_BLOCK_SYNC_INTF_H
#include "ascendc_cpu/cross_core.h"
#include "ascendc_cpu/trace.h"
#include "kernel_event.h"

ASCENDC_CPU_BEGIN

// False where the device ignores the call: events of the vector pipe on an AIC.
template <HardEvent event>
__aicore__ inline bool CheckEvent(const char *api, int32_t eventId)
{
    static_assert(event != HardEvent::MAX, "not an event");
    if constexpr (g_coreType == AIV && !IsOnAiv(event)) {
        ascendc_cpu::Fail(api, "HardEvent %d connects a pipe that an AIV does not have", static_cast<int>(event));
    } else if constexpr (g_coreType == AIC && HasVectorPipe(event)) {
        return false;
    }
    if (ASCENDC_CPU_UNLIKELY(eventId < 0 || eventId >= QUE_MAX_EVENT)) {
        ascendc_cpu::Fail(api, "eventId is %d, allowed are 0 to %d", eventId, QUE_MAX_EVENT - 1);
    }
    return true;
}

template <HardEvent event>
__aicore__ inline void SetFlag(int32_t eventId)
{
    if (CheckEvent<event>("SetFlag", eventId)) {
        ASCENDC_CPU_SYNC(SetFlag, PipesOf(event).source, PipesOf(event).target, eventId);
    }
}

template <HardEvent event>
__aicore__ inline void WaitFlag(int32_t eventId)
{
    if (CheckEvent<event>("WaitFlag", eventId)) {
        ASCENDC_CPU_SYNC(WaitFlag, PipesOf(event).source, PipesOf(event).target, eventId);
    }
}

template <pipe_t pipe>
__aicore__ inline void PipeBarrier()
{
    static_assert(pipe != PIPE_S, "the scalar pipe needs no barrier and has none");
    ASCENDC_CPU_SYNC(PipeBarrier, pipe, pipe, 0);
}

// Order of scalar accesses to memory.
template <MemDsbT memory>
__aicore__ inline void DataSyncBarrier()
{
    ASCENDC_CPU_SYNC(DataSyncBarrier, PIPE_S, PIPE_S, static_cast<int>(memory));
}

// Where the device keeps the counters of cross-core flags; here the launch knows.
__aicore__ inline void SetSyncBaseAddr(uint64_t)
{
}

// Fires when the earlier work of `pipe` is complete. modeId 0: all AICs or all AIVs, 1: the AIVs of a group, 2: AIC and
// AIVs of a group. At most 15 sets may be outstanding.
template <uint8_t modeId, pipe_t pipe>
__aicore__ inline void CrossCoreSetFlag(uint16_t flagId)
{
    static_assert(modeId <= 2, "modes are 0, 1 and 2");
    static_assert(pipe != PIPE_S && pipe != PIPE_ALL, "a cross-core flag is set by one of the asynchronous pipes");
    ASCENDC_CPU_SYNC(CrossCoreSetFlag, pipe, modeId, flagId);
    ascendc_cpu::CrossCoreSet(modeId, flagId);
}

template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
__aicore__ inline void CrossCoreWaitFlag(uint16_t flagId)
{
    ascendc_cpu::CrossCoreWait(modeId, flagId);
    ASCENDC_CPU_SYNC(CrossCoreWaitFlag, modeId, pipe, flagId);
}

// true: all AIVs (pure vector kernels); false: every core of a mix kernel.
template <bool isAIVOnly = true>
__aicore__ inline void SyncAll()
{
    ASCENDC_CPU_SYNC(SyncAll, PIPE_ALL, PIPE_ALL, isAIVOnly);
    ascendc_cpu::SyncAllCores(isAIVOnly);
    ASCENDC_CPU_SYNC(SyncAllDone, PIPE_ALL, PIPE_ALL, isAIVOnly);
}

ASCENDC_CPU_END
#endif
