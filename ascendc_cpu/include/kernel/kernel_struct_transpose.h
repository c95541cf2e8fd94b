// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_KERNEL_STRUCT_TRANSPOSE_H
#define ASCENDC_CPU_KERNEL_STRUCT_TRANSPOSE_H
#include "kernel_type.h"

ASCENDC_CPU_BEGIN

constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

// Strides in blocks of 32 B. With one repeat they are added to the addresses, with more the first repeat starts there.
struct TransDataTo5HDParams {
    TransDataTo5HDParams() = default;
    TransDataTo5HDParams(const bool dstHighHalf, const bool srcHighHalf, ascendc_cpu::FieldValue<uint8_t> repeatTimes,
                         ascendc_cpu::FieldValue<uint16_t> dstRepStride, ascendc_cpu::FieldValue<uint16_t> srcRepStride)
        : dstHighHalf(dstHighHalf), srcHighHalf(srcHighHalf), repeatTimes(repeatTimes), dstRepStride(dstRepStride),
          srcRepStride(srcRepStride)
    {
    }

    bool dstHighHalf = false; // of blocks of 1-byte elements: which 16
    bool srcHighHalf = false;
    ascendc_cpu::Field<uint8_t> repeatTimes{1};
    ascendc_cpu::Field<uint16_t> dstRepStride{0};
    ascendc_cpu::Field<uint16_t> srcRepStride{0};
};

ASCENDC_CPU_END
#endif
