// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Writes all of UB, so that the arena's pages become resident; waits for all cores or not.
#include "kernel_operator.h"

using namespace AscendC;

struct ToucherTiling {
    uint32_t isSynced;
    uint32_t unused;
};

extern "C" __global__ __aicore__ void memory_toucher(GM_ADDR out, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(ToucherTiling);
    GET_TILING_DATA(data, tiling);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 192 * 1024);
    LocalTensor<int32_t> tensor = buffer.Get<int32_t>();
    for (uint32_t i = 0; i < tensor.GetSize(); i++) {
        tensor.SetValue(i, static_cast<int32_t>(GetBlockIdx() + i));
    }
    if (data.isSynced) {
        SyncAll();
    }
    int64_t sum = 0;
    for (uint32_t i = 0; i < tensor.GetSize(); i++) {
        sum += tensor.GetValue(i);
    }
    reinterpret_cast<__gm__ int64_t *>(out)[GetBlockIdx()] = sum;
}
