// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Every flag of the gradient kernel, and the GM tensors that it works on.
#ifndef FAG_BUFFERS_H
#define FAG_BUFFERS_H
#include "fa_block_scheduler.h"
#include "fa_buffers.h"
#include "fa_gm_rows.h"
#include "flash_attention_score_grad_tiling_data.h"

// The two hand-overs of a tile. No way back is needed: the AIC has read P and dS of tile i, and so the AIVs have read S
// and dP, before it writes those of tile i + FAG_RING_SLOTS.
struct FagTileSignals {
    FaCoreSignal<PIPE_FIX, 0> scoresReady; // AIC -> AIV: S and dP in GM
    FaCoreSignal<PIPE_MTE3, 1> probsReady; // AIV -> AIC: P and dS in GM, over S and dP
};

// Flags of an AIV between the rounds' tiles.
template <bool IN_PLACE>
struct FagVecRings {
    typename FaScoreRing<IN_PLACE>::Type scores;                                    // S, dP and row statistics
    FaPipeRing<AscendC::HardEvent::V_MTE3, AscendC::HardEvent::MTE3_V, 0, 2> probs; // P and dS

    __aicore__ inline void Open()
    {
        scores.Open();
        probs.Open();
    }
    __aicore__ inline void Close()
    {
        scores.Close();
        probs.Close();
    }
};

// Flags of an AIV before and after the rounds, where rows are read, changed and written.
struct FagRowRings {
    FaPipeRing<AscendC::HardEvent::MTE2_V, AscendC::HardEvent::V_MTE2, 0, 2> in;
    FaPipeRing<AscendC::HardEvent::V_MTE3, AscendC::HardEvent::MTE3_V, 0, 2> out;
    FaClearedSignal cleared;
    FaPipeSignal<AscendC::HardEvent::V_MTE3, 2> zerosReady;

    __aicore__ inline void Open()
    {
        in.Open();
        out.Open();
    }
    __aicore__ inline void Close()
    {
        in.Close();
        out.Close();
    }
};

// A dense fp32 accumulator [batches, heads, rows, pitch]. As in the tensors that it belongs to, tokens of all sequences
// are rows of one batch in TND.
struct FagAccumulator {
    AscendC::GlobalTensor<float> data;
    FaTensorStrides strides;

    __aicore__ inline void Init(GM_ADDR start, int64_t batches, int64_t heads, int64_t rows, int64_t pitch)
    {
        data.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(start));
        strides.s = pitch;
        strides.n = rows * strides.s;
        strides.b = batches == 1 ? 0 : heads * strides.n;
    }
};

// Queries [query, query + count) of one head of a segment.
struct FagRowRange {
    const FaSegment &segment;
    int64_t n1;
    int64_t query;
    int64_t count;
};

template <typename T>
struct FagGlobalTensors {
    AscendC::GlobalTensor<T> query;
    AscendC::GlobalTensor<T> key;
    AscendC::GlobalTensor<T> value;
    AscendC::GlobalTensor<T> queryRope;
    AscendC::GlobalTensor<T> keyRope;
    AscendC::GlobalTensor<T> dy;
    AscendC::GlobalTensor<T> attention;
    AscendC::GlobalTensor<uint8_t> mask;
    AscendC::GlobalTensor<uint8_t> dropMask;
    GM_ADDR shift;                           // float32 or T
    AscendC::GlobalTensor<float> softmaxMax; // [B, N1, S1, 8], or as FaSequences says
    AscendC::GlobalTensor<float> softmaxSum;
    AscendC::GlobalTensor<float> sink; // [N1]
    FaSegmentLists lists;
    AscendC::GlobalTensor<T> dq;
    AscendC::GlobalTensor<T> dk;
    AscendC::GlobalTensor<T> dv;
    AscendC::GlobalTensor<T> dqRope;
    AscendC::GlobalTensor<T> dkRope;
    GM_ADDR dpse;                        // of the type of the shift
    AscendC::GlobalTensor<float> dsink;  // [N1]
    AscendC::GlobalTensor<float> scores; // [slot][qTile][kvTile]
    AscendC::GlobalTensor<float> dp;     // the same
    AscendC::GlobalTensor<T> probs;      // P over S, row pitch probsPitch
    AscendC::GlobalTensor<T> ds;         // dS over dP
    AscendC::GlobalTensor<float> shiftSums;
    AscendC::GlobalTensor<float> zeroed; // all accumulators
    FagAccumulator delta;                // 8 equal values a row
    FagAccumulator dqAcc;
    FagAccumulator dkAcc;
    FagAccumulator dvAcc;
    FagAccumulator dqRopeAcc;
    FagAccumulator dkRopeAcc;
    int64_t tileElems; // fp32 elements of a ring slot
    int64_t probsPitch;

