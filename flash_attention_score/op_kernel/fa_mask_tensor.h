// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The caller's mask tensor (bytes, nonzero = masked out) applied to a tile of scores. Any dimension may be 1: it is
// read with stride 0 and never expanded in GM.
#ifndef FA_MASK_TENSOR_H
#define FA_MASK_TENSOR_H
#include "fa_gm_rows.h"
#include "fa_mask.h"
#include "fa_seq_layout.h"

// The tensor and the tiles of scores that it is applied to.
struct FaMaskTensorParam {
    bool given;
    bool perToken; // rows and columns are those of all segments together, not of one
    FaMaskTensorStrides strides;
    int64_t tileCols; // columns of the widest tile
};

class FaMaskTensor {
public:
    // wideBytes: [8][tileCols] of scratch.
    __aicore__ inline void Init(const FaMaskTensorParam &maskParam, const AscendC::GlobalTensor<uint8_t> &maskTensor,
                                const AscendC::LocalTensor<half> &wideBytes, FaArena<AscendC::TPosition::VECCALC> &ub)
    {
        param = maskParam;
        global = maskTensor;
        wide = wideBytes;
        if (!param.given) {
            return;
        }
        const int64_t tileElems = FA_PASS_ROWS * param.tileCols;
        bytes = ub.template Take<uint8_t>(2 * tileElems);
        bits = ub.template Take<uint8_t>(tileElems / 8);
        // lanes between two rows of bytes are never copied but cast with the rest
        AscendC::Duplicate(bytes.template ReinterpretCast<int16_t>(), static_cast<int16_t>(0),
                           static_cast<int32_t>(tileElems));
    }

    // Whether a pass has bytes to load; one byte for all keys of a row is read where it is used.
    __aicore__ inline bool Loads() const
    {
        return param.given && param.strides.s2 != 0;
    }

    // Starts the copy of the bytes that go with a pass. Row pitch in UB is the pass's pitch.
    __aicore__ inline void Load(int32_t slot, const FaRowBlock &block, const FaPass &pass) const
    {
        const AscendC::LocalTensor<uint8_t> dst = Slot(slot);
        for (int64_t row = 0; row < pass.rows;) {
            const FaRowPiece piece = FaPieceAt(block, pass.tileRow + row, pass.tileRow + pass.rows);
            FaLoadRows(dst[static_cast<uint32_t>(row * pass.pitch)], global[Offset(block, piece, pass.k0)],
                       {piece.rows, pass.cols, param.strides.s1, pass.pitch});
            row += piece.rows;
        }
    }

    // Hides the scores whose byte is nonzero.
    __aicore__ inline void Apply(int32_t slot, const FaScoreTile &tile, const FaRowBlock &block, int64_t tileRow) const
    {
        if (!param.given) {
            return;
        }
        if (!Loads()) {
            HideWholeRows(tile, block, tileRow);
            return;
        }
        const uint32_t elems = static_cast<uint32_t>(tile.rows * tile.pitch);
        const uint32_t compared = static_cast<uint32_t>(FaAlign(elems, 128)); // whole repeats of half
        AscendC::Cast(wide, Slot(slot), AscendC::RoundMode::CAST_NONE, compared);
        FaVectorBarrier();
        AscendC::CompareScalar(bits, wide, static_cast<half>(0), AscendC::CMPMODE::EQ, compared);
        FaVectorBarrier();
        AscendC::Select(tile.scores, bits, tile.scores, FA_NEG, AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE, elems);
        FaVectorBarrier();
    }

private:
    __aicore__ inline int64_t Offset(const FaRowBlock &block, const FaRowPiece &piece, int64_t k) const
    {
        const FaMaskTensorStrides &strides = param.strides;
        const int64_t row = piece.q0 + (param.perToken ? block.segment.qToken : 0);
        const int64_t col = k + (param.perToken ? block.segment.kToken : 0);
        return block.segment.index * strides.b + piece.n1 * strides.n + row * strides.s1 + col * strides.s2;
    }

    __aicore__ inline AscendC::LocalTensor<uint8_t> Slot(int32_t slot) const
    {
        return bytes[static_cast<uint32_t>(slot * FA_PASS_ROWS * param.tileCols)];
    }

    // One byte a row: read by the scalar unit.
    __aicore__ inline void HideWholeRows(const FaScoreTile &tile, const FaRowBlock &block, int64_t tileRow) const
    {
        for (int64_t row = 0; row < tile.rows; ++row) {
            const FaRowPiece piece = FaPieceAt(block, tileRow + row, tileRow + row + 1);
            if (global.GetValue(Offset(block, piece, 0)) != 0) {
                AscendC::Duplicate(tile.scores[static_cast<uint32_t>(row * tile.pitch)], FA_NEG,
                                   static_cast<int32_t>(tile.pitch));
            }
        }
        FaVectorBarrier();
    }

    FaMaskTensorParam param;
    AscendC::GlobalTensor<uint8_t> global;
    AscendC::LocalTensor<uint8_t> bytes; // [2][8][tileCols]
    AscendC::LocalTensor<half> wide;     // [8][tileCols]
    AscendC::LocalTensor<uint8_t> bits;  // [8][tileCols / 8]
};
#endif
