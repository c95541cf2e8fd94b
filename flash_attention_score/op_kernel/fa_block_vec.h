// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The AIV's first step of a stack: S -> scale, shift, mask, online softmax, dropout -> P, in passes of a few rows.
#ifndef FA_BLOCK_VEC_H
#define FA_BLOCK_VEC_H
#include "fa_gm_rows.h"
#include "fa_result.h"
#include "fa_scores.h"
#include "fa_sink.h"

template <typename Traits>
class FaBlockVec {
    using T = typename Traits::Elem;
    using Rings = FaVecRings<Traits::pInPlace>;

public:
    __aicore__ inline void Init(const FlashAttentionScoreTilingData &tilingData,
                                const FaGlobalTensors<T> &globalTensors, FaArena<AscendC::TPosition::VECCALC> &ub,
                                Rings &vecRings, FaOnlineSoftmax &state, const FaSink &rowSink)
    {
        tiling = &tilingData;
        global = &globalTensors;
        rings = &vecRings;
        softmax = &state;
        sink = &rowSink;
        subBlock = AscendC::GetSubBlockIdx();
        tileElems = tilingData.tile.rowsPerPass * tilingData.tile.kvStack;
        scores = ub.template Take<float>(SCORE_SLOTS * tileElems);
        if constexpr (!Traits::pInPlace) {
            probs = ub.template Take<T>(2 * tileElems);
        }
        // lanes past the last key are never copied but scaled with the rest
        AscendC::Duplicate(scores, 0.0f, static_cast<int32_t>(SCORE_SLOTS * tileElems));
        scoring.Init(FaScoresParamOf(tilingData.problem, tilingData.tile.kvStack),
                     {globalTensors.shift, globalTensors.mask, globalTensors.dropMask}, ub);
        cleared.Set();
        cleared.Wait();
        scoring.Open();
    }

    __aicore__ inline void Close()
    {
        scoring.Close();
    }

    __aicore__ inline void ComputeProbs(const FaTask &task)
    {
        const FaAivRows rows = FaRowsOfAiv(task.block, subBlock);
        if (task.first) {
            sink->Start(*softmax, task.state, task.block, rows, task.chunk);
        }
        if (task.cols == 0) {
            return;
        }
        signals.scoresReady.Wait();
        const int64_t step = tiling->tile.rowsPerPass;
        if (rows.count > 0) {
            softmax->BeginStack(task.state, task.slot, rows.count);
            scoring.Begin(rows);
            Load(task, rows, 0);
        }
        for (int64_t row = 0; row < rows.count; row += step) {
            if (row + step < rows.count) {
                Load(task, rows, row + step);
            }
            Compute(task, rows, row);
        }
        signals.probsReady.Set();
        if (rows.count > 0) {
            softmax->EndStack(task.state, task.slot, rows.count);
        }
    }

private:
    static constexpr int32_t SCORE_SLOTS = Traits::pInPlace ? 3 : 2;

    __aicore__ inline int64_t Pitch(const FaTask &task) const
    {
        return FaAlign(task.cols, FA_LANES);
    }

    // Starts the copies of the pass that begins at `row` of this AIV's rows.
    __aicore__ inline void Load(const FaTask &task, const FaAivRows &rows, int64_t row)
    {
        const int64_t count = FaMin(tiling->tile.rowsPerPass, rows.count - row);
        const int64_t tileRow = rows.begin + row;
        const int64_t copied = FaAlign(task.cols, 16); // what Fixpipe wrote
        const int32_t slot = rings->scores.BeginWrite();
        AscendC::DataCopy(scores[static_cast<uint32_t>(slot * tileElems)],
                          global->scores[global->ScoreOffset(task.slot) + tileRow * tiling->tile.kvStack],
                          FaBlockRowsParams<float>(count, copied, tiling->tile.kvStack, Pitch(task)));
        rings->scores.EndWrite();
        scoring.Load(task.block, {tileRow, count, task.k0, task.cols, Pitch(task)});
    }

    __aicore__ inline void Compute(const FaTask &task, const FaAivRows &rows, int64_t row)
    {
        const int64_t count = FaMin(tiling->tile.rowsPerPass, rows.count - row);
        const int64_t tileRow = rows.begin + row;
        const int32_t slot = rings->scores.BeginRead();
        const FaScoreTile tile = {
            scores[static_cast<uint32_t>(slot * tileElems)], 0, task.k0, count, task.cols, Pitch(task)};
        scoring.Finish(tile, task.block, tileRow);
        softmax->Step(tile, task.state, row);
        scoring.Drop(tile.scores, tile, tileRow);
        scoring.End();
        StoreProbs(tile, task, tileRow);
    }

    __aicore__ inline void StoreProbs(const FaScoreTile &tile, const FaTask &task, int64_t tileRow)
    {
        const int64_t copied = FaAlign(tile.cols, 16);
        const int32_t slot = rings->probs.BeginWrite();
        AscendC::LocalTensor<T> result;
        if constexpr (Traits::pInPlace) {
            result = tile.scores;
        } else {
            result = probs[static_cast<uint32_t>(slot * tileElems)];
            AscendC::Cast(result, tile.scores, AscendC::RoundMode::CAST_RINT,
                          static_cast<uint32_t>(tile.rows * tile.pitch));
            rings->scores.EndRead();
        }
        rings->probs.EndWrite();
        rings->probs.BeginRead();
        AscendC::DataCopy(global->probs[global->ProbsOffset(task.slot) + tileRow * global->probsPitch], result,
                          FaBlockRowsParams<T>(tile.rows, copied, tile.pitch, global->probsPitch));
        rings->probs.EndRead();
        if constexpr (Traits::pInPlace) {
            rings->scores.EndRead();
        }
    }

    const FlashAttentionScoreTilingData *tiling = nullptr;
    const FaGlobalTensors<T> *global = nullptr;
    Rings *rings = nullptr;
    FaOnlineSoftmax *softmax = nullptr;
    const FaSink *sink = nullptr;
    int64_t subBlock = 0;
    int64_t tileElems = 0;
    AscendC::LocalTensor<float> scores; // [slots][rowsPerPass][kvStack]
    AscendC::LocalTensor<T> probs;      // [2][rowsPerPass][kvStack], b16 only
    FaScores<T> scoring;
    FaClearedSignal cleared;
    FaStackSignals signals;
};
#endif
