// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_CREATEVECINDEX_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_CREATEVECINDEX_INTF_H
#include "kernel_operator_vec_duplicate_intf.h"

ASCENDC_CPU_BEGIN

template <typename T>
inline const ascendc_cpu::VectorEntry &CreateVecIndexEntry()
{
    ASCENDC_CPU_REQUIRE(T, "CreateVecIndex", (half, float, int16_t, int32_t));
    return EntryOf(ascendc_cpu::VectorOp::CREATE_INDEX, VectorTypeOf<T>());
}

// Lane e of repeat r becomes firstValue + r * lanes + e, computed in float for half.
template <typename T>
__aicore__ inline void
CreateVecIndex(LocalTensor<T> &dst, const T &firstValue, uint64_t mask, ascendc_cpu::FieldValue<uint8_t> repeatTime,
               ascendc_cpu::FieldValue<uint16_t> dstBlkStride, ascendc_cpu::FieldValue<uint8_t> dstRepStride)
{
    RunLanes<true>("CreateVecIndex", CreateVecIndexEntry<T>(), dst, dst, FillOperand{{&firstValue}}, mask, repeatTime,
                   DestinationStrides(dstBlkStride, dstRepStride));
}

template <typename T>
__aicore__ inline void
CreateVecIndex(LocalTensor<T> &dst, const T &firstValue, uint64_t mask[], ascendc_cpu::FieldValue<uint8_t> repeatTime,
               ascendc_cpu::FieldValue<uint16_t> dstBlkStride, ascendc_cpu::FieldValue<uint8_t> dstRepStride)
{
    RunMaskBits<true>("CreateVecIndex", CreateVecIndexEntry<T>(), dst, dst, FillOperand{{&firstValue}}, mask,
                      repeatTime, DestinationStrides(dstBlkStride, dstRepStride));
}

template <typename T>
__aicore__ inline void CreateVecIndex(LocalTensor<T> dst, const T &firstValue, uint32_t count)
{
    RunCount("CreateVecIndex", CreateVecIndexEntry<T>(), dst, dst, FillOperand{{&firstValue}},
             static_cast<int32_t>(count));
}

ASCENDC_CPU_END
#endif
