// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Which row blocks (or KV chunks of them) a core computes. Row blocks are ranked by visible work, heaviest first, all
// heads of a rank next to each other, and dealt to the cores in a snake (0..n-1, n-1..0). AIC and AIV walk the same
// list.
#ifndef FA_BLOCK_SCHEDULER_H
#define FA_BLOCK_SCHEDULER_H
#include "fa_seq_layout.h"
#include "fa_strategies.h"

constexpr int64_t FA_GRANULE = 128; // keys that count as one unit of work

class FaBlockScheduler {
public:
    // dealtChunks: KV chunks of a row block that are dealt one by one, 1 when a core takes them all.
    __aicore__ inline void Init(const FlashAttentionScoreTilingData &tilingData, int64_t coreIndex, int64_t coreNum,
                                int64_t dealtChunks)
    {
        tiling = &tilingData;
        core = coreIndex;
        cores = coreNum;
        chunks = dealtChunks;
        headsPerBlock = tilingData.tile.headsPerTile;
        headGroups = tilingData.b * (tilingData.n1 / headsPerBlock);
        total = tilingData.schedule.rowBlocks * headGroups * chunks;
        left = tilingData.schedule.heaviestBlock;
        right = left + 1;
    }

    // The next row block, and which of its chunks, of this core; false when there is none.
    __aicore__ inline bool Next(FaRowBlock &block, int64_t &chunk)
    {
        const int64_t position = round * cores + (round % 2 == 0 ? core : cores - 1 - core);
        if (position >= total) {
            return false;
        }
        ++round;
        chunk = position % chunks;
        const int64_t blockPosition = position / chunks;
        while (rank < blockPosition / headGroups) {
            AdvanceRank();
        }
        const int64_t head = blockPosition % headGroups;
        const int64_t groupsPerBatch = headGroups / tiling->b;
        block.b = head / groupsPerBatch;
        block.n1 = head % groupsPerBatch * headsPerBlock;
        block.n2 = block.n1 / (tiling->n1 / tiling->n2);
        block.q0 = current * tiling->tile.qTile;
        block.rows = FaMin(tiling->tile.qTile, tiling->s1 * headsPerBlock - block.q0);
        return true;
    }

private:
    __aicore__ inline int64_t Weight(int64_t rowBlock) const
    {
        if (rowBlock < 0 || rowBlock >= tiling->schedule.rowBlocks) {
            return -1;
        }
        const int64_t q0 = rowBlock * tiling->tile.qTile;
        const FaKeyRange keys = FaVisibleKeys(tiling->mask, q0, FaMin(q0 + tiling->tile.qTile, tiling->s1), tiling->s2);
        return (keys.end + FA_GRANULE - 1) / FA_GRANULE - keys.begin / FA_GRANULE;
    }

    // Weights fall off on both sides of the heaviest block: the next one is the heavier neighbour of those taken.
    __aicore__ inline void AdvanceRank()
    {
        if (Weight(left) >= Weight(right)) {
            current = left--;
        } else {
            current = right++;
        }
        ++rank;
    }

    const FlashAttentionScoreTilingData *tiling = nullptr;
    int64_t core = 0;
    int64_t cores = 1;
    int64_t headsPerBlock = 1;
    int64_t headGroups = 1;
    int64_t chunks = 1;
    int64_t total = 0;
    int64_t round = 0;
    int64_t rank = -1; // of `current`
    int64_t current = 0;
    int64_t left = 0;
    int64_t right = 0;
};
#endif
