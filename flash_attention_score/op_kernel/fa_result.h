// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The end of a row: O / sum in the output's type, and softmax_max and softmax_sum.
#ifndef FA_RESULT_H
#define FA_RESULT_H
#include "fa_gm_rows.h"
#include "fa_online_softmax.h"
#include "fa_task.h"

template <typename Traits>
class FaResult {
    using T = typename Traits::Elem;
    using Rings = FaVecRings<Traits::pInPlace>;
    using Floats = AscendC::LocalTensor<float>;

public:
    __aicore__ inline void Init(const FlashAttentionScoreTilingData &tilingData,
                                const FaGlobalTensors<T> &globalTensors, FaArena<AscendC::TPosition::VECCALC> &ub,
                                Rings &vecRings, FaOnlineSoftmax &state)
    {
        tiling = &tilingData;
        global = &globalTensors;
        rings = &vecRings;
        softmax = &state;
        pitch = globalTensors.pvPitch;
        sliceRows = tilingData.tile.sliceRows;
        out = ub.template Take<T>(2 * sliceRows * pitch);
        stats = ub.template Take<float>(2 * FA_AIV_ROWS * FA_STAT_COPIES);
        storedSum = ub.template Take<float>(FA_AIV_ROWS);
        dropout = tilingData.problem.dropout;
        divisor = dropout.given != 0 ? ub.template Take<float>(FA_AIV_ROWS) : storedSum;
        emptyBits = ub.template Take<uint8_t>(32);
    }

    // A row that saw no key has the sum 0: its divisor and its stored sum are FLT_MAX. What dropout has kept is scaled
    // up by dividing by less.
    __aicore__ inline void FinishSums(int32_t state)
    {
        AscendC::CompareScalar(emptyBits, softmax->Sum(state), 0.0f, AscendC::CMPMODE::NE, FA_AIV_ROWS);
        FaVectorBarrier();
        AscendC::Select(storedSum, emptyBits, softmax->Sum(state), FA_POS, AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE,
                        FA_AIV_ROWS);
        FaVectorBarrier();
        if (dropout.given != 0) {
            AscendC::Muls(divisor, storedSum, dropout.keepProb, FA_AIV_ROWS);
            FaVectorBarrier();
        }
    }

    // Divides and stores the rows of a slice; `acc` is overwritten.
    __aicore__ inline void StoreSlice(const FaRowBlock &block, const FaSlice &slice, const Floats &acc)
    {
        const AscendC::LocalTensor<T> result = OutSlot();
        const int64_t base = slice.row / FA_PASS_ROWS * FA_PASS_ROWS;
        const FaRows rows = {slice.count, pitch, slice.row - base};
        if constexpr (Traits::pInPlace) {
            softmax->rowOps.template Apply<FaRowOp::DIV>(result, acc, divisor[static_cast<uint32_t>(base)], rows);
        } else {
            softmax->rowOps.template Apply<FaRowOp::DIV>(acc, acc, divisor[static_cast<uint32_t>(base)], rows);
            AscendC::Cast(result, acc, AscendC::RoundMode::CAST_RINT, static_cast<uint32_t>(slice.count * pitch));
            FaVectorBarrier(); // acc is written again by the next rows
        }
        StoreOut(block, slice, result);
    }

    // Rows that see no key because there is none in reach.
    __aicore__ inline void StoreZeros(const FaRowBlock &block, const FaAivRows &rows)
    {
        for (int64_t row = 0; row < rows.count; row += sliceRows) {
            const FaSlice slice = {rows, row, FaMin(sliceRows, rows.count - row)};
            const AscendC::LocalTensor<T> zeros = OutSlot();
            AscendC::Duplicate(zeros, static_cast<T>(0), static_cast<int32_t>(slice.count * pitch));
            StoreOut(block, slice, zeros);
        }
    }

    // 8 equal values a row.
    __aicore__ inline void StoreStatistics(const FaRowBlock &block, const FaAivRows &rows, int32_t state)
    {
        rings->stats.BeginWrite();
        const Floats sums = stats[FA_AIV_ROWS * FA_STAT_COPIES];
        AscendC::Brcb(stats, softmax->Max(state), FA_AIV_ROWS / 8, {1, 8});
        AscendC::Brcb(sums, storedSum, FA_AIV_ROWS / 8, {1, 8});
        FaVectorBarrier(); // max and sum are written again by the next rows
        rings->stats.EndWrite();
        rings->stats.BeginRead();
        StoreStatistic(global->softmaxMax, block, rows, stats);
        StoreStatistic(global->softmaxSum, block, rows, sums);
        rings->stats.EndRead();
    }

private:
    // [N1, S1, 8] of one segment after the other, where the rows of a tile are contiguous, or [T1, N1, 8].
    __aicore__ inline void StoreStatistic(const AscendC::GlobalTensor<float> &dst, const FaRowBlock &block,
                                          const FaAivRows &rows, const Floats &src)
    {
        const bool likeInput = tiling->problem.sequences.statsLikeInput != 0;
        const int64_t gmPitch = likeInput ? tiling->problem.n1 * FA_STAT_COPIES : FA_STAT_COPIES;
        for (int64_t row = 0; row < rows.count;) {
            const FaRowPiece piece = FaPieceAt(block, rows.begin + row, rows.begin + rows.count);
            const int64_t place = FaStatisticsRow(block.segment, tiling->problem.n1, likeInput, piece.n1, piece.q0);
            FaStoreRows(dst[place * FA_STAT_COPIES], src[static_cast<uint32_t>(row * FA_STAT_COPIES)],
                        {piece.rows, FA_STAT_COPIES, gmPitch, FA_STAT_COPIES});
            row += piece.rows;
        }
    }

    __aicore__ inline AscendC::LocalTensor<T> OutSlot()
    {
        return out[static_cast<uint32_t>(rings->out.BeginWrite() * sliceRows * pitch)];
    }

    // Stores what V has written to the current slot of the out ring.
    __aicore__ inline void StoreOut(const FaRowBlock &block, const FaSlice &slice,
                                    const AscendC::LocalTensor<T> &result)
    {
        rings->out.EndWrite();
        rings->out.BeginRead();
        const int64_t begin = slice.rows.begin + slice.row;
        for (int64_t tileRow = begin; tileRow < begin + slice.count;) {
            const FaRowPiece piece = FaPieceAt(block, tileRow, begin + slice.count);
            StorePiece(block, piece, result[static_cast<uint32_t>((tileRow - begin) * pitch)]);
            tileRow += piece.rows;
        }
        rings->out.EndRead();
    }

    __aicore__ inline void StorePiece(const FaRowBlock &block, const FaRowPiece &piece,
                                      const AscendC::LocalTensor<T> &rows)
    {
        const FaTensorStrides &strides = tiling->problem.out;
        FaStoreRows(global->out[FaQueryOffset(strides, block.segment, piece.n1, piece.q0)], rows,
                    {piece.rows, tiling->problem.dv, strides.s, pitch});
    }

    const FlashAttentionScoreTilingData *tiling = nullptr;
    const FaGlobalTensors<T> *global = nullptr;
    Rings *rings = nullptr;
    FaOnlineSoftmax *softmax = nullptr;
    int64_t pitch = 0;
    int64_t sliceRows = FA_PASS_ROWS;
    AscendC::LocalTensor<T> out; // [2][sliceRows][pitch]
    Floats stats;                // [2][64][8]
    Floats storedSum;            // [64]
    Floats divisor;              // the same, times the probability to keep
    FaDropoutParam dropout;
    AscendC::LocalTensor<uint8_t> emptyBits;
};
#endif
