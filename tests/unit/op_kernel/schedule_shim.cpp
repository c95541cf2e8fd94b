// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What a core of the forward kernel is dealt, for ctypes.
#include "fa_block_scheduler.h"

namespace {
struct ShimBlock {
    int64_t index;
    int64_t s1;
    int64_t s2;
    int64_t qToken;
    int64_t kToken;
    int64_t rowsBefore;
    int64_t scoreBase;
    int64_t n1;
    int64_t n2;
    int64_t q0;
    int64_t rows;
    int64_t chunk;
    int64_t partialRow;
    int64_t granules;
};
} // namespace

// Positions of a core in order; returns their number, of which `room` at most are stored. kind: FaDealt.
extern "C" int64_t ShimDealt(const FlashAttentionScoreTilingData *tiling, int64_t *const *lists, int64_t core,
                             int64_t cores, int64_t kind, ShimBlock *blocks, int64_t room)
{
    FaSegmentLists segmentLists;
    segmentLists.queryEnds.SetGlobalBuffer(lists[0]);
    segmentLists.keyEnds.SetGlobalBuffer(lists[1]);
    segmentLists.prefixes.SetGlobalBuffer(lists[2]);
    FaBlockScheduler scheduler;
    scheduler.Init(*tiling, segmentLists, core, cores, static_cast<FaDealt>(kind));
    FaRowBlock block;
    int64_t chunk = 0;
    int64_t count = 0;
    while (scheduler.Next(block, chunk)) {
        if (count < room) {
            const FaSegment &segment = block.segment;
            FaSegment part = segment;
            part.tiles.kvChunks = kind == static_cast<int64_t>(FaDealt::CHUNKS) ? segment.tiles.kvChunks : 1;
            blocks[count] = {segment.index,     segment.s1,
                             segment.s2,        segment.qToken,
                             segment.kToken,    segment.rowsBefore,
                             segment.scoreBase, block.n1,
                             block.n2,          block.q0,
                             block.rows,        chunk,
                             block.partialRow,  FaGranules(FaKeysOfBlock(part, block.index, chunk))};
        }
        ++count;
    }
    return count;
}
