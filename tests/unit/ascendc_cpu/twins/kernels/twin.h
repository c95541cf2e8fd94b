// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What the vector kernels share: four buffers of UB, an input x and an output y of COUNT floats each.
#pragma once
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t COUNT = 256;
constexpr uint32_t BYTES = COUNT * sizeof(float);

// What is queued on the second pipe after this runs after all that is queued on the first before it.
template <HardEvent EVENT>
__aicore__ inline void Pass()
{
    SetFlag<EVENT>(0);
    WaitFlag<EVENT>(0);
}

struct Vectors {
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, bBuf, cBuf, dBuf;
    LocalTensor<float> a, b, c, d;
    GlobalTensor<float> x, y;

    __aicore__ inline Vectors(GM_ADDR xAddr, GM_ADDR yAddr)
    {
        pipe.InitBuffer(aBuf, BYTES);
        pipe.InitBuffer(bBuf, BYTES);
        pipe.InitBuffer(cBuf, BYTES);
        pipe.InitBuffer(dBuf, BYTES);
        a = aBuf.Get<float>();
        b = bBuf.Get<float>();
        c = cBuf.Get<float>();
        d = dBuf.Get<float>();
        x.SetGlobalBuffer((__gm__ float *)xAddr, COUNT);
        y.SetGlobalBuffer((__gm__ float *)yAddr, COUNT);
    }

    // a = x, ordered before everything that follows
    __aicore__ inline void Load()
    {
        DataCopy(a, x, COUNT);
        PipeBarrier<PIPE_ALL>();
    }

    // y = from, ordered after everything before
    __aicore__ inline void Store(const LocalTensor<float> &from)
    {
        PipeBarrier<PIPE_ALL>();
        DataCopy(y, from, COUNT);
        PipeBarrier<PIPE_ALL>();
    }
};
