// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Online softmax over the stacks of a row (Milakov and Gimelshein, arXiv 1805.02867): running max and sum in fp32.
// The exponent uses max(m, -FLT_MAX / 2), so a hidden score (-FLT_MAX) gives exactly 0 and a row that sees no key keeps
// the sum 0.
#ifndef FA_ONLINE_SOFTMAX_H
#define FA_ONLINE_SOFTMAX_H
#include "fa_mask.h"
#include "fa_row_ops.h"

class FaOnlineSoftmax {
public:
    // passRows: of the largest tile; sliceRows: of O that rowOps treats at once.
    __aicore__ inline void Init(FaArena<AscendC::TPosition::VECCALC> &ub, int64_t passRows, int64_t sliceRows)
    {
        rowMax = ub.template Take<float>(FA_RING_SLOTS * FA_AIV_ROWS);
        rowSum = ub.template Take<float>(FA_RING_SLOTS * FA_AIV_ROWS);
        rescale = ub.template Take<float>(FA_RING_SLOTS * FA_AIV_ROWS);
        fold = ub.template Take<float>(passRows * FA_LANES);
        stackMax = ub.template Take<float>(FA_AIV_ROWS);
        stackSum = ub.template Take<float>(FA_AIV_ROWS);
        rowOps.Init(ub, FaMax(passRows, sliceRows));
        // Brcb reads eight values, also when a pass has fewer rows
        AscendC::Duplicate(rescale, 0.0f, FA_RING_SLOTS * FA_AIV_ROWS);
        AscendC::Duplicate(stackMax, 0.0f, FA_AIV_ROWS);
    }

    __aicore__ inline void Reset(int32_t state)
    {
        AscendC::Duplicate(Max(state), FA_NEG, FA_AIV_ROWS);
        AscendC::Duplicate(Sum(state), 0.0f, FA_AIV_ROWS);
        FaVectorBarrier();
    }

    // Before the passes of `rows` rows against one stack of keys.
    __aicore__ inline void BeginStack(int32_t state, int32_t slot, int64_t rows)
    {
        AscendC::Maxs(Rescale(slot), Max(state), FA_HALF_NEG, static_cast<int32_t>(rows));
    }

    // Scores become exp(score - max so far). `row`: first row of the tile in the AIV's rows, a multiple of 8.
    __aicore__ inline void Step(const FaScoreTile &tile, int32_t state, int64_t row)
    {
        const int32_t rows = static_cast<int32_t>(tile.rows);
        const AscendC::LocalTensor<float> max = Max(state)[static_cast<uint32_t>(row)];
        const AscendC::LocalTensor<float> clamped = stackMax[static_cast<uint32_t>(row)];
        FaReduceRows<FaReduce::MAX>(clamped, tile.scores, fold, tile.rows, tile.pitch);
        AscendC::Max(max, max, clamped, rows);
        FaVectorBarrier();
        AscendC::Maxs(clamped, max, FA_HALF_NEG, rows);
        FaVectorBarrier();
        rowOps.Apply<FaRowOp::SUB>(tile.scores, tile.scores, clamped, {tile.rows, tile.pitch, 0});
        AscendC::Exp(tile.scores, tile.scores, static_cast<int32_t>(tile.rows * tile.pitch));
        FaVectorBarrier();
        FaReduceRows<FaReduce::SUM>(stackSum[static_cast<uint32_t>(row)], tile.scores, fold, tile.rows, tile.pitch);
    }

    // After them: the factors that rescale what was summed up before, and the sums.
    __aicore__ inline void EndStack(int32_t state, int32_t slot, int64_t rowCount)
    {
        const int32_t rows = static_cast<int32_t>(rowCount);
        const AscendC::LocalTensor<float> sum = Sum(state);
        const AscendC::LocalTensor<float> factor = Rescale(slot);
        AscendC::Sub(factor, factor, stackMax, rows);
        FaVectorBarrier();
        AscendC::Exp(factor, factor, rows);
        FaVectorBarrier();
        AscendC::Mul(sum, sum, factor, rows);
        FaVectorBarrier();
        AscendC::Add(sum, sum, stackSum, rows);
        FaVectorBarrier();
    }

    __aicore__ inline AscendC::LocalTensor<float> Max(int32_t state) const
    {
        return rowMax[static_cast<uint32_t>(state * FA_AIV_ROWS)];
    }
    __aicore__ inline AscendC::LocalTensor<float> Sum(int32_t state) const
    {
        return rowSum[static_cast<uint32_t>(state * FA_AIV_ROWS)];
    }
    // exp(old max - new max) of each row for the stack in `slot`.
    __aicore__ inline AscendC::LocalTensor<float> Rescale(int32_t slot) const
    {
        return rescale[static_cast<uint32_t>(slot * FA_AIV_ROWS)];
    }

    FaRowOps rowOps;

private:
    AscendC::LocalTensor<float> rowMax;   // [states][64]
    AscendC::LocalTensor<float> rowSum;   // [states][64]
    AscendC::LocalTensor<float> rescale;  // [slots][64]
    AscendC::LocalTensor<float> fold;     // [passRows][64]
    AscendC::LocalTensor<float> stackMax; // [64], clamped for the exponent
    AscendC::LocalTensor<float> stackSum; // [64]
};
#endif
