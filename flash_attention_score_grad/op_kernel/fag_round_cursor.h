// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Walks the tiles of one round that a core computes. AIC and AIV walk the same list.
#ifndef FAG_ROUND_CURSOR_H
#define FAG_ROUND_CURSOR_H
#include "fag_buffers.h"

// Queries [block.q0, + block.rows) of one head against keys [k0, k0 + cols).
struct FagTile {
    FaRowBlock block;
    int64_t k0;
    int64_t cols;
    int32_t slot; // ring slot of S and dP
};

// Order inside a pair of chunks: key blocks, then the heads of the group, then query tiles, all ascending, so that the
// order of additions depends on S1 and S2 only. Pairs that see everything are dealt first, then those cut by the mask.
class FagRoundCursor {
public:
    __aicore__ inline void Init(const FlashAttentionScoreGradTilingData &tilingData, int64_t coreIndex, int64_t coreNum)
    {
        tiling = &tilingData;
        core = coreIndex;
        cores = coreNum;
        groups = tilingData.b * tilingData.n2;
        heads = tilingData.n1 / tilingData.n2;
    }

    __aicore__ inline void BeginRound(int64_t index)
    {
        round = index;
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
    __aicore__ inline int64_t KeyChunkOf(int64_t qChunk) const
    {
        const int64_t rounds = tiling->schedule.rounds;
        return (round - qChunk + rounds) % rounds;
    }

    __aicore__ inline FaTileClass ClassOf(int64_t qChunk) const
    {
        const int64_t chunk = tiling->schedule.chunk;
        const int64_t kvChunk = KeyChunkOf(qChunk);
        if (kvChunk >= tiling->schedule.kvChunks) {
            return FaTileClass::SKIP;
        }
        return FaClassifyTile(tiling->mask, qChunk * chunk, FaMin((qChunk + 1) * chunk, tiling->s1), kvChunk * chunk,
                              FaMin((kvChunk + 1) * chunk, tiling->s2));
    }

    // Position p of the round is pair p / groups, full ones first, of group p % groups; positions are dealt in a snake.
    __aicore__ inline bool NextPair()
    {
        const int64_t position = dealt * cores + (dealt % 2 == 0 ? core : cores - 1 - core);
        ++dealt;
        int64_t wanted = position / groups;
        for (int32_t pass = 0; pass < 2; ++pass) {
            const FaTileClass tileClass = pass == 0 ? FaTileClass::FULL : FaTileClass::PARTIAL;
            for (int64_t c = 0; c < tiling->schedule.qChunks; ++c) {
                if (ClassOf(c) == tileClass && wanted-- == 0) {
                    BeginPair(c, position % groups);
                    return true;
                }
            }
        }
        return false;
    }

    __aicore__ inline void BeginPair(int64_t qChunk, int64_t group)
    {
        const int64_t chunk = tiling->schedule.chunk;
        batch = group / tiling->n2;
        kvHead = group % tiling->n2;
        qBegin = qChunk * chunk;
        qEnd = FaMin(qBegin + chunk, tiling->s1);
        key = KeyChunkOf(qChunk) * chunk;
        keyEnd = FaMin(key + chunk, tiling->s2);
        query = qBegin;
        head = 0;
        insidePair = true;
    }

    // Fills in the tile at the cursor; false when the mask hides all of it.
    __aicore__ inline bool TakeTile(FagTile &tile) const
    {
        tile.block.segment.index = batch;
        tile.block.segment.s1 = tiling->s1;
        tile.block.n2 = kvHead;
        tile.block.n1 = kvHead * heads + head;
        tile.block.q0 = query;
        tile.block.rows = FaMin(tiling->tile.qTile, qEnd - query);
        tile.k0 = key;
        tile.cols = FaMin(tiling->tile.kvTile, keyEnd - key);
        return FaClassifyTile(tiling->mask, query, query + tile.block.rows, key, key + tile.cols) != FaTileClass::SKIP;
    }

    __aicore__ inline void Advance()
    {
        query += tiling->tile.qTile;
        if (query < qEnd) {
            return;
        }
        query = qBegin;
        if (++head < heads) {
            return;
        }
        head = 0;
        key += tiling->tile.kvTile;
        insidePair = key < keyEnd;
    }

    const FlashAttentionScoreGradTilingData *tiling = nullptr;
    int64_t core = 0;
    int64_t cores = 1;
    int64_t groups = 1; // B * N2
    int64_t heads = 1;  // of a group
    int64_t round = 0;
    int64_t dealt = 0; // pairs taken in this round
    bool insidePair = false;
    int64_t batch = 0;
    int64_t kvHead = 0;
    int64_t qBegin = 0;
    int64_t qEnd = 0;
    int64_t key = 0;
    int64_t keyEnd = 0;
    int64_t query = 0;
    int64_t head = 0;
    int32_t slot = 0;
};
#endif
