// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Parameters of the copies between GM, UB and L1.
#ifndef ASCENDC_CPU_KERNEL_STRUCT_DATA_COPY_H
#define ASCENDC_CPU_KERNEL_STRUCT_DATA_COPY_H
#include "kernel_type.h"

ASCENDC_CPU_BEGIN

// Both strides are gaps, from the end of one block to the start of the next.
struct DataCopyParams {
    __aicore__ DataCopyParams()
    {
    }
    __aicore__ DataCopyParams(ascendc_cpu::FieldValue<uint16_t> count, ascendc_cpu::FieldValue<uint16_t> len,
                              ascendc_cpu::FieldValue<uint16_t> srcStrideIn,
                              ascendc_cpu::FieldValue<uint16_t> dstStrideIn)
        : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn)
    {
    }
    ascendc_cpu::Field<uint16_t> blockCount{1};
    ascendc_cpu::Field<uint16_t> blockLen{0}; // in 32 B; in bytes for DataCopyPad
    union {
        ascendc_cpu::Field<uint16_t> srcGap{0};
        ascendc_cpu::Field<uint16_t> srcStride;
    };
    union {
        ascendc_cpu::Field<uint16_t> dstGap{0};
        ascendc_cpu::Field<uint16_t> dstStride;
    };
};

struct DataCopyExtParams {
    __aicore__ DataCopyExtParams()
    {
    }
    __aicore__ DataCopyExtParams(ascendc_cpu::FieldValue<uint16_t> count, ascendc_cpu::FieldValue<uint32_t> len,
                                 ascendc_cpu::FieldValue<uint32_t> srcStrideIn,
                                 ascendc_cpu::FieldValue<uint32_t> dstStrideIn, ascendc_cpu::FieldValue<uint32_t> rsvIn)
        : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn), rsv(rsvIn)
    {
    }
    ascendc_cpu::Field<uint16_t> blockCount{1};
    ascendc_cpu::Field<uint32_t> blockLen{0};  // bytes
    ascendc_cpu::Field<uint32_t> srcStride{0}; // gap: bytes on the GM side, 32 B on the UB side
    ascendc_cpu::Field<uint32_t> dstStride{0};
    ascendc_cpu::Field<uint32_t> rsv{0};
};

struct DataCopyPadParams {
    __aicore__ DataCopyPadParams()
    {
    }
    __aicore__ DataCopyPadParams(const bool isPadValue, ascendc_cpu::FieldValue<uint8_t> leftPadValue,
                                 ascendc_cpu::FieldValue<uint8_t> rightPadValue, const uint64_t padValue)
        : isPad(isPadValue), leftPadding(leftPadValue), rightPadding(rightPadValue), paddingValue(padValue)
    {
    }
    bool isPad = false;
    ascendc_cpu::Field<uint8_t> leftPadding{0}; // elements
    ascendc_cpu::Field<uint8_t> rightPadding{0};
    uint64_t paddingValue = 0;
};

template <typename T>
struct DataCopyPadExtParams {
    __aicore__ DataCopyPadExtParams()
    {
    }
    // V: a number for T, also where bfloat16_t takes none by itself
    template <typename V = T>
    __aicore__ DataCopyPadExtParams(const bool isPadValue, ascendc_cpu::FieldValue<uint8_t> leftPadValue,
                                    ascendc_cpu::FieldValue<uint8_t> rightPadValue, V padValue)
        : isPad(isPadValue), leftPadding(leftPadValue), rightPadding(rightPadValue),
          paddingValue(static_cast<T>(padValue))
    {
    }
    bool isPad = false;
    ascendc_cpu::Field<uint8_t> leftPadding{0}; // elements
    ascendc_cpu::Field<uint8_t> rightPadding{0};
    T paddingValue = static_cast<T>(0);
};

// nValue rows of dValue elements each become C0-wide columns (32 B) of rows.
struct Nd2NzParams {
    __aicore__ Nd2NzParams()
    {
    }
    __aicore__
    Nd2NzParams(ascendc_cpu::FieldValue<uint16_t> ndNumIn, ascendc_cpu::FieldValue<uint16_t> nValueIn,
                ascendc_cpu::FieldValue<uint16_t> dValueIn, ascendc_cpu::FieldValue<uint16_t> srcNdMatrixStrideIn,
                ascendc_cpu::FieldValue<uint16_t> srcDValueIn, ascendc_cpu::FieldValue<uint16_t> dstNzC0StrideIn,
                ascendc_cpu::FieldValue<uint16_t> dstNzNStrideIn, ascendc_cpu::FieldValue<uint16_t> dstNzMatrixStrideIn)
        : ndNum(ndNumIn), nValue(nValueIn), dValue(dValueIn), srcNdMatrixStride(srcNdMatrixStrideIn),
          srcDValue(srcDValueIn), dstNzC0Stride(dstNzC0StrideIn), dstNzNStride(dstNzNStrideIn),
          dstNzMatrixStride(dstNzMatrixStrideIn)
    {
    }
    ascendc_cpu::Field<uint16_t> ndNum{0};
    ascendc_cpu::Field<uint16_t> nValue{0};
    ascendc_cpu::Field<uint16_t> dValue{0};
    ascendc_cpu::Field<uint16_t> srcNdMatrixStride{0}; // elements
    ascendc_cpu::Field<uint16_t> srcDValue{0};         // row pitch, elements
    ascendc_cpu::Field<uint16_t> dstNzC0Stride{0};     // 32 B
    ascendc_cpu::Field<uint16_t> dstNzNStride{0};      // 32 B
    ascendc_cpu::Field<uint16_t> dstNzMatrixStride{0}; // elements
};

ASCENDC_CPU_END
#endif
