// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Walks the stacks of a core: row blocks from the scheduler, their KV chunks in ascending order, the stacks of a chunk.
#ifndef FA_TASK_CURSOR_H
#define FA_TASK_CURSOR_H
#include "fa_block_scheduler.h"
#include "fa_task.h"

// Keys of chunk `chunk` that some query of `block` sees. Starts at a multiple of 16; empty: begin == end.
__aicore__ inline FaKeyRange FaChunkKeys(const FlashAttentionScoreTilingData &tiling, const FaRowBlock &block,
                                         int64_t chunk)
{
    const bool packed = tiling.tile.headsPerTile > 1; // rows of several heads: every query of them
    const int64_t q0 = packed ? 0 : block.q0;
    const int64_t q1 = packed ? tiling.s1 : block.q0 + block.rows;
    FaKeyRange keys = FaVisibleKeys(tiling.mask, q0, q1, tiling.s2);
    keys.begin = keys.begin / 16 * 16;
    if (tiling.schedule.kvChunks > 1) {
        keys.begin = FaMax(keys.begin, chunk * tiling.schedule.kvChunk);
        keys.end = FaMax(keys.begin, FaMin(keys.end, (chunk + 1) * tiling.schedule.kvChunk));
    }
    return keys;
}

template <typename Traits>
class FaTaskCursor {
public:
    __aicore__ inline void Init(const FlashAttentionScoreTilingData &tilingData, int64_t core, int64_t cores)
    {
        tiling = &tilingData;
        scheduler.Init(tilingData, core, cores, Traits::chunksAreDealt ? tilingData.schedule.kvChunks : 1);
        lastChunk = tilingData.schedule.kvChunks - 1;
        chunk = lastChunk;
    }

    // The next stack; false after the last one.
    __aicore__ inline bool Next(FaTask &task)
    {
        task.first = !insideChunk;
        if (!insideChunk && !NextChunk()) {
            return false;
        }
        const int64_t stack = tiling->tile.kvStack;
        const int64_t end = FaMin(key / stack * stack + stack, keys.end);
        task.block = block;
        task.chunk = chunk;
        task.k0 = key;
        task.cols = end - key;
        task.last = end == keys.end;
        task.blockDone = task.last && (Traits::chunksAreDealt || chunk == lastChunk);
        task.slot = slot;
        task.state = state;
        key = end;
        insideChunk = !task.last;
        slot = slot + 1 == FA_RING_SLOTS ? 0 : slot + 1;
        return true;
    }

private:
    __aicore__ inline bool NextChunk()
    {
        int64_t dealtChunk = 0;
        if (!Traits::chunksAreDealt && chunk < lastChunk) {
            ++chunk;
        } else if (scheduler.Next(block, dealtChunk)) {
            chunk = dealtChunk;
        } else {
            return false;
        }
        keys = FaChunkKeys(*tiling, block, chunk);
        key = keys.begin;
        state = state + 1 == FA_RING_SLOTS ? 0 : state + 1;
        return true;
    }

    const FlashAttentionScoreTilingData *tiling = nullptr;
    FaBlockScheduler scheduler;
    FaRowBlock block;
    FaKeyRange keys;
    int64_t chunk = 0;
    int64_t lastChunk = 0;
    int64_t key = 0;
    bool insideChunk = false;
    int32_t slot = 0;
    int32_t state = 0;
};
#endif
