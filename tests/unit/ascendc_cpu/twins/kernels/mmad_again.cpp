// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Two Mmad that add to one C of m rows and 48 columns: c = 2 * a * b^T, k = 16. The cube unit orders them by itself
// from 10 fractals of C on; below that they need PipeBarrier<PIPE_M>.
#include "kernel_operator.h"

using namespace AscendC;

enum Scenario : uint32_t {
    FRACTALS_OF_C,
};

constexpr uint32_t SIDE = 16;
constexpr uint32_t COLUMNS = 48;
constexpr uint32_t MOST_ROWS = 64;

extern "C" __global__ __aicore__ void mmad_again(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t scenario, uint32_t wrong)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    uint32_t rows = wrong ? 48 : MOST_ROWS;
    TPipe pipe;
    TBuf<TPosition::A1> l1Buf;
    TBuf<TPosition::A2> l0aBuf;
    TBuf<TPosition::B2> l0bBuf;
    TBuf<TPosition::CO1> l0cBuf;
    pipe.InitBuffer(l1Buf, (MOST_ROWS + COLUMNS) * SIDE * sizeof(half));
    pipe.InitBuffer(l0aBuf, MOST_ROWS * SIDE * sizeof(half));
    pipe.InitBuffer(l0bBuf, COLUMNS * SIDE * sizeof(half));
    pipe.InitBuffer(l0cBuf, MOST_ROWS * COLUMNS * sizeof(float));
    GlobalTensor<half> aGm, bGm;
    GlobalTensor<float> cGm;
    aGm.SetGlobalBuffer((__gm__ half *)a);
    bGm.SetGlobalBuffer((__gm__ half *)b);
    cGm.SetGlobalBuffer((__gm__ float *)c);
    LocalTensor<half> l1 = l1Buf.Get<half>();
    LocalTensor<half> l0a = l0aBuf.Get<half>();
    LocalTensor<half> l0b = l0bBuf.Get<half>();
    LocalTensor<float> l0c = l0cBuf.Get<float>();
    DataCopy(l1, aGm, Nd2NzParams(1, rows, SIDE, 0, SIDE, rows, 1, 0));
    DataCopy(l1[MOST_ROWS * SIDE], bGm, Nd2NzParams(1, COLUMNS, SIDE, 0, SIDE, COLUMNS, 1, 0));
    PipeBarrier<PIPE_ALL>();
    LoadData(l0a, l1, LoadData2DParams(0, rows / SIDE, 1, 0, 0, false, 0));
    LoadData(l0b, l1[MOST_ROWS * SIDE], LoadData2DParams(0, COLUMNS / SIDE, 1, 0, 0, false, 0));
    PipeBarrier<PIPE_ALL>();
    Mmad(l0c, l0a, l0b, MmadParams(rows, COLUMNS, SIDE, 0, false, true));
    Mmad(l0c, l0a, l0b, MmadParams(rows, COLUMNS, SIDE, 0, false, false)); // line: FRACTALS_OF_C
    PipeBarrier<PIPE_ALL>();
    Fixpipe<float, float, CFG_ROW_MAJOR>(cGm, l0c, FixpipeParamsV220(COLUMNS, rows, rows, COLUMNS, false));
    PipeBarrier<PIPE_ALL>();
}
