// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Cast. Out-of-range numbers saturate to integers (NaN becomes 0) and overflow to infinity in half and bfloat16.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_VCONV_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_VCONV_INTF_H
#include "kernel_operator_vec_unary_intf.h"

ASCENDC_CPU_BEGIN

constexpr uint32_t RoundModeBit(RoundMode mode)
{
    return 1u << static_cast<uint32_t>(mode);
}

constexpr uint32_t ROUND_NONE = RoundModeBit(RoundMode::CAST_NONE);
constexpr uint32_t ROUND_DIRECTED = RoundModeBit(RoundMode::CAST_RINT) | RoundModeBit(RoundMode::CAST_FLOOR) |
                                    RoundModeBit(RoundMode::CAST_CEIL) | RoundModeBit(RoundMode::CAST_ROUND) |
                                    RoundModeBit(RoundMode::CAST_TRUNC);
constexpr uint32_t ROUND_ODD = RoundModeBit(RoundMode::CAST_ODD);

// roundModes: bits of the modes that the pair accepts; 0 when the pair does not exist.
struct CastRule {
    ascendc_cpu::CastPair pair;
    uint32_t roundModes;
};

template <typename T, typename U>
constexpr CastRule CastRuleOf()
{
    using ascendc_cpu::CastPair;
    constexpr auto is = [](auto dst, auto src) {
        return std::is_same<T, decltype(dst)>::value && std::is_same<U, decltype(src)>::value;
    };
    return is(half(), int8_t())          ? CastRule{CastPair::INT8_HALF, ROUND_NONE}
           : is(half(), uint8_t())       ? CastRule{CastPair::UINT8_HALF, ROUND_NONE}
           : is(half(), int16_t())       ? CastRule{CastPair::INT16_HALF, ROUND_NONE | ROUND_DIRECTED}
           : is(float(), int16_t())      ? CastRule{CastPair::INT16_FLOAT, ROUND_NONE}
           : is(int8_t(), half())        ? CastRule{CastPair::HALF_INT8, ROUND_NONE | ROUND_DIRECTED}
           : is(uint8_t(), half())       ? CastRule{CastPair::HALF_UINT8, ROUND_NONE | ROUND_DIRECTED}
           : is(int16_t(), half())       ? CastRule{CastPair::HALF_INT16, ROUND_DIRECTED}
           : is(int32_t(), half())       ? CastRule{CastPair::HALF_INT32, ROUND_DIRECTED}
           : is(float(), half())         ? CastRule{CastPair::HALF_FLOAT, ROUND_NONE}
           : is(int32_t(), bfloat16_t()) ? CastRule{CastPair::BFLOAT16_INT32, ROUND_DIRECTED}
           : is(float(), bfloat16_t())   ? CastRule{CastPair::BFLOAT16_FLOAT, ROUND_NONE}
           : is(int16_t(), int32_t())    ? CastRule{CastPair::INT32_INT16, ROUND_NONE}
           : is(float(), int32_t())      ? CastRule{CastPair::INT32_FLOAT, ROUND_NONE | ROUND_DIRECTED}
           : is(int64_t(), int32_t())    ? CastRule{CastPair::INT32_INT64, ROUND_NONE}
           : is(int16_t(), float())      ? CastRule{CastPair::FLOAT_INT16, ROUND_DIRECTED}
           : is(half(), float())         ? CastRule{CastPair::FLOAT_HALF, ROUND_NONE | ROUND_DIRECTED | ROUND_ODD}
           : is(bfloat16_t(), float())   ? CastRule{CastPair::FLOAT_BFLOAT16, ROUND_DIRECTED}
           : is(int32_t(), float())      ? CastRule{CastPair::FLOAT_INT32, ROUND_DIRECTED}
           : is(float(), float())        ? CastRule{CastPair::FLOAT_FLOAT, ROUND_DIRECTED}
           : is(int64_t(), float())      ? CastRule{CastPair::FLOAT_INT64, ROUND_DIRECTED}
           : is(int32_t(), int64_t())    ? CastRule{CastPair::INT64_INT32, ROUND_NONE}
           : is(float(), int64_t())      ? CastRule{CastPair::INT64_FLOAT, ROUND_DIRECTED}
                                         : CastRule{CastPair::COUNT, 0};
}

