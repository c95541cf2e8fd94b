// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Dropout: bits of drop_mask (LSB first, 1 = keep) that select what stays of a tile, never expanded to bytes. A row of
// S2 bits starts at any bit, so a row is loaded twice, two bytes apart, and put together from both by shifts. Bytes
// behind the last bit are never read.
#ifndef FA_DROPOUT_H
#define FA_DROPOUT_H
#include "fa_gm_rows.h"
#include "fa_seq_layout.h"

struct FaDropoutShape {
    bool given;
    int64_t heads;    // N1
    int64_t tileCols; // columns of the widest tile, at least 128
    int64_t rows;     // rows that are loaded at once, at most
};

class FaDropout {
public:
    __aicore__ inline void Init(const FaDropoutShape &dropoutShape, const AscendC::GlobalTensor<uint8_t> &dropMask,
                                FaArena<AscendC::TPosition::VECCALC> &ub)
    {
        shape = dropoutShape;
        global = dropMask;
        if (!shape.given) {
            return;
        }
        partBytes = shape.rows * FaAlign(shape.tileCols / 8, 32);
        loaded = ub.template Take<uint8_t>(2 * 2 * partBytes);
        // bits past the last key are never copied but select with the rest
        AscendC::Duplicate(loaded.template ReinterpretCast<uint16_t>(), static_cast<uint16_t>(0),
                           static_cast<int32_t>(2 * partBytes));
    }

    __aicore__ inline bool Given() const
    {
        return shape.given;
    }

    // Starts the copies of the bits of some rows of a block and keys [k0, k0 + cols). There are two buffers, so that
    // these may be loaded while those before are in use.
    __aicore__ inline void Load(const FaRowBlock &block, const FaAivRows &aivRows, int64_t k0, int64_t cols)
    {
        const FaSegment &segment = block.segment;
        // rows of the heads of a segment follow each other
        firstBit =
            shape.heads * segment.scoreBase + (block.n1 * segment.s1 + block.q0 + aivRows.begin) * segment.s2 + k0;
        rowBits = segment.s2;
        count = aivRows.count;
        keys = cols;
        rowBytes = FaAlign(FaAlign(cols, FA_LANES) / 8, 32); // those of a row of the tile, if 32 divides them
        buffer = 1 - buffer;
        // rows of one phase, the bit of a byte where they start, are loaded by one copy
        const bool onePhase = rowBits % 8 == 0 && rowBits / 8 >= PhaseAt(0).bytes;
        phases = onePhase ? 1 : 8;
        for (int64_t first = 0; first < FaMin(phases, count); ++first) {
            const Phase phase = PhaseAt(first);
            LoadPhase(phase, First(first), 0, FaMin(phase.bytes, rowBytes));
            if (phase.HasSecond()) {
                LoadPhase(phase, Second(first), 2, phase.bytes - 2);
            }
        }
    }

    // Puts the rows together, once after they have come. The caller has a barrier before Apply.
    __aicore__ inline void Align() const
    {
        const uint64_t lanes = static_cast<uint64_t>(rowBytes / 2);
        const uint8_t stride = static_cast<uint8_t>(phases * rowBytes / 32);
        const AscendC::UnaryRepeatParams unary(1, 1, stride, stride);
        const AscendC::BinaryRepeatParams binary(1, 1, 1, stride, stride, stride);
        for (int64_t first = 0; first < FaMin(phases, count); ++first) {
            const Phase phase = PhaseAt(first);
            const uint8_t rows = static_cast<uint8_t>(phase.rows);
            if (phase.shift > 0) {
                AscendC::ShiftRight(First(first), First(first), static_cast<uint16_t>(phase.shift), lanes, rows, unary);
            }
            if (phase.HasSecond()) {
                AscendC::ShiftLeft(Second(first), Second(first), static_cast<uint16_t>(16 - phase.shift), lanes, rows,
                                   unary);
            }
        }
        FaVectorBarrier();
        for (int64_t first = 0; first < FaMin(phases, count); ++first) {
            const Phase phase = PhaseAt(first);
            if (phase.HasSecond()) {
                AscendC::Or(First(first), First(first), Second(first), lanes, static_cast<uint8_t>(phase.rows), binary);
            }
        }
    }

    // Zeroes what is dropped of `rows` rows of `pitch` lanes (a multiple of 64) that start at loaded row `row`.
    __aicore__ inline void Apply(const AscendC::LocalTensor<float> &data, int64_t rows, int64_t pitch,
                                 int64_t row) const
    {
        const bool contiguous = pitch == 8 * rowBytes;
        const int64_t step = contiguous ? rows : 1;
        for (int64_t i = 0; i < rows; i += step) {
            const AscendC::LocalTensor<float> part = data[static_cast<uint32_t>(i * pitch)];
            AscendC::Select(part, First(row + i).template ReinterpretCast<uint8_t>(), part, 0.0f,
                            AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE, static_cast<uint32_t>(step * pitch));
        }
        FaVectorBarrier();
    }

private:
    // Rows first, first + phases, ... of the tile.
    struct Phase {
        int64_t byte;  // of the first one
        int64_t shift; // bit of that byte where the row starts
        int64_t bytes; // of one row
        int64_t rows;

        __aicore__ inline bool HasSecond() const
        {
            return shift > 0 && bytes > 2;
        }
    };

    __aicore__ inline Phase PhaseAt(int64_t first) const
    {
        const int64_t bit = firstBit + first * rowBits;
        return {bit / 8, bit % 8, (bit % 8 + keys + 7) / 8, (count - first + phases - 1) / phases};
    }

    __aicore__ inline void LoadPhase(const Phase &phase, const AscendC::LocalTensor<uint16_t> &dst, int64_t skipped,
                                     int64_t bytes) const
    {
        FaLoadRows(dst.template ReinterpretCast<uint8_t>(), global[phase.byte + skipped],
                   {phase.rows, bytes, phases * rowBits / 8, phases * rowBytes});
    }

    // A row as it begins, and after Align its bits from the first key on.
    __aicore__ inline AscendC::LocalTensor<uint16_t> First(int64_t row) const
    {
        return Row(2 * buffer, row);
    }
    // The same row two bytes on.
    __aicore__ inline AscendC::LocalTensor<uint16_t> Second(int64_t row) const
    {
        return Row(2 * buffer + 1, row);
    }
    __aicore__ inline AscendC::LocalTensor<uint16_t> Row(int64_t part, int64_t row) const
    {
        return loaded[static_cast<uint32_t>(part * partBytes + row * rowBytes)].template ReinterpretCast<uint16_t>();
    }

    FaDropoutShape shape;
    AscendC::GlobalTensor<uint8_t> global;
    AscendC::LocalTensor<uint8_t> loaded; // [2 buffers][as they are, two bytes on][rows][rowBytes], packed
    int64_t partBytes = 0;
    int64_t buffer = 0;
    // what is in the buffer
    int64_t rowBytes = 32;
    int64_t phases = 1;
    int64_t firstBit = 0;
    int64_t rowBits = 0;
    int64_t count = 0;
    int64_t keys = 0;
};
#endif
