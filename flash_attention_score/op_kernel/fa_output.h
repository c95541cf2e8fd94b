// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The AIV's second step of a stack: O = O * exp(old max - new max) + P V. O is kept in UB, or in GM when Dv is too
// large for it. After the last stack O goes to FaResult, or as a partial state to GM when the keys of the row are
// split.
#ifndef FA_OUTPUT_H
#define FA_OUTPUT_H
#include "fa_pv_slots.h"
#include "fa_result.h"

template <typename Traits>
class FaOutput {
    using T = typename Traits::Elem;
    using Rings = FaVecRings<Traits::pInPlace>;
    using Floats = AscendC::LocalTensor<float>;

public:
    __aicore__ inline void Init(const FlashAttentionScoreTilingData &tilingData,
                                const FaGlobalTensors<T> &globalTensors, FaArena<AscendC::TPosition::VECCALC> &ub,
                                Rings &vecRings, FaOnlineSoftmax &state, FaResult<Traits> &rowResult)
    {
        global = &globalTensors;
        rings = &vecRings;
        softmax = &state;
        result = &rowResult;
        subBlock = AscendC::GetSubBlockIdx();
        pitch = globalTensors.pvPitch;
        sliceRows = tilingData.tile.sliceRows;
        accInGm = tilingData.tile.accInUb == 0;
        ownAcc = subBlock * (tilingData.tile.qTile / 2) * pitch;
        acc = ub.template Take<float>((accInGm ? sliceRows : FA_AIV_ROWS) * pitch);
        pv.Init(sliceRows * pitch, ub);
        partialStats = ub.template Take<float>(2 * FA_AIV_ROWS);
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
        const bool finish = task.last && !task.split;
        if (finish) {
            result->FinishSums(task.state);
        }
        if (task.cols > 0) {
            UpdateRows(task, rows);
        } else if (finish) {
            result->StoreZeros(task.block, rows);
        }
        if (finish) {
            result->StoreStatistics(task.block, rows, task.state);
        } else if (task.last && task.cols > 0) {
            StorePartial(task, rows);
        }
    }

    // Free between stacks.
    __aicore__ inline const FaPvSlots &Slots() const
    {
        return pv;
    }

private:
    __aicore__ inline void UpdateRows(const FaTask &task, const FaAivRows &rows)
    {
        if (accInGm && !task.first) {
            rings->accStored.Wait();
        }
        if (!accInGm && task.first) {
            rings->acc.BeginWrite();
        }
        LoadPv(task, {rows, 0, FaMin(sliceRows, rows.count)});
        for (int64_t row = 0; row < rows.count; row += sliceRows) {
            const int64_t next = row + sliceRows;
            if (next < rows.count) {
                LoadPv(task, {rows, next, FaMin(sliceRows, rows.count - next)});
            }
            UpdateSlice(task, {rows, row, FaMin(sliceRows, rows.count - row)});
        }
        if (accInGm && !task.last) {
            rings->accStored.Set();
        }
        if (!accInGm && task.last) {
            ReleaseAcc(task, rows);
        }
    }

    __aicore__ inline void LoadPv(const FaTask &task, const FaSlice &slice)
    {
        const int32_t slot = rings->pv.BeginWrite();
        AscendC::DataCopy(pv[slot], global->pv[global->PvOffset(task.slot) + (slice.rows.begin + slice.row) * pitch],
                          static_cast<uint32_t>(slice.count * pitch));
        rings->pv.EndWrite();
    }

    __aicore__ inline void UpdateSlice(const FaTask &task, const FaSlice &slice)
    {
        const Floats accSlice = BeginAccSlice(task, slice);
        const int32_t slot = rings->pv.BeginRead();
        const Floats pvSlice = pv[slot];
        const int32_t elems = static_cast<int32_t>(slice.count * pitch);
        if (Traits::singleStack || task.first) {
            AscendC::DataCopy(accSlice, pvSlice, static_cast<uint32_t>(elems));
        } else {
            const int64_t base = slice.row / FA_PASS_ROWS * FA_PASS_ROWS;
            softmax->rowOps.template Apply<FaRowOp::MUL>(accSlice, accSlice,
                                                         softmax->Rescale(task.slot)[static_cast<uint32_t>(base)],
                                                         {slice.count, pitch, slice.row - base});
            AscendC::Add(accSlice, accSlice, pvSlice, elems);
        }
        rings->pv.EndRead();
        FaVectorBarrier();
        if (task.last && !task.split) {
            result->StoreSlice(task.block, slice, accSlice);
        }
        EndAccSlice(task, slice);
    }

