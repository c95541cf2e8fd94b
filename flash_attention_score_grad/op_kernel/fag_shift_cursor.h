// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Walks the tiles whose dS a core adds up for the gradient of a positional shift. What adds to the same elements of the
// shift belongs to one unit: one core takes it, segments, heads, queries and keys ascending, so that the order of
// additions depends on nothing else.
#ifndef FAG_SHIFT_CURSOR_H
#define FAG_SHIFT_CURSOR_H
#include "fag_chunks.h"
#include "fag_tile.h"

class FagShiftCursor {
public:
    __aicore__ inline void Init(const FlashAttentionScoreGradTilingData &tilingData, const FaSegmentLists &lists,
                                int64_t coreIndex, int64_t coreNum)
    {
        tiling = &tilingData;
        core = coreIndex;
        cores = coreNum;
        start.Init(tilingData.problem, lists);
        outer = start;
        const FaShiftParam &shift = tilingData.problem.shift;
        const bool packed = shift.place == FA_SHIFT_PACKED_ROW || shift.place == FA_SHIFT_PACKED_FULL;
        const bool strided = shift.place == FA_SHIFT_STRIDED;
        outerSegment.s1 = tilingData.problem.s1;
        outerSegment.s2 = tilingData.problem.s2;
        ownSegment = packed || shift.b != 0;
        ownHead = packed || shift.n != 0;
        ownRows = shift.place == FA_SHIFT_PACKED_FULL || (strided && shift.s1 != 0);
        ownKeys = packed || (strided && shift.s2 != 0);
    }

    // The next tile; false after the last one.
    __aicore__ inline bool Next(FagTile &tile)
    {
        while (insideUnit || NextUnit()) {
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
    // Tiles do not depend on other segments, nor units of several segments on their lengths.
    static constexpr int64_t Q_TILE = FAG_MAX_Q_TILE;
    static constexpr int64_t KV_TILE = FAG_MIN_CHUNK;

    // Positions of units are dealt in a snake.
    __aicore__ inline bool NextUnit()
    {
        const int64_t position = dealt * cores + (dealt % 2 == 0 ? core : cores - 1 - core);
        ++dealt;
        while (position >= end) {
            if (!NextOuter()) {
                return false;
            }
        }
        int64_t place = position - begin;
        keyTile = ownKeys ? place % keyTiles : 0;
        place /= keyTiles;
        queryTile = ownRows ? place % queryTiles : 0;
        place /= queryTiles;
        head = ownHead ? place % tiling->problem.n1 : 0;
        firstHead = head;
        BeginHead();
        if (ownSegment) {
            segment = outerSegment;
            FaAdvanceSegment(segment, place / (ownHead ? tiling->problem.n1 : 1));
            insideUnit = true;
        } else {
            inner = start;
            copiesLeft = 0;
            insideUnit = NextInner();
        }
        return insideUnit; // false: there are no segments at all
    }

    // Units of the next segment and its copies, or those of all segments together, as long as the longest.
    __aicore__ inline bool NextOuter()
    {
        int64_t copies = 1;
        if (ownSegment) {
            outerLeft = outer.Next(outerSegment, copies);
        }
        if (!outerLeft) {
            return false;
        }
        queryTiles = ownRows ? FaCeilDiv(outerSegment.s1, Q_TILE) : 1;
        keyTiles = ownKeys ? FaCeilDiv(outerSegment.s2, KV_TILE) : 1;
        begin = end;
        end += copies * (ownHead ? tiling->problem.n1 : 1) * queryTiles * keyTiles;
        outerLeft = false; // of all segments together
        return true;
    }

    // The next segment of a unit of all segments.
    __aicore__ inline bool NextInner()
    {
        if (copiesLeft > 0) {
            --copiesLeft;
            FaAdvanceSegment(segment, 1);
            return true;
        }
        if (!inner.Next(segment, copiesLeft)) {
            return false;
        }
        --copiesLeft;
        return true;
    }

    __aicore__ inline void BeginHead()
    {
        query = queryTile * Q_TILE;
        key = keyTile * KV_TILE;
    }

    // Fills in the tile at the cursor; false when there is none or the mask hides all of it.
    __aicore__ inline bool TakeTile(FagTile &tile) const
    {
        if (query >= segment.s1 || key >= segment.s2) {
            return false;
        }
        FaRowBlock &block = tile.block;
        block.segment = segment;
        block.n1 = head;
        block.n2 = head / (tiling->problem.n1 / tiling->problem.n2);
        block.q0 = query;
        block.rows = FaMin(Q_TILE, segment.s1 - query);
        tile.k0 = key;
        tile.cols = FaMin(KV_TILE, segment.s2 - key);
        return FaClassifyTile(segment.mask, query, query + block.rows, key, key + tile.cols) != FaTileClass::SKIP;
    }

    __aicore__ inline void Advance()
    {
        key += KV_TILE;
        if (!ownKeys && key < segment.s2) {
            return;
        }
        key = keyTile * KV_TILE;
        query += Q_TILE;
        if (!ownRows && query < segment.s1) {
            return;
        }
        ++head;
        if (ownHead || head == tiling->problem.n1) {
            head = firstHead;
            insideUnit = !ownSegment && NextInner();
        }
        BeginHead();
    }

    const FlashAttentionScoreGradTilingData *tiling = nullptr;
    int64_t core = 0;
    int64_t cores = 1;
    bool ownSegment = false; // each segment has elements of its own, and so on
    bool ownHead = false;
    bool ownRows = false;
    bool ownKeys = false;
    FaSegmentWalk<FaSegmentLists> start;
    FaSegmentWalk<FaSegmentLists> outer;
    FaSegmentWalk<FaSegmentLists> inner;
    FaSegment outerSegment;
    bool outerLeft = true;
    FaSegment segment;
    int64_t dealt = 0;
    int64_t begin = 0; // positions of the outer segment
    int64_t end = 0;
    int64_t queryTiles = 1;
    int64_t keyTiles = 1;
    int64_t queryTile = 0; // where the unit begins
    int64_t keyTile = 0;
    int64_t firstHead = 0;
    bool insideUnit = false;
    int64_t copiesLeft = 0;
    int64_t head = 0;
    int64_t query = 0;
    int64_t key = 0;
    int32_t slot = 0;
};
#endif
