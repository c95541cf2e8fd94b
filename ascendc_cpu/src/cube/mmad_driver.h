// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Loops of Mmad over panels of n and blocks of m, shared by the kernels of all instruction sets.
#ifndef ASCENDC_CPU_SRC_MMAD_DRIVER_H
#define ASCENDC_CPU_SRC_MMAD_DRIVER_H
#include "cube_isa.h"
#include "../copy/prefetch_ahead.h"

namespace ascendc_cpu {

constexpr int64_t LANES_BYTES = 64; // 16 words of L0B or one row of an L0C fractal
constexpr int64_t C_FRACTAL_BYTES = 1024;
constexpr uint32_t PREFETCH_LINES_PER_BLOCK = 32;
constexpr uint32_t MANY_ROWS = 128; // of A: so many blocks that a few lines each are enough
constexpr uint32_t PREFETCH_LINES_OF_MANY = 12;

// One block of rows times one panel of columns.
struct MmadBlock {
    uint8_t *c;
    const uint8_t *a;
    const uint8_t *b;
    int64_t cColumn;    // bytes between 16-column blocks of C
    int64_t aFractal;   // bytes between k fractals of A
    int64_t aRow;       // between rows
    int64_t bFractal;   // of B
    int64_t bWord;      // between words of B along k
    int64_t bLanes;     // between its 16-column blocks
    uint32_t fractals;  // whole ones
    uint32_t tailWords; // whole words behind them
    uint32_t tailMask;  // bits of one more word that count, 0 if none
    bool accumulate;
    const uint8_t *bias; // of this panel, or nullptr
    uint8_t *rows;       // where its first rowCount rows go besides C, or nullptr
    uint64_t rowPitch;   // bytes
    uint32_t rowCount;
    bool rowsOnly; // not to C then
};

// Words: 4-byte words per row of a fractal; Elements: operand elements per word.
template <uint32_t Words, uint32_t Elements>
inline MmadBlock BlockTemplateOf(const MmadTile &tile)
{
    const uint32_t words = tile.k / Elements;
    const uint32_t rest = tile.k % Elements;
    const int64_t mFractals = (tile.m + 15) / 16;
    const int64_t nFractals = (tile.n + 15) / 16;
    MmadBlock block = {};
    block.cColumn = mFractals * C_FRACTAL_BYTES;
    block.aFractal = tile.m == 1 ? Words * 4 : tile.aFractal;
    block.aRow = tile.aRow;
    const bool inRows = tile.bRow != 0;
    block.bWord = inRows ? static_cast<int64_t>(tile.bRow) : LANES_BYTES;
    block.bLanes = inRows ? LANES_BYTES : Words * LANES_BYTES;
    block.bFractal = inRows ? Words * block.bWord : nFractals * Words * LANES_BYTES;
    block.fractals = words / Words;
    block.tailWords = words % Words;
    block.tailMask = rest == 0 ? 0 : (1U << (rest * (32 / Elements))) - 1;
    block.accumulate = tile.accumulate;
    block.rowPitch = tile.rowPitch;
    block.rowsOnly = tile.rowsOnly;
    return block;
}

// Words of k whose products are summed up from 0 before C is added, for float: short sums lose fewer bits, and it makes
// no difference whether a multiple of so many comes in one Mmad or in several.
constexpr uint32_t FLOAT_SLICE_WORDS = 64;

template <class Kernel>
inline void RunSlices(const MmadBlock &whole, uint32_t panel, uint32_t rows)
{
    constexpr uint32_t most = FLOAT_SLICE_WORDS / Kernel::WORDS;
    MmadBlock slice = whole;
    slice.fractals = most;
    slice.tailWords = 0;
    slice.rows = nullptr;
    uint32_t left = whole.fractals;
    for (; left > most || (left == most && whole.tailWords != 0); left -= most) {
        Kernel::Run(slice, panel, rows);
        slice.accumulate = true;
        slice.a += most * slice.aFractal;
        slice.b += most * slice.bFractal;
    }
    slice.fractals = left;
    slice.tailWords = whole.tailWords;
    slice.rows = whole.rows;
    Kernel::Run(slice, panel, rows);
}

// Kernel: WORDS, ELEMENTS, PanelOf(tile, fractals left) and RowsOf(panel, row in its 16, rows left) give the block's
// size, Run(block, panel, rows) computes it; rows is 1 when A is a vector.
template <class Kernel>
inline void RunMmadTile(const MmadTile &tile)
{
    MmadBlock block = BlockTemplateOf<Kernel::WORDS, Kernel::ELEMENTS>(tile);
    const uint32_t nFractals = (tile.n + 15) / 16;
    const uint32_t lines = tile.m < MANY_ROWS ? PREFETCH_LINES_PER_BLOCK : PREFETCH_LINES_OF_MANY;
    uint32_t panel = 0;
    for (uint32_t n = 0; n < nFractals; n += panel) {
        panel = Kernel::PanelOf(tile, nFractals - n);
        block.b = tile.b + n * block.bLanes;
        block.bias = tile.bias == nullptr ? nullptr : static_cast<const uint8_t *>(tile.bias) + n * LANES_BYTES;
        uint32_t rows = 0;
        for (uint32_t m = 0; m < tile.m; m += rows) {
            rows = tile.m == 1 ? 1 : Kernel::RowsOf(panel, m % 16, tile.m - m);
            block.a = tile.a + m / 16 * tile.aBlock + m % 16 * tile.aRow;
            block.c = static_cast<uint8_t *>(tile.c) + n * block.cColumn + m * LANES_BYTES;
            block.rowCount = tile.m - m;
            block.rows = tile.rows == nullptr ? nullptr : tile.rows + m * tile.rowPitch + n * LANES_BYTES;
            PrefetchAhead(*tile.prefetch, lines);
            if (Kernel::WORDS == 8 && Kernel::ELEMENTS == 1 && tile.k > FLOAT_SLICE_WORDS) {
                RunSlices<Kernel>(block, panel, rows);
            } else {
                Kernel::Run(block, panel, rows);
            }
        }
    }
}

} // namespace ascendc_cpu
#endif
