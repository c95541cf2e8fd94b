// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The AIV's step of a tile: P = exp(scale S - max) / sum is computed again from the saved max and sum, and
// dS = P (dP - delta); both are stored over S and dP in the input type.
#ifndef FAG_BLOCK_VEC_H
#define FAG_BLOCK_VEC_H
#include "fa_gm_rows.h"
#include "fa_row_ops.h"
#include "fa_scores.h"
#include "fag_shift_gradient.h"
#include "fag_shift_store.h"
#include "fag_tile.h"

// What becomes of P and dS of a tile.
enum class FagUse : int32_t {
    PRODUCTS, // stored for the AIC
    SHIFT     // dS is added to the gradient of the positional shift
};

template <typename Traits>
class FagBlockVec {
    using T = typename Traits::Elem;
    using Floats = AscendC::LocalTensor<float>;

public:
    __aicore__ inline void Init(const FlashAttentionScoreGradTilingData &tilingData,
                                const FagGlobalTensors<T> &globalTensors, FaArena<AscendC::TPosition::VECCALC> &ub)
    {
        tiling = &tilingData;
        global = &globalTensors;
        subBlock = AscendC::GetSubBlockIdx();
        tileElems = FA_PASS_ROWS * tilingData.tile.kvTile;
        scores = ub.template Take<float>(SLOTS * tileElems);
        dp = ub.template Take<float>(SLOTS * tileElems);
        statistics = ub.template Take<float>(SLOTS * STATISTICS * BLOCKS);
        ones = ub.template Take<float>(BLOCKS);
        if constexpr (!Traits::pInPlace) {
            probs = ub.template Take<T>(4 * tileElems);
            ds = probs[static_cast<uint32_t>(2 * tileElems)];
        }
        // lanes past the last key are never copied but computed with the rest
        AscendC::Duplicate(scores, 0.0f, static_cast<int32_t>(SLOTS * tileElems));
        AscendC::Duplicate(dp, 0.0f, static_cast<int32_t>(SLOTS * tileElems));
        AscendC::Duplicate(ones, 1.0f, BLOCKS);
        scoring.Init(FaScoresParamOf(tilingData.problem, tilingData.tile.kvTile),
                     {globalTensors.shift, globalTensors.mask, globalTensors.dropMask}, ub);
        shiftGradient.Init(tilingData, globalTensors.shiftSums, ub);
        shiftStore.Init(tilingData, globalTensors.dpse, tileElems, ub);
        cleared.Set();
        cleared.Wait();
        rings.Open();
        scoring.Open();
    }

    __aicore__ inline void Close()
    {
        scoring.Close();
        rings.Close();
    }

    // Dropout bits are loaded for FA_AIV_ROWS rows at most.
    template <FagUse USE>
    __aicore__ inline void Compute(const FagTile &tile)
    {
        const FaAivRows rows = FaRowsOfAiv(tile.block, subBlock);
        const int64_t most = tiling->problem.dropout.given != 0 ? FA_AIV_ROWS : rows.count;
        signals.scoresReady.Wait();
        for (int64_t row = 0; row < rows.count; row += most) {
            ComputeRows<USE>(tile, {rows.begin + row, FaMin(most, rows.count - row)});
        }
        signals.probsReady.Set();
    }

private:
    static constexpr int32_t SLOTS = Traits::pInPlace ? 3 : 2;
    static constexpr int32_t BLOCKS = FA_PASS_ROWS * 8; // one 32 B block of equal values a row
    static constexpr int32_t STATISTICS = 3;            // max, sum, delta

    template <FagUse USE>
    __aicore__ inline void ComputeRows(const FagTile &tile, const FaAivRows &rows)
    {
        const int64_t step = tiling->tile.rowsPerPass;
        scoring.Begin(rows);
        Load(tile, {rows, 0, FaMin(step, rows.count)});
        for (int64_t row = 0; row < rows.count; row += step) {
            const int64_t next = row + step;
            if (next < rows.count) {
                Load(tile, {rows, next, FaMin(step, rows.count - next)});
            }
            ComputePass<USE>(tile, {rows, row, FaMin(step, rows.count - row)});
        }
    }

