// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Cross-core synchronisation, good and bad, with scalar accesses to GM only. The scenario is chosen by the tiling data.
#include "kernel_operator.h"

using namespace AscendC;

struct SyncTiling {
    uint32_t scenario;
    uint32_t rounds;
    uint32_t culprit; // group that misbehaves
    uint32_t unused;
};

constexpr uint32_t RING_DEPTH = 3;

// One hand-over between AIC and AIVs: slot and credit flags in pairs.
class Ring {
public:
    __aicore__ inline void Produce(uint32_t step)
    {
        if (step >= RING_DEPTH) {
            CrossCoreWaitFlag(FREE);
        }
    }
    __aicore__ inline void Produced()
    {
        CrossCoreSetFlag<2, PIPE_FIX>(READY);
    }
    __aicore__ inline void Consume()
    {
        CrossCoreWaitFlag(READY);
    }
    __aicore__ inline void Consumed()
    {
        CrossCoreSetFlag<2, PIPE_MTE2>(FREE);
    }
    __aicore__ inline void Drain(uint32_t steps)
    {
        for (uint32_t i = 0; i < (steps < RING_DEPTH ? steps : RING_DEPTH); i++) {
            CrossCoreWaitFlag(FREE);
        }
    }

private:
    static constexpr uint16_t READY = 0;
    static constexpr uint16_t FREE = 1;
};

// The AIC writes squares into a ring in GM; both AIVs add up what they read.
__aicore__ inline void RunRing(__gm__ int64_t *sums, __gm__ int64_t *rings, uint32_t steps)
{
    Ring ring;
    if ASCEND_IS_AIC {
        __gm__ int64_t *slots = rings + GetBlockIdx() * RING_DEPTH;
        for (uint32_t i = 0; i < steps; i++) {
            ring.Produce(i);
            slots[i % RING_DEPTH] = static_cast<int64_t>(i) * i;
            ring.Produced();
        }
        ring.Drain(steps);
    }
    if ASCEND_IS_AIV {
        __gm__ int64_t *slots = rings + GetBlockIdx() / GetSubBlockNum() * RING_DEPTH;
        for (uint32_t i = 0; i < steps; i++) {
            ring.Consume();
            sums[GetBlockIdx()] += slots[i % RING_DEPTH];
            ring.Consumed();
        }
    }
}

// row[r + 1][i] = row[r][i + 1] + 1: right only when every core has finished a round before any begins the next.
template <typename Barrier>
__aicore__ inline void RunRotation(__gm__ int64_t *rows, uint32_t rounds, int64_t cores, int64_t self, Barrier barrier)
{
    for (uint32_t r = 0; r < rounds; r++) {
        rows[(r + 1) * cores + self] = rows[r * cores + (self + 1) % cores] + 1;
        barrier();
    }
}

__aicore__ inline void RunSyncAll(__gm__ int64_t *rows, uint32_t rounds)
{
    const int64_t cores = 3 * GetBlockNum();
    const int64_t self = g_coreType == AIC ? GetBlockIdx() : GetBlockNum() + GetBlockIdx();
    RunRotation(rows, rounds, cores, self, [] { SyncAll<false>(); });
}

// AIVs among themselves; the AICs do the same in rows of their own behind them.
__aicore__ inline void RunModeZero(__gm__ int64_t *rows, uint32_t rounds)
{
    const int64_t aivs = 2 * GetBlockNum();
    const int64_t cores = g_coreType == AIC ? GetBlockNum() : aivs;
    __gm__ int64_t *own = g_coreType == AIC ? rows + (rounds + 1) * aivs : rows;
    RunRotation(own, rounds, cores, GetBlockIdx(), [] {
        CrossCoreSetFlag<0, g_coreType == AIC ? PIPE_FIX : PIPE_MTE3>(5);
        CrossCoreWaitFlag<0>(5);
    });
}

