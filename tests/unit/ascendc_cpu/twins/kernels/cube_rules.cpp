// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Sizes, addresses and memories of a cube core: c[16][16] = a[16][16] * b[16][16]^T, every step ordered by
// barriers.
#include "kernel_operator.h"

using namespace AscendC;

enum Scenario : uint32_t {
    GEMV_ONE_LOAD,
    GEMV_TWO_LOADS,
    FIX_COLUMNS,
    MMAD_SIZE,
    FIX_STRIDE,
    MISALIGNED_L1,
    MISALIGNED_L0A,
    MISALIGNED_L0C,
    NEVER_ROWS,
    NEVER_COLUMNS,
    NEVER_K,
    OUT_L1,
    OPERANDS_SWAPPED,
    NO_UB,
};

constexpr uint32_t SIDE = 16;
constexpr uint32_t FRACTAL = SIDE * SIDE;

struct Cube {
    TPipe pipe;
    TBuf<TPosition::A1> l1Buf;
    TBuf<TPosition::A2> l0aBuf;
    TBuf<TPosition::B2> l0bBuf;
    TBuf<TPosition::CO1> l0cBuf;
    LocalTensor<half> l1a, l1b, l0a, l0b;
    LocalTensor<float> l0c;
    GlobalTensor<half> a, b;
    GlobalTensor<float> c;
    uint32_t scenario;
    bool wrong;

    __aicore__ inline bool Is(uint32_t which) const
    {
        return wrong && scenario == which;
    }
    // b instead of a if this is the scenario and the mistake is made
    __aicore__ inline uint32_t Pick(uint32_t which, uint32_t a, uint32_t b) const
    {
        return Is(which) ? b : a;
    }
};

__aicore__ inline void Prepare(Cube &t, GM_ADDR a, GM_ADDR b, GM_ADDR c)
{
    t.pipe.InitBuffer(t.l1Buf, 4 * FRACTAL * sizeof(half));
    t.pipe.InitBuffer(t.l0aBuf, 2 * FRACTAL * sizeof(half));
    t.pipe.InitBuffer(t.l0bBuf, 2 * FRACTAL * sizeof(half));
    t.pipe.InitBuffer(t.l0cBuf, 2 * FRACTAL * sizeof(float));
    t.l1a = t.l1Buf.Get<half>();
    t.l1b = t.l1a[2 * FRACTAL];
    t.l0a = t.l0aBuf.Get<half>();
    t.l0b = t.l0bBuf.Get<half>();
    t.l0c = t.l0cBuf.Get<float>();
    t.a.SetGlobalBuffer((__gm__ half *)a);
    t.b.SetGlobalBuffer((__gm__ half *)b);
    t.c.SetGlobalBuffer((__gm__ float *)c);
    if (t.Is(MISALIGNED_L1)) {
        t.l1a = t.l1a[8];
    }
    if (t.Is(MISALIGNED_L0A)) {
        t.l0a = t.l0a[SIDE];
    }
    if (t.Is(MISALIGNED_L0C)) {
        t.l0c = t.l0c[FRACTAL / 2];
    } else if (t.scenario == MISALIGNED_L0C) {
        t.l0c = t.l0c[FRACTAL];
    }
}

