// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// half and bfloat16 bits to float and back, to nearest even, denormals kept. The sixteen-lane forms use F16C where the
// library is compiled for it and give the same bits everywhere.
#ifndef ASCENDC_CPU_SRC_CONVERT_H
#define ASCENDC_CPU_SRC_CONVERT_H
#include <cstdint>
#include <cstring>
#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace ascendc_cpu {

#if defined(__AVX512F__)
// The zero-masked forms compile to the plain ones, without GCC 12's warning about their undefined source.
constexpr __mmask16 ALL_LANES = 0xffff;
#endif

inline float FloatOfBits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

inline uint32_t BitsOfFloat(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

inline float HalfToFloat(uint16_t half)
{
    const uint32_t magnitude = (half & 0x7fffU) << 13;
    const uint32_t scaled = BitsOfFloat(FloatOfBits(magnitude) * FloatOfBits(0x77800000U)); // 2^112
    const uint32_t special = (magnitude >= 0x0f800000U ? 0x7f800000U : 0U) | (magnitude > 0x0f800000U ? 0x400000U : 0U);
    return FloatOfBits(scaled | special | (half & 0x8000U) << 16);
}

inline uint16_t FloatToHalf(float value)
{
    const uint32_t bits = BitsOfFloat(value);
    const uint32_t magnitude = bits & 0x7fffffffU;
    const uint32_t normal = (magnitude + 0xfffU + ((magnitude >> 13) & 1U) - 0x38000000U) >> 13;
    const uint32_t denormal = BitsOfFloat(FloatOfBits(magnitude) + 0.5F) - 0x3f000000U;
    const uint32_t nan = 0x7e00U | ((magnitude >> 13) & 0x3ffU);
    const uint32_t finite = magnitude < 0x38800000U ? denormal : normal;
    const uint32_t ranged = magnitude >= 0x47800000U ? 0x7c00U : finite;
    return static_cast<uint16_t>((magnitude > 0x7f800000U ? nan : ranged) | ((bits >> 16) & 0x8000U));
}

inline float Bf16ToFloat(uint16_t bits)
{
    return FloatOfBits(static_cast<uint32_t>(bits) << 16);
}

inline uint16_t FloatToBf16(float value)
{
    const uint32_t bits = BitsOfFloat(value);
    const uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
    const uint32_t nan = (bits >> 16) | 0x40U;
    return static_cast<uint16_t>((bits & 0x7fffffffU) > 0x7f800000U ? nan : rounded);
}

inline void HalfToFloat16(float *dst, const uint8_t *src)
{
#if defined(__AVX512F__)
    _mm512_storeu_ps(dst, _mm512_maskz_cvtph_ps(ALL_LANES, _mm256_loadu_si256(reinterpret_cast<const __m256i *>(src))));
#elif defined(__F16C__)
    for (int i = 0; i < 2; ++i) {
        _mm256_storeu_ps(dst + 8 * i,
                         _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(src + 16 * i))));
    }
#else
    uint16_t halves[16];
    memcpy(halves, src, sizeof(halves));
    for (int i = 0; i < 16; ++i) {
        dst[i] = HalfToFloat(halves[i]);
    }
#endif
}

inline void FloatToHalf16(uint8_t *dst, const float *src)
{
#if defined(__AVX512F__)
    _mm256_storeu_si256(
        reinterpret_cast<__m256i *>(dst),
        _mm512_maskz_cvtps_ph(ALL_LANES, _mm512_loadu_ps(src), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#elif defined(__F16C__)
    for (int i = 0; i < 2; ++i) {
        _mm_storeu_si128(reinterpret_cast<__m128i *>(dst + 16 * i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(src + 8 * i), _MM_FROUND_TO_NEAREST_INT));
    }
#else
    uint16_t halves[16];
    for (int i = 0; i < 16; ++i) {
        halves[i] = FloatToHalf(src[i]);
    }
    memcpy(dst, halves, sizeof(halves));
#endif
}

inline void FloatToBf16Lanes16(uint8_t *dst, const float *src)
{
    uint16_t lanes[16];
    for (int i = 0; i < 16; ++i) {
        lanes[i] = FloatToBf16(src[i]);
    }
    memcpy(dst, lanes, sizeof(lanes));
}

} // namespace ascendc_cpu
#endif
