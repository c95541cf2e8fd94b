// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Positional shift by distance (pse_type 2 and 3): score - slope[n] * |j - i + start|, or the root of the distance.
// Distances are whole numbers in fp32, exact up to 2^24.
#ifndef FA_PSE_SLOPES_H
#define FA_PSE_SLOPES_H
#include "fa_mask.h"
#include "fa_seq_layout.h"

class FaPseSlopes {
    using Floats = AscendC::LocalTensor<float>;

public:
    // bandSegment: the segment that continues an earlier one when others do not (onlyInBand). distanceRows:
    // [8][tileCols].
    __aicore__ inline void Init(const FaShiftParam &shiftParam, int64_t band, GM_ADDR values, int64_t tileCols,
                                const Floats &distanceRows, FaArena<AscendC::TPosition::VECCALC> &ub)
    {
        shift = shiftParam;
        bandSegment = band;
        distances = distanceRows;
        slopes.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(values));
        columns = ub.template Take<float>(tileCols);
        AscendC::CreateVecIndex(columns, 0.0f, static_cast<uint32_t>(tileCols));
    }

    // |j - i + start| of a tile, or its root.
    __aicore__ inline const Floats &Distances(const FaScoreTile &tile, const FaRowBlock &block, int64_t tileRow) const
    {
        const int64_t start = shift.onlyInBand != 0 && block.segment.index != bandSegment ? 0 : shift.start;
        for (int64_t row = 0; row < tile.rows;) {
            const FaRowPiece piece = FaPieceAt(block, tileRow + row, tileRow + tile.rows);
            for (int64_t i = 0; i < piece.rows; ++i) {
                AscendC::Adds(distances[static_cast<uint32_t>((row + i) * tile.pitch)], columns,
                              static_cast<float>(tile.k0 - (piece.q0 + i) + start), static_cast<int32_t>(tile.pitch));
            }
            row += piece.rows;
        }
        FaVectorBarrier();
        const int32_t elems = static_cast<int32_t>(tile.rows * tile.pitch);
        AscendC::Abs(distances, distances, elems);
        FaVectorBarrier();
        if (shift.kind == FA_SHIFT_SLOPE_SQRT) {
            AscendC::Sqrt(distances, distances, elems);
            FaVectorBarrier();
        }
        return distances;
    }

    __aicore__ inline void Subtract(const FaScoreTile &tile, const FaRowBlock &block, int64_t tileRow) const
    {
        Distances(tile, block, tileRow);
        for (int64_t row = 0; row < tile.rows;) {
            const FaRowPiece piece = FaPieceAt(block, tileRow + row, tileRow + tile.rows);
            const uint32_t offset = static_cast<uint32_t>(row * tile.pitch);
            const float slope = slopes.GetValue(block.segment.index * shift.b + piece.n1 * shift.n);
            AscendC::Axpy(tile.scores[offset], distances[offset], -slope,
                          static_cast<int32_t>(piece.rows * tile.pitch));
            row += piece.rows;
        }
        FaVectorBarrier();
    }

private:
    FaShiftParam shift;
    int64_t bandSegment = -1;
    AscendC::GlobalTensor<float> slopes; // [N1] or [B, N1]
    Floats columns;                      // 0, 1, 2, ...
    Floats distances;
};
#endif
