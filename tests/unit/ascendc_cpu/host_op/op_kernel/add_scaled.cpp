// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// out = x1 + scale * x2 + bias + shift, element by element; total[block] = elements of the block. The scaled x2 makes a
// detour through the workspace.
#include "kernel_operator.h"
#include <cstdint>
#include "add_scaled_tiling_data.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void add_scaled(GM_ADDR x1, GM_ADDR x2, GM_ADDR bias, GM_ADDR shifts, GM_ADDR out,
                                                 GM_ADDR total, GM_ADDR workspace, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(AddScaledTilingData);
    GET_TILING_DATA(plan, tiling);
    GlobalTensor<DTYPE_X1> first, second, result;
    GlobalTensor<int64_t> list; // as the host has read it
    GlobalTensor<float> added, scaled, counts;
    first.SetGlobalBuffer((__gm__ DTYPE_X1 *)x1);
    second.SetGlobalBuffer((__gm__ DTYPE_X1 *)x2);
    result.SetGlobalBuffer((__gm__ DTYPE_X1 *)out);
    added.SetGlobalBuffer((__gm__ float *)bias);
    scaled.SetGlobalBuffer((__gm__ float *)workspace);
    counts.SetGlobalBuffer((__gm__ float *)total);
    list.SetGlobalBuffer((__gm__ int64_t *)shifts);
    int64_t shift = 0;
    for (int64_t i = 0; i < plan.shiftNum; i++) {
        shift += list.GetValue(i);
    }
    const int64_t block = GetBlockIdx();
    const int64_t blocks = GetBlockNum();
    int64_t count = 0;
    for (int64_t i = block; i < plan.elements; i += blocks) {
        scaled.SetValue(i, plan.scale * (float)second.GetValue(i));
        float value = (float)first.GetValue(i) + scaled.GetValue(i) + (float)shift;
        if (bias != nullptr) {
            value += added.GetValue(plan.biasElements == 1 ? 0 : i);
        }
        result.SetValue(i, (DTYPE_X1)value);
        count++;
    }
    if (total != nullptr) {
        counts.SetValue(block, (float)count);
    }
}
