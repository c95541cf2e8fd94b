// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The AIV's second step of a stack: O = O * exp(old max - new max) + P V, and after the last stack O / sum, stored with
// the row's max and sum. O is kept in UB, or in a GM buffer of the core when Dv is too large for it.
#ifndef FA_OUTPUT_H
#define FA_OUTPUT_H
#include "fa_block_vec.h"

template <typename Traits>
class FaOutput {
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
        subBlock = AscendC::GetSubBlockIdx();
        pitch = globalTensors.pvPitch;
        sliceRows = tilingData.dv >= 512 ? FA_PASS_ROWS / 2 : FA_PASS_ROWS;
        acc = ub.template Take<float>((tilingData.tile.accInUb != 0 ? FA_AIV_ROWS : sliceRows) * pitch);
        pv = ub.template Take<float>(2 * sliceRows * pitch);
        out = ub.template Take<T>(2 * sliceRows * pitch);
        stats = ub.template Take<float>(2 * FA_AIV_ROWS * FA_STAT_COPIES);
        divisor = ub.template Take<float>(FA_AIV_ROWS);
        emptyBits = ub.template Take<uint8_t>(32);
        broadcast = ub.template Take<float>(FA_PASS_ROWS * 8);
    }

    __aicore__ inline void Update(const FaTask &task)
    {
        const FaAivRows rows = FaRowsOfAiv(task.block, subBlock);
        if (task.cols > 0) {
            signals.pvReady.Wait();
        }
        if (rows.count == 0) {
            return;
        }
        if (task.last) {
            FinishSums(task.state);
        }
        if (task.cols == 0) {
            StoreZeros(task, rows);
        } else {
            UpdateRows(task, rows);
        }
        if (task.last) {
            StoreStatistics(task, rows);
        }
    }

