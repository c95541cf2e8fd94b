// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_DUPLICATE_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_DUPLICATE_INTF_H
#include "ascendc_cpu/vector_elementwise.h"

ASCENDC_CPU_BEGIN

template <typename T>
inline const ascendc_cpu::VectorEntry &DuplicateEntry()
{
    ASCENDC_CPU_REQUIRE(T, "Duplicate", (half, bfloat16_t, int16_t, uint16_t, float, int32_t, uint32_t));
    return EntryOf(ascendc_cpu::VectorOp::DUPLICATE, BitTypeOf<T>());
}

inline ElementwiseStrides DestinationStrides(uint16_t blockStride, uint16_t repeatStride)
{
    return {{blockStride, repeatStride}, {blockStride, repeatStride}, {0, 0}};
}

template <typename T, bool isSetMask = true>
__aicore__ inline void
Duplicate(const LocalTensor<T> &dst, const T &scalarValue, uint64_t mask, ascendc_cpu::FieldValue<uint8_t> repeatTime,
          ascendc_cpu::FieldValue<uint16_t> dstBlockStride, ascendc_cpu::FieldValue<uint8_t> dstRepeatStride)
{
    RunLanes<isSetMask>("Duplicate", DuplicateEntry<T>(), dst, dst, FillOperand{{&scalarValue}}, mask, repeatTime,
                        DestinationStrides(dstBlockStride, dstRepeatStride));
}

template <typename T, bool isSetMask = true>
__aicore__ inline void
Duplicate(const LocalTensor<T> &dst, const T &scalarValue, uint64_t mask[], ascendc_cpu::FieldValue<uint8_t> repeatTime,
          ascendc_cpu::FieldValue<uint16_t> dstBlockStride, ascendc_cpu::FieldValue<uint8_t> dstRepeatStride)
{
    RunMaskBits<isSetMask>("Duplicate", DuplicateEntry<T>(), dst, dst, FillOperand{{&scalarValue}}, mask, repeatTime,
                           DestinationStrides(dstBlockStride, dstRepeatStride));
}

template <typename T>
__aicore__ inline void Duplicate(const LocalTensor<T> &dst, const T &scalarValue, const int32_t &count)
{
    RunCount("Duplicate", DuplicateEntry<T>(), dst, dst, FillOperand{{&scalarValue}}, count);
}

ASCENDC_CPU_END
#endif