template <typename T, typename U>
inline const ascendc_cpu::CastEntry &CastEntryOf(RoundMode roundMode)
{
    constexpr CastRule RULE = CastRuleOf<T, U>();
    static_assert(RULE.roundModes != 0, "Cast: this architecture has no instruction for this (dst, src) pair");
    const uint32_t bit = static_cast<uint32_t>(roundMode) < 32 ? RoundModeBit(roundMode) : 0;
    if (ASCENDC_CPU_UNLIKELY((RULE.roundModes & bit) == 0)) {
        ascendc_cpu::Fail(
            "Cast", "roundMode is %u; the pair allows %s%s%s", static_cast<uint32_t>(roundMode),
            (RULE.roundModes & ROUND_NONE) != 0 ? "CAST_NONE " : "",
            (RULE.roundModes & ROUND_DIRECTED) != 0 ? "CAST_RINT CAST_FLOOR CAST_CEIL CAST_ROUND CAST_TRUNC " : "",
            (RULE.roundModes & ROUND_ODD) != 0 ? "CAST_ODD" : "");
    }
    return ascendc_cpu::g_isa->vector.cast[static_cast<int>(RULE.pair)];
}

template <typename T, typename U>
inline void RunCast(const LocalTensor<T> &dst, const LocalTensor<U> &src, RoundMode roundMode, uint32_t repeats,
                    const UnaryRepeatParams &params)
{
    const ascendc_cpu::CastEntry &entry = CastEntryOf<T, U>(roundMode);
    VectorCall<LanesOf<T, U>()> call(repeats);
    if (call.isEmpty) {
        return;
    }
    call.shape.dst = {params.dstBlkStride, params.dstRepStride};
    call.shape.src0 = {params.srcBlkStride, params.srcRepStride};
    call.shape.src1 = {0, 0};
    CheckVectorOperand("Cast", "dst", dst, call.template Extent<T>(call.shape.dst));
    CheckVectorOperand("Cast", "src", src, call.template Extent<U>(call.shape.src0));
    ASCENDC_CPU_TRACE(PIPE_V, "Cast", ascendc_cpu::Write(dst, ASCENDC_CPU_VECTOR_REGION(call.shape.dst, call.shape)),
                      ascendc_cpu::Read(src, ASCENDC_CPU_VECTOR_REGION(call.shape.src0, call.shape)));
    entry.repeat(dst.Address(), src.Address(), static_cast<uint8_t>(roundMode), call.shape);
}

// Mask, lanes and repeats count elements of the wider of the two types.
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src, const RoundMode &roundMode,
                            const uint64_t mask[], ascendc_cpu::FieldValue<uint8_t> repeatTime,
                            const UnaryRepeatParams &repeatParams)
{
    WriteMask<isSetMask>(mask);
    RunCast(dst, src, roundMode, repeatTime, repeatParams);
}

template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src, const RoundMode &roundMode,
                            const uint64_t mask, ascendc_cpu::FieldValue<uint8_t> repeatTime,
                            const UnaryRepeatParams &repeatParams)
{
    WriteMask<isSetMask>("Cast", mask);
    RunCast(dst, src, roundMode, repeatTime, repeatParams);
}

template <typename T, typename U>
__aicore__ inline void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src, const RoundMode &roundMode,
                            const uint32_t count)
{
    const ascendc_cpu::CastEntry &entry = CastEntryOf<T, U>(roundMode);
    const uint64_t elements = count;
    CheckVectorOperand("Cast", "dst", dst, elements * sizeof(T));
    CheckVectorOperand("Cast", "src", src, elements * sizeof(U));
    ASCENDC_CPU_TRACE(PIPE_V, "Cast", ascendc_cpu::Write(dst, ascendc_cpu::Region{elements * sizeof(T)}),
                      ascendc_cpu::Read(src, ascendc_cpu::Region{elements * sizeof(U)}));
    entry.count(dst.Address(), src.Address(), static_cast<uint8_t>(roundMode), count);
    LeaveCountForm();
}

ASCENDC_CPU_END
#endif