__aicore__ inline void RunModeOne(__gm__ int64_t *rows, uint32_t rounds)
{
    if ASCEND_IS_AIV {
        __gm__ int64_t *own = rows + GetBlockIdx() / 2 * 2 * (rounds + 1);
        RunRotation(own, rounds, 2, GetSubBlockIdx(), [] {
            CrossCoreSetFlag<1, PIPE_MTE3>(6);
            CrossCoreWaitFlag<1>(6);
        });
    }
}

__aicore__ inline bool IsCulprit(const SyncTiling &data)
{
    return GetBlockIdx() / GetSubBlockNum() == static_cast<int64_t>(data.culprit);
}

// An AIV of the culprit never sets what its AIC waits for.
__aicore__ inline void RunDeadlock(const SyncTiling &data)
{
    if ASCEND_IS_AIC {
        CrossCoreWaitFlag<2>(7);
    } else if (!IsCulprit(data) || GetSubBlockIdx() == 0) {
        CrossCoreSetFlag<2, PIPE_MTE3>(7);
    }
}

__aicore__ inline void RunOverflow(const SyncTiling &data)
{
    if ASCEND_IS_AIC {
        for (uint32_t i = 0; IsCulprit(data) && i < data.rounds; i++) {
            CrossCoreSetFlag<2, PIPE_FIX>(2);
        }
    } else {
        for (uint32_t i = 0; IsCulprit(data) && i < data.rounds; i++) {
            CrossCoreWaitFlag(2);
        }
    }
}

__aicore__ inline void RunBad(const SyncTiling &data, __gm__ int64_t *out)
{
    if (!IsCulprit(data)) {
        return;
    }
    switch (data.scenario) {
    case 10: // set, never waited for
        if ASCEND_IS_AIC {
            CrossCoreSetFlag<2, PIPE_FIX>(4);
        }
        return;
    case 11: // only one AIV of the pair sets
        if ASCEND_IS_AIV {
            if (GetSubBlockIdx() == 1) {
                CrossCoreSetFlag<1, PIPE_MTE3>(4);
            }
        }
        return;
    case 12:
        if ASCEND_IS_AIV {
            CrossCoreSetFlag<0, PIPE_MTE3>(4);
        }
        return;
    case 13:
        CrossCoreWaitFlag(16);
        return;
    case 14:
        SetFlag<HardEvent::MTE2_S>(8);
        return;
    case 15: // std::bad_alloc: a kernel source cannot include <stdexcept>
        out[0] = reinterpret_cast<int64_t>(::operator new(~0ULL >> (data.rounds + 1)));
        return;
    case 16:
        if ASCEND_IS_AIC {
            SyncAll<true>();
        }
        return;
    case 17:
        if ASCEND_IS_AIV {
            SetFlag<HardEvent::MTE1_M>(0);
        }
        return;
    case 18:
        throw 17; // not a std::exception
    default:      // taking UB is harmless on an AIC, using it is not
        TPipe pipe;
        TBuf<TPosition::VECCALC> buffer;
        pipe.InitBuffer(buffer, 64);
        buffer.Get<float>().SetValue(0, 1.0f);
    }
}

extern "C" __global__ __aicore__ void sync_scenarios(GM_ADDR out, GM_ADDR workspace, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    REGISTER_TILING_DEFAULT(SyncTiling);
    GET_TILING_DATA(data, tiling);
    auto *rows = reinterpret_cast<__gm__ int64_t *>(out);
    switch (data.scenario) {
    case 0:
        return RunRing(rows, reinterpret_cast<__gm__ int64_t *>(workspace), data.rounds);
    case 1:
        return RunSyncAll(rows, data.rounds);
    case 2:
        return RunModeZero(rows, data.rounds);
    case 3:
        return RunModeOne(rows, data.rounds);
    case 4:
        return RunDeadlock(data);
    case 5:
        return RunOverflow(data);
    case 6: // SyncAll that one group does not reach
        return IsCulprit(data) ? (void)0 : SyncAll<false>();
    default:
        return RunBad(data, rows);
    }
}
