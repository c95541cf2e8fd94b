// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// FlashAttention forward of one core (Dao et al., arXiv 2205.14135): stacks of keys stream past resident query tiles.
// QK^T and softmax run `preload` stacks ahead of PV and the update of O, also across row blocks.
#ifndef FA_KERNEL_H
#define FA_KERNEL_H
#include "fa_block_cube.h"
#include "fa_block_vec.h"
#include "fa_combine.h"
#include "fa_output.h"

template <typename Traits>
class FaKernel {
    using T = typename Traits::Elem;

public:
    __aicore__ inline void Init(const FlashAttentionScoreTilingData &tilingData,
                                const FaGlobalTensors<T> &globalTensors, int64_t core)
    {
        tiling = &tilingData;
        global = globalTensors;
        group = core;
        cursor.Init(tilingData, global.lists, core, AscendC::GetBlockNum());
        if ASCEND_IS_AIC {
            cube.Init(tilingData, global, pipe);
        } else {
            ub.Init(pipe, FA_UB_BYTES);
            softmax.Init(ub, tilingData.tile.rowsPerPass, tilingData.tile.sliceRows);
            sink.Init(tilingData.problem.hasSink != 0, global.sink);
            vec.Init(tilingData, global, ub, rings, softmax, sink);
            result.Init(tilingData, global, ub, rings, softmax);
            output.Init(tilingData, global, ub, rings, softmax, result);
            combine.Init(tilingData, global, ub, rings, softmax, sink, result, output.Slots());
            rings.Open();
        }
    }

    __aicore__ inline void Process()
    {
        FaTask tasks[FA_RING_SLOTS];
        const int64_t ahead = tiling->tile.preload;
        int64_t issued = 0;
        bool more = true;
        for (int64_t done = -ahead; more || done < issued; ++done) {
            if (more) {
                FaTask &task = tasks[issued % FA_RING_SLOTS];
                more = cursor.Next(task);
                if (more) {
                    First(task);
                    ++issued;
                }
            }
            if (done >= 0 && done < issued) {
                Second(tasks[done % FA_RING_SLOTS]);
            }
        }
        if constexpr (Traits::chunksAreDealt) {
            MergeDealtChunks();
        }
        if ASCEND_IS_AIC {
            cube.Close();
        } else {
            vec.Close();
            rings.Close();
        }
    }

private:
    __aicore__ inline void First(const FaTask &task)
    {
        if ASCEND_IS_AIC {
            cube.ComputeScores(task);
        } else {
            vec.ComputeProbs(task);
        }
    }

    __aicore__ inline void Second(const FaTask &task)
    {
        if ASCEND_IS_AIC {
            if (task.cols > 0) {
                cube.ComputePv(task);
            }
        } else {
            output.Update(task);
            if (!Traits::chunksAreDealt && task.blockDone && task.split) {
                MergeChunks(task.block, task.state);
            }
        }
    }

    __aicore__ inline void MergeChunks(const FaRowBlock &block, int32_t state)
    {
        const FaAivRows rows = FaRowsOfAiv(block, AscendC::GetSubBlockIdx());
        if (rows.count > 0) {
            combine.Merge(block, rows, state);
        }
    }

    // All chunks are in GM once every core has come here; row blocks that were split are dealt again.
    __aicore__ inline void MergeDealtChunks()
    {
        AscendC::SyncAll<false>();
        if ASCEND_IS_AIV {
            FaBlockScheduler blocks;
            blocks.Init(*tiling, global.lists, group, AscendC::GetBlockNum(), FaDealt::SPLIT_BLOCKS);
            FaRowBlock block;
            int64_t chunk = 0;
            while (blocks.Next(block, chunk)) {
                MergeChunks(block, 0);
            }
        }
    }

    const FlashAttentionScoreTilingData *tiling = nullptr;
    int64_t group = 0;
    AscendC::TPipe pipe;
    FaGlobalTensors<T> global;
    FaTaskCursor<Traits> cursor;
    FaBlockCube<Traits> cube;
    FaArena<AscendC::TPosition::VECCALC> ub;
    FaVecRings<Traits::pInPlace> rings;
    FaOnlineSoftmax softmax;
    FaSink sink;
    FaBlockVec<Traits> vec;
    FaResult<Traits> result;
    FaOutput<Traits> output;
    FaCombine<Traits> combine;
};
#endif
