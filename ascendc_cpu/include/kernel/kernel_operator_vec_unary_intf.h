// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One tensor in, one out.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_UNARY_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_UNARY_INTF_H
#include "kernel_struct_unary.h"
#include "ascendc_cpu/vector_elementwise.h"

ASCENDC_CPU_BEGIN

inline ElementwiseStrides StridesOf(const UnaryRepeatParams &params)
{
    return {{params.dstBlkStride, params.dstRepStride}, {params.srcBlkStride, params.srcRepStride}, {0, 0}};
}

#define ASCENDC_CPU_UNARY(name, op, dtypes)                                                                            \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[],                 \
                                ascendc_cpu::FieldValue<uint8_t> repeatTime, const UnaryRepeatParams &repeatParams)    \
    {                                                                                                                  \
        ASCENDC_CPU_REQUIRE(T, #name, dtypes);                                                                         \
        RunMaskBits<isSetMask>(#name, EntryOf(ascendc_cpu::VectorOp::op, VectorTypeOf<T>()), dst, src,                 \
                               ScalarOperand{nullptr}, mask, repeatTime, StridesOf(repeatParams));                     \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask,                   \
                                ascendc_cpu::FieldValue<uint8_t> repeatTime, const UnaryRepeatParams &repeatParams)    \
    {                                                                                                                  \
        ASCENDC_CPU_REQUIRE(T, #name, dtypes);                                                                         \
        RunLanes<isSetMask>(#name, EntryOf(ascendc_cpu::VectorOp::op, VectorTypeOf<T>()), dst, src,                    \
                            ScalarOperand{nullptr}, mask, repeatTime, StridesOf(repeatParams));                        \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count)            \
    {                                                                                                                  \
        ASCENDC_CPU_REQUIRE(T, #name, dtypes);                                                                         \
        RunCount(#name, EntryOf(ascendc_cpu::VectorOp::op, VectorTypeOf<T>()), dst, src, ScalarOperand{nullptr},       \
                 count);                                                                                               \
    }

ASCENDC_CPU_UNARY(Exp, EXP, (half, float))
ASCENDC_CPU_UNARY(Ln, LN, (half, float))
ASCENDC_CPU_UNARY(Abs, ABS, (half, float))
ASCENDC_CPU_UNARY(Sqrt, SQRT, (half, float))
ASCENDC_CPU_UNARY(Rsqrt, RSQRT, (half, float))
ASCENDC_CPU_UNARY(Reciprocal, RECIPROCAL, (half, float))
ASCENDC_CPU_UNARY(Relu, RELU, (half, float, int32_t))
ASCENDC_CPU_UNARY(Not, NOT, (int16_t, uint16_t))
#undef ASCENDC_CPU_UNARY

ASCENDC_CPU_END
#endif
