// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Which row blocks (or KV chunks of them) a core computes. Segments follow each other; inside a segment row blocks are
// ranked by visible work, heaviest first, all heads of a rank next to each other. One snake (0..n-1, n-1..0) deals all
// positions to the cores. AIC and AIV walk the same list.
#ifndef FA_BLOCK_SCHEDULER_H
#define FA_BLOCK_SCHEDULER_H
#include "fa_block_ranks.h"
#include "fa_segment_walk.h"
#include "fa_seq_layout.h"

// Lists of the call in GM.
struct FaSegmentLists {
    AscendC::GlobalTensor<int64_t> queryEnds;
    AscendC::GlobalTensor<int64_t> keyEnds;
    AscendC::GlobalTensor<int64_t> prefixes;

    __aicore__ inline int64_t QueryEnd(int64_t index) const
    {
        return queryEnds.GetValue(static_cast<uint64_t>(index));
    }
    __aicore__ inline int64_t KeyEnd(int64_t index) const
    {
        return keyEnds.GetValue(static_cast<uint64_t>(index));
    }
    __aicore__ inline int64_t Prefix(int64_t index) const
    {
        return prefixes.GetValue(static_cast<uint64_t>(index));
    }
};

// What one position of the deal is.
enum class FaDealt : int32_t {
    BLOCKS,      // a row block
    CHUNKS,      // a KV chunk of a row block
    SPLIT_BLOCKS // a row block whose keys are split; the others are left out
};

class FaBlockScheduler {
public:
    __aicore__ inline void Init(const FlashAttentionScoreTilingData &tilingData, const FaSegmentLists &lists,
                                int64_t coreIndex, int64_t coreNum, FaDealt kind)
    {
        tiling = &tilingData;
        core = coreIndex;
        cores = coreNum;
        dealt = kind;
        walk.Init(tilingData.problem, lists);
    }

    // The next row block, and which of its chunks, of this core; false when there is none.
    __aicore__ inline bool Next(FaRowBlock &block, int64_t &chunk)
    {
        const int64_t position = round * cores + (round % 2 == 0 ? core : cores - 1 - core);
        bool changed = false;
        while (position >= end) {
            if (!NextSegment()) {
                return false;
            }
            changed = true;
        }
        if (changed) {
            ranks.Begin(segment);
        }
        ++round;
        const int64_t place = position - begin;
        chunk = place % chunks;
        const int64_t head = place / chunks % headGroups;
        SetBlock(block, ranks.BlockOf(place / chunks / headGroups), head);
        return true;
    }

private:
    __aicore__ inline bool NextSegment()
    {
        int64_t copies = 0;
        partialRows += rowsOfPartials;
        if (!walk.Next(segment, copies)) {
            return false;
        }
        segment.tiles = FaCutRows(tiling->tile, tiling->problem.n1 / tiling->problem.n2, segment.s1, segment.s2);
        const bool split = segment.tiles.kvChunks > 1;
        groupsPerSegment = tiling->problem.n1 / segment.tiles.headsPerTile;
        headGroups = copies * groupsPerSegment;
        chunks = dealt == FaDealt::CHUNKS ? segment.tiles.kvChunks : 1;
        const int64_t blocks = segment.tiles.rowBlocks * headGroups;
        rowsOfPartials = split ? blocks * segment.tiles.kvChunks * segment.tiles.qTile : 0;
        begin = end;
        end += dealt == FaDealt::SPLIT_BLOCKS && !split ? 0 : blocks * chunks;
        return true;
    }

    // `head`: pack of heads among those of all copies of the segment.
    __aicore__ inline void SetBlock(FaRowBlock &block, int64_t index, int64_t head) const
    {
        const FaRowTiles &tiles = segment.tiles;
        const int64_t copy = head / groupsPerSegment;
        block.segment = segment;
        FaAdvanceSegment(block.segment, copy);
        block.n1 = head % groupsPerSegment * tiles.headsPerTile;
        block.n2 = block.n1 / (tiling->problem.n1 / tiling->problem.n2);
        block.index = index;
        block.q0 = index * tiles.qTile;
        block.rows = FaMin(tiles.qTile, segment.s1 * tiles.headsPerTile - block.q0);
        block.partialRow = partialRows + (head * tiles.rowBlocks + index) * tiles.kvChunks * tiles.qTile;
    }

    const FlashAttentionScoreTilingData *tiling = nullptr;
    int64_t core = 0;
    int64_t cores = 1;
    FaDealt dealt = FaDealt::BLOCKS;
    FaSegmentWalk<FaSegmentLists> walk;
    FaBlockRanks ranks;
    FaSegment segment;
    int64_t round = 0;
    int64_t begin = 0; // positions of the segment
    int64_t end = 0;
    int64_t chunks = 1; // positions of a row block
    int64_t headGroups = 1;
    int64_t groupsPerSegment = 1;
    int64_t partialRows = 0; // rows of partial states of the segments before
    int64_t rowsOfPartials = 0;
};
#endif