    __aicore__ inline int64_t ProbsOffset(int32_t slot) const
    {
        return slot * tileElems * static_cast<int64_t>(sizeof(float) / sizeof(T));
    }

    // GM -> UB: one 32 B block a row.
    __aicore__ inline void LoadStatistics(const FlashAttentionScoreGradTilingData &tiling, const FagRowRange &rows,
                                          const AscendC::LocalTensor<float> &max,
                                          const AscendC::LocalTensor<float> &sum,
                                          const AscendC::LocalTensor<float> &rowDelta) const
    {
        const FaSegment &segment = rows.segment;
        const bool likeInput = tiling.problem.sequences.statsLikeInput != 0;
        const int64_t row = FaStatisticsRow(segment, tiling.problem.n1, likeInput, rows.n1, rows.query);
        const int64_t gmPitch = likeInput ? tiling.problem.n1 * FA_STAT_COPIES : FA_STAT_COPIES;
        const FaGmRows matrix = {rows.count, FA_STAT_COPIES, gmPitch, FA_STAT_COPIES};
        FaLoadRows(max, softmaxMax[row * FA_STAT_COPIES], matrix);
        FaLoadRows(sum, softmaxSum[row * FA_STAT_COPIES], matrix);
        AscendC::DataCopy(rowDelta, delta.data[FaQueryOffset(delta.strides, segment, rows.n1, rows.query)],
                          static_cast<uint32_t>(rows.count * FA_STAT_COPIES));
    }

    __aicore__ inline void InitWorkspace(const FlashAttentionScoreGradTilingData &tiling, GM_ADDR workspace,
                                         int64_t core)
    {
        const FagWorkspace &offsets = tiling.workspace;
        tileElems = tiling.tile.qTile * tiling.tile.kvTile;
        probsPitch = tiling.tile.kvTile * static_cast<int64_t>(sizeof(float) / sizeof(T));
        GM_ADDR scoreRing = workspace + offsets.scoreRing + core * offsets.scoreRingBytes;
        GM_ADDR dpRing = workspace + offsets.dpRing + core * offsets.scoreRingBytes;
        scores.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(scoreRing));
        probs.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(scoreRing));
        dp.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(dpRing));
        ds.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(dpRing));
        zeroed.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(workspace + offsets.dq));
        shiftSums.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(workspace + offsets.dpse));
        const FagRowSpace &rows = tiling.rows;
        delta.Init(workspace + offsets.delta, rows.batches, tiling.problem.n1, rows.queries, 8);
        dqAcc.Init(workspace + offsets.dq, rows.batches, tiling.problem.n1, rows.queries,
                   FaAlign(tiling.problem.d, 16));
        dkAcc.Init(workspace + offsets.dk, rows.batches, tiling.problem.n2, rows.keys, FaAlign(tiling.problem.d, 16));
        dvAcc.Init(workspace + offsets.dv, rows.batches, tiling.problem.n2, rows.keys, FaAlign(tiling.problem.dv, 16));
        dqRopeAcc.Init(workspace + offsets.dqRope, rows.batches, tiling.problem.n1, rows.queries,
                       FaAlign(tiling.problem.rope.d, 16));
        dkRopeAcc.Init(workspace + offsets.dkRope, rows.batches, tiling.problem.n2, rows.keys,
                       FaAlign(tiling.problem.rope.d, 16));
    }
};
#endif
