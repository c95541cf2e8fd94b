// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// FlashAttention gradient (Dao et al., arXiv 2205.14135, algorithm 4) without partial results: rounds of chunk pairs
// with a single writer for every accumulator, so that the result does not depend on the number of cores.
#ifndef FAG_KERNEL_H
#define FAG_KERNEL_H
#include "fag_block_cube.h"
#include "fag_block_vec.h"
#include "fag_round_cursor.h"
#include "fag_rows.h"
#include "fag_shift_cursor.h"
#include "fag_shift_rows.h"
#include "fag_sink.h"

template <typename Traits>
class FagKernel {
    using T = typename Traits::Elem;

public:
    __aicore__ inline void Run(const FlashAttentionScoreGradTilingData &tilingData,
                               const FagGlobalTensors<T> &globalTensors, int64_t core)
    {
        tiling = &tilingData;
        global = globalTensors;
        group = core;
        cursor.Init(tilingData, global.lists, core, AscendC::GetBlockNum());
        if ASCEND_IS_AIC {
            cube.Init(tilingData, global, pipe);
        } else {
            ub.Init(pipe, FA_UB_BYTES);
        }
        PrepareRows();
        ComputeRounds();
        FinishRows();
    }

private:
    __aicore__ inline void PrepareRows()
    {
        if ASCEND_IS_AIV {
            rows.Init(*tiling, global, ub);
            rows.ClearAccumulators();
            rows.ComputeDelta();
            rows.Close();
        }
        AscendC::SyncAll<false>();
    }

    __aicore__ inline void ComputeRounds()
    {
        if ASCEND_IS_AIV {
            ub.Clear();
            vec.Init(*tiling, global, ub);
        }
        for (int64_t round = 0; round < tiling->schedule.rounds; ++round) {
            cursor.BeginRound(round);
            ComputeTiles<FagUse::PRODUCTS>(cursor);
            AscendC::SyncAll<false>();
        }
        if (tiling->shiftSums.elems > 0) {
            FagShiftCursor shiftCursor;
            shiftCursor.Init(*tiling, global.lists, group, AscendC::GetBlockNum());
            ComputeTiles<FagUse::SHIFT>(shiftCursor);
            AscendC::SyncAll<false>();
        }
        if ASCEND_IS_AIC {
            cube.Close();
        } else {
            vec.Close();
        }
    }

    // The scores of the next tile are computed before the gradients of this one.
    template <FagUse USE, typename Cursor>
    __aicore__ inline void ComputeTiles(Cursor &tileCursor)
    {
        FagTile tiles[FAG_RING_SLOTS];
        int64_t issued = 0;
        bool more = true;
        for (int64_t done = -1; more || done < issued; ++done) {
            if (more) {
                FagTile &tile = tiles[issued % FAG_RING_SLOTS];
                more = tileCursor.Next(tile);
                if (more) {
                    if ASCEND_IS_AIC {
                        cube.ComputeScores(tile);
                    } else {
                        vec.template Compute<USE>(tile);
                    }
                    ++issued;
                }
            }
            if ASCEND_IS_AIC {
                if (done >= 0 && done < issued) {
                    Finish<USE>(tiles[done % FAG_RING_SLOTS]);
                }
            }
        }
    }

    template <FagUse USE>
    __aicore__ inline void Finish(const FagTile &tile)
    {
        if constexpr (USE == FagUse::PRODUCTS) {
            cube.AddGradients(tile);
        } else {
            cube.WaitForVectors();
        }
    }

    __aicore__ inline void FinishRows()
    {
        if ASCEND_IS_AIV {
            ub.Clear();
            rows.Init(*tiling, global, ub);
            rows.StoreGradients();
            rows.Close();
            if (tiling->shiftSums.elems > 0) {
                ub.Clear();
                shiftRows.Init(*tiling, global, ub);
                shiftRows.Store();
                shiftRows.Close();
            }
            if (tiling->storesDsink != 0) {
                ub.Clear();
                sink.Init(*tiling, global, ub);
                sink.Store();
                sink.Close();
            }
        }
    }

    const FlashAttentionScoreGradTilingData *tiling = nullptr;
    int64_t group = 0;
    AscendC::TPipe pipe;
    FagGlobalTensors<T> global;
    FagRoundCursor cursor;
    FagBlockCube<Traits> cube;
    FaArena<AscendC::TPosition::VECCALC> ub;
    FagBlockVec<Traits> vec;
    FagRows<Traits> rows;
    FagShiftRows<T> shiftRows;
    FagSink<T> sink;
};
#endif
