// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Deferred operands of 4-byte words: GM -> L0B in one step, and Mmad of a few rows that reads GM itself.
#include <cstring>
#include "mmad_driver.h"
#include "transpose_words.h"

namespace ascendc_cpu {
namespace {

constexpr int64_t FRACTAL_BYTES = 512; // 8 k x 16 n words
constexpr uint32_t FRACTAL_K = 8;

// The matrix is n x k.
void PackTransposed(uint8_t *dst, const WordMatrix &matrix)
{
    const uint32_t nFractals = matrix.rows / 16;
    for (uint32_t n = 0; n < nFractals; ++n) {
        for (uint32_t k = 0; k < matrix.words / FRACTAL_K; ++k) {
            TransposeWords16x8(dst + (k * nFractals + n) * FRACTAL_BYTES,
                               matrix.src + n * 16 * matrix.pitch + k * FRACTAL_K * 4, matrix.pitch);
        }
    }
}

// The matrix is k x n.
void PackRows(uint8_t *dst, const WordMatrix &matrix)
{
    const uint32_t nFractals = matrix.words / 16;
    for (uint32_t k = 0; k < matrix.rows; ++k) {
        uint8_t *to = dst + k / FRACTAL_K * nFractals * FRACTAL_BYTES + k % FRACTAL_K * LANES_BYTES;
        const uint8_t *from = matrix.src + k * matrix.pitch;
        for (uint32_t n = 0; n < nFractals; ++n) {
            memcpy(to + n * FRACTAL_BYTES, from + n * LANES_BYTES, LANES_BYTES);
        }
    }
}

} // namespace

void PackRight(const DeferredCopy &copy)
{
    if (copy.transposed) {
        PackTransposed(copy.dst, copy.matrix);
    } else {
        PackRows(copy.dst, copy.matrix);
    }
}

} // namespace ascendc_cpu
