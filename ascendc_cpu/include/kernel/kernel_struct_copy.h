// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_KERNEL_STRUCT_COPY_H
#define ASCENDC_CPU_KERNEL_STRUCT_COPY_H
#include "kernel_type.h"

ASCENDC_CPU_BEGIN

// Strides in blocks of 32 B: dstStride and srcStride inside a repeat, the other two between repeats. The default of the
// first two copies nothing of use: it reads one block eight times and writes it to one place.
struct CopyRepeatParams {
    CopyRepeatParams() = default;
    CopyRepeatParams(ascendc_cpu::FieldValue<uint16_t> dstStride, ascendc_cpu::FieldValue<uint16_t> srcStride,
                     ascendc_cpu::FieldValue<uint16_t> dstRepeatSize, ascendc_cpu::FieldValue<uint16_t> srcRepeatSize)
        : dstStride(dstStride), srcStride(srcStride), dstRepeatSize(dstRepeatSize), srcRepeatSize(srcRepeatSize)
    {
    }

    ascendc_cpu::Field<uint16_t> dstStride{DEFAULT_DATA_COPY_STRIDE};
    ascendc_cpu::Field<uint16_t> srcStride{DEFAULT_DATA_COPY_STRIDE};
    ascendc_cpu::Field<uint16_t> dstRepeatSize{DEFAULT_REPEAT_STRIDE};
    ascendc_cpu::Field<uint16_t> srcRepeatSize{DEFAULT_REPEAT_STRIDE};
};

ASCENDC_CPU_END
#endif
