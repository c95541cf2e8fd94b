// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Two tensors in, one out.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_BINARY_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_BINARY_INTF_H
#include "kernel_struct_binary.h"
#include "ascendc_cpu/vector_elementwise.h"

ASCENDC_CPU_BEGIN

inline ElementwiseStrides StridesOf(const BinaryRepeatParams &params)
{
    return {{params.dstBlkStride, params.dstRepStride},
            {params.src0BlkStride, params.src0RepStride},
            {params.src1BlkStride, params.src1RepStride}};
}

#define ASCENDC_CPU_BINARY(name, op, dtypes)                                                                           \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,     \
                                uint64_t mask[], ascendc_cpu::FieldValue<uint8_t> repeatTime,                          \
                                const BinaryRepeatParams &repeatParams)                                                \
    {                                                                                                                  \
        ASCENDC_CPU_REQUIRE(T, #name, dtypes);                                                                         \
        RunMaskBits<isSetMask>(#name, EntryOf(ascendc_cpu::VectorOp::op, VectorTypeOf<T>()), dst, src0,                \
                               TensorOperand<T>{src1}, mask, repeatTime, StridesOf(repeatParams));                     \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,     \
                                uint64_t mask, ascendc_cpu::FieldValue<uint8_t> repeatTime,                            \
                                const BinaryRepeatParams &repeatParams)                                                \
    {                                                                                                                  \
        ASCENDC_CPU_REQUIRE(T, #name, dtypes);                                                                         \
        RunLanes<isSetMask>(#name, EntryOf(ascendc_cpu::VectorOp::op, VectorTypeOf<T>()), dst, src0,                   \
                            TensorOperand<T>{src1}, mask, repeatTime, StridesOf(repeatParams));                        \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,     \
                                const int32_t &count)                                                                  \
    {                                                                                                                  \
        ASCENDC_CPU_REQUIRE(T, #name, dtypes);                                                                         \
        RunCount(#name, EntryOf(ascendc_cpu::VectorOp::op, VectorTypeOf<T>()), dst, src0, TensorOperand<T>{src1},      \
                 count);                                                                                               \
    }

ASCENDC_CPU_BINARY(Add, ADD, (half, float, int16_t, int32_t))
ASCENDC_CPU_BINARY(Sub, SUB, (half, float, int16_t, int32_t))
ASCENDC_CPU_BINARY(Mul, MUL, (half, float, int16_t, int32_t))
ASCENDC_CPU_BINARY(Div, DIV, (half, float))
ASCENDC_CPU_BINARY(Max, MAX, (half, float, int16_t, int32_t))
ASCENDC_CPU_BINARY(Min, MIN, (half, float, int16_t, int32_t))
ASCENDC_CPU_BINARY(And, AND, (int16_t, uint16_t))
ASCENDC_CPU_BINARY(Or, OR, (int16_t, uint16_t))
#undef ASCENDC_CPU_BINARY

// Source and destination types that multiply-accumulate accepts: equal, or half into float.
template <typename T, typename U>
constexpr ascendc_cpu::VectorType AccumulateTypeOf()
{
    static_assert((std::is_same<T, U>::value && IsOneOf<T, half, float>()) ||
                      (std::is_same<T, float>::value && std::is_same<U, half>::value),
                  "MulAddDst, Axpy: (dst, src) must be one of (half, half), (float, float), (float, half)");
    return std::is_same<T, U>::value ? VectorTypeOf<T>() : ascendc_cpu::VectorType::HALF_TO_FLOAT;
}

// dst += src0 * src1; the product and the sum are rounded one after the other.
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void MulAddDst(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1,
                                 const uint64_t mask[], ascendc_cpu::FieldValue<uint8_t> repeatTime,
                                 const BinaryRepeatParams &repeatParams)
{
    RunMaskBits<isSetMask>("MulAddDst", EntryOf(ascendc_cpu::VectorOp::MUL_ADD_DST, AccumulateTypeOf<T, U>()), dst,
                           src0, Accumulate<TensorOperand<U>>{{src1}}, mask, repeatTime, StridesOf(repeatParams));
}

template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void MulAddDst(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1,
                                 uint64_t mask, ascendc_cpu::FieldValue<uint8_t> repeatTime,
                                 const BinaryRepeatParams &repeatParams)
{
    RunLanes<isSetMask>("MulAddDst", EntryOf(ascendc_cpu::VectorOp::MUL_ADD_DST, AccumulateTypeOf<T, U>()), dst, src0,
                        Accumulate<TensorOperand<U>>{{src1}}, mask, repeatTime, StridesOf(repeatParams));
}

template <typename T, typename U>
__aicore__ inline void MulAddDst(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1,
                                 const int32_t &count)
{
    RunCount("MulAddDst", EntryOf(ascendc_cpu::VectorOp::MUL_ADD_DST, AccumulateTypeOf<T, U>()), dst, src0,
             Accumulate<TensorOperand<U>>{{src1}}, count);
}

ASCENDC_CPU_END
#endif
