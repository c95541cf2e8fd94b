// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The two vector cores of a group, and a workspace that the cube core fills again. y = x + 1 (x as a float matrix).
#include "twin.h"

enum Scenario : uint32_t {
    AIV_TO_AIV,
    WORKSPACE_AGAIN,
    EVERY_CORE,
};

constexpr uint16_t FILLED = 3;
constexpr uint16_t CONSUMED = 4;

// Vector core 0 stores x + 1 in y; core 1 brings it and stores it in the workspace.
__aicore__ inline void Pair(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, bool wrong)
{
    Vectors t(x, y);
    if (GetSubBlockIdx() == 0) {
        t.Load();
        Adds(t.b, t.a, 1.0f, COUNT);
        Pass<HardEvent::V_MTE3>();
        DataCopy(t.y, t.b, COUNT);
    }
    if (!wrong) {
        CrossCoreSetFlag<1, PIPE_MTE3>(FILLED);
        CrossCoreWaitFlag(FILLED);
    }
    if (GetSubBlockIdx() == 1) {
        DataCopy(t.c, t.y, COUNT);
        PipeBarrier<PIPE_ALL>();
        GlobalTensor<float> copy;
        copy.SetGlobalBuffer((__gm__ float *)workspace, COUNT);
        DataCopy(copy, t.c, COUNT);
    }
}

// The cube core copies each half of x into one workspace; the vector cores take it from there, 0 and 1 a quarter each.
__aicore__ inline void Fill(GM_ADDR x, GM_ADDR workspace, bool wrong)
{
    TPipe pipe;
    TBuf<TPosition::A1> l1Buf;
    pipe.InitBuffer(l1Buf, BYTES);
    LocalTensor<float> l1 = l1Buf.Get<float>();
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, COUNT);
    to.SetGlobalBuffer((__gm__ float *)workspace, COUNT);
    DataCopy(l1, from, COUNT);
    PipeBarrier<PIPE_ALL>();
    for (uint32_t half = 0; half < 2; ++half) {
        if (half == 1 && !wrong) {
            CrossCoreWaitFlag(CONSUMED);
        }
        DataCopy(to, l1[half * COUNT / 2], COUNT / 2);
        CrossCoreSetFlag<2, PIPE_MTE3>(FILLED);
    }
    if (wrong) {
        CrossCoreWaitFlag(CONSUMED);
    }
    CrossCoreWaitFlag(CONSUMED);
    PipeBarrier<PIPE_ALL>();
}

__aicore__ inline void Take(GM_ADDR workspace, GM_ADDR y)
{
    constexpr uint32_t quarter = COUNT / 4;
    Vectors t(workspace, y);
    uint32_t mine = GetSubBlockIdx() * quarter;
    for (uint32_t half = 0; half < 2; ++half) {
        CrossCoreWaitFlag(FILLED);
        DataCopy(t.a, t.x[mine], quarter);
        CrossCoreSetFlag<2, PIPE_MTE2>(CONSUMED);
        PipeBarrier<PIPE_ALL>();
        Adds(t.b, t.a, 1.0f, quarter);
        PipeBarrier<PIPE_ALL>();
        DataCopy(t.y[half * COUNT / 2 + mine], t.b, quarter);
        PipeBarrier<PIPE_ALL>();
    }
}

// Of two groups each cube core fills a half of the workspace; the vector cores take a quarter of the other group's.
__aicore__ inline void FillHalf(GM_ADDR x, GM_ADDR workspace, bool wrong)
{
    uint32_t from = GetBlockIdx() * COUNT / 2;
    TPipe pipe;
    TBuf<TPosition::A1> l1Buf;
    pipe.InitBuffer(l1Buf, BYTES);
    LocalTensor<float> l1 = l1Buf.Get<float>();
    GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float *)x, COUNT);
    out.SetGlobalBuffer((__gm__ float *)workspace, COUNT);
    DataCopy(l1, in[from], COUNT / 2);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out[from], l1, COUNT / 2);
    PipeBarrier<PIPE_ALL>();
    if (!wrong) {
        SyncAll<false>();
    }
}

__aicore__ inline void TakeQuarter(GM_ADDR workspace, GM_ADDR y, bool wrong)
{
    constexpr uint32_t quarter = COUNT / 4;
    Vectors t(workspace, y);
    uint32_t other = (GetBlockIdx() + 2) % 4 * quarter;
    if (!wrong) {
        SyncAll<false>();
    }
    DataCopy(t.a, t.x[other], quarter);
    Pass<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, quarter);
    Pass<HardEvent::V_MTE3>();
    DataCopy(t.y[other], t.b, quarter);
    PipeBarrier<PIPE_ALL>();
}

extern "C" __global__ __aicore__ void order_pair(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, uint32_t scenario,
                                                 uint32_t wrong)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC {
        if (scenario == WORKSPACE_AGAIN) {
            Fill(x, workspace, wrong);
        } else if (scenario == EVERY_CORE) {
            FillHalf(x, workspace, wrong);
        }
    }
    if ASCEND_IS_AIV {
        if (scenario == WORKSPACE_AGAIN) {
            Take(workspace, y);
        } else if (scenario == EVERY_CORE) {
            TakeQuarter(workspace, y, wrong);
        } else {
            Pair(x, y, workspace, wrong);
        }
    }
}
