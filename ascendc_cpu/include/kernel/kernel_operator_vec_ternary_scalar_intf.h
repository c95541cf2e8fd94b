// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_TERNARY_SCALAR_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_TERNARY_SCALAR_INTF_H
#include "kernel_operator_vec_binary_intf.h"
#include "kernel_operator_vec_unary_intf.h"

ASCENDC_CPU_BEGIN

// Axpy: dst += scalarValue * src; the product and the sum are rounded one after the other.
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U &scalarValue, uint64_t mask[],
                            ascendc_cpu::FieldValue<uint8_t> repeatTime, const UnaryRepeatParams &repeatParams)
{
    RunMaskBits<isSetMask>("Axpy", EntryOf(ascendc_cpu::VectorOp::AXPY, AccumulateTypeOf<T, U>()), dst, src,
                           Accumulate<ScalarOperand>{{&scalarValue}}, mask, repeatTime, StridesOf(repeatParams));
}

template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U &scalarValue, uint64_t mask,
                            ascendc_cpu::FieldValue<uint8_t> repeatTime, const UnaryRepeatParams &repeatParams)
{
    RunLanes<isSetMask>("Axpy", EntryOf(ascendc_cpu::VectorOp::AXPY, AccumulateTypeOf<T, U>()), dst, src,
                        Accumulate<ScalarOperand>{{&scalarValue}}, mask, repeatTime, StridesOf(repeatParams));
}

template <typename T, typename U>
__aicore__ inline void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U &scalarValue,
                            const int32_t &count)
{
    RunCount("Axpy", EntryOf(ascendc_cpu::VectorOp::AXPY, AccumulateTypeOf<T, U>()), dst, src,
             Accumulate<ScalarOperand>{{&scalarValue}}, count);
}

ASCENDC_CPU_END
#endif
