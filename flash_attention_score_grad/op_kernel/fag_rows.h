// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What the AIVs do row by row: before the rounds delta = rowsum(dY * O) and cleared accumulators, after them the
// accumulators times scale, in the output type and layout.
#ifndef FAG_ROWS_H
#define FAG_ROWS_H
#include "fa_gm_rows.h"
#include "fa_row_ops.h"
#include "fag_buffers.h"

template <typename Traits>
class FagRows {
    using T = typename Traits::Elem;
    using Floats = AscendC::LocalTensor<float>;
    using Elems = AscendC::LocalTensor<T>;

public:
    __aicore__ inline void Init(const FlashAttentionScoreGradTilingData &tilingData,
                                const FagGlobalTensors<T> &globalTensors, FaArena<AscendC::TPosition::VECCALC> &ub)
    {
        tiling = &tilingData;
        global = &globalTensors;
        aiv = AscendC::GetBlockIdx();
        aivs = AscendC::GetBlockNum() * AscendC::GetSubBlockNum();
        pitch = FaAlign(FaMax(tilingData.problem.d, tilingData.problem.dv), FA_LANES);
        elems = FA_PASS_ROWS * pitch;
        in = ub.template Take<T>(2 * 2 * elems);
        wide = ub.template Take<float>(2 * elems);
        fold = ub.template Take<float>(FA_PASS_ROWS * FA_LANES);
        sums = ub.template Take<float>(FA_PASS_ROWS);
        blocks = ub.template Take<float>(2 * FA_PASS_ROWS * 8);
        zeros = ub.template Take<float>(ZEROS);
        AscendC::Duplicate(zeros, 0.0f, ZEROS);
        AscendC::Duplicate(sums, 0.0f, FA_PASS_ROWS);
        // lanes past the head dim are summed with the rest
        AscendC::Duplicate(in, static_cast<T>(0), static_cast<int32_t>(2 * 2 * elems));
        FaVectorBarrier();
        rings.cleared.Set();
        rings.cleared.Wait();
        rings.Open();
    }

    __aicore__ inline void Close()
    {
        rings.Close();
    }

    __aicore__ inline void ClearAccumulators()
    {
        rings.zerosReady.Set();
        rings.zerosReady.Wait();
        const int64_t total = tiling->workspace.accBytes / static_cast<int64_t>(sizeof(float));
        for (int64_t at = aiv * ZEROS; at < total; at += aivs * ZEROS) {
            AscendC::DataCopy(global->zeroed[at], zeros, static_cast<uint32_t>(FaMin(ZEROS, total - at)));
        }
        ClearShift();
    }

    __aicore__ inline void ComputeDelta()
    {
        const FagRowSpace &space = tiling->rows;
        const int64_t passes = FaCeilDiv(space.queries, FA_PASS_ROWS);
        for (int64_t unit = aiv; unit < space.batches * tiling->problem.n1 * passes; unit += aivs) {
            const int64_t head = unit / passes;
            const int64_t row = unit % passes * FA_PASS_ROWS;
            DeltaPass(head / tiling->problem.n1, head % tiling->problem.n1, row,
                      FaMin(FA_PASS_ROWS, space.queries - row));
        }
    }

    __aicore__ inline void StoreGradients()
    {
        const FagRowSpace &space = tiling->rows;
        StoreAccumulator(global->dqAcc, {global->dq, tiling->problem.query, tiling->problem.n1, space.queries,
                                         tiling->problem.d, tiling->problem.scale});
        StoreAccumulator(global->dkAcc, {global->dk, tiling->problem.key, tiling->problem.n2, space.keys,
                                         tiling->problem.d, tiling->problem.scale});
        StoreAccumulator(global->dvAcc,
                         {global->dv, tiling->problem.value, tiling->problem.n2, space.keys, tiling->problem.dv, 1.0f});
        const FaRopeParam &rope = tiling->problem.rope;
        if (tiling->storesDqRope != 0) {
            StoreAccumulator(global->dqRopeAcc, {global->dqRope, rope.query, tiling->problem.n1, space.queries, rope.d,
                                                 tiling->problem.scale});
        }
        if (tiling->storesDkRope != 0) {
            StoreAccumulator(global->dkRopeAcc,
                             {global->dkRope, rope.key, tiling->problem.n2, space.keys, rope.d, tiling->problem.scale});
        }
    }

private:
    static constexpr int64_t ZEROS = 2048;

    // A gradient of the caller: rows of all heads, headDim elements each, and the factor of its accumulator.
    struct Gradient {
        AscendC::GlobalTensor<T> data;
        FaTensorStrides strides;
        int64_t heads;
        int64_t rows;
        int64_t headDim;
        float factor;
    };

    // Scores that are hidden as whole tiles are not visited.
    __aicore__ inline void ClearShift()
    {
        const int64_t bytes = tiling->shiftSums.stored * Traits::elemBytes;
        if (bytes == 0 || !FaRuleHides(tiling->problem.rule, tiling->problem.s1, tiling->problem.s2)) {
            return;
        }
        AscendC::GlobalTensor<uint8_t> dpse;
        dpse.SetGlobalBuffer(reinterpret_cast<__gm__ uint8_t *>(global->dpse));
        constexpr int64_t STEP = ZEROS * sizeof(float);
        for (int64_t at = aiv * STEP; at < bytes; at += aivs * STEP) {
            const AscendC::DataCopyExtParams params(1, static_cast<uint32_t>(FaMin(STEP, bytes - at)), 0, 0, 0);
            AscendC::DataCopyPad(dpse[at], zeros.template ReinterpretCast<uint8_t>(), params);
        }
    }

