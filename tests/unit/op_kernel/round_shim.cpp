// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The tiles that a core of the gradient kernel walks, for ctypes.
#include "fag_round_cursor.h"

namespace {
struct ShimTile {
    int64_t round;
    int64_t b;
    int64_t n1;
    int64_t n2;
    int64_t q0;
    int64_t rows;
    int64_t k0;
    int64_t cols;
    int64_t slot;
};
} // namespace

// Tiles of all rounds in order; returns their number, of which `room` at most are stored.
extern "C" int64_t ShimTiles(const FlashAttentionScoreGradTilingData *tiling, int64_t core, int64_t cores,
                             ShimTile *tiles, int64_t room)
{
    FagRoundCursor cursor;
    cursor.Init(*tiling, core, cores);
    int64_t count = 0;
    for (int64_t round = 0; round < tiling->schedule.rounds; ++round) {
        cursor.BeginRound(round);
        FagTile tile;
        while (cursor.Next(tile)) {
            if (count < room) {
                const FaRowBlock &block = tile.block;
                tiles[count] = {round,   block.segment.index, block.n1, block.n2, block.q0, block.rows,
                                tile.k0, tile.cols,           tile.slot};
            }
            ++count;
        }
    }
    return count;
}
