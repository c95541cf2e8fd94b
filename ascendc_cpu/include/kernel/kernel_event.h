// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Which pipes a hardware event connects, and which events a queue between two positions uses.
#ifndef ASCENDC_CPU_KERNEL_EVENT_H
#define ASCENDC_CPU_KERNEL_EVENT_H
#include "kernel_type.h"

ASCENDC_CPU_BEGIN

using TEventID = int8_t;
constexpr int32_t QUE_MAX_EVENT = 8; // ids an event

struct EventPipes {
    pipe_t source; // SetFlag fires when its earlier work is complete
    pipe_t target; // WaitFlag holds its later work back
};

constexpr EventPipes PipesOf(HardEvent event)
{
    constexpr EventPipes pipes[static_cast<int>(HardEvent::MAX)] = {
        {PIPE_MTE2, PIPE_MTE1}, {PIPE_MTE1, PIPE_MTE2}, {PIPE_MTE1, PIPE_M}, {PIPE_M, PIPE_MTE1},
        {PIPE_MTE2, PIPE_V},    {PIPE_V, PIPE_MTE2},    {PIPE_MTE3, PIPE_V}, {PIPE_V, PIPE_MTE3},
        {PIPE_M, PIPE_V},       {PIPE_V, PIPE_M},       {PIPE_V, PIPE_V},    {PIPE_MTE3, PIPE_MTE1},
        {PIPE_MTE1, PIPE_MTE3}, {PIPE_MTE1, PIPE_V},    {PIPE_MTE2, PIPE_M}, {PIPE_M, PIPE_MTE2},
        {PIPE_V, PIPE_MTE1},    {PIPE_M, PIPE_FIX},     {PIPE_FIX, PIPE_M},  {PIPE_MTE3, PIPE_MTE2},
        {PIPE_MTE2, PIPE_MTE3}, {PIPE_S, PIPE_V},       {PIPE_V, PIPE_S},    {PIPE_S, PIPE_MTE2},
        {PIPE_MTE2, PIPE_S},    {PIPE_S, PIPE_MTE3},    {PIPE_MTE3, PIPE_S}, {PIPE_MTE2, PIPE_FIX},
        {PIPE_FIX, PIPE_MTE2},  {PIPE_FIX, PIPE_S},     {PIPE_M, PIPE_S},    {PIPE_FIX, PIPE_MTE3},
        {PIPE_MTE1, PIPE_FIX},  {PIPE_FIX, PIPE_MTE1},  {PIPE_FIX, PIPE_FIX}};
    return pipes[static_cast<int>(event)];
}

constexpr bool IsOnAiv(pipe_t pipe)
{
    return pipe == PIPE_S || pipe == PIPE_V || pipe == PIPE_MTE2 || pipe == PIPE_MTE3;
}
constexpr bool IsOnAiv(HardEvent event)
{
    return IsOnAiv(PipesOf(event).source) && IsOnAiv(PipesOf(event).target);
}
constexpr bool HasVectorPipe(HardEvent event)
{
    return PipesOf(event).source == PIPE_V || PipesOf(event).target == PIPE_V;
}

struct QueueEvents {
    HardEvent forward; // filled -> may be read
    HardEvent free;    // read -> may be filled again
};

// HardEvent::MAX where the hardware has no such path.
constexpr QueueEvents QueueEventsOf(TPosition source, TPosition target)
{
    using ascendc_cpu::Memory;
    const Memory from = MemoryOf(source);
    const Memory to = MemoryOf(target);
    if (from == Memory::GM && to == Memory::UB) {
        return {HardEvent::MTE2_V, HardEvent::V_MTE2};
    }
    if (from == Memory::UB && to == Memory::GM) {
        return {HardEvent::V_MTE3, HardEvent::MTE3_V};
    }
    if (from == Memory::UB && to == Memory::UB) {
        return {HardEvent::MTE2_MTE3, HardEvent::MTE3_MTE2};
    }
    if (from == Memory::GM && to == Memory::L1) {
        return {HardEvent::MTE2_MTE1, HardEvent::MTE1_MTE2};
    }
    if (from == Memory::GM && (to == Memory::L0A || to == Memory::L0B)) {
        return {HardEvent::MTE2_M, HardEvent::M_MTE2};
    }
    if (from == Memory::L1 && (to == Memory::L0A || to == Memory::L0B || to == Memory::BT)) {
        return {HardEvent::MTE1_M, HardEvent::M_MTE1};
    }
    if (from == Memory::L1 && to == Memory::FB) {
        return {HardEvent::MTE1_FIX, HardEvent::FIX_MTE1};
    }
    if (from == Memory::L0C && to == Memory::GM) {
        return {HardEvent::M_FIX, HardEvent::FIX_M};
    }
    return {HardEvent::MAX, HardEvent::MAX};
}

ASCENDC_CPU_END
#endif
