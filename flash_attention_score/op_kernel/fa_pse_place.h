// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Where the elements of a positional shift (pse) stand that go with some rows of one head.
#ifndef FA_PSE_PLACE_H
#define FA_PSE_PLACE_H
#include "fa_seq_layout.h"

// The first `rows` rows of a piece: `cols` elements each (1: one for all keys), `pitch` apart (0: one row for all).
struct FaPseRun {
    int64_t offset;
    int64_t rows;
    int64_t cols;
    int64_t pitch;
};

// The table holds the last rows of a matrix [S, S] that is a function of j - i; a row further up reads one of the same
// number modulo 1024, where its distances stand to the right. What is beyond the table lies above the diagonal: hidden.
__aicore__ inline FaPseRun FaAlibiRun(const FaShiftParam &shift, const FaSegment &segment, const FaRowPiece &piece,
                                      const FaKeyRange &keys)
{
    const int64_t firstRow = segment.s1 - FA_ALIBI_ROWS;
    const int64_t base = segment.index * shift.b + piece.n1 * shift.n;
    const int64_t cols = keys.end - keys.begin;
    if (piece.q0 >= firstRow) {
        return {base + (piece.q0 - firstRow) * shift.s1 + keys.begin, piece.rows, cols, shift.s1};
    }
    const int64_t row = piece.q0 % FA_ALIBI_ROWS;
    const int64_t column = keys.begin + segment.s2 - piece.q0 - (FA_ALIBI_ROWS - row);
    const int64_t rows = FaMin(piece.rows, FaMin(FA_ALIBI_ROWS - row, firstRow - piece.q0));
    return {base + row * shift.s1 + column, rows, FaMax(FaMin(cols, segment.s2 - column), 0), shift.s1};
}

// heads: N1.
__aicore__ inline FaPseRun FaPseRunAt(const FaShiftParam &shift, int64_t heads, const FaSegment &segment,
                                      const FaRowPiece &piece, const FaKeyRange &keys)
{
    const int64_t cols = keys.end - keys.begin;
    if (shift.place == FA_SHIFT_ALIBI) {
        return FaAlibiRun(shift, segment, piece, keys);
    }
    if (shift.place == FA_SHIFT_PACKED_ROW) {
        return {heads * segment.kToken + piece.n1 * segment.s2 + keys.begin, piece.rows, cols, 0};
    }
    if (shift.place == FA_SHIFT_PACKED_FULL) {
        const int64_t row = heads * segment.scoreBase + (piece.n1 * segment.s1 + piece.q0) * segment.s2;
        return {row + keys.begin, piece.rows, cols, segment.s2};
    }
    const int64_t row = segment.index * shift.b + piece.n1 * shift.n + piece.q0 * shift.s1;
    return {row + keys.begin * shift.s2, piece.rows, shift.s2 == 0 ? 1 : cols, shift.s1};
}
#endif
