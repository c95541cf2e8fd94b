// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Fractal moves of LoadData. The layouts are described in isa_cube.h.
#include <cstring>
#include "convert.h"
#include "cube_isa.h"
#include "transpose_words.h"

namespace ascendc_cpu {
namespace {

constexpr int FRACTAL_BYTES = 512;
constexpr int FRACTAL_ROWS = 16;
constexpr int ROW_BYTES = 32;   // of a fractal in L1
constexpr int LANES_BYTES = 64; // 16 words

struct CopyFractal {
    static void Move(uint8_t *dst, const uint8_t *src)
    {
        memcpy(dst, src, FRACTAL_BYTES);
    }
};

// half [16][16] to float [16][16], rows stay rows
struct WidenFractal {
    static void Move(uint8_t *dst, const uint8_t *src)
    {
        for (int row = 0; row < FRACTAL_ROWS; ++row) {
            float lanes[16];
            HalfToFloat16(lanes, src + row * ROW_BYTES);
            memcpy(dst + row * LANES_BYTES, lanes, LANES_BYTES);
        }
    }
};

// words [16 n][8] to [8][16 n]
struct TransposeWords {
    static void Move(uint8_t *dst, const uint8_t *src)
    {
        TransposeWords16x8(dst, src);
    }
};

// half [16][16] to float [16][16], rows become columns
struct TransposeWiden {
    static void Move(uint8_t *dst, const uint8_t *src)
    {
#if ASCENDC_CPU_AVX512_KERNELS
        __m512i words[8];
        TransposeWords16x8(words, src);
#pragma GCC unroll 8
        for (int i = 0; i < 8; ++i) {
            const __m256i even = _mm512_maskz_cvtepi32_epi16(ALL_LANES, words[i]);
            const __m256i odd =
                _mm512_maskz_cvtepi32_epi16(ALL_LANES, _mm512_maskz_srli_epi32(ALL_LANES, words[i], 16));
            _mm512_storeu_ps(dst + 2 * i * LANES_BYTES, _mm512_maskz_cvtph_ps(ALL_LANES, even));
            _mm512_storeu_ps(dst + (2 * i + 1) * LANES_BYTES, _mm512_maskz_cvtph_ps(ALL_LANES, odd));
        }
#else
        uint8_t halves[FRACTAL_BYTES];
        TransposeHalves(halves, src);
        WidenFractal::Move(dst, halves);
#endif
    }
    // 2-byte [16][16], rows become columns
    static void TransposeHalves(uint8_t *dst, const uint8_t *src)
    {
        uint32_t words[8][16];
        TransposeWords16x8(reinterpret_cast<uint8_t *>(words), src);
        for (int pair = 0; pair < 8; ++pair) {
            uint16_t even[16];
            uint16_t odd[16];
            for (int i = 0; i < 16; ++i) {
                even[i] = static_cast<uint16_t>(words[pair][i]);
                odd[i] = static_cast<uint16_t>(words[pair][i] >> 16);
            }
            memcpy(dst + 2 * pair * ROW_BYTES, even, ROW_BYTES);
            memcpy(dst + (2 * pair + 1) * ROW_BYTES, odd, ROW_BYTES);
        }
    }
};

struct TransposeBf16 {
    static void Move(uint8_t *dst, const uint8_t *src)
    {
        TransposeWiden::TransposeHalves(dst, src);
    }
};

// bf16 [16 k][16 n] to words of two k: [8][16 n]
struct PairRows {
    static void Move(uint8_t *dst, const uint8_t *src)
    {
        for (int word = 0; word < 8; ++word) {
            uint16_t even[16];
            uint16_t odd[16];
            uint32_t words[16];
            memcpy(even, src + 2 * word * ROW_BYTES, ROW_BYTES);
            memcpy(odd, src + (2 * word + 1) * ROW_BYTES, ROW_BYTES);
            for (int i = 0; i < 16; ++i) {
                words[i] = even[i] | static_cast<uint32_t>(odd[i]) << 16;
            }
            memcpy(dst + word * LANES_BYTES, words, LANES_BYTES);
        }
    }
};

// 4-byte squares: two columns of [16 k][8 n] to two fractals [8 k][16 n]
struct JoinColumns {
    static void Move(uint8_t *const (&dst)[2], const uint8_t *const (&src)[2])
    {
        for (int row = 0; row < FRACTAL_ROWS; ++row) {
            uint8_t *to = dst[row / 8] + row % 8 * LANES_BYTES;
            memcpy(to, src[0] + row * ROW_BYTES, ROW_BYTES);
            memcpy(to + ROW_BYTES, src[1] + row * ROW_BYTES, ROW_BYTES);
        }
    }
};

// 4-byte squares: two columns of [16 k][8 m] to two fractals [16 m][8 k]
struct TransposeSquare {
    static void Move(uint8_t *const (&dst)[2], const uint8_t *const (&src)[2])
    {
        for (int column = 0; column < 2; ++column) {
            uint8_t words[FRACTAL_BYTES]; // [8 m][16 k]
            TransposeWords16x8(words, src[column]);
            for (int row = 0; row < 8; ++row) {
                const int m = 8 * column + row;
                memcpy(dst[0] + m * ROW_BYTES, words + row * LANES_BYTES, ROW_BYTES);
                memcpy(dst[1] + m * ROW_BYTES, words + row * LANES_BYTES + ROW_BYTES, ROW_BYTES);
            }
        }
    }
};

template <class Fractal>
void LoadFractals(const FractalGrid &grid)
{
    for (uint32_t i = 0; i < grid.outer; ++i) {
        uint8_t *dst = grid.dst + i * grid.dstOuter;
        const uint8_t *src = grid.src + i * grid.srcOuter;
        for (uint32_t j = 0; j < grid.inner; ++j, dst += grid.dstInner, src += grid.srcInner) {
            Fractal::Move(dst, src);
        }
    }
}

template <class Square>
void LoadSquares(const FractalGrid &grid)
{
    alignas(64) static constexpr uint8_t ZEROS[FRACTAL_BYTES] = {};
    for (uint32_t i = 0; i < grid.outer; ++i) {
        for (uint32_t j = 0; j < grid.inner; ++j) {
            uint8_t *dst = grid.dst + i * grid.dstOuter + j * grid.dstInner;
            const uint8_t *src = grid.src + i * grid.srcOuter + j * grid.srcInner;
            Square::Move({dst, dst + grid.dstPair}, {src, grid.srcPairMissing ? ZEROS : src + grid.srcPair});
        }
    }
}

} // namespace

LoadFunction LoadFor(OperandType type, FractalMove move)
{
    static constexpr LoadFunction TABLE[static_cast<int>(OperandType::COUNT)][static_cast<int>(FractalMove::COUNT)] = {
        // TO_A, TO_A_TRANSPOSED, TO_B, TO_B_TRANSPOSED
        {LoadFractals<CopyFractal>, LoadSquares<TransposeSquare>, LoadFractals<TransposeWords>,
         LoadSquares<JoinColumns>},
        {LoadFractals<CopyFractal>, LoadFractals<TransposeBf16>, LoadFractals<TransposeWords>, LoadFractals<PairRows>},
        {LoadFractals<WidenFractal>, LoadFractals<TransposeWiden>, LoadFractals<TransposeWiden>,
         LoadFractals<WidenFractal>},
    };
    return TABLE[static_cast<int>(type)][static_cast<int>(move)];
}

} // namespace ascendc_cpu
