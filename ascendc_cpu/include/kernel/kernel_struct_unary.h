// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_KERNEL_STRUCT_UNARY_H
#define ASCENDC_CPU_KERNEL_STRUCT_UNARY_H
#include "kernel_type.h"

ASCENDC_CPU_BEGIN

// Strides in blocks of 32 B.
struct UnaryRepeatParams {
    UnaryRepeatParams() = default;
    UnaryRepeatParams(ascendc_cpu::FieldValue<uint16_t> dstBlkStride, ascendc_cpu::FieldValue<uint16_t> srcBlkStride,
                      ascendc_cpu::FieldValue<uint8_t> dstRepStride, ascendc_cpu::FieldValue<uint8_t> srcRepStride)
        : dstBlkStride(dstBlkStride), srcBlkStride(srcBlkStride), dstRepStride(dstRepStride), srcRepStride(srcRepStride)
    {
    }

    ascendc_cpu::Field<uint16_t> dstBlkStride{DEFAULT_BLK_STRIDE};
    ascendc_cpu::Field<uint16_t> srcBlkStride{DEFAULT_BLK_STRIDE};
    ascendc_cpu::Field<uint8_t> dstRepStride{DEFAULT_REPEAT_STRIDE};
    ascendc_cpu::Field<uint8_t> srcRepStride{DEFAULT_REPEAT_STRIDE};
};

ASCENDC_CPU_END
#endif
