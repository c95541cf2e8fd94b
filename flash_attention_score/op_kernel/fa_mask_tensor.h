// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The caller's mask tensor (bytes, nonzero = masked out) applied to a tile of scores. Any dimension may be 1: it is
// read with stride 0 and never expanded in GM.
#ifndef FA_MASK_TENSOR_H
#define FA_MASK_TENSOR_H
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
    __aicore__ inline void Init(const FaMaskTensorParam &maskParam, const AscendC::GlobalTensor<uint8_t> &maskTensor,
                                FaArena<AscendC::TPosition::VECCALC> &ub, FaMaskBytesRing &bytesRing)
    {
        param = maskParam;
        global = maskTensor;
        ring = &bytesRing;
        if (!param.given) {
            return;
        }
        const int64_t tileElems = FA_PASS_ROWS * param.tileCols;
        bytes = ub.template Take<uint8_t>(2 * tileElems);
        wide = ub.template Take<half>(tileElems);
        bits = ub.template Take<uint8_t>(tileElems / 8);
        // lanes between two rows of bytes are never copied but cast with the rest
        AscendC::Duplicate(bytes.template ReinterpretCast<int16_t>(), static_cast<int16_t>(0),
                           static_cast<int32_t>(tileElems));
    }

    // Starts the copy of the bytes that go with the next tile. Row pitch in UB is the tile's pitch.
    __aicore__ inline void Load(const FaRowBlock &block, int64_t tileRow, int64_t rows, int64_t k0, int64_t cols,
                                int64_t pitch)
    {
        if (!param.given || param.strides.s2 == 0) {
            return;
        }
        const int32_t slot = ring->BeginWrite();
        const AscendC::LocalTensor<uint8_t> dst = Slot(slot);
        for (int64_t row = 0; row < rows;) {
            const FaRowPiece piece = FaPieceAt(block, tileRow + row, tileRow + rows);
            CopyRows(dst[static_cast<uint32_t>(row * pitch)], global[Offset(block, piece, k0)], piece.rows, cols,
                     pitch);
            row += piece.rows;
        }
        ring->EndWrite();
    }

    // Hides the scores whose byte is nonzero.
    __aicore__ inline void Apply(const FaScoreTile &tile, const FaRowBlock &block, int64_t tileRow)
    {
        if (!param.given) {
            return;
        }
        if (param.strides.s2 == 0) {
            HideWholeRows(tile, block, tileRow);
            return;
        }
        const uint32_t elems = static_cast<uint32_t>(tile.rows * tile.pitch);
        const uint32_t compared = static_cast<uint32_t>(FaAlign(elems, 128)); // whole repeats of half
        const AscendC::LocalTensor<uint8_t> src = Slot(ring->BeginRead());
        AscendC::Cast(wide, src, AscendC::RoundMode::CAST_NONE, compared);
        FaVectorBarrier();
        AscendC::CompareScalar(bits, wide, static_cast<half>(0), AscendC::CMPMODE::EQ, compared);
        ring->EndRead();
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

    __aicore__ inline void CopyRows(const AscendC::LocalTensor<uint8_t> &dst, const AscendC::GlobalTensor<uint8_t> &src,
                                    int64_t rows, int64_t cols, int64_t pitch)
    {
        AscendC::DataCopyExtParams params;
        params.blockLen = static_cast<uint32_t>(cols);
        params.dstStride = static_cast<uint32_t>((pitch - FaAlign(cols, 32)) / 32);
        AscendC::DataCopyPadExtParams<uint8_t> pad;
        const int64_t gap = param.strides.s1 - cols;
        if (gap >= 0) {
            params.blockCount = static_cast<uint16_t>(rows);
            params.srcStride = static_cast<uint32_t>(gap);
            AscendC::DataCopyPad(dst, src, params, pad);
            return;
        }
        params.blockCount = 1; // the mask has one row for all queries
        for (int64_t row = 0; row < rows; ++row) {
            AscendC::DataCopyPad(dst[static_cast<uint32_t>(row * pitch)], src[row * param.strides.s1], params, pad);
        }
    }

    // One byte a row: read by the scalar unit.
    __aicore__ inline void HideWholeRows(const FaScoreTile &tile, const FaRowBlock &block, int64_t tileRow)
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
    FaMaskBytesRing *ring = nullptr;
    AscendC::LocalTensor<uint8_t> bytes; // [2][8][tileCols]
    AscendC::LocalTensor<half> wide;     // [8][tileCols]
    AscendC::LocalTensor<uint8_t> bits;  // [8][tileCols / 8]
};
#endif
