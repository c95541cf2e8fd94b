// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Orders of a vector core's loads and stores with each other and with its scalar unit, and flags that are set for the
// wrong moment. y = x + 1.
#include "twin.h"

enum Scenario : uint32_t {
    S_MTE3,
    MTE2_S,
    MTE3_S,
    MTE2_MTE3,
    MTE3_MTE2_UB,
    BARRIER_OF_ONE_PIPE,
    LATE_WAIT,
    OTHER_ID,
    PING_PONG,
};

__aicore__ inline void ScalarStore(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    PipeBarrier<PIPE_ALL>();
    t.b.SetValue(7, t.a.GetValue(7) + 1.0f);
    if (!wrong) {
        Pass<HardEvent::S_MTE3>();
    }
    DataCopy(t.y, t.b, COUNT); // line: S_MTE3
}

__aicore__ inline void LoadScalar(Vectors &t, bool wrong)
{
    DataCopy(t.a, t.x, COUNT);
    if (!wrong) {
        Pass<HardEvent::MTE2_S>();
    }
    float last = t.a.GetValue(COUNT - 1); // line: MTE2_S
    PipeBarrier<PIPE_ALL>();
    Adds(t.b, t.a, 1.0f, COUNT);
    PipeBarrier<PIPE_ALL>();
    t.b.SetValue(COUNT - 1, last + 1.0f);
    t.Store(t.b);
}

__aicore__ inline void StoreScalar(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    Pass<HardEvent::V_MTE3>();
    DataCopy(t.y, t.b, COUNT);
    if (!wrong) {
        Pass<HardEvent::MTE3_S>();
    }
    t.b.SetValue(3, 0.0f); // line: MTE3_S
    PipeBarrier<PIPE_ALL>();
}

// x through UB to y, and from there the usual way.
__aicore__ inline void LoadStore(Vectors &t, bool wrong)
{
    DataCopy(t.c, t.x, COUNT);
    if (!wrong) {
        Pass<HardEvent::MTE2_MTE3>();
    }
    DataCopy(t.y, t.c, COUNT); // line: MTE2_MTE3
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    t.Store(t.b);
}

__aicore__ inline void StoreLoadUb(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    Pass<HardEvent::V_MTE3>();
    DataCopy(t.y, t.b, COUNT);
    if (!wrong) {
        Pass<HardEvent::MTE3_MTE2>();
    }
    DataCopy(t.b, t.x, COUNT); // line: MTE3_MTE2_UB
    PipeBarrier<PIPE_ALL>();
}

// A barrier of V holds back V only.
__aicore__ inline void BarrierOfOnePipe(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    if (wrong) {
        PipeBarrier<PIPE_V>();
        PipeBarrier<PIPE_MTE3>();
    } else {
        PipeBarrier<PIPE_ALL>();
    }
    DataCopy(t.y, t.b, COUNT); // line: BARRIER_OF_ONE_PIPE
}

__aicore__ inline void LateWait(Vectors &t, bool wrong)
{
    DataCopy(t.a, t.x, COUNT);
    SetFlag<HardEvent::MTE2_V>(0);
    if (!wrong) {
        WaitFlag<HardEvent::MTE2_V>(0);
    }
    Adds(t.b, t.a, 1.0f, COUNT); // line: LATE_WAIT
    if (wrong) {
        WaitFlag<HardEvent::MTE2_V>(0);
    }
    t.Store(t.b);
}

// Two loads with a flag each; the reader of the second half waits for the first load.
__aicore__ inline void OtherId(Vectors &t, bool wrong)
{
    constexpr uint32_t half = COUNT / 2;
    DataCopy(t.a, t.x, half);
    SetFlag<HardEvent::MTE2_V>(0);
    DataCopy(t.a[half], t.x[half], half);
    SetFlag<HardEvent::MTE2_V>(1);
    WaitFlag<HardEvent::MTE2_V>(wrong ? 0 : 1);
    Adds(t.b[half], t.a[half], 1.0f, half); // line: OTHER_ID
    WaitFlag<HardEvent::MTE2_V>(wrong ? 1 : 0);
    Adds(t.b, t.a, 1.0f, half);
    t.Store(t.b);
}

// Four parts through two pairs of buffers; where wrong, a load does not wait until its buffer has been read.
__aicore__ inline void PingPong(Vectors &t, bool wrong)
{
    constexpr uint32_t part = COUNT / 4;
    for (int32_t slot = 0; slot < 2; ++slot) {
        SetFlag<HardEvent::V_MTE2>(slot);
        SetFlag<HardEvent::MTE3_V>(slot);
    }
    for (uint32_t i = 0; i < 4; ++i) {
        int32_t slot = i % 2;
        LocalTensor<float> in = t.a[slot * part];
        LocalTensor<float> out = t.b[slot * part];
        if (!wrong) {
            WaitFlag<HardEvent::V_MTE2>(slot);
        }
        DataCopy(in, t.x[i * part], part); // line: PING_PONG
        if (wrong) {
            WaitFlag<HardEvent::V_MTE2>(slot);
        }
        SetFlag<HardEvent::MTE2_V>(slot);
        WaitFlag<HardEvent::MTE2_V>(slot);
        WaitFlag<HardEvent::MTE3_V>(slot);
        Adds(out, in, 1.0f, part);
        SetFlag<HardEvent::V_MTE2>(slot);
        SetFlag<HardEvent::V_MTE3>(slot);
        WaitFlag<HardEvent::V_MTE3>(slot);
        DataCopy(t.y[i * part], out, part);
        SetFlag<HardEvent::MTE3_V>(slot);
    }
    for (int32_t slot = 0; slot < 2; ++slot) {
        WaitFlag<HardEvent::V_MTE2>(slot);
        WaitFlag<HardEvent::MTE3_V>(slot);
    }
}

extern "C" __global__ __aicore__ void order_dma(GM_ADDR x, GM_ADDR y, uint32_t scenario, uint32_t wrong)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    Vectors t(x, y);
    switch (scenario) {
    case S_MTE3:
        return ScalarStore(t, wrong);
    case MTE2_S:
        return LoadScalar(t, wrong);
    case MTE3_S:
        return StoreScalar(t, wrong);
    case MTE2_MTE3:
        return LoadStore(t, wrong);
    case MTE3_MTE2_UB:
        return StoreLoadUb(t, wrong);
    case BARRIER_OF_ONE_PIPE:
        return BarrierOfOnePipe(t, wrong);
    case LATE_WAIT:
        return LateWait(t, wrong);
    case OTHER_ID:
        return OtherId(t, wrong);
    case PING_PONG:
        return PingPong(t, wrong);
    default:
        return;
    }
}
