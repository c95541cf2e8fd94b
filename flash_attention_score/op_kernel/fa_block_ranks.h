// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The row blocks of a segment by falling work. Weights rise to one maximum and fall off after it (within one granule
// when tiles have less than 128 rows), so the order is found by walking outwards from the heaviest block.
#ifndef FA_BLOCK_RANKS_H
#define FA_BLOCK_RANKS_H
#include "fa_row_tiles.h"

// Visible granules of a row block, all its KV chunks together; -1: there is no such block.
FA_INLINE int64_t FaBlockWeight(const FaSegment &segment, int64_t block)
{
    if (block < 0 || block >= segment.tiles.rowBlocks) {
        return -1;
    }
    FaSegment whole = segment;
    whole.tiles.kvChunks = 1;
    return FaGranules(FaKeysOfBlock(whole, block, 0));
}

// Lowest of the heaviest row blocks.
FA_INLINE int64_t FaHeaviestBlock(const FaSegment &segment)
{
    const int64_t ceiling = FaCeilDiv(segment.s2, FA_GRANULE);
    int64_t heaviest = 0;
    int64_t most = -1;
    for (int64_t block = 0; block < segment.tiles.rowBlocks && most < ceiling; ++block) {
        const int64_t weight = FaBlockWeight(segment, block);
        if (weight > most) {
            heaviest = block;
            most = weight;
        }
    }
    return heaviest;
}

class FaBlockRanks {
public:
    // `segmentOfBlocks` must outlive the ranks.
    FA_INLINE void Begin(const FaSegment &segmentOfBlocks)
    {
        segment = &segmentOfBlocks;
        rank = -1;
        lower = FaHeaviestBlock(segmentOfBlocks);
        upper = lower + 1;
    }

    // Row block of a rank; ranks are asked for in ascending order. The heavier neighbour first, the lower one on a tie.
    FA_INLINE int64_t BlockOf(int64_t wanted)
    {
        for (; rank < wanted; ++rank) {
            const bool down = FaBlockWeight(*segment, lower) >= FaBlockWeight(*segment, upper);
            block = down ? lower-- : upper++;
        }
        return block;
    }

private:
    const FaSegment *segment = nullptr;
    int64_t rank = -1; // of `block`
    int64_t block = 0;
    int64_t lower = 0;
    int64_t upper = 0;
};
#endif
