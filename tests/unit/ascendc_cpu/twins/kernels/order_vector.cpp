// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Orders inside a vector core and between two of them, each missing where `wrong`. y = x + 1.
#include "twin.h"

enum Scenario : uint32_t {
    MTE2_V,
    V_MTE3,
    V_V,
    V_MTE2,
    MTE3_V,
    MTE3_MTE2,
    MTE3_MTE3,
    S_V,
    V_S,
    OTHER_EVENT,
    EARLY_FLAG,
    GROUPS,
};

__aicore__ inline void LoadRead(Vectors &t, bool wrong)
{
    DataCopy(t.a, t.x, COUNT);
    if (!wrong) {
        Pass<HardEvent::MTE2_V>();
    }
    Adds(t.b, t.a, 1.0f, COUNT); // line: MTE2_V
    t.Store(t.b);
}

__aicore__ inline void ComputeStore(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    if (!wrong) {
        Pass<HardEvent::V_MTE3>();
    }
    DataCopy(t.y, t.b, COUNT); // line: V_MTE3
}

__aicore__ inline void ComputeCompute(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 3.0f, COUNT);
    if (!wrong) {
        PipeBarrier<PIPE_V>();
    }
    Adds(t.c, t.b, -2.0f, COUNT); // line: V_V
    t.Store(t.c);
}

__aicore__ inline void ReadLoad(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    if (!wrong) {
        Pass<HardEvent::V_MTE2>();
    }
    DataCopy(t.a, t.x[COUNT / 2], COUNT / 2); // line: V_MTE2
    Pass<HardEvent::MTE2_V>();
    PipeBarrier<PIPE_V>();
    Adds(t.b[COUNT / 2], t.a, 1.0f, COUNT / 2);
    t.Store(t.b);
}

__aicore__ inline void StoreCompute(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 2.0f, COUNT);
    Pass<HardEvent::V_MTE3>();
    DataCopy(t.y, t.b, COUNT);
    if (!wrong) {
        Pass<HardEvent::MTE3_V>();
    }
    Adds(t.b, t.a, 1.0f, COUNT); // line: MTE3_V
    t.Store(t.b);
}

__aicore__ inline void StoreLoad(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    Pass<HardEvent::V_MTE3>();
    DataCopy(t.y, t.b, COUNT);
    if (!wrong) {
        Pass<HardEvent::MTE3_MTE2>();
    }
    DataCopy(t.c, t.y, COUNT); // line: MTE3_MTE2
    t.Store(t.c);
}

__aicore__ inline void StoreStore(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    Pass<HardEvent::V_MTE3>();
    DataCopy(t.y, t.a, COUNT);
    if (!wrong) {
        PipeBarrier<PIPE_MTE3>();
    }
    DataCopy(t.y, t.b, COUNT); // line: MTE3_MTE3
}

__aicore__ inline void ScalarCompute(Vectors &t, bool wrong)
{
    t.Load();
    t.a.SetValue(5, t.x.GetValue(5));
    if (!wrong) {
        Pass<HardEvent::S_V>();
    }
    Adds(t.b, t.a, 1.0f, COUNT); // line: S_V
    t.Store(t.b);
}

__aicore__ inline void ComputeScalar(Vectors &t, bool wrong)
{
    t.Load();
    Duplicate(t.c, 1.0f, COUNT);
    if (!wrong) {
        Pass<HardEvent::V_S>();
    }
    float one = t.c.GetValue(COUNT - 1); // line: V_S
    Adds(t.b, t.a, one, COUNT);
    t.Store(t.b);
}

// An event that makes MTE3 wait does not make V wait.
__aicore__ inline void OtherEvent(Vectors &t, bool wrong)
{
    DataCopy(t.a, t.x, COUNT);
    if (wrong) {
        Pass<HardEvent::MTE2_MTE3>();
    } else {
        Pass<HardEvent::MTE2_V>();
    }
    Adds(t.b, t.a, 1.0f, COUNT); // line: OTHER_EVENT
    t.Store(t.b);
}

// A flag covers what is queued before it is set: of two loads only the first.
__aicore__ inline void EarlyFlag(Vectors &t, bool wrong)
{
    DataCopy(t.a, t.x, COUNT / 2);
    if (wrong) {
        SetFlag<HardEvent::MTE2_V>(3);
    }
    DataCopy(t.a[COUNT / 2], t.x[COUNT / 2], COUNT / 2);
    if (!wrong) {
        SetFlag<HardEvent::MTE2_V>(3);
    }
    WaitFlag<HardEvent::MTE2_V>(3);
    Adds(t.b, t.a, 1.0f, COUNT); // line: EARLY_FLAG
    t.Store(t.b);
}

// Core 0 writes the first half of y, core 1 makes the second half from it.
__aicore__ inline void Groups(Vectors &t, bool wrong)
{
    constexpr uint32_t half = COUNT / 2;
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    Sub(t.c, t.a[half], t.a, half);
    PipeBarrier<PIPE_ALL>();
    if (GetBlockIdx() == 0) {
        DataCopy(t.y, t.b, half);
    }
    PipeBarrier<PIPE_ALL>();
    if (!wrong) {
        SyncAll();
    }
    if (GetBlockIdx() == 1) {
        DataCopy(t.b, t.y, half); // line: GROUPS
        PipeBarrier<PIPE_ALL>();
        Add(t.a, t.b, t.c, half);
        PipeBarrier<PIPE_ALL>();
        DataCopy(t.y[half], t.a, half);
    }
}

extern "C" __global__ __aicore__ void order_vector(GM_ADDR x, GM_ADDR y, uint32_t scenario, uint32_t wrong)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    Vectors t(x, y);
    switch (scenario) {
    case MTE2_V:
        return LoadRead(t, wrong);
    case V_MTE3:
        return ComputeStore(t, wrong);
    case V_V:
        return ComputeCompute(t, wrong);
    case V_MTE2:
        return ReadLoad(t, wrong);
    case MTE3_V:
        return StoreCompute(t, wrong);
    case MTE3_MTE2:
        return StoreLoad(t, wrong);
    case MTE3_MTE3:
        return StoreStore(t, wrong);
    case S_V:
        return ScalarCompute(t, wrong);
    case V_S:
        return ComputeScalar(t, wrong);
    case OTHER_EVENT:
        return OtherEvent(t, wrong);
    case EARLY_FLAG:
        return EarlyFlag(t, wrong);
    case GROUPS:
        return Groups(t, wrong);
    default:
        return;
    }
}
