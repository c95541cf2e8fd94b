// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Where a row of a tensor stands. Layouts differ in strides only (BSH, SBH, BSND, BNSD are read and written in place).
#ifndef FA_SEQ_LAYOUT_H
#define FA_SEQ_LAYOUT_H
#include "fa_strategies.h"
#include "flash_attention_score_tiling_data.h"

// Query rows that one tile takes: `rows` rows from row q0 of head n1, running over into the next heads of the group
// when heads are packed (few query rows, GQA).
struct FaRowBlock {
    FaSegment segment;
    int64_t n1;
    int64_t n2;
    int64_t index; // among the row blocks of a pack of heads
    int64_t q0;
    int64_t rows;
    int64_t partialRow; // first row of its partial states among all of them, chunk after chunk; read only when split
};

// A run of rows of one head: tile rows [tileRow, tileRow + rows) are queries [q0, q0 + rows) of head n1.
struct FaRowPiece {
    int64_t tileRow;
    int64_t n1;
    int64_t q0;
    int64_t rows;
};

FA_INLINE int64_t FaOffset(const FaTensorStrides &strides, int64_t b, int64_t n, int64_t s)
{
    return b * strides.b + n * strides.n + s * strides.s;
}

// Query q, or key k, of a segment.
FA_INLINE int64_t FaQueryOffset(const FaTensorStrides &strides, const FaSegment &segment, int64_t n, int64_t q)
{
    return FaOffset(strides, segment.index, n, segment.qToken + q);
}

FA_INLINE int64_t FaKeyOffset(const FaTensorStrides &strides, const FaSegment &segment, int64_t n, int64_t k)
{
    return FaOffset(strides, segment.index, n, segment.kToken + k);
}

// Row of softmax_max and softmax_sum: [N1][S1] of one segment after the other, or like the input of TND [T1][N1].
FA_INLINE int64_t FaStatisticsRow(const FaSegment &segment, int64_t heads, bool likeInput, int64_t n, int64_t q)
{
    return likeInput ? (segment.rowsBefore + q) * heads + n : segment.rowsBefore * heads + n * segment.s1 + q;
}

// The piece of `block` that starts at tile row `tileRow` and ends before tile row `end`.
FA_INLINE FaRowPiece FaPieceAt(const FaRowBlock &block, int64_t tileRow, int64_t end)
{
    const int64_t s1 = block.segment.s1;
    const int64_t row = block.q0 + tileRow;
    FaRowPiece piece;
    piece.tileRow = tileRow;
    piece.n1 = block.n1 + row / s1;
    piece.q0 = row % s1;
    piece.rows = FaMin(end - tileRow, s1 - piece.q0);
    return piece;
}

// Rows of a tile that one AIV takes: the first AIV a multiple of 8, the second the rest. Neither has more than half of
// qTile, a multiple of 16.
struct FaAivRows {
    int64_t begin;
    int64_t count;
};

FA_INLINE FaAivRows FaRowsOfAiv(const FaRowBlock &block, int64_t subBlock)
{
    const int64_t first = FaMin(FaAlign((block.rows + 1) / 2, FA_PASS_ROWS), block.rows);
    if (subBlock == 0) {
        return {0, first};
    }
    return {first, block.rows - first};
}

// Rows [tileRow, tileRow + rows) of a row block against keys [k0, k0 + cols). Row pitch in UB: elements, multiple of
// 64.
struct FaPass {
    int64_t tileRow;
    int64_t rows;
    int64_t k0;
    int64_t cols;
    int64_t pitch;
};

// `count` rows from row `row` of the AIV's rows on.
struct FaSlice {
    FaAivRows rows;
    int64_t row;
    int64_t count;
};
#endif
