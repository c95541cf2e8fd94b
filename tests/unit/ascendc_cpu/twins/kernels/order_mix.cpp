// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A cube core and its two vector cores: y[32][16] = relu(a[32][16] * b[16][16]^T) through a workspace, each vector
// core half of the rows; then the cube core reads y. Cross-core flags are set and waited for as `scenario` says.
#include "kernel_operator.h"

using namespace AscendC;

enum Scenario : uint32_t {
    AIC_TO_AIV,      // no flag after Fixpipe
    AIC_TO_AIV_PIPE, // the flag follows another pipe
    AIV_TO_AIC,      // no flag after the stores of the vector cores
    AIV_TO_AIC_PIPE, // the flag follows the loads instead of the stores
    ONE_AIV_NEVER,   // the second vector core never sets: the cube core waits for ever
    LEFT_SET,        // one more set than waits
    SIXTEEN,         // a 4 bit counter
    BOTH_WAIT,       // each side waits before it sets
};

constexpr uint32_t ROWS = 32;
constexpr uint32_t SIDE = 16;
constexpr uint32_t PART = ROWS / 2 * SIDE;
constexpr uint16_t PRODUCT_READY = 0;
constexpr uint16_t RESULT_READY = 1;
constexpr uint16_t EXTRA = 2;

struct Task {
    GM_ADDR a;
    GM_ADDR b;
    GM_ADDR product;
    GM_ADDR y;
    GM_ADDR copy;
    uint32_t scenario;
    bool wrong;

    __aicore__ inline bool Is(uint32_t which) const
    {
        return wrong && scenario == which;
    }
};

