// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One unit of the pipeline: a row block against one stack of keys, and the GM tensors and rings that it works on.
#ifndef FA_TASK_H
#define FA_TASK_H
#include "fa_block_scheduler.h"

struct FaTask {
    FaRowBlock block;
    int64_t chunk; // KV chunk of the rows
    int64_t k0;    // first key
    int64_t cols;  // keys, 0: the rows see no key at all
    bool first;    // first stack of the chunk
    bool last;
    bool split;     // O of the chunk is a partial state
    bool blockDone; // last chunk of the row block on this core
    int32_t slot;   // ring slot of S, P and PV
    int32_t state;  // which of the FA_RING_SLOTS row states belongs to the chunk
};

// First row of the partial state of chunk `chunk` of `block` among all partial states.
__aicore__ inline int64_t FaPartialRow(const FaRowBlock &block, int64_t chunk)
{
    return block.partialRow + chunk * block.segment.tiles.qTile;
}

// Arguments of the kernel as tensors. The rings are those of this core.
template <typename T>
struct FaGlobalTensors {
    AscendC::GlobalTensor<T> query;
    AscendC::GlobalTensor<T> key;
    AscendC::GlobalTensor<T> value;
    AscendC::GlobalTensor<T> queryRope;
    AscendC::GlobalTensor<T> keyRope;
    GM_ADDR shift; // of query's type or float32
    AscendC::GlobalTensor<uint8_t> mask;
    AscendC::GlobalTensor<uint8_t> dropMask;
    AscendC::GlobalTensor<float> sink;
    FaSegmentLists lists;
    AscendC::GlobalTensor<T> out;
    AscendC::GlobalTensor<float> softmaxMax;
    AscendC::GlobalTensor<float> softmaxSum;
    AscendC::GlobalTensor<float> scores; // [slot][qTile][kvStack]
    AscendC::GlobalTensor<T> probs;      // P over S: [slot][qTile][kvStack], row pitch probsPitch
    AscendC::GlobalTensor<float> pv;     // [slot][qTile][pvPitch]
    AscendC::GlobalTensor<float> acc;    // [qTile][pvPitch], only when O is not kept in UB
    // partial states of KV chunks: [row block][chunk][qTile of the segment], O with row pitch pvPitch
    AscendC::GlobalTensor<float> partialOut;
    AscendC::GlobalTensor<float> partialMax;
    AscendC::GlobalTensor<float> partialSum;
    int64_t scoreElems; // of one slot
    int64_t probsPitch;
    int64_t pvPitch;
    int64_t pvElems;

    __aicore__ inline int64_t ScoreOffset(int32_t slot) const
    {
        return slot * scoreElems;
    }
    __aicore__ inline int64_t ProbsOffset(int32_t slot) const
    {
        return slot * scoreElems * static_cast<int64_t>(sizeof(float) / sizeof(T));
    }
    __aicore__ inline int64_t PvOffset(int32_t slot) const
    {
        return slot * pvElems;
    }

    __aicore__ inline void InitRings(const FlashAttentionScoreTilingData &tiling, GM_ADDR workspace, int64_t core)
    {
        scoreElems = tiling.tile.qTile * tiling.tile.kvStack;
        probsPitch = tiling.tile.kvStack * static_cast<int64_t>(sizeof(float) / sizeof(T));
        pvPitch = FaAlign(tiling.problem.dv, 16);
        pvElems = tiling.tile.qTile * pvPitch;
        GM_ADDR scoreRing = workspace + tiling.workspace.scoreRing + core * tiling.workspace.scoreRingBytes;
        scores.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(scoreRing));
        probs.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(scoreRing));
        pv.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(workspace + tiling.workspace.pvRing +
                                                            core * tiling.workspace.pvRingBytes));
        acc.SetGlobalBuffer(
            reinterpret_cast<__gm__ float *>(workspace + tiling.workspace.acc + core * tiling.workspace.accBytes));
        partialOut.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(workspace + tiling.workspace.partialOut));
        partialMax.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(workspace + tiling.workspace.partialMax));
        partialSum.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(workspace + tiling.workspace.partialSum));
    }
};
#endif
