// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// ND -> NZ. Sixteen rows at a time, 32 B columns inside: 512 B contiguous stores, sixteen read streams.
#include <cstring>
#include "copy_isa.h"
#include "prefetch_ahead.h"

namespace ascendc_cpu {
namespace {

constexpr uint32_t C0_BYTES = 32;
constexpr uint32_t FRACTAL_ROWS = 16;
constexpr uint32_t PREFETCH_LINES_PER_FRACTAL = 8; // as many as are read
constexpr uint32_t BYTES_AHEAD = 8 * 1024;         // in the next box as well

void CopySixteenRows(uint8_t *__restrict dst, const uint8_t *__restrict src, const Nd2NzCopy &copy, uint32_t columns)
{
    const uint64_t pitch = copy.srcRow;
    PrefetchRows ahead = {src + BYTES_AHEAD / copy.rowBytes * pitch, FRACTAL_ROWS, copy.rowBytes, pitch, 0};
    for (uint32_t column = 0; column < columns; ++column, dst += copy.dstColumn, src += C0_BYTES) {
#pragma GCC unroll 16
        for (uint32_t row = 0; row < FRACTAL_ROWS; ++row) {
            memcpy(dst + row * C0_BYTES, src + row * pitch, C0_BYTES);
        }
        PrefetchLines<3>(ahead, PREFETCH_LINES_PER_FRACTAL);
    }
}

void CopyRows(uint8_t *__restrict dst, const uint8_t *__restrict src, const Nd2NzCopy &copy, uint32_t rows,
              uint32_t columns)
{
    const uint64_t dstColumn = copy.dstColumn;
    for (uint32_t row = 0; row < rows; ++row, dst += copy.dstRow, src += copy.srcRow) {
        for (uint32_t column = 0; column < columns; ++column) {
            memcpy(dst + column * dstColumn, src + column * C0_BYTES, C0_BYTES);
        }
    }
}

void CopyColumnTail(uint8_t *dst, const uint8_t *src, const Nd2NzCopy &copy, uint32_t bytes)
{
    for (uint32_t row = 0; row < copy.rows; ++row) {
        uint8_t *to = dst + row * copy.dstRow;
        memset(to, 0, C0_BYTES);
        memcpy(to, src + row * copy.srcRow, bytes);
    }
}

void CopyMatrix(uint8_t *dst, const uint8_t *src, const Nd2NzCopy &copy)
{
    const uint32_t columns = copy.rowBytes / C0_BYTES;
    uint32_t row = 0;
    if (copy.dstRow == C0_BYTES) {
        for (; row + FRACTAL_ROWS <= copy.rows; row += FRACTAL_ROWS) {
            CopySixteenRows(dst + row * C0_BYTES, src + row * copy.srcRow, copy, columns);
        }
    }
    CopyRows(dst + row * copy.dstRow, src + row * copy.srcRow, copy, copy.rows - row, columns);
    if (copy.rowBytes % C0_BYTES != 0) {
        CopyColumnTail(dst + columns * copy.dstColumn, src + columns * C0_BYTES, copy, copy.rowBytes % C0_BYTES);
    }
}

} // namespace

void CopyNd2Nz(const Nd2NzCopy &copy)
{
    for (uint32_t i = 0; i < copy.matrices; ++i) {
        CopyMatrix(copy.dst + i * copy.dstMatrix, copy.src + i * copy.srcMatrix, copy);
    }
}

} // namespace ascendc_cpu
