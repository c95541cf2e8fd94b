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

// In counter mode the mask counts the elements of each repeat, over as many blocks as it takes.
template <typename T>
inline void RunCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, ascendc_cpu::FieldValue<uint8_t> repeatTime,
                    const CopyRepeatParams &params)
{
    if (!ascendc_cpu::Core().sticky.counterMode) {
        RunMasked("Copy", CopyEntry<T>(), dst, src, ScalarOperand{nullptr}, repeatTime, StridesOf(params));
        return;
    }
    constexpr uint32_t BLOCKS = ONE_REPEAT_BYTE_SIZE / ONE_BLK_SIZE;
    constexpr uint32_t ELEMENTS = ONE_BLK_SIZE / sizeof(T);
    if (ASCENDC_CPU_UNLIKELY(params.dstStride > 0xffff / BLOCKS || params.srcStride > 0xffff / BLOCKS)) {
        ascendc_cpu::Fail("Copy", "dstStride %u, srcStride %u: such strides leave UB", +params.dstStride,
                          +params.srcStride);
    }
    const ElementwiseStrides strides = {{params.dstStride, static_cast<uint16_t>(params.dstStride * BLOCKS)},
                                        {params.srcStride, static_cast<uint16_t>(params.srcStride * BLOCKS)},
                                        {0, 0}};
    for (uint32_t repeat = 0; repeat < repeatTime; repeat++) {
        RunMasked("Copy", CopyEntry<T>(), dst[repeat * params.dstRepeatSize * ELEMENTS],
                  src[repeat * params.srcRepeatSize * ELEMENTS], ScalarOperand{nullptr}, 1, strides);
    }
}

// UB -> UB under the mask.
template <typename T, bool isSetMask = true>
__aicore__ inline void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[],
                            ascendc_cpu::FieldValue<uint8_t> repeatTime, const CopyRepeatParams &repeatParams)
{
    WriteMask<isSetMask>(mask);
    RunCopy(dst, src, repeatTime, repeatParams);
}

template <typename T, bool isSetMask = true>
__aicore__ inline void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask,
                            ascendc_cpu::FieldValue<uint8_t> repeatTime, const CopyRepeatParams &repeatParams)
{
    WriteMask<isSetMask>("Copy", mask);
    RunCopy(dst, src, repeatTime, repeatParams);
}

ASCENDC_CPU_END
#endif
