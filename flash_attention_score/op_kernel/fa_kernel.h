// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// FlashAttention forward of one core (Dao et al., arXiv 2205.14135): stacks of keys stream past resident query tiles.
// QK^T and softmax run `preload` stacks ahead of PV and the update of O, also across row blocks.
#ifndef FA_KERNEL_H
#define FA_KERNEL_H
#include "fa_block_cube.h"
#include "fa_block_scheduler.h"
#include "fa_output.h"

constexpr uint32_t FA_UB_BYTES = 184 * 1024; // Select keeps 8 KiB of scratch above

// Walks the stacks of this core's row blocks.
class FaTaskCursor {
public:
    __aicore__ inline void Init(const FlashAttentionScoreTilingData &tilingData, int64_t core, int64_t cores)
    {
        tiling = &tilingData;
        scheduler.Init(tilingData, core, cores);
    }

    // The next stack; false after the last one.
    __aicore__ inline bool Next(FaTask &task)
    {
        task.first = !insideBlock;
        if (!insideBlock && !NextBlock()) {
            return false;
        }
        const int64_t stack = tiling->tile.kvStack;
        const int64_t end = FaMin(key / stack * stack + stack, keys.end);
        task.block = block;
        task.k0 = key;
        task.cols = end - key;
        task.last = end == keys.end;
        task.slot = slot;
        task.state = state;
        key = end;
        insideBlock = !task.last;
        slot = slot + 1 == FA_RING_SLOTS ? 0 : slot + 1;
        return true;
    }

private:
    __aicore__ inline bool NextBlock()
    {
        if (!scheduler.Next(block)) {
            return false;
        }
        // packed rows of several heads: every query of them
        const bool packed = tiling->tile.headsPerTile > 1;
        const int64_t q0 = packed ? 0 : block.q0;
        const int64_t q1 = packed ? tiling->s1 : block.q0 + block.rows;
        keys = FaVisibleKeys(tiling->mask, q0, q1, tiling->s2);
        keys.begin = keys.begin / 16 * 16;
        key = keys.begin;
        state = state + 1 == FA_RING_SLOTS ? 0 : state + 1;
        return true;
    }

    const FlashAttentionScoreTilingData *tiling = nullptr;
    FaBlockScheduler scheduler;
    FaRowBlock block;
    FaKeyRange keys;
    int64_t key = 0;
    bool insideBlock = false;
    int32_t slot = 0;
    int32_t state = 0;
};

template <typename Traits>
class FaKernel {
    using T = typename Traits::Elem;

public:
    __aicore__ inline void Init(const FlashAttentionScoreTilingData &tilingData,
                                const FaGlobalTensors<T> &globalTensors, int64_t core)
    {
        tiling = &tilingData;
        global = globalTensors;
        cursor.Init(tilingData, core, AscendC::GetBlockNum());
        if ASCEND_IS_AIC {
            cube.Init(tilingData, global, pipe);
        } else {
            ub.Init(pipe, FA_UB_BYTES);
            softmax.Init(ub);
            vec.Init(tilingData, global, ub, rings, softmax);
            output.Init(tilingData, global, ub, rings, softmax);
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
        if ASCEND_IS_AIC {
            cube.Close();
        } else {
            rings.Close();
        }
    }

private:
    __aicore__ inline void First(const FaTask &task)
    {
        if ASCEND_IS_AIC {
            if (task.cols > 0) {
                cube.ComputeScores(task);
            }
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
        }
    }

    const FlashAttentionScoreTilingData *tiling = nullptr;
    AscendC::TPipe pipe;
    FaGlobalTensors<T> global;
    FaTaskCursor cursor;
    FaBlockCube<Traits> cube;
    FaArena<AscendC::TPosition::VECCALC> ub;
    FaVecRings<Traits::pInPlace> rings;
    FaOnlineSoftmax softmax;
    FaBlockVec<Traits> vec;
    FaOutput<Traits> output;
};
#endif
