// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_COPY_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_COPY_INTF_H
#include "kernel_struct_copy.h"
#include "ascendc_cpu/vector_elementwise.h"

ASCENDC_CPU_BEGIN

template <typename T>
inline const ascendc_cpu::VectorEntry &CopyEntry()
{
    ASCENDC_CPU_REQUIRE(T, "Copy", (half, bfloat16_t, int16_t, uint16_t, float, int32_t, uint32_t));
    return EntryOf(ascendc_cpu::VectorOp::COPY, BitTypeOf<T>());
}

inline ElementwiseStrides StridesOf(const CopyRepeatParams &params)
{
    return {{params.dstStride, params.dstRepeatSize}, {params.srcStride, params.srcRepeatSize}, {0, 0}};
}

// UB -> UB under the mask.
template <typename T, bool isSetMask = true>
__aicore__ inline void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[],
                            const uint8_t repeatTime, const CopyRepeatParams &repeatParams)
{
    RunMaskBits<isSetMask>("Copy", CopyEntry<T>(), dst, src, ScalarOperand{nullptr}, mask, repeatTime,
                           StridesOf(repeatParams));
}

template <typename T, bool isSetMask = true>
__aicore__ inline void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask,
                            const uint8_t repeatTime, const CopyRepeatParams &repeatParams)
{
    RunLanes<isSetMask>("Copy", CopyEntry<T>(), dst, src, ScalarOperand{nullptr}, mask, repeatTime,
                        StridesOf(repeatParams));
}

ASCENDC_CPU_END
#endif
