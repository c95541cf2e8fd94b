// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Walks the tiles of one round that a core computes. AIC and AIV walk the same list.
#ifndef FAG_ROUND_CURSOR_H
#define FAG_ROUND_CURSOR_H
#include "fag_pair_walk.h"
#include "fag_tile.h"

// Order inside a pair of chunks: key blocks, then the heads of the group, then query tiles, all ascending, so that the
// order of additions depends on the segment only.
class FagRoundCursor {
public:
    __aicore__ inline void Init(const FlashAttentionScoreGradTilingData &tilingData, const FaSegmentLists &lists,
                                int64_t coreIndex, int64_t coreNum)
    {
        tiling = &tilingData;
        core = coreIndex;
        cores = coreNum;
        heads = tilingData.problem.n1 / tilingData.problem.n2;
        pairs.Init(tilingData, lists);
    }

    __aicore__ inline void BeginRound(int64_t index)
    {
        pairs.BeginRound(index);
        dealt = 0;
        insidePair = false;
    }

    // The next tile of the round; false after the last one.
    __aicore__ inline bool Next(FagTile &tile)
    {
        while (insidePair || NextPair()) {
            const bool visible = TakeTile(tile);
            Advance();
            if (visible) {
                slot = 1 - slot;
                tile.slot = slot;
                return true;
            }
        }
        return false;
    }

private:
    // Positions of the round are dealt in a snake.
    __aicore__ inline bool NextPair()
    {
        const int64_t position = dealt * cores + (dealt % 2 == 0 ? core : cores - 1 - core);
        ++dealt;
        if (!pairs.At(position, pair)) {
            return false;
        }
        query = pair.scores.q0;
        key = pair.scores.k0;
        head = 0;
        insidePair = true;
        return true;
    }

    // Fills in the tile at the cursor; false when the mask hides all of it.
    __aicore__ inline bool TakeTile(FagTile &tile) const
    {
        FaRowBlock &block = tile.block;
        block.segment = pair.segment;
        block.n2 = pair.kvHead;
        block.n1 = pair.kvHead * heads + head;
        block.q0 = query;
        block.rows = FaMin(tiling->tile.qTile, pair.scores.q1 - query);
        tile.k0 = key;
        tile.cols = FaMin(pair.kvTile, pair.scores.k1 - key);
        return FaClassifyTile(pair.segment.mask, query, query + block.rows, key, key + tile.cols) != FaTileClass::SKIP;
    }

    __aicore__ inline void Advance()
    {
        query += tiling->tile.qTile;
        if (query < pair.scores.q1) {
            return;
        }
        query = pair.scores.q0;
        if (++head < heads) {
            return;
        }
        head = 0;
        key += pair.kvTile;
        insidePair = key < pair.scores.k1;
    }

    const FlashAttentionScoreGradTilingData *tiling = nullptr;
    int64_t core = 0;
    int64_t cores = 1;
    int64_t heads = 1; // of a group
    FagPairWalk pairs;
    int64_t dealt = 0; // pairs taken in this round
    FagPair pair;
    bool insidePair = false;
    int64_t key = 0;
    int64_t query = 0;
    int64_t head = 0;
    int32_t slot = 0;
};
#endif
