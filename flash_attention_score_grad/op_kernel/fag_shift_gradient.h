// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Adds dS of a pass to the gradient of a positional shift, fp32 in the workspace, where the shift's elements stand that
// went into the pass's scores: row by row, or summed over the rows, the keys or both where these share an element.
#ifndef FAG_SHIFT_GRADIENT_H
#define FAG_SHIFT_GRADIENT_H
#include "fa_gm_rows.h"
#include "fa_pse_place.h"
#include "fa_row_ops.h"
#include "fag_buffers.h"

class FagShiftGradient {
    using Floats = AscendC::LocalTensor<float>;

public:
    // accumulator: [copies][elements of the shift], the one of this AIV where both may add to the same element.
    __aicore__ inline void Init(const FlashAttentionScoreGradTilingData &tilingData,
                                const AscendC::GlobalTensor<float> &accumulator,
                                FaArena<AscendC::TPosition::VECCALC> &ub)
    {
        shift = tilingData.problem.shift;
        factor = shift.kind == FA_SHIFT_BEFORE_SCALE ? tilingData.problem.scale
                 : shift.kind >= FA_SHIFT_SLOPE      ? -1.0f
                                                     : 1.0f;
        heads = tilingData.problem.n1;
        if (tilingData.shiftSums.elems == 0) {
            return;
        }
        const int64_t copy = AscendC::GetSubBlockIdx() % tilingData.shiftSums.copies;
        sums = accumulator[copy * FaAlign(tilingData.shiftSums.elems, FAG_SHIFT_UNIT)];
        sharedRows = shift.place == FA_SHIFT_PACKED_ROW || (shift.place == FA_SHIFT_STRIDED && shift.s1 == 0);
        sharedKeys = shift.place == FA_SHIFT_STRIDED && shift.s2 == 0;
        fold = ub.template Take<float>(FA_PASS_ROWS * FA_LANES);
        rowSums = ub.template Take<float>(FA_PASS_ROWS);
    }

    // What is to be added: rows of the pass's pitch, one row, or one value a row or for all. dS is not needed
    // afterwards.
    __aicore__ inline void Reduce(const Floats &result, const Floats &ds, const FaScoreTile &pass) const
    {
        const int32_t rows = static_cast<int32_t>(pass.rows);
        const int32_t pitch = static_cast<int32_t>(pass.pitch);
        AscendC::Muls(ds, ds, factor, rows * pitch);
        FaVectorBarrier();
        if (sharedKeys) {
            FaReduceRows<FaReduce::SUM>(sharedRows ? rowSums : result, ds, fold, pass.rows, pass.pitch);
            if (sharedRows) {
                AscendC::WholeReduceSum(result, rowSums, rows, 1, 1, 1, 8);
            }
        } else if (sharedRows) {
            for (int32_t row = 1; row < rows; ++row) {
                AscendC::Add(ds, ds, ds[row * pitch], pitch);
                FaVectorBarrier();
            }
            AscendC::Adds(result, ds, 0.0f, pitch);
        } else {
            AscendC::Adds(result, ds, 0.0f, rows * pitch);
        }
        FaVectorBarrier();
    }

    // Adds it up in GM; runs and passes that follow add to the same elements afterwards.
    __aicore__ inline void Add(const Floats &values, const FaRowBlock &block, const FaPass &pass) const
    {
        AscendC::SetAtomicAdd<float>();
        for (int64_t row = 0; row < pass.rows;) {
            const FaRowPiece piece = FaPieceAt(block, pass.tileRow + row, pass.tileRow + pass.rows);
            const FaPseRun run = FaPseRunAt(shift, heads, block.segment, piece, {pass.k0, pass.k0 + pass.cols});
            if (run.cols > 0) {
                AddRun(values[static_cast<uint32_t>(sharedKeys ? row : row * pass.pitch)], run, pass.pitch);
                AscendC::PipeBarrier<PIPE_MTE3>();
            }
            row += sharedRows ? pass.rows : run.rows;
        }
        AscendC::SetAtomicNone();
    }

private:
    __aicore__ inline void AddRun(const Floats &values, const FaPseRun &run, int64_t pitch) const
    {
        const int64_t rows = sharedRows ? 1 : run.rows;
        FaGmRows matrix = {rows, run.cols, run.pitch, pitch};
        if (sharedKeys) { // one value a row, also in GM next to each other
            matrix = {1, rows, 0, pitch};
        }
        FaStoreRows(sums[run.offset], values, matrix);
    }

    FaShiftParam shift;
    AscendC::GlobalTensor<float> sums;
    int64_t heads = 1;
    float factor = 1.0f;
    bool sharedRows = false;
    bool sharedKeys = false;
    Floats fold;    // [8][64]
    Floats rowSums; // [8]
};
#endif
