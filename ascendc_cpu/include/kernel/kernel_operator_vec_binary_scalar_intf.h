// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One tensor and one scalar in, one tensor out.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_BINARY_SCALAR_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_BINARY_SCALAR_INTF_H
#include "kernel_operator_vec_unary_intf.h"

ASCENDC_CPU_BEGIN

template <typename T>
inline void CheckNoLimit(const char *, const T &)
{
}

// Shift distances reach from 0 to the width of the element.
template <typename T>
inline void CheckShift(const char *api, const T &distance)
{
    const int64_t bits = static_cast<int64_t>(distance);
    if (ASCENDC_CPU_UNLIKELY(bits < 0 || bits > static_cast<int64_t>(sizeof(T) * 8))) {
        ascendc_cpu::Fail(api, "scalarValue is %lld, allowed 0..%zu", static_cast<long long>(bits), sizeof(T) * 8);
    }
}

#define ASCENDC_CPU_BINARY_SCALAR(name, op, check, dtypes)                                                             \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue,            \
                                uint64_t mask[], ascendc_cpu::FieldValue<uint8_t> repeatTime,                          \
                                const UnaryRepeatParams &repeatParams)                                                 \
    {                                                                                                                  \
        ASCENDC_CPU_REQUIRE(T, #name, dtypes);                                                                         \
        check(#name, scalarValue);                                                                                     \
        RunMaskBits<isSetMask>(#name, EntryOf(ascendc_cpu::VectorOp::op, VectorTypeOf<T>()), dst, src,                 \
                               ScalarOperand{&scalarValue}, mask, repeatTime, StridesOf(repeatParams));                \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue,            \
                                uint64_t mask, ascendc_cpu::FieldValue<uint8_t> repeatTime,                            \
                                const UnaryRepeatParams &repeatParams)                                                 \
    {                                                                                                                  \
        ASCENDC_CPU_REQUIRE(T, #name, dtypes);                                                                         \
        check(#name, scalarValue);                                                                                     \
        RunLanes<isSetMask>(#name, EntryOf(ascendc_cpu::VectorOp::op, VectorTypeOf<T>()), dst, src,                    \
                            ScalarOperand{&scalarValue}, mask, repeatTime, StridesOf(repeatParams));                   \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue,            \
                                const int32_t &count)                                                                  \
    {                                                                                                                  \
        ASCENDC_CPU_REQUIRE(T, #name, dtypes);                                                                         \
        check(#name, scalarValue);                                                                                     \
        RunCount<isSetMask>(#name, EntryOf(ascendc_cpu::VectorOp::op, VectorTypeOf<T>()), dst, src,                    \
                            ScalarOperand{&scalarValue}, count);                                                       \
    }

ASCENDC_CPU_BINARY_SCALAR(Adds, ADDS, CheckNoLimit, (half, float, int16_t, int32_t))
ASCENDC_CPU_BINARY_SCALAR(Muls, MULS, CheckNoLimit, (half, float, int16_t, int32_t))
ASCENDC_CPU_BINARY_SCALAR(Maxs, MAXS, CheckNoLimit, (half, float, int16_t, int32_t))
ASCENDC_CPU_BINARY_SCALAR(Mins, MINS, CheckNoLimit, (half, float, int16_t, int32_t))
ASCENDC_CPU_BINARY_SCALAR(LeakyRelu, LEAKY_RELU, CheckNoLimit, (half, float))
ASCENDC_CPU_BINARY_SCALAR(ShiftLeft, SHIFT_LEFT, CheckShift, (int16_t, uint16_t, int32_t, uint32_t))
#undef ASCENDC_CPU_BINARY_SCALAR

template <typename T>
inline const ascendc_cpu::VectorEntry &ShiftRightEntry(const T &scalarValue, bool roundEn)
{
    ASCENDC_CPU_REQUIRE(T, "ShiftRight", (int16_t, uint16_t, int32_t, uint32_t));
    CheckShift("ShiftRight", scalarValue);
    // rounding adds the last bit shifted out; unsigned elements never round
    const bool rounds = roundEn && std::is_signed<T>::value;
    return EntryOf(rounds ? ascendc_cpu::VectorOp::SHIFT_RIGHT_ROUND : ascendc_cpu::VectorOp::SHIFT_RIGHT,
                   VectorTypeOf<T>());
}

template <typename T, bool isSetMask = true>
__aicore__ inline void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue,
                                  uint64_t mask[], ascendc_cpu::FieldValue<uint8_t> repeatTime,
                                  const UnaryRepeatParams &repeatParams, bool roundEn = false)
{
    RunMaskBits<isSetMask>("ShiftRight", ShiftRightEntry(scalarValue, roundEn), dst, src, ScalarOperand{&scalarValue},
                           mask, repeatTime, StridesOf(repeatParams));
}

template <typename T, bool isSetMask = true>
__aicore__ inline void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue,
                                  uint64_t mask, ascendc_cpu::FieldValue<uint8_t> repeatTime,
                                  const UnaryRepeatParams &repeatParams, bool roundEn = false)
{
    RunLanes<isSetMask>("ShiftRight", ShiftRightEntry(scalarValue, roundEn), dst, src, ScalarOperand{&scalarValue},
                        mask, repeatTime, StridesOf(repeatParams));
}

template <typename T, bool isSetMask = true>
__aicore__ inline void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue,
                                  const int32_t &count)
{
    RunCount<isSetMask>("ShiftRight", ShiftRightEntry(scalarValue, false), dst, src, ScalarOperand{&scalarValue},
                        count);
}

ASCENDC_CPU_END
#endif
