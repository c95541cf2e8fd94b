// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Mmad of at most sixteen rows, eight at a time, with a right operand that still stands in GM. It is bound by reading
// that, so it is read with prefetches in the order of its rows, in the next box as well. Each element of C is the same
// chain of multiply-adds along k as from L0B.
#include "mmad_driver.h"
#include "transpose_words.h"
#if ASCENDC_CPU_AVX512_KERNELS
#include <algorithm>
#include <immintrin.h>

namespace ascendc_cpu {
namespace {

constexpr uint32_t FRACTAL_K = 8; // words of a row of a fractal of A
constexpr int64_t A_ROW_BYTES = 32;
constexpr uint32_t MOST_ROWS = 16;     // of C
constexpr uint32_t MOST_FRACTALS = 32; // of n, for which partial sums are kept
// How far ahead rows are prefetched: 32 of them are read at once when they are transposed, one after the other if not.
constexpr uint32_t BYTES_AHEAD = 16 * 1024;
constexpr uint32_t TRANSPOSED_BYTES_AHEAD = 24 * 1024;

inline uint64_t Ahead(const WordMatrix &matrix, uint32_t bytes)
{
    return std::max(bytes / (matrix.words * 4), 16U) * matrix.pitch;
}

inline void PrefetchLine(PrefetchRows &rows)
{
    if (rows.pitch == rows.rowBytes) { // side by side: nothing to count
        __builtin_prefetch(rows.next);
        rows.next += CACHE_LINE_BYTES;
    } else {
        PrefetchLines<3>(rows, 1);
    }
}

inline __m512 BroadcastWord(const uint8_t *word)
{
    float value;
    __builtin_memcpy(&value, word, sizeof(value));
    return _mm512_set1_ps(value);
}

// For several FMAs: one load, not one embedded in each of them.
inline __m512 SharedWord(const uint8_t *word)
{
    __m512 lanes = BroadcastWord(word);
    asm("" : "+v"(lanes));
    return lanes;
}

inline const uint8_t *WordOfA(const MmadTile &tile, uint32_t k)
{
    return tile.a + k / FRACTAL_K * tile.aFractal + k % FRACTAL_K * 4;
}

template <int Rows>
inline void Clear(__m512 *sums)
{
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) {
        sums[r] = _mm512_setzero_ps();
    }
}

// The sums of a slice of k that begins at word k, for rows of 16 columns of C, column block n.
template <int Rows>
inline void StoreSums(const MmadTile &tile, uint32_t k, uint32_t n, const __m512 *sums)
{
    const int64_t cColumn = (tile.m + 15) / 16 * C_FRACTAL_BYTES;
    for (int r = 0; r < Rows; ++r) {
        uint8_t *c = static_cast<uint8_t *>(tile.c) + n * cColumn + r * LANES_BYTES;
        __m512 value = sums[r];
        if (tile.accumulate || k > 0) {
            value = _mm512_add_ps(value, _mm512_loadu_ps(c));
        } else if (tile.bias != nullptr) {
            value = _mm512_add_ps(value, _mm512_loadu_ps(static_cast<const uint8_t *>(tile.bias) + n * LANES_BYTES));
        }
        _mm512_storeu_ps(c, value);
    }
}

// The matrix is n x k: Blocks times 16 of its rows from column block n of C on, transposed in registers.
template <int Rows, int Blocks>
inline void MultiplyBlocks(const MmadTile &tile, const WordMatrix &matrix, uint32_t n)
{
    const uint8_t *src = matrix.src + n * 16 * matrix.pitch;
    PrefetchRows ahead = {src + Ahead(matrix, TRANSPOSED_BYTES_AHEAD), 16 * Blocks, matrix.words * 4, matrix.pitch, 0};
    __m512 sums[Blocks][Rows] = {};
    uint32_t slice = 0;
    for (uint32_t k = 0; k < matrix.words; k += FRACTAL_K) {
        if (k - slice == FLOAT_SLICE_WORDS) {
            for (int j = 0; j < Blocks; ++j) {
                StoreSums<Rows>(tile, slice, n + j, sums[j]);
                Clear<Rows>(sums[j]);
            }
            slice = k;
        }
        __m512i words[Blocks][FRACTAL_K];
#pragma GCC unroll 2
        for (int j = 0; j < Blocks; ++j) {
            TransposeWords16x8(words[j], src + j * 16 * matrix.pitch + k * 4, matrix.pitch);
        }
        const uint8_t *a = WordOfA(tile, k);
#pragma GCC unroll 8
        for (uint32_t w = 0; w < FRACTAL_K; ++w) {
#pragma GCC unroll 2
            for (int j = 0; j < Blocks; ++j) {
                PrefetchLine(ahead);
            }
#pragma GCC unroll 8
            for (int r = 0; r < Rows; ++r) {
                const uint8_t *at = a + r * A_ROW_BYTES + w * 4;
                const __m512 word = Blocks > 1 ? SharedWord(at) : BroadcastWord(at);
#pragma GCC unroll 2
                for (int j = 0; j < Blocks; ++j) {
                    sums[j][r] = _mm512_fmadd_ps(word, _mm512_castsi512_ps(words[j][w]), sums[j][r]);
                }
            }
        }
    }
    for (int j = 0; j < Blocks; ++j) {
        StoreSums<Rows>(tile, slice, n + j, sums[j]);
    }
}

template <int Rows, int Blocks>
void MultiplyTransposed(const MmadTile &tile, const WordMatrix &matrix)
{
    const uint32_t blocks = matrix.rows / 16;
    uint32_t n = 0;
    for (; n + Blocks <= blocks; n += Blocks) {
        MultiplyBlocks<Rows, Blocks>(tile, matrix, n);
    }
    if (n < blocks) {
        MultiplyBlocks<Rows, 1>(tile, matrix, n);
    }
}

// Adds the products of 8 rows k of the matrix to `Panel` column blocks of partial sums.
template <int Rows, int Panel>
inline void AddRows(const MmadTile &tile, const WordMatrix &matrix, uint32_t k, uint32_t n, __m512 (*sums)[Rows],
                    PrefetchRows &ahead)
{
    __m512 sum[Panel][Rows];
#pragma GCC unroll 4
    for (int j = 0; j < Panel; ++j) {
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) {
            sum[j][r] = sums[n + j][r];
        }
    }
    const uint8_t *src = matrix.src + k * matrix.pitch + n * LANES_BYTES;
    const uint8_t *a = WordOfA(tile, k);
#pragma GCC unroll 8
    for (uint32_t w = 0; w < FRACTAL_K; ++w, src += matrix.pitch) {
#pragma GCC unroll 4
        for (int j = 0; j < Panel; ++j) {
            PrefetchLines<3>(ahead, 1);
            const __m512 lanes = _mm512_loadu_ps(src + j * LANES_BYTES);
#pragma GCC unroll 8
            for (int r = 0; r < Rows; ++r) {
                sum[j][r] = _mm512_fmadd_ps(BroadcastWord(a + r * A_ROW_BYTES + w * 4), lanes, sum[j][r]);
            }
        }
    }
#pragma GCC unroll 4
    for (int j = 0; j < Panel; ++j) {
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) {
            sums[n + j][r] = sum[j][r];
        }
    }
}