    // Rows of Dv elements, padded with zeros to a 32 B block.
    __aicore__ inline void CopyRows(const Elems &dst, const AscendC::GlobalTensor<T> &src, int64_t rows)
    {
        AscendC::DataCopyPadExtParams<T> pad;
        pad.isPad = true;
        pad.rightPadding = static_cast<uint8_t>(FaAlign(tiling->problem.dv, Traits::c0) - tiling->problem.dv);
        pad.paddingValue = static_cast<T>(0);
        FaLoadRows(dst, src, {rows, tiling->problem.dv, tiling->problem.out.s, pitch}, pad);
    }

    __aicore__ inline void DeltaPass(int64_t b, int64_t n, int64_t row, int64_t rows)
    {
        const int64_t offset = FaOffset(tiling->problem.out, b, n, row);
        const int32_t inSlot = rings.in.BeginWrite();
        const Elems dy = in[static_cast<uint32_t>(inSlot * 2 * elems)];
        const Elems attention = dy[static_cast<uint32_t>(elems)];
        CopyRows(dy, global->dy[offset], rows);
        CopyRows(attention, global->attention[offset], rows);
        rings.in.EndWrite();
        rings.in.BeginRead();
        const int32_t count = static_cast<int32_t>(rows * pitch);
        Floats product = wide;
        if constexpr (Traits::pInPlace) {
            AscendC::Mul(product, dy, attention, count);
        } else {
            const Floats other = wide[static_cast<uint32_t>(elems)];
            AscendC::Cast(product, dy, AscendC::RoundMode::CAST_NONE, static_cast<uint32_t>(count));
            AscendC::Cast(other, attention, AscendC::RoundMode::CAST_NONE, static_cast<uint32_t>(count));
            FaVectorBarrier();
            AscendC::Mul(product, product, other, count);
        }
        rings.in.EndRead();
        FaVectorBarrier();
        FaReduceRows<FaReduce::SUM>(sums, product, fold, rows, pitch);
        const int32_t outSlot = rings.out.BeginWrite();
        const Floats copies = blocks[static_cast<uint32_t>(outSlot * FA_PASS_ROWS * 8)];
        AscendC::Brcb(copies, sums, 1, {1, 8});
        rings.out.EndWrite();
        rings.out.BeginRead();
        AscendC::DataCopy(global->delta.data[FaOffset(global->delta.strides, b, n, row)], copies,
                          static_cast<uint32_t>(rows * 8));
        rings.out.EndRead();
        FaVectorBarrier();
    }

    __aicore__ inline void StoreAccumulator(const FagAccumulator &accumulator, const Gradient &gradient)
    {
        const int64_t passes = FaCeilDiv(gradient.rows, FA_PASS_ROWS);
        for (int64_t unit = aiv; unit < tiling->rows.batches * gradient.heads * passes; unit += aivs) {
            const int64_t b = unit / passes / gradient.heads;
            const int64_t n = unit / passes % gradient.heads;
            const int64_t row = unit % passes * FA_PASS_ROWS;
            const int64_t rows = FaMin(FA_PASS_ROWS, gradient.rows - row);
            const Elems result =
                ScalePass(accumulator, FaOffset(accumulator.strides, b, n, row), rows, gradient.factor);
            rings.out.EndWrite();
            rings.out.BeginRead();
            FaStoreRows(gradient.data[FaOffset(gradient.strides, b, n, row)], result,
                        {rows, gradient.headDim, gradient.strides.s, accumulator.strides.s});
            rings.out.EndRead();
        }
    }

    // `rows` accumulator rows times factor, in the output type, in the slot of the out ring that is being written.
    __aicore__ inline Elems ScalePass(const FagAccumulator &accumulator, int64_t offset, int64_t rows, float factor)
    {
        const int32_t inSlot = rings.in.BeginWrite();
        const uint32_t count = static_cast<uint32_t>(rows * accumulator.strides.s);
        const Floats slice = wide[static_cast<uint32_t>(inSlot * elems)];
        AscendC::DataCopy(slice, accumulator.data[offset], count);
        rings.in.EndWrite();
        rings.in.BeginRead();
        const int32_t outSlot = rings.out.BeginWrite();
        const Elems result = in[static_cast<uint32_t>(outSlot * elems)];
        if constexpr (Traits::pInPlace) {
            AscendC::Muls(result, slice, factor, static_cast<int32_t>(count));
        } else {
            AscendC::Muls(slice, slice, factor, static_cast<int32_t>(count));
            FaVectorBarrier();
            AscendC::Cast(result, slice, AscendC::RoundMode::CAST_RINT, count);
        }
        rings.in.EndRead();
        FaVectorBarrier();
        return result;
    }

    const FlashAttentionScoreGradTilingData *tiling = nullptr;
    const FagGlobalTensors<T> *global = nullptr;
    int64_t aiv = 0;
    int64_t aivs = 1;
    int64_t pitch = 0; // lanes of a row in UB
    int64_t elems = 0; // of a pass
    Elems in;          // [2][dY, O][8][pitch]; results after the rounds
    Floats wide;       // [2][8][pitch]
    Floats fold;       // [8][64]
    Floats sums;       // [8]
    Floats blocks;     // [2][8][8]
    Floats zeros;
    FagRowRings rings;
};
#endif
