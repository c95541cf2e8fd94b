// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The tiles that a core of the gradient kernel walks, for ctypes.
#include "fag_round_cursor.h"

namespace {
struct ShimTile {
    int64_t round;
    int64_t segment;
    int64_t n1;
    int64_t n2;
    int64_t q0;
    int64_t rows;
    int64_t k0;
    int64_t cols;
    int64_t slot;
    int64_t qToken;
    int64_t kToken;
    int64_t rowsBefore;
    int64_t scoreBase;
};

struct ShimLists {
    int64_t *queryEnds;
    int64_t *keyEnds;
    int64_t *prefixes;
};
} // namespace

// Tiles of all rounds in order; returns their number, of which `room` at most are stored.
extern "C" int64_t ShimTiles(const FlashAttentionScoreGradTilingData *tiling, const ShimLists *lists, int64_t core,
                             int64_t cores, ShimTile *tiles, int64_t room)
{
    FaSegmentLists segmentLists;
    segmentLists.queryEnds.SetGlobalBuffer(lists->queryEnds);
    segmentLists.keyEnds.SetGlobalBuffer(lists->keyEnds);
    segmentLists.prefixes.SetGlobalBuffer(lists->prefixes);
    FagRoundCursor cursor;
    cursor.Init(*tiling, segmentLists, core, cores);
    int64_t count = 0;
    for (int64_t round = 0; round < tiling->schedule.rounds; ++round) {
        cursor.BeginRound(round);
        FagTile tile;
        while (cursor.Next(tile)) {
            if (count < room) {
                const FaRowBlock &block = tile.block;
                const FaSegment &segment = block.segment;
                tiles[count] = {round,
                                segment.index,
                                block.n1,
                                block.n2,
                                block.q0,
                                block.rows,
                                tile.k0,
                                tile.cols,
                                tile.slot,
                                segment.qToken,
                                segment.kToken,
                                segment.rowsBefore,
                                segment.scoreBase};
            }
            ++count;
        }
    }
    return count;
}
