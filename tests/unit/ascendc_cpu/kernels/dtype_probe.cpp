// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What DTYPE_X, ORIG_DTYPE_X and the tiling key say, and which float environment a kernel runs in.
#include "kernel_operator.h"

struct ProbeTiling {
    float one;
    float three;
    float tiny;
    uint32_t unused;
};

extern "C" __global__ __aicore__ void dtype_probe(GM_ADDR out, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    GET_TILING_DATA_MEMBER(ProbeTiling, three, three, tiling);
    GET_TILING_DATA_WITH_STRUCT(ProbeTiling, data, tiling);
    auto *values = reinterpret_cast<__gm__ float *>(out);
    values[0] = sizeof(DTYPE_X);
#if ORIG_DTYPE_X == DT_FLOAT16
    values[1] = 16;
#elif ORIG_DTYPE_X == DT_FLOAT
    values[1] = 32;
#endif
    if (TILING_KEY_IS(3)) {
        values[2] = 3;
    } else if (TILING_KEY_IS(7)) {
        values[2] = 7;
    }
    values[3] = data.one / three;
    values[4] = data.tiny * data.one; // subnormal
}
