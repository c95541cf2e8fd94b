// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_KERNEL_STRUCT_GATHER_H
#define ASCENDC_CPU_KERNEL_STRUCT_GATHER_H
#include "kernel_type.h"

ASCENDC_CPU_BEGIN

// Strides in blocks of 32 B.
struct GatherMaskParams {
    GatherMaskParams() = default;
    GatherMaskParams(ascendc_cpu::FieldValue<uint8_t> src0BlockStride, ascendc_cpu::FieldValue<uint16_t> repeatTimes,
                     ascendc_cpu::FieldValue<uint16_t> src0RepeatStride,
                     ascendc_cpu::FieldValue<uint8_t> src1RepeatStride)
        : src0BlockStride(src0BlockStride), repeatTimes(repeatTimes), src0RepeatStride(src0RepeatStride),
          src1RepeatStride(src1RepeatStride)
    {
    }

    ascendc_cpu::Field<uint8_t> src0BlockStride{DEFAULT_BLK_STRIDE};
    ascendc_cpu::Field<uint16_t> repeatTimes{0};
    ascendc_cpu::Field<uint16_t> src0RepeatStride{DEFAULT_REPEAT_STRIDE};
    ascendc_cpu::Field<uint8_t> src1RepeatStride{DEFAULT_REPEAT_STRIDE};
};

// Of Gatherb. The fields without a unit have no effect on this architecture.
struct GatherRepeatParams {
    GatherRepeatParams() = default;
    GatherRepeatParams(ascendc_cpu::FieldValue<uint8_t> dstBlkStride, ascendc_cpu::FieldValue<uint8_t> dstRepStride)
        : dstRepStride(dstRepStride), dstBlkStride(dstBlkStride)
    {
    }

    uint32_t blockNumber = ONE_REPEAT_BYTE_SIZE / ONE_BLK_SIZE;
    ascendc_cpu::Field<uint16_t> dstRepStride{DEFAULT_REPEAT_STRIDE}; // 32 B
    ascendc_cpu::Field<uint8_t> dstBlkStride{DEFAULT_BLK_STRIDE};     // 32 B
    uint8_t src0BlkStride = DEFAULT_BLK_STRIDE;
    uint8_t src1BlkStride = DEFAULT_BLK_STRIDE;
    uint8_t src0RepStride = DEFAULT_REPEAT_STRIDE;
    uint8_t src1RepStride = DEFAULT_REPEAT_STRIDE;
    bool repeatStrideMode = false;
    bool strideSizeMode = false;
};

ASCENDC_CPU_END
#endif