__aicore__ inline void Product(const Task &t, TPipe &pipe)
{
    TBuf<TPosition::A1> l1Buf;
    TBuf<TPosition::A2> l0aBuf;
    TBuf<TPosition::B2> l0bBuf;
    TBuf<TPosition::CO1> l0cBuf;
    pipe.InitBuffer(l1Buf, (ROWS + SIDE) * SIDE * sizeof(half));
    pipe.InitBuffer(l0aBuf, ROWS * SIDE * sizeof(half));
    pipe.InitBuffer(l0bBuf, SIDE * SIDE * sizeof(half));
    pipe.InitBuffer(l0cBuf, ROWS * SIDE * sizeof(float));
    GlobalTensor<half> a, b;
    GlobalTensor<float> product;
    a.SetGlobalBuffer((__gm__ half *)t.a);
    b.SetGlobalBuffer((__gm__ half *)t.b);
    product.SetGlobalBuffer((__gm__ float *)t.product);
    LocalTensor<half> l1 = l1Buf.Get<half>();
    DataCopy(l1, a, Nd2NzParams(1, ROWS, SIDE, 0, SIDE, ROWS, 1, 0));
    DataCopy(l1[ROWS * SIDE], b, Nd2NzParams(1, SIDE, SIDE, 0, SIDE, SIDE, 1, 0));
    PipeBarrier<PIPE_ALL>();
    LoadData(l0aBuf.Get<half>(), l1, LoadData2DParams(0, ROWS / SIDE, 1, 0, 0, false, 0));
    LoadData(l0bBuf.Get<half>(), l1[ROWS * SIDE], LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    PipeBarrier<PIPE_ALL>();
    Mmad(l0cBuf.Get<float>(), l0aBuf.Get<half>(), l0bBuf.Get<half>(), MmadParams(ROWS, SIDE, SIDE, 0, false, true));
    PipeBarrier<PIPE_ALL>();
    FixpipeParamsV220 rows(SIDE, ROWS, ROWS, SIDE, false);
    Fixpipe<float, float, CFG_ROW_MAJOR>(product, l0cBuf.Get<float>(), rows);
}

__aicore__ inline void Copy(const Task &t, TPipe &pipe)
{
    TBuf<TPosition::A1> l1Buf;
    pipe.InitBuffer(l1Buf, ROWS * SIDE * sizeof(float));
    GlobalTensor<float> y, copy;
    y.SetGlobalBuffer((__gm__ float *)t.y);
    copy.SetGlobalBuffer((__gm__ float *)t.copy);
    LocalTensor<float> l1 = l1Buf.Get<float>();
    DataCopy(l1, y, ROWS * SIDE); // line: AIV_TO_AIC AIV_TO_AIC_PIPE
    PipeBarrier<PIPE_ALL>();
    DataCopy(copy, l1, ROWS * SIDE);
    PipeBarrier<PIPE_ALL>();
}

__aicore__ inline void RunCube(const Task &t)
{
    TPipe pipe;
    if (t.Is(BOTH_WAIT)) {
        CrossCoreWaitFlag(RESULT_READY);
    }
    Product(t, pipe);
    if (t.Is(AIC_TO_AIV_PIPE)) {
        CrossCoreSetFlag<2, PIPE_MTE2>(PRODUCT_READY);
    } else if (!t.Is(AIC_TO_AIV)) {
        CrossCoreSetFlag<2, PIPE_FIX>(PRODUCT_READY);
    }
    if (!t.Is(AIV_TO_AIC) && !t.Is(BOTH_WAIT)) {
        CrossCoreWaitFlag(RESULT_READY); // line: ONE_AIV_NEVER
    }
    Copy(t, pipe);
    if (t.Is(LEFT_SET)) {
        CrossCoreSetFlag<2, PIPE_FIX>(EXTRA);
    }
    if (t.scenario == SIXTEEN) {
        uint32_t sets = t.wrong ? 16 : 15;
        for (uint32_t i = 0; i < sets; ++i) {
            CrossCoreSetFlag<2, PIPE_FIX>(EXTRA); // line: SIXTEEN
        }
        CrossCoreSetFlag<2, PIPE_FIX>(PRODUCT_READY);
    }
}

__aicore__ inline void RunVector(const Task &t)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, PART * sizeof(float));
    LocalTensor<float> part = buf.Get<float>();
    GlobalTensor<float> product, y;
    product.SetGlobalBuffer((__gm__ float *)t.product + GetSubBlockIdx() * PART);
    y.SetGlobalBuffer((__gm__ float *)t.y + GetSubBlockIdx() * PART);
    if (!t.Is(AIC_TO_AIV)) {
        CrossCoreWaitFlag(PRODUCT_READY);
    }
    DataCopy(part, product, PART); // line: AIC_TO_AIV AIC_TO_AIV_PIPE
    PipeBarrier<PIPE_ALL>();
    Relu(part, part, PART);
    PipeBarrier<PIPE_ALL>();
    DataCopy(y, part, PART); // line: AIV_TO_AIC
    if (t.Is(AIV_TO_AIC_PIPE)) {
        CrossCoreSetFlag<2, PIPE_MTE2>(RESULT_READY);
    } else if (!t.Is(AIV_TO_AIC) && !(t.Is(ONE_AIV_NEVER) && GetSubBlockIdx() == 1)) {
        CrossCoreSetFlag<2, PIPE_MTE3>(RESULT_READY);
    }
    if (t.scenario == SIXTEEN) { // waits for the last set first, so that all the others are open
        uint32_t waits = t.wrong ? 16 : 15;
        CrossCoreWaitFlag(PRODUCT_READY);
        for (uint32_t i = 0; i < waits; ++i) {
            CrossCoreWaitFlag(EXTRA);
        }
    }
    PipeBarrier<PIPE_ALL>();
}

extern "C" __global__ __aicore__ void order_mix(GM_ADDR a, GM_ADDR b, GM_ADDR product, GM_ADDR y, GM_ADDR copy,
                                                uint32_t scenario, uint32_t wrong)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    Task t{a, b, product, y, copy, scenario, wrong != 0};
    if ASCEND_IS_AIC {
        RunCube(t);
    }
    if ASCEND_IS_AIV {
        RunVector(t);
    }
}