__aicore__ inline void Load(Cube &t)
{
    uint32_t rows = t.Pick(NEVER_K, SIDE, SIDE - 3);
    DataCopy(t.l1a, t.a, Nd2NzParams(1, SIDE, SIDE, 0, SIDE, SIDE, 1, 0)); // line: MISALIGNED_L1
    DataCopy(t.l1b, t.b, Nd2NzParams(1, rows, SIDE, 0, SIDE, SIDE, 1, 0));
    if (t.scenario == NO_UB) {
        TBuf<TPosition::VECCALC> ubBuf;
        TBuf<TPosition::A1> moreBuf;
        t.pipe.InitBuffer(ubBuf, 512);
        t.pipe.InitBuffer(moreBuf, 512);
        LocalTensor<half> more = t.wrong ? ubBuf.Get<half>() : moreBuf.Get<half>();
        DataCopy(more, t.a, FRACTAL); // line: NO_UB
    }
    PipeBarrier<PIPE_ALL>();
    LoadData2DParams fractal(0, 1, 1, 0, 0, false, 0);
    if (t.scenario == OUT_L1) { // l1b has two fractals, of which the first is loaded
        LoadData(t.l0a, t.l1b, LoadData2DParams(t.Pick(OUT_L1, 0, 2), 1, 1, 0, 0, false, 0)); // line: OUT_L1
        PipeBarrier<PIPE_ALL>();
    }
    LoadData(t.l0a, t.l1a, fractal); // line: MISALIGNED_L0A
    if (t.scenario == NEVER_K) {     // k across the rows of b
        fractal.ifTranspose = true;
    }
    LoadData(t.l0b, t.l1b, fractal);                                   // line: NEVER_K
    if (t.scenario == GEMV_ONE_LOAD || t.scenario == GEMV_TWO_LOADS) { // k = 32, both halves alike
        PipeBarrier<PIPE_MTE1>();
        LoadData2DParams twice(0, 2, 0, 0, 0, false, 0);
        LoadData(t.l0b, t.l1b, twice);
        if (t.scenario == GEMV_ONE_LOAD) {
            LoadData(t.l0a, t.l1a, twice);
        } else {
            LoadData(t.l0a[FRACTAL], t.l1a, fractal);
        }
    }
    PipeBarrier<PIPE_ALL>();
}

__aicore__ inline void Multiply(Cube &t)
{
    bool gemv = t.scenario == GEMV_ONE_LOAD || t.scenario == GEMV_TWO_LOADS;
    uint32_t m = t.scenario == NEVER_ROWS ? 5 : gemv && t.wrong ? 1 : SIDE;
    uint32_t k = gemv ? 2 * SIDE : t.Pick(MMAD_SIZE, SIDE, 4096);
    MmadParams sizes(m, SIDE, k, 0, false, true);
    if (gemv) {
        Mmad(t.l0c, t.l0a, t.l0b, sizes); // line: GEMV_ONE_LOAD GEMV_TWO_LOADS
    } else if (t.Is(OPERANDS_SWAPPED)) {
        Mmad(t.l0c, t.l0b, t.l0a, sizes); // line: OPERANDS_SWAPPED
    } else {
        Mmad(t.l0c, t.l0a, t.l0b, sizes); // line: MMAD_SIZE MISALIGNED_L0C NEVER_K
    }
    PipeBarrier<PIPE_ALL>();
}

__aicore__ inline void StoreResult(Cube &t)
{
    FixpipeParamsV220 rows(SIDE, SIDE, SIDE, SIDE, false);
    if (t.scenario == NEVER_ROWS && !t.wrong) {
        rows.mSize = 5;
    }
    if (t.scenario == GEMV_ONE_LOAD || t.scenario == GEMV_TWO_LOADS) {
        rows.mSize = 1;
    }
    rows.nSize = t.Is(FIX_COLUMNS) ? 9 : t.Pick(NEVER_COLUMNS, SIDE, 2 * SIDE);
    rows.dstStride = t.Is(NEVER_COLUMNS) ? 2 * SIDE : t.Pick(FIX_STRIDE, SIDE, 0);
    if (t.Is(NEVER_COLUMNS)) {
        rows.mSize = SIDE / 2; // stays inside c
    }
    // rows and columns beyond those of Mmad
    Fixpipe<float, float, CFG_ROW_MAJOR>(t.c, t.l0c, rows); // line: FIX_COLUMNS FIX_STRIDE NEVER_ROWS NEVER_COLUMNS
    PipeBarrier<PIPE_ALL>();
}

extern "C" __global__ __aicore__ void cube_rules(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t scenario, uint32_t wrong)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    Cube t;
    t.scenario = scenario;
    t.wrong = wrong;
    Prepare(t, a, b, c);
    Load(t);
    Multiply(t);
    StoreResult(t);
}
