// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The gradient of a positional shift that has an element for each score: stored with dS, in the type of both.
#ifndef FAG_SHIFT_STORE_H
#define FAG_SHIFT_STORE_H
#include "fa_gm_rows.h"
#include "fa_pse_place.h"
#include "fag_buffers.h"

template <typename Traits>
class FagShiftStore {
    using T = typename Traits::Elem;
    using Floats = AscendC::LocalTensor<float>;
    using Elems = AscendC::LocalTensor<T>;

public:
    // tileElems: of a pass.
    __aicore__ inline void Init(const FlashAttentionScoreGradTilingData &tilingData, GM_ADDR dpse, int64_t tileElems,
                                FaArena<AscendC::TPosition::VECCALC> &ub)
    {
        shift = tilingData.problem.shift;
        heads = tilingData.problem.n1;
        scale = tilingData.problem.scale;
        elems = tileElems;
        if (tilingData.shiftSums.stored == 0) {
            return;
        }
        stores = true;
        scales = shift.kind == FA_SHIFT_BEFORE_SCALE;
        global.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(dpse));
        if (scales) {
            scaled = ub.template Take<T>(2 * tileElems);
        }
    }

    // V's part: what is stored, `rounded` (dS in T) itself or scaled in the slot. dS is not needed afterwards.
    __aicore__ inline Elems Scale(int32_t slot, const Floats &ds, const Elems &rounded, uint32_t count) const
    {
        if (!stores || !scales) {
            return rounded;
        }
        const Elems result = scaled[static_cast<uint32_t>(slot * elems)];
        if constexpr (Traits::pInPlace) {
            AscendC::Muls(result, ds, scale, static_cast<int32_t>(count));
        } else {
            FaVectorBarrier();
            AscendC::Muls(ds, ds, scale, static_cast<int32_t>(count));
            FaVectorBarrier();
            AscendC::Cast(result, ds, AscendC::RoundMode::CAST_RINT, count);
        }
        return result;
    }

    // MTE3's part.
    __aicore__ inline void Store(const Elems &values, const FaRowBlock &block, const FaPass &pass) const
    {
        if (!stores) {
            return;
        }
        const FaRowPiece piece = FaPieceAt(block, pass.tileRow, pass.tileRow + pass.rows);
        const FaPseRun run = FaPseRunAt(shift, heads, block.segment, piece, {pass.k0, pass.k0 + pass.cols});
        FaStoreRows(global[run.offset], values, {pass.rows, pass.cols, run.pitch, pass.pitch});
    }

private:
    FaShiftParam shift;
    AscendC::GlobalTensor<T> global;
    int64_t heads = 1;
    int64_t elems = 0;
    float scale = 1.0f;
    bool stores = false;
    bool scales = false;
    Elems scaled; // [2][8][kvTile]
};
#endif