// The matrix is k x n.
template <int Rows, int Panel>
void MultiplyRows(const MmadTile &tile, const WordMatrix &matrix)
{
    const uint32_t nFractals = matrix.words / 16;
    PrefetchRows ahead = {matrix.src + Ahead(matrix, BYTES_AHEAD), matrix.rows, matrix.words * 4, matrix.pitch, 0};
    __m512 sums[MOST_FRACTALS][Rows];
    for (uint32_t slice = 0; slice < matrix.rows; slice += FLOAT_SLICE_WORDS) {
        for (uint32_t n = 0; n < nFractals; ++n) {
            Clear<Rows>(sums[n]);
        }
        for (uint32_t k = slice; k < matrix.rows && k < slice + FLOAT_SLICE_WORDS; k += FRACTAL_K) {
            uint32_t n = 0;
            for (; n + Panel <= nFractals; n += Panel) {
                AddRows<Rows, Panel>(tile, matrix, k, n, sums, ahead);
            }
            for (; n < nFractals; ++n) {
                AddRows<Rows, 1>(tile, matrix, k, n, sums, ahead);
            }
        }
        for (uint32_t n = 0; n < nFractals; ++n) {
            StoreSums<Rows>(tile, slice, n, sums[n]);
        }
    }
}

} // namespace

bool MmadFloatFromGm(const MmadTile &whole, const DeferredCopy &right)
{
    if (whole.m < 2 || whole.m > MOST_ROWS || (!right.transposed && right.matrix.words > MOST_FRACTALS * 16)) {
        return false;
    }
    MmadTile tile = whole;
    for (uint32_t row = 0; row < whole.m; row += 8) {
        tile.a = whole.a + row * A_ROW_BYTES;
        tile.c = static_cast<uint8_t *>(whole.c) + row * LANES_BYTES;
        if (right.transposed) {
            (whole.m - row <= 4 ? MultiplyTransposed<4, 2> : MultiplyTransposed<8, 1>)(tile, right.matrix);
        } else {
            (whole.m - row <= 4 ? MultiplyRows<4, 4> : MultiplyRows<8, 2>)(tile, right.matrix);
        }
    }
    return true;
}

} // namespace ascendc_cpu
#endif
