// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Each core reports who it is; AIVs first, AICs in rows of their own behind them. Also every kind of argument.
#include "kernel_operator.h"

using namespace AscendC;

struct Extra {
    int32_t a;
    double b;
    int8_t c;
};

constexpr int FIELDS = 9;

extern "C" __global__ __aicore__ void core_identity(GM_ADDR out, GM_ADDR absent, uint32_t aivCores, float scalar,
                                                    Extra extra, int8_t negative)
{
    const int64_t row = (g_coreType == AIC ? aivCores : 0) + GetBlockIdx();
    auto *fields = reinterpret_cast<__gm__ double *>(out) + row * FIELDS;
    fields[0] = GetBlockIdx();
    fields[1] = GetBlockNum();
    fields[2] = GetSubBlockIdx();
    fields[3] = GetSubBlockNum();
    fields[4] = GetTaskRation();
    fields[5] = absent == nullptr;
    fields[6] = scalar;
    fields[7] = extra.a + extra.b + extra.c + negative;
    fields[8] = GetUserWorkspace(GetUserWorkspace(out)) == out;
}
