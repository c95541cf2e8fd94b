// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Walks the stacks of a core: row blocks from the scheduler, their KV chunks in ascending order, the stacks of a chunk.
#ifndef FA_TASK_CURSOR_H
#define FA_TASK_CURSOR_H
#include "fa_task.h"

template <typename Traits>
class FaTaskCursor {
public:
    __aicore__ inline void Init(const FlashAttentionScoreTilingData &tilingData, const FaSegmentLists &lists,
                                int64_t core, int64_t cores)
    {
        tiling = &tilingData;
        scheduler.Init(tilingData, lists, core, cores, Traits::chunksAreDealt ? FaDealt::CHUNKS : FaDealt::BLOCKS);
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
        task.split = block.segment.tiles.kvChunks > 1;
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
            lastChunk = block.segment.tiles.kvChunks - 1;
        } else {
            return false;
        }
        keys = FaKeysOfBlock(block.segment, block.index, chunk);
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