private:
    __aicore__ inline void UpdateRows(const FaTask &task, const FaAivRows &rows)
    {
        const bool accInGm = tiling->tile.accInUb == 0;
        if (accInGm && !task.first) {
            rings->accStored.Wait();
        }
        LoadPv(task, rows, 0);
        for (int64_t row = 0; row < rows.count; row += sliceRows) {
            if (row + sliceRows < rows.count) {
                LoadPv(task, rows, row + sliceRows);
            }
            UpdateSlice(task, rows, row);
        }
        if (accInGm && !task.last) {
            rings->accStored.Set();
        }
    }

    __aicore__ inline void LoadPv(const FaTask &task, const FaAivRows &rows, int64_t row)
    {
        const int64_t count = FaMin(sliceRows, rows.count - row);
        const int32_t slot = rings->pv.BeginWrite();
        AscendC::DataCopy(pv[static_cast<uint32_t>(slot * sliceRows * pitch)],
                          global->pv[global->PvOffset(task.slot) + (rows.begin + row) * pitch],
                          static_cast<uint32_t>(count * pitch));
        rings->pv.EndWrite();
    }

    __aicore__ inline void UpdateSlice(const FaTask &task, const FaAivRows &rows, int64_t row)
    {
        const int64_t count = FaMin(sliceRows, rows.count - row);
        const Floats accSlice = BeginAccSlice(task, rows, row, count);
        const int32_t slot = rings->pv.BeginRead();
        const Floats pvSlice = pv[static_cast<uint32_t>(slot * sliceRows * pitch)];
        const int32_t elems = static_cast<int32_t>(count * pitch);
        if (task.first) {
            AscendC::DataCopy(accSlice, pvSlice, static_cast<uint32_t>(elems));
        } else {
            ForEachRow<true>(accSlice, accSlice, softmax->Rescale(task.slot), row, count);
            AscendC::Add(accSlice, accSlice, pvSlice, elems);
        }
        rings->pv.EndRead();
        FaVectorBarrier();
        if (task.last) {
            const int32_t outSlot = rings->out.BeginWrite();
            StoreSlice(task, rows, row, count, NormalizeSlice(accSlice, outSlot, row, count));
        }
        EndAccSlice(task, rows, row, count);
    }

    // O of `count` rows from `row` on, in UB.
    __aicore__ inline Floats BeginAccSlice(const FaTask &task, const FaAivRows &rows, int64_t row, int64_t count)
    {
        if (tiling->tile.accInUb != 0) {
            return acc[static_cast<uint32_t>(row * pitch)];
        }
        rings->accSlice.BeginWrite();
        if (!task.first) {
            AscendC::DataCopy(acc, global->acc[(rows.begin + row) * pitch], static_cast<uint32_t>(count * pitch));
        }
        rings->accSlice.EndWrite();
        rings->accSlice.BeginRead();
        return acc;
    }

    __aicore__ inline void EndAccSlice(const FaTask &task, const FaAivRows &rows, int64_t row, int64_t count)
    {
        if (tiling->tile.accInUb != 0) {
            return;
        }
        if (!task.last) {
            AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ACC);
            AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(EVENT_ACC);
            AscendC::DataCopy(global->acc[(rows.begin + row) * pitch], acc, static_cast<uint32_t>(count * pitch));
        }
        rings->accSlice.EndRead();
    }

    // dst = src * values[row] or src / values[row], `values` one fp32 a row of this AIV.
    template <bool MULTIPLY>
    __aicore__ inline void ForEachRow(const Floats &dst, const Floats &src, const Floats &values, int64_t row,
                                      int64_t count)
    {
        const int64_t base = row / FA_PASS_ROWS * FA_PASS_ROWS; // Brcb reads whole 32 B blocks
        AscendC::Brcb(broadcast, values[static_cast<uint32_t>(base)], 1, {1, 8});
        FaVectorBarrier();
        const Floats factor = broadcast[static_cast<uint32_t>((row - base) * 8)];
        const uint8_t stride = static_cast<uint8_t>(pitch / 8);
        for (int64_t c = 0; c < pitch; c += FA_LANES) {
            const uint64_t lanes = static_cast<uint64_t>(FaMin(FA_LANES, pitch - c));
            const uint32_t offset = static_cast<uint32_t>(c);
            if constexpr (MULTIPLY) {
                AscendC::Mul(dst[offset], src[offset], factor, lanes, static_cast<uint8_t>(count),
                             {1, 1, 0, stride, stride, 1});
            } else {
                AscendC::Div(dst[offset], src[offset], factor, lanes, static_cast<uint8_t>(count),
                             {1, 1, 0, stride, stride, 1});
            }
        }
        FaVectorBarrier();
    }

    __aicore__ inline AscendC::LocalTensor<T> NormalizeSlice(const Floats &accSlice, int32_t outSlot, int64_t row,
                                                             int64_t count)
    {
        const AscendC::LocalTensor<T> result = out[static_cast<uint32_t>(outSlot * sliceRows * pitch)];
        if constexpr (Traits::pInPlace) {
            ForEachRow<false>(result, accSlice, divisor, row, count);
        } else {
            ForEachRow<false>(accSlice, accSlice, divisor, row, count);
            AscendC::Cast(result, accSlice, AscendC::RoundMode::CAST_RINT, static_cast<uint32_t>(count * pitch));
        }
        return result;
    }

    // Stores rows that stand in the current slot of the out ring.
    __aicore__ inline void StoreSlice(const FaTask &task, const FaAivRows &rows, int64_t row, int64_t count,
                                      const AscendC::LocalTensor<T> &result)
    {
        rings->out.EndWrite();
        rings->out.BeginRead();
        const int64_t end = rows.begin + row + count;
        for (int64_t tileRow = rows.begin + row; tileRow < end;) {
            const FaRowPiece piece = FaPieceAt(task.block, tiling->s1, tileRow, end);
            StoreRows(task, piece, result[static_cast<uint32_t>((tileRow - rows.begin - row) * pitch)]);
            tileRow += piece.rows;
        }
        rings->out.EndRead();
    }

    __aicore__ inline void StoreRows(const FaTask &task, const FaRowPiece &piece, const AscendC::LocalTensor<T> &rows)
    {
        const int64_t rowBytes = tiling->dv * Traits::elemBytes;
        AscendC::DataCopyExtParams params;
        params.blockCount = static_cast<uint16_t>(piece.rows);
        params.blockLen = static_cast<uint32_t>(rowBytes);
        params.srcStride = static_cast<uint32_t>((pitch * Traits::elemBytes - FaAlign(rowBytes, 32)) / 32);
        params.dstStride = static_cast<uint32_t>((tiling->out.s - tiling->dv) * Traits::elemBytes);
        AscendC::DataCopyPad(global->out[FaOffset(tiling->out, task.block.b, piece.n1, piece.q0)], rows, params);
    }

    // Rows that see no key because there is none in reach.
    __aicore__ inline void StoreZeros(const FaTask &task, const FaAivRows &rows)
    {
        for (int64_t row = 0; row < rows.count; row += sliceRows) {
            const int64_t count = FaMin(sliceRows, rows.count - row);
            const int32_t slot = rings->out.BeginWrite();
            const AscendC::LocalTensor<T> zeros = out[static_cast<uint32_t>(slot * sliceRows * pitch)];
            AscendC::Duplicate(zeros, static_cast<T>(0), static_cast<int32_t>(count * pitch));
            StoreSlice(task, rows, row, count, zeros);
        }
    }

    // A row that saw no key has the sum 0: its divisor and its stored sum are FLT_MAX.
    __aicore__ inline void FinishSums(int32_t state)
    {
        AscendC::CompareScalar(emptyBits, softmax->Sum(state), 0.0f, AscendC::CMPMODE::NE, FA_AIV_ROWS);
        FaVectorBarrier();
        AscendC::Select(divisor, emptyBits, softmax->Sum(state), FA_POS, AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE,
                        FA_AIV_ROWS);
        FaVectorBarrier();
    }

    // softmax_max and softmax_sum: [B, N1, S1, 8], 8 equal values a row; the rows of a tile are contiguous.
    __aicore__ inline void StoreStatistics(const FaTask &task, const FaAivRows &rows)
    {
        rings->stats.BeginWrite();
        const Floats sums = stats[FA_AIV_ROWS * FA_STAT_COPIES];
        AscendC::Brcb(stats, softmax->Max(task.state), FA_AIV_ROWS / 8, {1, 8});
        AscendC::Brcb(sums, divisor, FA_AIV_ROWS / 8, {1, 8});
        rings->stats.EndWrite();
        rings->stats.BeginRead();
        const int64_t row = (task.block.b * tiling->n1 + task.block.n1) * tiling->s1 + task.block.q0 + rows.begin;
        const uint32_t elems = static_cast<uint32_t>(rows.count * FA_STAT_COPIES);
        AscendC::DataCopy(global->softmaxMax[row * FA_STAT_COPIES], stats, elems);
        AscendC::DataCopy(global->softmaxSum[row * FA_STAT_COPIES], sums, elems);
        rings->stats.EndRead();
    }

    static constexpr int32_t EVENT_ACC = 5;

    const FlashAttentionScoreTilingData *tiling = nullptr;
    const FaGlobalTensors<T> *global = nullptr;
    Rings *rings = nullptr;
    FaOnlineSoftmax *softmax = nullptr;
    int64_t subBlock = 0;
    int64_t pitch = 0; // elements of a row of O in UB and GM, Dv padded to 16
    int64_t sliceRows = FA_PASS_ROWS;
    Floats acc;                  // [64][pitch], or [sliceRows][pitch] when O is kept in GM
    Floats pv;                   // [2][sliceRows][pitch]
    AscendC::LocalTensor<T> out; // [2][sliceRows][pitch]
    Floats stats;                // [2][64][8]
    Floats divisor;              // [64]
    AscendC::LocalTensor<uint8_t> emptyBits;
    Floats broadcast; // [8][8]
    FaStackSignals signals;
};
#endif
