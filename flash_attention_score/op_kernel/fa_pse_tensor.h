// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A positional shift (pse) or additive mask as a tensor: its elements are loaded beside a pass of scores and added to
// it in fp32. Dimensions of size 1 are read with stride 0, nothing is expanded in GM.
#ifndef FA_PSE_TENSOR_H
#define FA_PSE_TENSOR_H
#include "fa_gm_rows.h"
#include "fa_mask.h"
#include "fa_pse_place.h"
#include "fa_row_ops.h"

template <typename T>
class FaPseTensor {
    using Floats = AscendC::LocalTensor<float>;

public:
    // widened: [8][tileCols], used when elements are narrower than fp32.
    __aicore__ inline void Init(const FaShiftParam &shiftParam, int64_t headCount, GM_ADDR values, int64_t tileCols,
                                const Floats &widenedRows, FaArena<AscendC::TPosition::VECCALC> &ub)
    {
        shift = shiftParam;
        heads = headCount;
        widened = widenedRows;
        isFloat = sizeof(T) == sizeof(float) || shift.isFloat != 0;
        slotBytes = FA_PASS_ROWS * tileCols * (isFloat ? sizeof(float) : sizeof(T));
        floats.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(values));
        typed.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(values));
        raw = ub.template Take<uint8_t>(2 * slotBytes);
        rowValues = ub.template Take<float>(FA_PASS_ROWS);
        rowOps.Init(ub, FA_PASS_ROWS);
        // lanes past the last key are never copied but added with the rest
        AscendC::Duplicate(raw.template ReinterpretCast<float>(), 0.0f, static_cast<int32_t>(slotBytes / 2));
        AscendC::Duplicate(rowValues, 0.0f, FA_PASS_ROWS);
    }

    __aicore__ inline void Load(int32_t slot, const FaRowBlock &block, const FaPass &pass) const
    {
        if (isFloat) {
            LoadAs(floats, slot, block, pass);
        } else {
            LoadAs(typed, slot, block, pass);
        }
    }

    __aicore__ inline void Add(int32_t slot, const FaScoreTile &tile, const FaRowBlock &block, int64_t tileRow) const
    {
        if (shift.place == FA_SHIFT_STRIDED && shift.s2 == 0) {
            AddToRows(slot, tile);
        } else if (HasOneRow()) {
            AddOneRow(slot, tile, block, tileRow);
        } else {
            const int32_t elems = static_cast<int32_t>(tile.rows * tile.pitch);
            AscendC::Add(tile.scores, tile.scores, AsFloats(slot, 0, elems), elems);
        }
        FaVectorBarrier();
    }

private:
    // One row for all queries of a head is loaded once for each run of rows.
    __aicore__ inline bool HasOneRow() const
    {
        return shift.place == FA_SHIFT_PACKED_ROW || (shift.place == FA_SHIFT_STRIDED && shift.s1 == 0);
    }

    template <typename E>
    __aicore__ inline AscendC::LocalTensor<E> Slot(int32_t slot) const
    {
        return raw[static_cast<uint32_t>(slot * slotBytes)].template ReinterpretCast<E>();
    }

    template <typename E>
    __aicore__ inline void LoadAs(const AscendC::GlobalTensor<E> &values, int32_t slot, const FaRowBlock &block,
                                  const FaPass &pass) const
    {
        const AscendC::LocalTensor<E> dst = Slot<E>(slot);
        for (int64_t row = 0; row < pass.rows;) {
            const FaRowPiece piece = FaPieceAt(block, pass.tileRow + row, pass.tileRow + pass.rows);
            const FaPseRun run = FaPseRunAt(shift, heads, block.segment, piece, {pass.k0, pass.k0 + pass.cols});
            const bool perRow = shift.place == FA_SHIFT_STRIDED && shift.s2 == 0;
            const int64_t ubPitch = perRow ? static_cast<int64_t>(32 / sizeof(E)) : pass.pitch;
            const int64_t rows = !perRow && run.pitch == 0 ? 1 : run.rows;
            if (run.cols > 0) {
                FaLoadRows(dst[static_cast<uint32_t>(row * ubPitch)], values[run.offset],
                           {rows, run.cols, run.pitch, ubPitch});
            }
            row += run.rows;
        }
    }

    // `elems` elements of a slot from `first` on.
    __aicore__ inline Floats AsFloats(int32_t slot, int64_t first, int32_t elems) const
    {
        const uint32_t offset = static_cast<uint32_t>(first);
        if (isFloat) {
            return Slot<float>(slot)[offset];
        }
        if constexpr (sizeof(T) != sizeof(float)) {
            AscendC::Cast(widened[offset], Slot<T>(slot)[offset], AscendC::RoundMode::CAST_NONE,
                          static_cast<uint32_t>(elems));
            FaVectorBarrier();
        }
        return widened[offset];
    }

    __aicore__ inline void AddOneRow(int32_t slot, const FaScoreTile &tile, const FaRowBlock &block,
                                     int64_t tileRow) const
    {
        const int32_t cols = static_cast<int32_t>(tile.pitch);
        for (int64_t row = 0; row < tile.rows;) {
            const FaRowPiece piece = FaPieceAt(block, tileRow + row, tileRow + tile.rows);
            const Floats values = AsFloats(slot, row * tile.pitch, cols);
            for (int64_t i = 0; i < piece.rows; ++i) {
                const Floats scores = tile.scores[static_cast<uint32_t>((row + i) * tile.pitch)];
                AscendC::Add(scores, scores, values, cols);
            }
            row += piece.rows;
        }
    }

    // One value for all keys of a row, in a 32 B block: the sum of its first lane is that value.
    __aicore__ inline void AddToRows(int32_t slot, const FaScoreTile &tile) const
    {
        const int32_t lanes = isFloat ? 8 : 32 / static_cast<int32_t>(sizeof(T));
        const int32_t rows = static_cast<int32_t>(tile.rows);
        AscendC::WholeReduceSum(rowValues, AsFloats(slot, 0, rows * lanes), 1, rows, 1, 1, lanes / 8);
        FaVectorBarrier();
        rowOps.Apply<FaRowOp::ADD>(tile.scores, tile.scores, rowValues, {tile.rows, tile.pitch, 0});
    }

    FaShiftParam shift;
    int64_t heads = 0;
    int64_t slotBytes = 0;
    bool isFloat = true;
    AscendC::GlobalTensor<float> floats;
    AscendC::GlobalTensor<T> typed;
    AscendC::LocalTensor<uint8_t> raw; // [2][8][tileCols] of the tensor's type
    Floats widened;
    Floats rowValues; // [8]
    FaRowOps rowOps;
};
#endif
