// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ADD_SCALED_TILING_DATA_H
#define ADD_SCALED_TILING_DATA_H
#include <cstdint>

struct AddScaledTilingData {
    int64_t elements;
    int64_t biasElements; // 0: no bias
    int64_t shift;        // sum of the values of `shifts`
    int64_t shiftNum;     // how many they are; the kernel adds them up itself
    int64_t inputNum;     // the rest is what the host saw, for the tests
    int64_t lastInputDim; // dimension 0 of the last tensor present
    int64_t compileInfoCores;
    int64_t weightSum;
    int64_t ubBytes;
    int64_t l1Bytes;
    int64_t aicNum;
    int64_t aivNum;
    float scale;
    int32_t biasIsReadableOnHost;
};
#endif
