// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Orders inside a cube core: c[16][16] = a[16][32] * b[16][32]^T in two steps of k = 16 that use every buffer again
// (M_M: the steps have buffers of their own). Each is left out where `wrong` and `scenario` names it.
#include "kernel_operator.h"

using namespace AscendC;

enum Scenario : uint32_t {
    MTE2_MTE1,
    MTE1_M,
    M_M,
    M_FIX,
    MTE1_MTE2,
    M_MTE1,
    FIX_M,
    UNIT_FLAG,
};

constexpr uint32_t SIDE = 16;
constexpr uint32_t FRACTAL = SIDE * SIDE;

struct Cube {
    TPipe pipe;
    TBuf<TPosition::A1> l1Buf;
    TBuf<TPosition::A2> l0aBuf;
    TBuf<TPosition::B2> l0bBuf;
    TBuf<TPosition::CO1> l0cBuf;
    GlobalTensor<half> a, b;
    GlobalTensor<float> c;
    uint32_t scenario;
    uint32_t missing; // number of the order to leave out
};

template <HardEvent EVENT>
__aicore__ inline void PassUnless(const Cube &t, uint32_t scenario)
{
    if (t.missing != scenario) {
        SetFlag<EVENT>(4); // TPipe has M_MTE1 0 to 2
        WaitFlag<EVENT>(4);
    }
}

__aicore__ inline void LoadStep(Cube &t, uint32_t step, uint32_t slot)
{
    Nd2NzParams tile(1, SIDE, SIDE, 0, 2 * SIDE, SIDE, 1, 0);
    LocalTensor<half> l1 = t.l1Buf.Get<half>()[slot * 2 * FRACTAL];
    DataCopy(l1, t.a[step * SIDE], tile); // line: MTE1_MTE2
    DataCopy(l1[FRACTAL], t.b[step * SIDE], tile);
    PassUnless<HardEvent::MTE2_MTE1>(t, MTE2_MTE1);
    LoadData2DParams fractal(0, 1, 1, 0, 0, false, 0);
    LoadData(t.l0aBuf.Get<half>()[slot * FRACTAL], l1, fractal); // line: M_MTE1 MTE2_MTE1
    LoadData(t.l0bBuf.Get<half>()[slot * FRACTAL], l1[FRACTAL], fractal);
    PassUnless<HardEvent::MTE1_M>(t, MTE1_M);
}

// 2 and 3: Mmad and Fixpipe order themselves, without M_FIX
__aicore__ inline uint8_t UnitFlag(const Cube &t, bool last)
{
    return t.scenario == UNIT_FLAG && t.missing != UNIT_FLAG ? 2 + last : 0;
}

__aicore__ inline void Multiply(Cube &t, uint32_t slot, bool first)
{
    LocalTensor<half> l0a = t.l0aBuf.Get<half>()[slot * FRACTAL];
    LocalTensor<half> l0b = t.l0bBuf.Get<half>()[slot * FRACTAL];
    MmadParams sizes(SIDE, SIDE, SIDE, UnitFlag(t, !first), false, first);
    Mmad(t.l0cBuf.Get<float>(), l0a, l0b, sizes); // line: MTE1_M M_M
}

__aicore__ inline void TwoSteps(Cube &t)
{
    uint32_t second = 0;
    LoadStep(t, 0, 0);
    if (t.scenario == M_M) {
        second = 1;
        LoadStep(t, 1, second);
    }
    Multiply(t, 0, true);
    if (t.scenario != M_M) {
        PassUnless<HardEvent::MTE1_MTE2>(t, MTE1_MTE2);
        PassUnless<HardEvent::M_MTE1>(t, M_MTE1);
        LoadStep(t, 1, second);
    }
    if (t.missing != M_M) {
        PipeBarrier<PIPE_M>();
    }
    Multiply(t, second, false);
}

__aicore__ inline void StoreResult(Cube &t)
{
    FixpipeParamsV220 rows(SIDE, SIDE, SIDE, SIDE, false);
    rows.unitFlag = UnitFlag(t, true);
    Fixpipe<float, float, CFG_ROW_MAJOR>(t.c, t.l0cBuf.Get<float>(), rows); // line: M_FIX UNIT_FLAG
}

extern "C" __global__ __aicore__ void order_cube(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t scenario, uint32_t wrong)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    Cube t;
    t.pipe.InitBuffer(t.l1Buf, 4 * FRACTAL * sizeof(half));
    t.pipe.InitBuffer(t.l0aBuf, 2 * FRACTAL * sizeof(half));
    t.pipe.InitBuffer(t.l0bBuf, 2 * FRACTAL * sizeof(half));
    t.pipe.InitBuffer(t.l0cBuf, FRACTAL * sizeof(float));
    t.a.SetGlobalBuffer((__gm__ half *)a);
    t.b.SetGlobalBuffer((__gm__ half *)b);
    t.c.SetGlobalBuffer((__gm__ float *)c);
    t.scenario = scenario;
    t.missing = wrong ? scenario : ~0u;
    TwoSteps(t);
    if (scenario != UNIT_FLAG) {
        PassUnless<HardEvent::M_FIX>(t, M_FIX);
    }
    StoreResult(t);
    PassUnless<HardEvent::FIX_M>(t, FIX_M);
    MmadParams sizes(SIDE, SIDE, SIDE, 0, false, true);
    Mmad(t.l0cBuf.Get<float>(), t.l0aBuf.Get<half>(), t.l0bBuf.Get<half>(), sizes); // line: FIX_M
    PipeBarrier<PIPE_ALL>();
}