    __aicore__ inline int64_t Pitch(const FagTile &tile) const
    {
        return FaAlign(tile.cols, FA_LANES);
    }

    __aicore__ inline void Load(const FagTile &tile, const FaSlice &slice)
    {
        const int64_t tileRow = slice.rows.begin + slice.row;
        const int64_t copied = FaAlign(tile.cols, 16);
        const int32_t slot = rings.scores.BeginWrite();
        const AscendC::DataCopyParams params =
            FaBlockRowsParams<float>(slice.count, copied, tiling->tile.kvTile, Pitch(tile));
        const int64_t offset = tile.slot * global->tileElems + tileRow * tiling->tile.kvTile;
        AscendC::DataCopy(scores[static_cast<uint32_t>(slot * tileElems)], global->scores[offset], params);
        AscendC::DataCopy(dp[static_cast<uint32_t>(slot * tileElems)], global->dp[offset], params);
        const FaRowBlock &block = tile.block;
        const FagRowRange rows = {block.segment, block.n1, block.q0 + tileRow, slice.count};
        global->LoadStatistics(*tiling, rows, Statistic(slot, 0), Statistic(slot, 1), Statistic(slot, 2));
        rings.scores.EndWrite();
        scoring.Load(block, {tileRow, slice.count, tile.k0, tile.cols, Pitch(tile)});
    }

    __aicore__ inline Floats Statistic(int32_t slot, int32_t index) const
    {
        return statistics[static_cast<uint32_t>((slot * STATISTICS + index) * BLOCKS)];
    }

    template <FagUse USE>
    __aicore__ inline void ComputePass(const FagTile &tile, const FaSlice &slice)
    {
        const int64_t tileRow = slice.rows.begin + slice.row;
        const int32_t slot = rings.scores.BeginRead();
        const FaScoreTile pass = {scores[static_cast<uint32_t>(slot * tileElems)],
                                  tile.block.q0 + tileRow,
                                  tile.k0,
                                  slice.count,
                                  tile.cols,
                                  Pitch(tile)};
        const int32_t elems = static_cast<int32_t>(slice.count * pass.pitch);
        scoring.Finish(pass, tile.block, tileRow);
        ComputeProbs(pass, slot, elems);
        const Floats gradient = dp[static_cast<uint32_t>(slot * tileElems)];
        scoring.Drop(gradient, pass, tileRow);
        SubtractFromRows(gradient, Statistic(slot, 2), pass);
        AscendC::Mul(gradient, gradient, pass.scores, elems);
        FaVectorBarrier();
        if constexpr (USE == FagUse::SHIFT) {
            scoring.End();
            AddToShift(tile, pass, tileRow, gradient);
        } else {
            scoring.Drop(pass.scores, pass, tileRow);
            scoring.End();
            Store(tile, pass, tileRow, gradient);
        }
    }

    // P, with dropout P / keepProb: then dS = P (dP bit / keepProb - delta) is that times (dP bit - delta keepProb).
    // The exponent's max as in FaOnlineSoftmax; the sum of a row that sees no key is FLT_MAX, its P 0.
    __aicore__ inline void ComputeProbs(const FaScoreTile &pass, int32_t slot, int32_t elems)
    {
        const int32_t blocks = static_cast<int32_t>(pass.rows * 8);
        const Floats max = Statistic(slot, 0);
        const Floats sum = Statistic(slot, 1);
        AscendC::Maxs(max, max, FA_HALF_NEG, blocks);
        AscendC::Div(sum, ones, sum, blocks);
        FaVectorBarrier();
        if (tiling->problem.dropout.given != 0) {
            const Floats delta = Statistic(slot, 2);
            AscendC::Muls(sum, sum, 1.0f / tiling->problem.dropout.keepProb, blocks);
            AscendC::Muls(delta, delta, tiling->problem.dropout.keepProb, blocks);
            FaVectorBarrier();
        }
        SubtractFromRows(pass.scores, max, pass);
        AscendC::Exp(pass.scores, pass.scores, elems);
        FaVectorBarrier();
        FaApplyRowBlocks<FaRowOp::MUL>(pass.scores, pass.scores, sum, {pass.rows, pass.pitch, 0});
    }

