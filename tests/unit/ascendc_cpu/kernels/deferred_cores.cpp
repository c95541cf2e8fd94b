// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Other cores overwrite the rows that a product works on, after they have been told that these are copied.
#include "kernel_operator.h"

using namespace AscendC;

enum Teller : uint32_t { GROUP, ALL_FLAGS, ALL_CORES };

struct CoresTiling {
    uint32_t teller;
    uint32_t unused;
};

constexpr uint32_t SIDE = 16;
constexpr uint32_t ELEMENTS = SIDE * SIDE; // of P, for every group
constexpr uint32_t COPIED = 0;             // flags
constexpr uint32_t OVERWRITTEN = 1;

class DeferredCores {
public:
    __aicore__ inline void Init(GM_ADDR p, GM_ADDR result)
    {
        const uint32_t group = GetBlockIdx() / (g_coreType == AIV ? GetSubBlockNum() : 1);
        const uint32_t other = (group + 1) % GetBlockNum();
        allOfP.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(p));
        ownP = allOfP[group * ELEMENTS];
        otherP = allOfP[other * ELEMENTS];
        sums.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(result) + group * ELEMENTS);
    }

    // C = P times ones
    __aicore__ inline void RunCube(uint32_t teller)
    {
        LocalTensor<float> l1(TPosition::A1, 0, 2 * ELEMENTS);
        InitConstValue(l1[ELEMENTS], InitConstValueParams<float>(1, ELEMENTS / 8, 0, 77.0f));
        InitConstValue(l0B, InitConstValueParams<float>(1, 2, 0, 1.0f));
        DataCopy(l1, ownP, Nd2NzParams(1, SIDE, SIDE, 0, SIDE, SIDE, 1, 0));
        if (teller == GROUP) {
            CrossCoreSetFlag<2, PIPE_MTE2>(COPIED);
            Multiply(l1);
            CrossCoreWaitFlag(OVERWRITTEN);
        } else {
            Meet(teller, COPIED);
            DataCopy(otherP, l1[ELEMENTS], ELEMENTS);
            Meet(teller, OVERWRITTEN);
            Multiply(l1);
        }
        PipeBarrier<PIPE_ALL>();
        Fixpipe<float, float, CFG_ROW_MAJOR>(sums, l0C, FixpipeParamsV220(SIDE, SIDE, SIDE, SIDE, false));
    }

    __aicore__ inline void RunVector(uint32_t teller)
    {
        if (teller == GROUP) {
            LocalTensor<float> ub(TPosition::VECCALC, 0, ELEMENTS);
            CrossCoreWaitFlag(COPIED);
            Duplicate(ub, 77.0f, static_cast<int32_t>(ELEMENTS));
            PipeBarrier<PIPE_ALL>();
            DataCopy(ownP, ub, ELEMENTS);
            CrossCoreSetFlag<2, PIPE_MTE3>(OVERWRITTEN);
        } else if (teller == ALL_CORES) {
            SyncAll<false>();
            SyncAll<false>();
        }
    }

private:
    __aicore__ inline void Multiply(const LocalTensor<float> &l1)
    {
        PipeBarrier<PIPE_ALL>();
        LoadData(l0A, l1, LoadData2DParams(0, SIDE / 8, 1, 0, 0, false, 0));
        PipeBarrier<PIPE_ALL>();
        Mmad(l0C, l0A, l0B, MmadParams(SIDE, SIDE, SIDE, 0, false, true));
    }

    // All groups have come to this point.
    __aicore__ inline void Meet(uint32_t teller, uint16_t flag)
    {
        PipeBarrier<PIPE_ALL>();
        if (teller == ALL_FLAGS) {
            CrossCoreSetFlag<0, PIPE_MTE2>(flag);
            CrossCoreWaitFlag(flag);
        } else {
            SyncAll<false>();
        }
    }

    GlobalTensor<float> allOfP, ownP, otherP, sums;
    LocalTensor<float> l0A{TPosition::A2, 0, ELEMENTS};
    LocalTensor<float> l0B{TPosition::B2, 0, ELEMENTS};
    LocalTensor<float> l0C{TPosition::CO1, 0, ELEMENTS};
};

extern "C" __global__ __aicore__ void deferred_cores(GM_ADDR p, GM_ADDR result, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
    REGISTER_TILING_DEFAULT(CoresTiling);
    GET_TILING_DATA(cores, tiling);
    DeferredCores kernel;
    kernel.Init(p, result);
    if ASCEND_IS_AIC {
        kernel.RunCube(cores.teller);
    }
    if ASCEND_IS_AIV {
        kernel.RunVector(cores.teller);
    }
}
