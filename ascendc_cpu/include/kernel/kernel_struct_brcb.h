// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_KERNEL_STRUCT_BRCB_H
#define ASCENDC_CPU_KERNEL_STRUCT_BRCB_H
#include "kernel_type.h"

ASCENDC_CPU_BEGIN

// Strides in blocks of 32 B.
struct BrcbRepeatParams {
    BrcbRepeatParams() = default;
    BrcbRepeatParams(ascendc_cpu::FieldValue<uint16_t> dstBlkStride, ascendc_cpu::FieldValue<uint16_t> dstRepStride)
        : dstRepStride(dstRepStride), dstBlkStride(dstBlkStride)
    {
    }

    ascendc_cpu::Field<uint16_t> dstRepStride{DEFAULT_REPEAT_STRIDE};
    ascendc_cpu::Field<uint16_t> dstBlkStride{DEFAULT_BLK_STRIDE};
};

ASCENDC_CPU_END
#endif
