// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The operations of the vector unit on lanes of 32 bits. Floats follow IEEE 754 to nearest even; integers wrap.
#ifndef ASCENDC_CPU_SRC_VECTOR_MATH_H
#define ASCENDC_CPU_SRC_VECTOR_MATH_H
#include <cmath>
#include "simd.h"

namespace ascendc_cpu {

#if defined(ASCENDC_CPU_VECTOR_AVX512)
// The range instruction orders the zeros but drops a single NaN, which the sum of the two restores.
template <int SELECTOR>
inline F32 RangeOf(F32 a, F32 b)
{
    const __m512 x = BitCast<__m512>(a);
    const __m512 y = BitCast<__m512>(b);
    const __m512 ordered = _mm512_maskz_range_ps(0xffff, x, y, SELECTOR);
    return BitCast<F32>(_mm512_mask_add_ps(ordered, _mm512_cmp_ps_mask(x, y, _CMP_UNORD_Q), x, y));
}
#endif

// NaN if one of the two is NaN; +0 is greater than -0.
template <typename V>
inline V MaxOf(V a, V b)
{
#if defined(ASCENDC_CPU_VECTOR_AVX512)
    if constexpr (std::is_same<V, F32>::value) {
        return RangeOf<0b0101>(a, b); // larger, with its own sign
    }
#endif
    if constexpr (std::is_same<V, F32>::value) {
        const V larger = (a > b) | (a != a) ? a : b;
        return a == b ? BitCast<V>(BitCast<I32>(a) & BitCast<I32>(b)) : larger;
    } else {
        return a > b ? a : b;
    }
}

template <typename V>
inline V MinOf(V a, V b)
{
#if defined(ASCENDC_CPU_VECTOR_AVX512)
    if constexpr (std::is_same<V, F32>::value) {
        return RangeOf<0b0100>(a, b);
    }
#endif
    if constexpr (std::is_same<V, F32>::value) {
        const V smaller = (a < b) | (a != a) ? a : b;
        return a == b ? BitCast<V>(BitCast<I32>(a) | BitCast<I32>(b)) : smaller;
    } else {
        return a < b ? a : b;
    }
}

// value * 2^exponent, rounded once; exponent in [-252, 254].
inline F32 ScaleByPowerOfTwo(F32 value, F32 exponent)
{
#if defined(ASCENDC_CPU_VECTOR_AVX512)
    return BitCast<F32>(_mm512_maskz_scalef_ps(0xffff, BitCast<__m512>(value), BitCast<__m512>(exponent)));
#else
    const I32 whole = __builtin_convertvector(exponent, I32);
    const I32 first = whole >> 1; // the first product is exact
    const F32 firstScale = BitCast<F32>((first + 127) << 23);
    const F32 secondScale = BitCast<F32>((whole - first + 127) << 23);
    return value * firstScale * secondScale;
#endif
}

constexpr float INTEGER_SHIFT = 12582912.0f; // 1.5 * 2^23: added to an integer, the last bit of the sum is worth 1

// value * 2^exponent, both normal numbers.
inline F32 AddToExponent(F32 value, F32 exponent)
{
    return BitCast<F32>(BitCast<I32>(value) + (BitCast<I32>(exponent + INTEGER_SHIFT) << 23));
}

// Nearest integer, halves to even; |value| < 2^22.
inline F32 Nearest(F32 value)
{
#if defined(ASCENDC_CPU_VECTOR_AVX512)
    constexpr int TO_NEAREST = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    return BitCast<F32>(_mm512_maskz_roundscale_ps(0xffff, BitCast<__m512>(value), TO_NEAREST));
#else
    return (value + INTEGER_SHIFT) - INTEGER_SHIFT;
#endif
}

// NaN stays NaN.
inline F32 Clamped(F32 value, float lowest, float highest)
{
#if defined(ASCENDC_CPU_VECTOR_AVX512)
    // of a NaN and a number the instructions take the second operand
    const __m512 raised = _mm512_maskz_max_ps(0xffff, _mm512_set1_ps(lowest), BitCast<__m512>(value));
    return BitCast<F32>(_mm512_maskz_min_ps(0xffff, _mm512_set1_ps(highest), raised));
#else
    const F32 raised = value < lowest ? Splat<F32>(lowest) : value;
    return raised > highest ? Splat<F32>(highest) : raised;
#endif
}

// exp(x) = 2^n * p(r), n = round(x / ln 2), r = x - n ln 2 in two steps; p is a minimax polynomial of degree 5 with
// p(0) = 1. Largest relative error 2.8 * 2^-24 with fused multiply-add, 3.1 * 2^-24 without.
// Step by step for all of several vectors, so that they do not wait for each other's steps. ARE_NORMAL: no |x| is over
// EXP_IS_NORMAL, so that all results are normal numbers; the same bits in fewer steps.
constexpr float EXP_IS_NORMAL = 87.0f;

template <bool ARE_NORMAL, int COUNT>
inline __attribute__((always_inline)) void ExpSteps(F32 (&x)[COUNT])
{
    constexpr float LOWEST = -104.0f;        // below, exp is under half of the smallest denormal
    constexpr float HIGHEST = 89.0f;         // above, exp overflows
    constexpr float LN2_HIGH = 0.693145752f; // few bits: n * LN2_HIGH is exact
    constexpr float LN2_LOW = 1.42860677e-6f;
    constexpr float COEFFICIENTS[] = {0.00829027f, 0.04189816f, 0.16667639f, 0.49999148f, 0.9999997f, 1.0f};
    F32 n[COUNT];
    F32 r[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = ARE_NORMAL ? x[i] : Clamped(x[i], LOWEST, HIGHEST);
    }
    for (int i = 0; i < COUNT; i++) {
        n[i] = Nearest(x[i] * 1.44269504f);
    }
    for (int i = 0; i < COUNT; i++) {
        r[i] = MultiplyAdd(n[i], Splat<F32>(-LN2_HIGH), x[i]);
    }
    for (int i = 0; i < COUNT; i++) {
        r[i] = MultiplyAdd(n[i], Splat<F32>(-LN2_LOW), r[i]);
        x[i] = Splat<F32>(COEFFICIENTS[0]);
    }
    for (int power = 1; power < 6; power++) {
        for (int i = 0; i < COUNT; i++) {
            x[i] = MultiplyAdd(x[i], r[i], Splat<F32>(COEFFICIENTS[power]));
        }
    }
    for (int i = 0; i < COUNT; i++) {
        x[i] = ARE_NORMAL ? AddToExponent(x[i], n[i]) : ScaleByPowerOfTwo(x[i], n[i]);
    }
}

template <int COUNT>
inline __attribute__((always_inline)) void ExpOf(F32 (&x)[COUNT])
{
    U32 largest = {};
    for (const F32 &lanes : x) {
        const U32 magnitude = BitCast<U32>(lanes) & 0x7fffffff;
        largest = magnitude > largest ? magnitude : largest;
    }
    if (__builtin_expect(IsAny(largest > BitCast<U32>(Splat<F32>(EXP_IS_NORMAL))), 0)) {
        ExpSteps<false>(x);
    } else {
        ExpSteps<true>(x);
    }
}

inline F32 ExpOf(F32 x)
{
    F32 one[1] = {x};
    ExpOf(one);
    return one[0];
}

// ln(x) = k ln 2 + ln(1 + f) with 1 + f in [sqrt(1/2), sqrt(2)); with s = f / (2 + f),
// ln(1 + f) = f - (f^2/2 - s (f^2/2 + R(s^2))), R a minimax polynomial for 2 atanh(s)/s - 2.
inline F32 LnOf(F32 x)
{
    constexpr float LN2_HIGH = 0.693145752f;
    constexpr float LN2_LOW = 1.42860677e-6f;
    constexpr uint32_t SQRT_HALF = 0x3f3504f3;
    const I32 isDenormal = x < 1.17549435e-38f;
    const F32 normal = isDenormal ? x * 8388608.0f : x; // 2^23
    const U32 shifted = BitCast<U32>(normal) - SQRT_HALF;
    const I32 k = (BitCast<I32>(shifted) >> 23) - (isDenormal & 23);
    const F32 f = BitCast<F32>((shifted & 0x7fffffu) + SQRT_HALF) - 1.0f;
    const F32 exponent = __builtin_convertvector(k, F32);
    const F32 s = f / (f + 2.0f);
    const F32 z = s * s;
    const F32 polynomial = z * (0.6666666f + z * (0.40000337f + z * (0.2853717f + z * 0.23584987f)));
    const F32 halfSquare = 0.5f * f * f;
    const F32 result = exponent * LN2_HIGH - ((halfSquare - (s * (halfSquare + polynomial) + exponent * LN2_LOW)) - f);
    const F32 infinity = Splat<F32>(__builtin_inff());
    F32 special = x < 0.0f ? Splat<F32>(__builtin_nanf("")) : result;
    special = x == 0.0f ? -infinity : special;
    return (x != x) | (x == infinity) ? x : special;
}

inline F32 SqrtOf(F32 x)
{
#if defined(ASCENDC_CPU_VECTOR_AVX512)
    return BitCast<F32>(_mm512_maskz_sqrt_ps(0xffff, BitCast<__m512>(x)));
#else
    F32 result = {};
    for (int lane = 0; lane < LANES; lane++) {
        result[lane] = std::sqrt(x[lane]);
    }
    return result;
#endif
}

template <typename V>
inline V ShiftLeftOf(V value, V distance)
{
    return distance >= 32 ? V{} : value << (distance & 31);
}

template <typename V>
inline V ShiftRightOf(V value, V distance)
{
    if constexpr (std::is_same<V, I32>::value) {
        return value >> (distance > 31 ? Splat<V>(31) : distance); // further shifts leave the sign
    } else {
        return distance >= 32u ? V{} : value >> (distance & 31u);
    }
}

// Adds the last bit shifted out.
inline I32 ShiftRightRounded(I32 value, I32 distance)
{
    const I32 last = distance > 0 ? (value >> ((distance - 1) & 31)) & 1 : I32{};
    return ShiftRightOf(value, distance) + last;
}

} // namespace ascendc_cpu
#endif
