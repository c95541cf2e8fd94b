// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The one transpose behind every LoadData: 16 rows of 8 words, `pitch` bytes apart (32 in a fractal), to 8 rows of 16
// words.
#ifndef ASCENDC_CPU_SRC_TRANSPOSE_WORDS_H
#define ASCENDC_CPU_SRC_TRANSPOSE_WORDS_H
#include <cstdint>
#include <cstring>
#include "cube_isa.h"
#if ASCENDC_CPU_AVX512_KERNELS
#include <immintrin.h>
#endif

namespace ascendc_cpu {

constexpr uint64_t WORDS8_BYTES = 32;

#if ASCENDC_CPU_AVX512_KERNELS

// Words 0..7 of a row and of the one `distance` bytes behind it.
inline __m512 TwoRows(const uint8_t *row, uint64_t distance)
{
    const __m512i lower = _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(row)));
    const __m256i upper = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(row + distance));
    return _mm512_castsi512_ps(_mm512_maskz_inserti64x4(0xff, lower, upper, 1));
}

inline void TransposeWords16x8(__m512i (&out)[8], const uint8_t *src, uint64_t pitch = WORDS8_BYTES)
{
    __m512 words[2][4]; // of eight rows: word w of four, word w + 4 of four, the same of the other four
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
        __m512 rows[4];
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            rows[i] = TwoRows(src + (8 * half + i) * pitch, 4 * pitch);
        }
        const __m512d a = _mm512_castps_pd(_mm512_unpacklo_ps(rows[0], rows[1]));
        const __m512d b = _mm512_castps_pd(_mm512_unpackhi_ps(rows[0], rows[1]));
        const __m512d c = _mm512_castps_pd(_mm512_unpacklo_ps(rows[2], rows[3]));
        const __m512d d = _mm512_castps_pd(_mm512_unpackhi_ps(rows[2], rows[3]));
        words[half][0] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, c));
        words[half][1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, c));
        words[half][2] = _mm512_castpd_ps(_mm512_unpacklo_pd(b, d));
        words[half][3] = _mm512_castpd_ps(_mm512_unpackhi_pd(b, d));
    }
#pragma GCC unroll 4
    for (int w = 0; w < 4; ++w) {
        out[w] = _mm512_castps_si512(_mm512_shuffle_f32x4(words[0][w], words[1][w], 0x88));
        out[w + 4] = _mm512_castps_si512(_mm512_shuffle_f32x4(words[0][w], words[1][w], 0xdd));
    }
}

inline void TransposeWords16x8(uint8_t *dst, const uint8_t *src, uint64_t pitch = WORDS8_BYTES)
{
    __m512i out[8];
    TransposeWords16x8(out, src, pitch);
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
        _mm512_storeu_si512(dst + i * 64, out[i]);
    }
}

#else

using Words4 = uint32_t __attribute__((vector_size(16)));

inline Words4 LoadWords4(const uint8_t *src)
{
    Words4 words;
    memcpy(&words, src, sizeof(words));
    return words;
}

inline void TransposeWords16x8(uint8_t *dst, const uint8_t *src, uint64_t pitch = WORDS8_BYTES)
{
    constexpr int DST_ROW = 64;
    for (int word = 0; word < 8; word += 4) {
        for (int row = 0; row < 16; row += 4) {
            const uint8_t *from = src + row * pitch + word * 4;
            const Words4 r0 = LoadWords4(from);
            const Words4 r1 = LoadWords4(from + pitch);
            const Words4 r2 = LoadWords4(from + 2 * pitch);
            const Words4 r3 = LoadWords4(from + 3 * pitch);
            const Words4 low01 = __builtin_shufflevector(r0, r1, 0, 4, 1, 5);
            const Words4 high01 = __builtin_shufflevector(r0, r1, 2, 6, 3, 7);
            const Words4 low23 = __builtin_shufflevector(r2, r3, 0, 4, 1, 5);
            const Words4 high23 = __builtin_shufflevector(r2, r3, 2, 6, 3, 7);
            const Words4 out[4] = {__builtin_shufflevector(low01, low23, 0, 1, 4, 5),
                                   __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
                                   __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
                                   __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
            for (int i = 0; i < 4; ++i) {
                memcpy(dst + (word + i) * DST_ROW + row * 4, &out[i], sizeof(out[i]));
            }
        }
    }
}

#endif

} // namespace ascendc_cpu
#endif
