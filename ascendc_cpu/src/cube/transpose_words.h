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

// Lane indices of the three rounds of two-source permutes; lanes 16..31 name the second source.
struct TransposeLanes {
    alignas(64) int32_t lane[6][16];
};

constexpr TransposeLanes MakeTransposeLanes()
{
    TransposeLanes t = {};
    for (int j = 0; j < 16; ++j) {
        const int pairs = j % 4 / 2 * 16 + j % 2 * 8 + j / 4; // row pairs: 4 words x 4 rows
        t.lane[0][j] = pairs;
        t.lane[1][j] = pairs + 4;
        const int quads = j % 8 / 4 * 16 + j / 8 * 4 + j % 4; // 2 words x 8 rows
        t.lane[2][j] = quads;
        t.lane[3][j] = quads + 8;
        const int rows = j / 8 * 16 + j % 8; // 1 word x 16 rows
        t.lane[4][j] = rows;
        t.lane[5][j] = rows + 8;
    }
    return t;
}

inline constexpr TransposeLanes TRANSPOSE_LANES = MakeTransposeLanes();

inline void TransposeWords16x8(__m512i (&out)[8], const uint8_t *src, uint64_t pitch = WORDS8_BYTES)
{
    __m512i lanes[6];
    for (int i = 0; i < 6; ++i) {
        lanes[i] = _mm512_load_si512(TRANSPOSE_LANES.lane[i]);
    }
    __m512i rows[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
        const uint8_t *two = src + 2 * i * pitch;
        const __m256i upper = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(two + pitch));
        rows[i] = _mm512_maskz_inserti64x4(
            0xff, _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(two))), upper, 1);
    }
    __m512i pairs[4][2];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        pairs[i][0] = _mm512_permutex2var_epi32(rows[2 * i], lanes[0], rows[2 * i + 1]);
        pairs[i][1] = _mm512_permutex2var_epi32(rows[2 * i], lanes[1], rows[2 * i + 1]);
    }
    __m512i quads[2][4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        const int half = i / 2;
        const int words = i % 2;
        quads[half][2 * words] =
            _mm512_permutex2var_epi32(pairs[2 * half][words], lanes[2], pairs[2 * half + 1][words]);
        quads[half][2 * words + 1] =
            _mm512_permutex2var_epi32(pairs[2 * half][words], lanes[3], pairs[2 * half + 1][words]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        out[2 * i] = _mm512_permutex2var_epi32(quads[0][i], lanes[4], quads[1][i]);
        out[2 * i + 1] = _mm512_permutex2var_epi32(quads[0][i], lanes[5], quads[1][i]);
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
