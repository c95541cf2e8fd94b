// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The caller's mask tensor (bytes, nonzero = masked out) applied to a tile of scores. Any dimension may be 1: it is
// read with stride 0 and never expanded in GM.
#ifndef FA_MASK_TENSOR_H
#define FA_MASK_TENSOR_H
#include "fa_mask.h"
#include "fa_task.h"

template <bool P_IN_PLACE>
class FaMaskTensor {
    using Rings = FaVecRings<P_IN_PLACE>;

public:
    __aicore__ inline void Init(const FlashAttentionScoreTilingData &tilingData,
                                const AscendC::GlobalTensor<uint8_t> &maskTensor,
                                FaArena<AscendC::TPosition::VECCALC> &ub, Rings &vecRings)
    {
        tiling = &tilingData;
        global = maskTensor;
        rings = &vecRings;
        if (tilingData.hasMaskTensor == 0) {
            return;
        }
        const int64_t tileElems = FA_PASS_ROWS * tilingData.tile.kvStack;
        bytes = ub.template Take<uint8_t>(2 * tileElems);
        wide = ub.template Take<half>(tileElems);
        bits = ub.template Take<uint8_t>(tileElems / 8);
        // lanes between two rows of bytes are never copied but cast with the rest
        AscendC::Duplicate(bytes.template ReinterpretCast<int16_t>(), static_cast<int16_t>(0),
                           static_cast<int32_t>(tileElems));
        AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(EVENT_CLEARED);
        AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(EVENT_CLEARED);
    }

    __aicore__ inline bool Active() const
    {
        return tiling->hasMaskTensor != 0;
    }

    // Starts the copy of the bytes that go with the next tile. Row pitch in UB is the tile's pitch.
    __aicore__ inline void Load(const FaRowBlock &block, int64_t tileRow, int64_t rows, int64_t k0, int64_t cols,
                                int64_t pitch)
    {
        if (!Active() || tiling->maskTensor.s2 == 0) {
            return;
        }
        const int32_t slot = rings->maskBytes.BeginWrite();
        const AscendC::LocalTensor<uint8_t> dst = Slot(slot);
        for (int64_t row = 0; row < rows;) {
            const FaRowPiece piece = FaPieceAt(block, tiling->s1, tileRow + row, tileRow + rows);
            const int64_t offset = FaOffset(tiling->maskTensor, block.b, piece.n1, piece.q0, k0);
            CopyRows(dst[static_cast<uint32_t>(row * pitch)], global[offset], piece.rows, cols, pitch);
            row += piece.rows;
        }
        rings->maskBytes.EndWrite();
    }

    // Hides the scores whose byte is nonzero.
    __aicore__ inline void Apply(const FaScoreTile &tile, const FaRowBlock &block, int64_t tileRow)
    {
        if (!Active()) {
            return;
        }
        if (tiling->maskTensor.s2 == 0) {
            HideWholeRows(tile, block, tileRow);
            return;
        }
        const uint32_t elems = static_cast<uint32_t>(tile.rows * tile.pitch);
        const uint32_t compared = static_cast<uint32_t>(FaAlign(elems, 128)); // whole repeats of half
        const AscendC::LocalTensor<uint8_t> src = Slot(rings->maskBytes.BeginRead());
        AscendC::Cast(wide, src, AscendC::RoundMode::CAST_NONE, compared);
        FaVectorBarrier();
        AscendC::CompareScalar(bits, wide, static_cast<half>(0), AscendC::CMPMODE::EQ, compared);
        rings->maskBytes.EndRead();
        FaVectorBarrier();
        AscendC::Select(tile.scores, bits, tile.scores, FA_NEG, AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE, elems);
        FaVectorBarrier();
    }

private:
    static constexpr int32_t EVENT_CLEARED = 7;

    __aicore__ inline AscendC::LocalTensor<uint8_t> Slot(int32_t slot) const
    {
        return bytes[static_cast<uint32_t>(slot * FA_PASS_ROWS * tiling->tile.kvStack)];
    }

    __aicore__ inline void CopyRows(const AscendC::LocalTensor<uint8_t> &dst, const AscendC::GlobalTensor<uint8_t> &src,
                                    int64_t rows, int64_t cols, int64_t pitch)
    {
        AscendC::DataCopyExtParams params;
        params.blockLen = static_cast<uint32_t>(cols);
        params.dstStride = static_cast<uint32_t>((pitch - FaAlign(cols, 32)) / 32);
        AscendC::DataCopyPadExtParams<uint8_t> pad;
        const int64_t gap = tiling->maskTensor.s1 - cols;
        if (gap >= 0) {
            params.blockCount = static_cast<uint16_t>(rows);
            params.srcStride = static_cast<uint32_t>(gap);
            AscendC::DataCopyPad(dst, src, params, pad);
            return;
        }
        params.blockCount = 1; // the mask has one row for all queries
        for (int64_t row = 0; row < rows; ++row) {
            AscendC::DataCopyPad(dst[static_cast<uint32_t>(row * pitch)], src[row * tiling->maskTensor.s1], params,
                                 pad);
        }
    }

    // One byte a row: read by the scalar unit.
    __aicore__ inline void HideWholeRows(const FaScoreTile &tile, const FaRowBlock &block, int64_t tileRow)
    {
        for (int64_t row = 0; row < tile.rows; ++row) {
            const FaRowPiece piece = FaPieceAt(block, tiling->s1, tileRow + row, tileRow + row + 1);
            if (global.GetValue(FaOffset(tiling->maskTensor, block.b, piece.n1, piece.q0, 0)) != 0) {
                AscendC::Duplicate(tile.scores[static_cast<uint32_t>(row * tile.pitch)], FA_NEG,
                                   static_cast<int32_t>(tile.pitch));
            }
        }
        FaVectorBarrier();
    }

    const FlashAttentionScoreTilingData *tiling = nullptr;
    AscendC::GlobalTensor<uint8_t> global;
    Rings *rings = nullptr;
    AscendC::LocalTensor<uint8_t> bytes; // [2][8][kvStack]
    AscendC::LocalTensor<half> wide;     // [8][kvStack]
    AscendC::LocalTensor<uint8_t> bits;  // [8][kvStack / 8]
};
#endif
