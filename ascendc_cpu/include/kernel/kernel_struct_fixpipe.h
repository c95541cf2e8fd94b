// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Parameters of Fixpipe.
#ifndef ASCENDC_CPU_KERNEL_STRUCT_FIXPIPE_H
#define ASCENDC_CPU_KERNEL_STRUCT_FIXPIPE_H
#include "kernel_type.h"

// Global scope, as in CANN. Only the conversions that Fixpipe performs here are named.
enum QuantMode_t { NoQuant, F322F16, F322BF16 };

ASCENDC_CPU_BEGIN

enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR, COLUMN_MAJOR };

struct FixpipeConfig {
    CO2Layout format;
    __aicore__ constexpr FixpipeConfig(CO2Layout formatIn) : format(formatIn)
    {
    }
};
constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};

struct FixpipeParamsV220 {
    __aicore__ FixpipeParamsV220()
    {
    }
    __aicore__ FixpipeParamsV220(ascendc_cpu::FieldValue<uint16_t> nSizeIn, ascendc_cpu::FieldValue<uint16_t> mSizeIn,
                                 ascendc_cpu::FieldValue<uint16_t> srcStrideIn,
                                 ascendc_cpu::FieldValue<uint32_t> dstStrideIn, const bool reluEnIn)
        : nSize(nSizeIn), mSize(mSizeIn), srcStride(srcStrideIn), dstStride(dstStrideIn), reluEn(reluEnIn)
    {
    }
    __aicore__
    FixpipeParamsV220(ascendc_cpu::FieldValue<uint16_t> nSizeIn, ascendc_cpu::FieldValue<uint16_t> mSizeIn,
                      ascendc_cpu::FieldValue<uint16_t> srcStrideIn, ascendc_cpu::FieldValue<uint32_t> dstStrideIn,
                      const bool reluEnIn, const QuantMode_t quantPreIn, const int64_t deqScalarIn,
                      ascendc_cpu::FieldValue<uint16_t> ndNumIn, ascendc_cpu::FieldValue<uint16_t> srcNdStrideIn,
                      ascendc_cpu::FieldValue<uint16_t> dstNdStrideIn, ascendc_cpu::FieldValue<uint8_t> unitFlagIn,
                      const bool isChannelSplitIn = false)
        : nSize(nSizeIn), mSize(mSizeIn), srcStride(srcStrideIn), dstStride(dstStrideIn), quantPre(quantPreIn),
          deqScalar(static_cast<uint64_t>(deqScalarIn)), ndNum(ndNumIn), srcNdStride(srcNdStrideIn),
          dstNdStride(dstNdStrideIn), reluEn(reluEnIn), unitFlag(unitFlagIn), isChannelSplit(isChannelSplitIn)
    {
    }
    ascendc_cpu::Field<uint16_t> nSize{0};
    ascendc_cpu::Field<uint16_t> mSize{0};
    ascendc_cpu::Field<uint16_t> srcStride{0}; // rows between 16-column blocks of L0C
    ascendc_cpu::Field<uint32_t> dstStride{0}; // ROW_MAJOR: elements per row; NZ: 32 B between C0 columns
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint64_t deqScalar = 0;
    ascendc_cpu::Field<uint16_t> ndNum{1};
    ascendc_cpu::Field<uint16_t> srcNdStride{0}; // 1024 B
    ascendc_cpu::Field<uint16_t> dstNdStride{0}; // elements
    bool reluEn = false;
    ascendc_cpu::Field<uint8_t> unitFlag{0};
    bool isChannelSplit = false;
};

ASCENDC_CPU_END
#endif
