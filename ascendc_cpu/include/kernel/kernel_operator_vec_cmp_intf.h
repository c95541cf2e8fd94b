// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Comparisons. The storing forms write bit i of the stream for element i, packed, whatever the mask says.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_CMP_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_CMP_INTF_H
#include "kernel_operator_vec_binary_intf.h"
#include "kernel_operator_vec_unary_intf.h"

ASCENDC_CPU_BEGIN

template <typename T>
inline const ascendc_cpu::CompareEntry &CompareEntryOf(const char *api, CMPMODE cmpMode)
{
    static_assert(IsOneOf<T, half, float, int32_t>(), "Compare: the element type must be one of half, float, int32_t");
    if (ASCENDC_CPU_UNLIKELY(cmpMode > CMPMODE::NE)) {
        ascendc_cpu::Fail(api, "cmpMode is %u, allowed LT, GT, EQ, LE, GE, NE", static_cast<uint32_t>(cmpMode));
    }
    if (std::is_same<T, int32_t>::value && ASCENDC_CPU_UNLIKELY(cmpMode != CMPMODE::EQ)) {
        ascendc_cpu::Fail(api, "cmpMode is %u, int32_t allows EQ only", static_cast<uint32_t>(cmpMode));
    }
    return ascendc_cpu::g_isa->vector.compare[static_cast<int>(VectorTypeOf<T>())];
}

// All lanes of `repeats` repeats; nothing of the mask register takes part.
template <typename T, typename U, typename Operand>
inline void RunCompare(const char *api, const LocalTensor<U> &dst, const LocalTensor<T> &src0, const Operand &src1,
                       CMPMODE cmpMode, uint64_t repeats, const ElementwiseStrides &strides)
{
    static_assert(IsOneOf<U, uint8_t, int8_t>(), "Compare: the result type must be uint8_t or int8_t");
    constexpr uint32_t LANES = LanesOf<T, T>();
    const ascendc_cpu::CompareEntry &entry = CompareEntryOf<T>(api, cmpMode);
    auto call = VectorCall<LANES>::ForElements(repeats * LANES);
    if (call.isEmpty) {
        return;
    }
    call.shape.dst = {1, 1};
    call.shape.src0 = strides.src0;
    call.shape.src1 = strides.src1;
    CheckVectorOperand(api, "dst", dst, repeats * LANES / 8);
    CheckVectorOperand(api, "src0", src0, call.template Extent<T>(strides.src0));
    src1.Check(api, call, strides.src1);
    uint8_t *bits = reinterpret_cast<uint8_t *>(dst.Address());
    const uint8_t mode = static_cast<uint8_t>(cmpMode);
    if constexpr (Operand::IS_TENSOR) {
        ASCENDC_CPU_TRACE(PIPE_V, api, ascendc_cpu::Write(dst, ascendc_cpu::Region{repeats * LANES / 8}),
                          ascendc_cpu::Read(src0, ASCENDC_CPU_VECTOR_REGION(strides.src0, call.shape)),
                          ascendc_cpu::Read(src1.tensor, ASCENDC_CPU_VECTOR_REGION(strides.src1, call.shape)));
        entry.tensor(bits, src0.Address(), src1.Address(), mode, call.shape);
    } else {
        ASCENDC_CPU_TRACE(PIPE_V, api, ascendc_cpu::Write(dst, ascendc_cpu::Region{repeats * LANES / 8}),
                          ascendc_cpu::Read(src0, ASCENDC_CPU_VECTOR_REGION(strides.src0, call.shape)));
        entry.scalar(bits, src0.Address(), src1.Address(), mode, call.shape);
    }
}

template <typename T>
inline uint64_t WholeRepeats(const char *api, uint32_t count)
{
    constexpr uint32_t LANES = LanesOf<T, T>();
    if (ASCENDC_CPU_UNLIKELY(count % LANES != 0)) {
        ascendc_cpu::Fail(api, "count is %u, allowed are multiples of %u (256 B)", count, LANES);
    }
    return count / LANES;
}

constexpr ElementwiseStrides CONTIGUOUS_STRIDES = {
    {1, DEFAULT_REPEAT_STRIDE}, {1, DEFAULT_REPEAT_STRIDE}, {1, DEFAULT_REPEAT_STRIDE}};

template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
                               CMPMODE cmpMode, const uint64_t /*mask*/[], ascendc_cpu::FieldValue<uint8_t> repeatTime,
                               const BinaryRepeatParams &repeatParams)
{
    RunCompare("Compare", dst, src0, TensorOperand<T>{src1}, cmpMode, repeatTime, StridesOf(repeatParams));
}

template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
                               CMPMODE cmpMode, const uint64_t /*mask*/, ascendc_cpu::FieldValue<uint8_t> repeatTime,
                               const BinaryRepeatParams &repeatParams)
{
    RunCompare("Compare", dst, src0, TensorOperand<T>{src1}, cmpMode, repeatTime, StridesOf(repeatParams));
}

template <typename T, typename U>
__aicore__ inline void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
                               CMPMODE cmpMode, uint32_t count)
{
    RunCompare("Compare", dst, src0, TensorOperand<T>{src1}, cmpMode, WholeRepeats<T>("Compare", count),
               CONTIGUOUS_STRIDES);
}

