// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// c[2][32][32] = a[32][32] * b[32][32]^T twice, through one tile of L0C that unitFlag alone orders.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint16_t N = 32;
constexpr uint32_t TILE = N * N;

// first, last: unitFlag of the two Mmads of a tile; fix: of its Fixpipe; rows: that are stored; clear: all flags at the
// end
extern "C" __global__ __aicore__ void check_unit_flag(GM_ADDR a, GM_ADDR c, uint32_t first, uint32_t last, uint32_t fix,
                                                      uint32_t rows, uint32_t tiles, uint32_t clear)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    TPipe pipe;
    TBuf<TPosition::A1> l1Buf;
    TBuf<TPosition::A2> l0aBuf;
    TBuf<TPosition::B2> l0bBuf;
    TBuf<TPosition::CO1> l0cBuf;
    pipe.InitBuffer(l1Buf, TILE * sizeof(half));
    pipe.InitBuffer(l0aBuf, TILE * sizeof(half));
    pipe.InitBuffer(l0bBuf, TILE * sizeof(half));
    pipe.InitBuffer(l0cBuf, TILE * sizeof(float));
    LocalTensor<half> l1 = l1Buf.Get<half>();
    LocalTensor<half> left = l0aBuf.Get<half>();
    LocalTensor<half> right = l0bBuf.Get<half>();
    LocalTensor<float> l0c = l0cBuf.Get<float>();
    GlobalTensor<half> input;
    GlobalTensor<float> output;
    input.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(a));
    output.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(c));
    DataCopy(l1, input, Nd2NzParams(1, N, N, 0, N, N, 1, 0));
    PipeBarrier<PIPE_ALL>();
    for (uint16_t block = 0; block < 2; block++) {
        LoadData(left[block * 16 * N], l1, LoadData2DParams(block, 2, 2, 0, 0, false, 0));
    }
    LoadData(right, l1, LoadData2DParams(0, 4, 1, 0, 0, false, 0));
    PipeBarrier<PIPE_ALL>();
    for (uint32_t tile = 0; tile < tiles; tile++) {
        MmadParams sizes(N, N, N, static_cast<uint8_t>(first), false, true);
        Mmad(l0c, left, right, sizes);
        PipeBarrier<PIPE_M>();
        sizes.cmatrixInitVal = false;
        sizes.unitFlag = static_cast<uint8_t>(last);
        Mmad(l0c, left, right, sizes);
        PipeBarrier<PIPE_M>();
        for (uint32_t row = 0; row < rows; row += 16) {
            FixpipeParamsV220 store(N, 16, N, N, false);
            store.unitFlag = static_cast<uint8_t>(fix);
            Fixpipe<float, float, CFG_ROW_MAJOR>(output[tile * TILE + row * N], l0c[row * 16], store);
        }
    }
    if (clear != 0) {
        SetFixPipeConfig(l0c, true);
    }
    PipeBarrier<PIPE_ALL>();
}