    __aicore__ inline void SubtractFromRows(const Floats &data, const Floats &blocks, const FaScoreTile &pass)
    {
        FaApplyRowBlocks<FaRowOp::SUB>(data, data, blocks, {pass.rows, pass.pitch, 0});
    }

    __aicore__ inline void AddToShift(const FagTile &tile, const FaScoreTile &pass, int64_t tileRow,
                                      const Floats &gradient)
    {
        const int32_t slot = rings.probs.BeginWrite();
        Floats sums; // P is not needed any more
        if constexpr (Traits::pInPlace) {
            sums = pass.scores;
        } else {
            sums = probs[static_cast<uint32_t>(2 * slot * tileElems)].template ReinterpretCast<float>();
        }
        if (tiling->problem.shift.kind >= FA_SHIFT_SLOPE) {
            scoring.TimesDistance(gradient, pass, tile.block, tileRow);
        }
        shiftGradient.Reduce(sums, gradient, pass);
        if constexpr (!Traits::pInPlace) {
            rings.scores.EndRead();
        }
        rings.probs.EndWrite();
        rings.probs.BeginRead();
        shiftGradient.Add(sums, tile.block, {tileRow, pass.rows, pass.k0, pass.cols, pass.pitch});
        rings.probs.EndRead();
        if constexpr (Traits::pInPlace) {
            rings.scores.EndRead();
        }
    }

    __aicore__ inline void Store(const FagTile &tile, const FaScoreTile &pass, int64_t tileRow, const Floats &gradient)
    {
        const int32_t slot = rings.probs.BeginWrite();
        AscendC::LocalTensor<T> p;
        AscendC::LocalTensor<T> s;
        AscendC::LocalTensor<T> shifted; // what belongs to the positional shift
        const uint32_t elems = static_cast<uint32_t>(pass.rows * pass.pitch);
        if constexpr (Traits::pInPlace) {
            p = pass.scores;
            s = gradient;
            shifted = shiftStore.Scale(slot, gradient, s, elems);
        } else {
            p = probs[static_cast<uint32_t>(slot * tileElems)];
            s = ds[static_cast<uint32_t>(slot * tileElems)];
            AscendC::Cast(p, pass.scores, AscendC::RoundMode::CAST_RINT, elems);
            AscendC::Cast(s, gradient, AscendC::RoundMode::CAST_RINT, elems);
            shifted = shiftStore.Scale(slot, gradient, s, elems);
            rings.scores.EndRead();
        }
        rings.probs.EndWrite();
        rings.probs.BeginRead();
        const int64_t copied = FaAlign(tile.cols, 16);
        const AscendC::DataCopyParams params = FaBlockRowsParams<T>(pass.rows, copied, pass.pitch, global->probsPitch);
        const int64_t offset = global->ProbsOffset(tile.slot) + tileRow * global->probsPitch;
        AscendC::DataCopy(global->probs[offset], p, params);
        AscendC::DataCopy(global->ds[offset], s, params);
        shiftStore.Store(shifted, tile.block, {tileRow, pass.rows, pass.k0, pass.cols, pass.pitch});
        rings.probs.EndRead();
        if constexpr (Traits::pInPlace) {
            rings.scores.EndRead();
        }
    }

    const FlashAttentionScoreGradTilingData *tiling = nullptr;
    const FagGlobalTensors<T> *global = nullptr;
    int64_t subBlock = 0;
    int64_t tileElems = 0;
    Floats scores;                 // [slots][8][kvTile]
    Floats dp;                     // the same
    Floats statistics;             // [slots][max, sum, delta][8 rows][8]
    Floats ones;                   // [8][8]
    AscendC::LocalTensor<T> probs; // [2][8][kvTile], b16 only; with ds two slots of sums for the shift
    AscendC::LocalTensor<T> ds;    // the same, behind it
    FaScores<T> scoring;
    FagShiftGradient shiftGradient;
    FagShiftStore<Traits> shiftStore;
    FagVecRings<Traits::pInPlace> rings;
    FaClearedSignal cleared;
    FagTileSignals signals;
};
#endif
