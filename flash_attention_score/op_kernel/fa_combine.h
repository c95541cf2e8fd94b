// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Merges the partial states (max, sum, O) of the KV chunks of a row, in ascending order whoever computed them, so that
// the bits do not depend on the strategy or the number of cores.
#ifndef FA_COMBINE_H
#define FA_COMBINE_H
#include "fa_pv_slots.h"
#include "fa_result.h"
#include "fa_sink.h"
#include "fa_task_cursor.h"

template <typename Traits>
class FaCombine {
    using T = typename Traits::Elem;
    using Rings = FaVecRings<Traits::pInPlace>;
    using Floats = AscendC::LocalTensor<float>;

public:
    __aicore__ inline void Init(const FlashAttentionScoreTilingData &tilingData,
                                const FaGlobalTensors<T> &globalTensors, FaArena<AscendC::TPosition::VECCALC> &ub,
                                Rings &vecRings, FaOnlineSoftmax &state, const FaSink &rowSink,
                                FaResult<Traits> &rowResult, const FaPvSlots &pvSlots)
    {
        global = &globalTensors;
        rings = &vecRings;
        softmax = &state;
        sink = &rowSink;
        result = &rowResult;
        if (tilingData.tile.splitsKeys == 0) {
            return;
        }
        pitch = globalTensors.pvPitch;
        sliceRows = FaMin(tilingData.tile.sliceRows, FA_PASS_ROWS);
        merged = ub.template Take<float>(sliceRows * pitch);
        slots = pvSlots;
        loadedStats = ub.template Take<float>(2 * 2 * FA_PASS_ROWS);
        keepFactor = ub.template Take<float>(FA_PASS_ROWS);
        addFactor = ub.template Take<float>(FA_PASS_ROWS);
        exponent = ub.template Take<float>(FA_PASS_ROWS);
    }

    // Merges and stores `rows` of `block`; every chunk of them is in GM. `state`: a row state that is free.
    __aicore__ inline void Merge(const FaRowBlock &block, const FaAivRows &rows, int32_t state)
    {
        sink->Start(*softmax, state, block, rows, 0); // for rows that see no key
        rings->chunkStored.Set();
        rings->chunkStored.Wait();
        for (int64_t row = 0; row < rows.count; row += sliceRows) {
            const FaSlice slice = {rows, row, FaMin(sliceRows, rows.count - row)};
            bool first = true;
            for (int64_t chunk = 0; chunk < block.segment.tiles.kvChunks; ++chunk) {
                const FaKeyRange keys = FaKeysOfBlock(block.segment, block.index, chunk);
                if (keys.begin < keys.end) {
                    Load(block, slice, chunk);
                    MergeSlice(slice, state, first);
                    first = false;
                }
            }
            result->FinishSums(state);
            if (!first) {
                result->StoreSlice(block, slice, merged);
            } else if (row == 0) {
                result->StoreZeros(block, rows);
            }
        }
        result->StoreStatistics(block, rows, state);
    }

private:
    __aicore__ inline int64_t PassBase(const FaSlice &slice) const
    {
        return slice.row / FA_PASS_ROWS * FA_PASS_ROWS;
    }

    __aicore__ inline void Load(const FaRowBlock &block, const FaSlice &slice, int64_t chunk)
    {
        const int64_t row = FaPartialRow(block, chunk) + slice.rows.begin;
        const int32_t slot = rings->pv.BeginWrite();
        AscendC::DataCopy(slots[slot], global->partialOut[(row + slice.row) * pitch],
                          static_cast<uint32_t>(slice.count * pitch));
        const Floats stats = loadedStats[static_cast<uint32_t>(slot * 2 * FA_PASS_ROWS)];
        AscendC::DataCopy(stats, global->partialMax[row + PassBase(slice)], FA_PASS_ROWS);
        AscendC::DataCopy(stats[FA_PASS_ROWS], global->partialSum[row + PassBase(slice)], FA_PASS_ROWS);
        rings->pv.EndWrite();
    }

    // (m, l, O) and (m', l', O') with M = max(m, m'): l e^(m - M) + l' e^(m' - M), the same for O.
    __aicore__ inline void MergeSlice(const FaSlice &slice, int32_t state, bool first)
    {
        const int32_t slot = rings->pv.BeginRead();
        const Floats part = slots[slot];
        const Floats partMax = loadedStats[static_cast<uint32_t>(slot * 2 * FA_PASS_ROWS)];
        const Floats partSum = partMax[FA_PASS_ROWS];
        const uint32_t base = static_cast<uint32_t>(PassBase(slice));
        const Floats max = softmax->Max(state)[base];
        const Floats sum = softmax->Sum(state)[base];
        const int32_t elems = static_cast<int32_t>(slice.count * pitch);
        if (first) {
            AscendC::DataCopy(max, partMax, FA_PASS_ROWS);
            AscendC::DataCopy(sum, partSum, FA_PASS_ROWS);
            AscendC::DataCopy(merged, part, static_cast<uint32_t>(elems));
        } else {
            MergeStatistics(max, sum, partMax, partSum);
            const FaRows rows = {slice.count, pitch, slice.row - PassBase(slice)};
            softmax->rowOps.template Apply<FaRowOp::MUL>(merged, merged, keepFactor, rows);
            softmax->rowOps.template Apply<FaRowOp::MUL>(part, part, addFactor, rows);
            AscendC::Add(merged, merged, part, elems);
        }
        rings->pv.EndRead();
        FaVectorBarrier();
    }

    // max and sum of both states, and the factors of both.
    __aicore__ inline void MergeStatistics(const Floats &max, const Floats &sum, const Floats &partMax,
                                           const Floats &partSum)
    {
        AscendC::Maxs(keepFactor, max, FA_HALF_NEG, FA_PASS_ROWS);
        AscendC::Maxs(addFactor, partMax, FA_HALF_NEG, FA_PASS_ROWS);
        FaVectorBarrier();
        AscendC::Max(max, max, partMax, FA_PASS_ROWS);
        AscendC::Max(exponent, keepFactor, addFactor, FA_PASS_ROWS);
        FaVectorBarrier();
        AscendC::Sub(keepFactor, keepFactor, exponent, FA_PASS_ROWS);
        AscendC::Sub(addFactor, addFactor, exponent, FA_PASS_ROWS);
        FaVectorBarrier();
        AscendC::Exp(keepFactor, keepFactor, FA_PASS_ROWS);
        AscendC::Exp(addFactor, addFactor, FA_PASS_ROWS);
        FaVectorBarrier();
        AscendC::Mul(sum, sum, keepFactor, FA_PASS_ROWS);
        AscendC::Mul(partSum, partSum, addFactor, FA_PASS_ROWS);
        FaVectorBarrier();
        AscendC::Add(sum, sum, partSum, FA_PASS_ROWS);
        FaVectorBarrier();
    }

    const FaGlobalTensors<T> *global = nullptr;
    Rings *rings = nullptr;
    FaOnlineSoftmax *softmax = nullptr;
    const FaSink *sink = nullptr;
    FaResult<Traits> *result = nullptr;
    int64_t pitch = 0;
    int64_t sliceRows = FA_PASS_ROWS;
    Floats merged;      // [sliceRows][pitch]
    FaPvSlots slots;    // at least [sliceRows][pitch]
    Floats loadedStats; // [2][max, sum][8]
    Floats keepFactor;  // [8]
    Floats addFactor;   // [8]
    Floats exponent;    // [8]
};
#endif