// One repeat into the CMPMASK register; lanes outside the mask give 0.
template <typename T>
inline void RunCompareToRegister(const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode,
                                 const BinaryRepeatParams &params)
{
    static_assert(IsOneOf<T, half, float>(), "Compare: the element type must be half or float");
    constexpr uint32_t LANES = LanesOf<T, T>();
    const ElementwiseStrides strides = StridesOf(params);
    const ascendc_cpu::CompareEntry &entry = CompareEntryOf<T>("Compare", cmpMode);
    auto call = VectorCall<LANES>::ForElements(LANES);
    call.shape.dst = {1, 1};
    call.shape.src0 = strides.src0;
    call.shape.src1 = strides.src1;
    CheckVectorOperand("Compare", "src0", src0, call.template Extent<T>(strides.src0));
    CheckVectorOperand("Compare", "src1", src1, call.template Extent<T>(strides.src1));
    ASCENDC_CPU_TRACE(PIPE_V, "Compare", ascendc_cpu::Read(src0, ASCENDC_CPU_VECTOR_REGION(strides.src0, call.shape)),
                      ascendc_cpu::Read(src1, ASCENDC_CPU_VECTOR_REGION(strides.src1, call.shape)));
    ascendc_cpu::StickyState &sticky = ascendc_cpu::Core().sticky;
    uint64_t bits[2] = {0, 0};
    entry.tensor(reinterpret_cast<uint8_t *>(bits), src0.Address(), src1.Address(), static_cast<uint8_t>(cmpMode),
                 call.shape);
    sticky.cmpMask[0] = bits[0] & sticky.mask[0];
    sticky.cmpMask[1] = bits[1] & sticky.mask[1];
}

template <typename T, bool isSetMask = true>
__aicore__ inline void Compare(const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode,
                               const uint64_t mask[], const BinaryRepeatParams &repeatParams)
{
    WriteMask<isSetMask>(mask);
    RunCompareToRegister(src0, src1, cmpMode, repeatParams);
}

template <typename T, bool isSetMask = true>
__aicore__ inline void Compare(const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode,
                               const uint64_t mask, const BinaryRepeatParams &repeatParams)
{
    WriteMask<isSetMask>("Compare", mask);
    RunCompareToRegister(src0, src1, cmpMode, repeatParams);
}

// 128 bits of CMPMASK to and from UB.
template <typename T>
__aicore__ inline void GetCmpMask(const LocalTensor<T> &dst)
{
    constexpr uint32_t BYTES = sizeof(ascendc_cpu::StickyState::cmpMask);
    CheckVectorOperand("GetCmpMask", "dst", dst, BYTES, BYTES);
    ASCENDC_CPU_TRACE(PIPE_V, "GetCmpMask",
                      ascendc_cpu::Aligned(ascendc_cpu::Write(dst, ascendc_cpu::Region{BYTES}), BYTES));
    memcpy(reinterpret_cast<uint8_t *>(dst.Address()), ascendc_cpu::Core().sticky.cmpMask, BYTES);
}

template <typename T>
__aicore__ inline void SetCmpMask(const LocalTensor<T> &src)
{
    constexpr uint32_t BYTES = sizeof(ascendc_cpu::StickyState::cmpMask);
    CheckVectorOperand("SetCmpMask", "src", src, BYTES, BYTES);
    ASCENDC_CPU_TRACE(PIPE_V, "SetCmpMask",
                      ascendc_cpu::Aligned(ascendc_cpu::Read(src, ascendc_cpu::Region{BYTES}), BYTES));
    memcpy(ascendc_cpu::Core().sticky.cmpMask, reinterpret_cast<const uint8_t *>(src.Address()), BYTES);
}

// CompareScalar, and Compares as newer versions call it.
#define ASCENDC_CPU_COMPARE_SCALAR(name)                                                                               \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    __aicore__ inline void name(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T src1Scalar,             \
                                CMPMODE cmpMode, const uint64_t /*mask*/[],                                            \
                                ascendc_cpu::FieldValue<uint8_t> repeatTime, const UnaryRepeatParams &repeatParams)    \
    {                                                                                                                  \
        RunCompare(#name, dst, src0, ScalarOperand{&src1Scalar}, cmpMode, repeatTime, StridesOf(repeatParams));        \
    }                                                                                                                  \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    __aicore__ inline void name(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T src1Scalar,             \
                                CMPMODE cmpMode, const uint64_t /*mask*/, ascendc_cpu::FieldValue<uint8_t> repeatTime, \
                                const UnaryRepeatParams &repeatParams)                                                 \
    {                                                                                                                  \
        RunCompare(#name, dst, src0, ScalarOperand{&src1Scalar}, cmpMode, repeatTime, StridesOf(repeatParams));        \
    }                                                                                                                  \
    template <typename T, typename U>                                                                                  \
    __aicore__ inline void name(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T src1Scalar,             \
                                CMPMODE cmpMode, uint32_t count)                                                       \
    {                                                                                                                  \
        RunCompare(#name, dst, src0, ScalarOperand{&src1Scalar}, cmpMode, WholeRepeats<T>(#name, count),               \
                   CONTIGUOUS_STRIDES);                                                                                \
    }

ASCENDC_CPU_COMPARE_SCALAR(CompareScalar)
ASCENDC_CPU_COMPARE_SCALAR(Compares)
#undef ASCENDC_CPU_COMPARE_SCALAR

ASCENDC_CPU_END
#endif
