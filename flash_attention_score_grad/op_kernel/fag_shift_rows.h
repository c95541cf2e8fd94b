// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The summed gradient of a positional shift, from fp32 in the workspace to the shift's type and place.
#ifndef FAG_SHIFT_ROWS_H
#define FAG_SHIFT_ROWS_H
#include "fag_buffers.h"

template <typename T>
class FagShiftRows {
    using Floats = AscendC::LocalTensor<float>;

public:
    __aicore__ inline void Init(const FlashAttentionScoreGradTilingData &tilingData,
                                const FagGlobalTensors<T> &globalTensors, FaArena<AscendC::TPosition::VECCALC> &ub)
    {
        tiling = &tilingData;
        global = &globalTensors;
        isFloat = sizeof(T) == sizeof(float) || tilingData.problem.shift.isFloat != 0;
        sums = ub.template Take<float>(2 * 2 * ELEMS);
        results = ub.template Take<float>(2 * ELEMS);
        rings.Open();
    }

    __aicore__ inline void Close()
    {
        rings.Close();
    }

    __aicore__ inline void Store()
    {
        const FagShiftSums &shape = tiling->shiftSums;
        const int64_t aivs = AscendC::GetBlockNum() * AscendC::GetSubBlockNum();
        for (int64_t at = AscendC::GetBlockIdx() * ELEMS; at < shape.elems; at += aivs * ELEMS) {
            StorePart(at, FaMin(ELEMS, shape.elems - at));
        }
    }

private:
    static constexpr int64_t ELEMS = 2048;

    __aicore__ inline void StorePart(int64_t at, int64_t elems)
    {
        const FagShiftSums &shape = tiling->shiftSums;
        const uint32_t count = static_cast<uint32_t>(FaAlign(elems, FAG_SHIFT_UNIT));
        const int32_t inSlot = rings.in.BeginWrite();
        const Floats sum = sums[static_cast<uint32_t>(inSlot * 2 * ELEMS)];
        const Floats other = sum[static_cast<uint32_t>(ELEMS)];
        AscendC::DataCopy(sum, global->shiftSums[at], count);
        if (shape.copies > 1) {
            AscendC::DataCopy(other, global->shiftSums[FaAlign(shape.elems, FAG_SHIFT_UNIT) + at], count);
        }
        rings.in.EndWrite();
        rings.in.BeginRead();
        const int32_t outSlot = rings.out.BeginWrite();
        const Floats result = results[static_cast<uint32_t>(outSlot * ELEMS)];
        if (shape.copies > 1) {
            AscendC::Add(sum, sum, other, static_cast<int32_t>(count));
            FaVectorBarrier();
        }
        if (isFloat) {
            AscendC::Adds(result, sum, 0.0f, static_cast<int32_t>(count));
        } else if constexpr (sizeof(T) != sizeof(float)) {
            AscendC::Cast(result.template ReinterpretCast<T>(), sum, AscendC::RoundMode::CAST_RINT, count);
        }
        rings.in.EndRead();
        rings.out.EndWrite();
        rings.out.BeginRead();
        if (isFloat) {
            StoreAs<float>(result, at, elems);
        } else {
            StoreAs<T>(result, at, elems);
        }
        rings.out.EndRead();
    }

    template <typename E>
    __aicore__ inline void StoreAs(const Floats &result, int64_t at, int64_t elems) const
    {
        AscendC::GlobalTensor<E> dpse;
        dpse.SetGlobalBuffer(reinterpret_cast<__gm__ E *>(global->dpse));
        AscendC::DataCopyExtParams params(1, static_cast<uint32_t>(elems * sizeof(E)), 0, 0, 0);
        AscendC::DataCopyPad(dpse[at], result.template ReinterpretCast<E>(), params);
    }

    const FlashAttentionScoreGradTilingData *tiling = nullptr;
    const FagGlobalTensors<T> *global = nullptr;
    bool isFloat = false;
    Floats sums;    // [2][copies][2048]
    Floats results; // [2][2048], of the shift's type
    FagRowRings rings;
};
#endif
