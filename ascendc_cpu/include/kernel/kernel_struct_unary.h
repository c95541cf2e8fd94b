// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_KERNEL_STRUCT_UNARY_H
#define ASCENDC_CPU_KERNEL_STRUCT_UNARY_H
#include "kernel_type.h"

ASCENDC_CPU_BEGIN

// Strides in blocks of 32 B.
struct UnaryRepeatParams {
    UnaryRepeatParams() = default;
    UnaryRepeatParams(uint16_t dstBlkStride, uint16_t srcBlkStride, uint8_t dstRepStride, uint8_t srcRepStride)
        : dstBlkStride(dstBlkStride), srcBlkStride(srcBlkStride), dstRepStride(dstRepStride), srcRepStride(srcRepStride)
    {
    }

    uint16_t dstBlkStride = DEFAULT_BLK_STRIDE;
    uint16_t srcBlkStride = DEFAULT_BLK_STRIDE;
    uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE;
    uint8_t srcRepStride = DEFAULT_REPEAT_STRIDE;
};

ASCENDC_CPU_END
#endif
