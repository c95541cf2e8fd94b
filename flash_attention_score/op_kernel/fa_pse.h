// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Q K^T of a pass becomes scores: scaled, and shifted before or after that by a tensor or by distances.
#ifndef FA_PSE_H
#define FA_PSE_H
#include "fa_pse_slopes.h"
#include "fa_pse_tensor.h"

struct FaPseParam {
    FaShiftParam shift;
    float scale;
    int64_t heads;       // N1
    int64_t bandSegment; // of FaMaskRule
    int64_t tileCols;    // columns of the widest tile
};

template <typename T>
class FaPse {
    using Floats = AscendC::LocalTensor<float>;

public:
    __aicore__ inline void Init(const FaPseParam &pseParam, GM_ADDR values, FaArena<AscendC::TPosition::VECCALC> &ub)
    {
        param = pseParam;
        const FaShiftParam &shift = param.shift;
        isTensor = shift.kind == FA_SHIFT_BEFORE_SCALE || shift.kind == FA_SHIFT_AFTER_SCALE;
        const bool isNarrow = sizeof(T) < sizeof(float) && shift.isFloat == 0;
        if (shift.kind == FA_SHIFT_NONE) {
            return;
        }
        if (!isTensor || isNarrow) {
            rows = ub.template Take<float>(FA_PASS_ROWS * param.tileCols);
            hasRows = true;
        }
        if (isTensor) {
            tensor.Init(shift, param.heads, values, param.tileCols, rows, ub);
        } else {
            slopes.Init(shift, param.bandSegment, values, param.tileCols, rows, ub);
        }
    }

    // Whether a pass has elements to load.
    __aicore__ inline bool Loads() const
    {
        return isTensor;
    }

    __aicore__ inline void Load(int32_t slot, const FaRowBlock &block, const FaPass &pass) const
    {
        tensor.Load(slot, block, pass);
    }

    __aicore__ inline void Apply(int32_t slot, const FaScoreTile &tile, const FaRowBlock &block, int64_t tileRow) const
    {
        if (param.shift.kind == FA_SHIFT_BEFORE_SCALE) {
            tensor.Add(slot, tile, block, tileRow);
        }
        AscendC::Muls(tile.scores, tile.scores, param.scale, static_cast<int32_t>(tile.rows * tile.pitch));
        FaVectorBarrier();
        if (param.shift.kind == FA_SHIFT_AFTER_SCALE) {
            tensor.Add(slot, tile, block, tileRow);
        } else if (param.shift.kind >= FA_SHIFT_SLOPE) {
            slopes.Subtract(tile, block, tileRow);
        }
    }

    // For the gradient of slopes; overwrites the scratch.
    __aicore__ inline void TimesDistance(const Floats &data, const FaScoreTile &tile, const FaRowBlock &block,
                                         int64_t tileRow) const
    {
        AscendC::Mul(data, data, slopes.Distances(tile, block, tileRow), static_cast<int32_t>(tile.rows * tile.pitch));
        FaVectorBarrier();
    }

    // [8][tileCols] that nobody needs after Apply, if there is such a buffer.
    __aicore__ inline bool HasScratch() const
    {
        return hasRows;
    }
    __aicore__ inline const Floats &Scratch() const
    {
        return rows;
    }

private:
    FaPseParam param;
    bool isTensor = false;
    bool hasRows = false;
    Floats rows; // widened elements, or distances
    FaPseTensor<T> tensor;
    FaPseSlopes slopes;
};
#endif