    // GM offset of O of `row` of the AIV's rows: in the AIV's half of the core's buffer, since the other AIV may be at
    // a block of other halves, or in the chunk's partial state.
    __aicore__ inline int64_t AccOffset(const FaTask &task, const FaAivRows &rows, int64_t row) const
    {
        return task.split ? (FaPartialRow(task.block, task.chunk) + rows.begin + row) * pitch : ownAcc + row * pitch;
    }

    __aicore__ inline const AscendC::GlobalTensor<float> &AccTensor(const FaTask &task) const
    {
        return task.split ? global->partialOut : global->acc;
    }

    __aicore__ inline Floats BeginAccSlice(const FaTask &task, const FaSlice &slice)
    {
        if (!accInGm) {
            return acc[static_cast<uint32_t>(slice.row * pitch)];
        }
        rings->accSlice.BeginWrite();
        if (!task.first) {
            AscendC::DataCopy(acc, AccTensor(task)[AccOffset(task, slice.rows, slice.row)],
                              static_cast<uint32_t>(slice.count * pitch));
        }
        rings->accSlice.EndWrite();
        rings->accSlice.BeginRead();
        return acc;
    }

    __aicore__ inline void EndAccSlice(const FaTask &task, const FaSlice &slice)
    {
        if (!accInGm) {
            return;
        }
        if (!task.last || task.split) {
            rings->accToGm.Set();
            rings->accToGm.Wait();
            AscendC::DataCopy(AccTensor(task)[AccOffset(task, slice.rows, slice.row)], acc,
                              static_cast<uint32_t>(slice.count * pitch));
        }
        rings->accSlice.EndRead();
    }

    // Hands the O accumulator in UB over to the next rows, through MTE3 when it is a partial state.
    __aicore__ inline void ReleaseAcc(const FaTask &task, const FaAivRows &rows)
    {
        rings->acc.EndWrite();
        rings->acc.BeginRead();
        if (task.split) {
            AscendC::DataCopy(global->partialOut[AccOffset(task, rows, 0)], acc,
                              static_cast<uint32_t>(rows.count * pitch));
        }
        rings->acc.EndRead();
    }

    // Max and sum of a chunk; its O has been stored with the last stack.
    __aicore__ inline void StorePartial(const FaTask &task, const FaAivRows &rows)
    {
        rings->stats.BeginWrite();
        AscendC::DataCopy(partialStats, softmax->Max(task.state), FA_AIV_ROWS);
        AscendC::DataCopy(partialStats[FA_AIV_ROWS], softmax->Sum(task.state), FA_AIV_ROWS);
        FaVectorBarrier(); // the state is written again by the next chunk
        rings->stats.EndWrite();
        rings->stats.BeginRead();
        const int64_t row = FaPartialRow(task.block, task.chunk) + rows.begin;
        const uint32_t elems = static_cast<uint32_t>(FaAlign(rows.count, FA_PASS_ROWS));
        AscendC::DataCopy(global->partialMax[row], partialStats, elems);
        AscendC::DataCopy(global->partialSum[row], partialStats[FA_AIV_ROWS], elems);
        rings->stats.EndRead();
    }

    const FaGlobalTensors<T> *global = nullptr;
    Rings *rings = nullptr;
    FaOnlineSoftmax *softmax = nullptr;
    FaResult<Traits> *result = nullptr;
    int64_t subBlock = 0;
    int64_t pitch = 0; // elements of a row of O in UB and GM, Dv padded to 16
    int64_t sliceRows = FA_PASS_ROWS;
    int64_t ownAcc = 0; // elements of the core's buffer of O in front of the AIV's half
    bool accInGm = false;
    Floats acc;          // [64][pitch], or [sliceRows][pitch] when O is kept in GM
    FaPvSlots pv;        // of [sliceRows][pitch]
    Floats partialStats; // [2][64]
    FaStackSignals signals;
};
#endif
