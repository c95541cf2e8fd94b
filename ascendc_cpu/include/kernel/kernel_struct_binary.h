// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_KERNEL_STRUCT_BINARY_H
#define ASCENDC_CPU_KERNEL_STRUCT_BINARY_H
#include "kernel_type.h"

ASCENDC_CPU_BEGIN

// Strides in blocks of 32 B. A source block stride of 0 reads one block 8 times, a source repeat stride of 0 one
// repeat.
struct BinaryRepeatParams {
    BinaryRepeatParams() = default;
    BinaryRepeatParams(ascendc_cpu::FieldValue<uint8_t> dstBlkStride, ascendc_cpu::FieldValue<uint8_t> src0BlkStride,
                       ascendc_cpu::FieldValue<uint8_t> src1BlkStride, ascendc_cpu::FieldValue<uint8_t> dstRepStride,
                       ascendc_cpu::FieldValue<uint8_t> src0RepStride, ascendc_cpu::FieldValue<uint8_t> src1RepStride)
        : dstBlkStride(dstBlkStride), src0BlkStride(src0BlkStride), src1BlkStride(src1BlkStride),
          dstRepStride(dstRepStride), src0RepStride(src0RepStride), src1RepStride(src1RepStride)
    {
    }

    ascendc_cpu::Field<uint8_t> dstBlkStride{DEFAULT_BLK_STRIDE};
    ascendc_cpu::Field<uint8_t> src0BlkStride{DEFAULT_BLK_STRIDE};
    ascendc_cpu::Field<uint8_t> src1BlkStride{DEFAULT_BLK_STRIDE};
    ascendc_cpu::Field<uint8_t> dstRepStride{DEFAULT_REPEAT_STRIDE};
    ascendc_cpu::Field<uint8_t> src0RepStride{DEFAULT_REPEAT_STRIDE};
    ascendc_cpu::Field<uint8_t> src1RepStride{DEFAULT_REPEAT_STRIDE};
};

ASCENDC_CPU_END
#endif
