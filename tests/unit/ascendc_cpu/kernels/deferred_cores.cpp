// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Other cores overwrite the rows that a product works on, after they have been told that these are copied, or those
// that Fixpipe has stored it to, after they have been told so: L0C still holds it.
#include "kernel_operator.h"

using namespace AscendC;

enum Teller : uint32_t { GROUP, ALL_FLAGS, ALL_CORES };

struct CoresTiling {
    uint32_t teller;
    uint32_t overwritesResult;
};

constexpr uint32_t SIDE = 16;
constexpr uint32_t ELEMENTS = SIDE * SIDE; // of P, for every group
constexpr uint32_t DONE = 0;               // flags: copied, or stored
constexpr uint32_t OVERWRITTEN = 1;

class DeferredCores {
public:
    __aicore__ inline void Init(GM_ADDR p, GM_ADDR result, GM_ADDR again, const CoresTiling &cores)
    {
        const uint32_t group = GetBlockIdx() / (g_coreType == AIV ? GetSubBlockNum() : 1);
        const uint32_t other = (group + 1) % GetBlockNum();
        teller = cores.teller;
        overwritesResult = cores.overwritesResult != 0;
        rows = Rows(p, group);
        sums = Rows(result, group);
        sumsAgain = Rows(again, group);
        ownVictim = overwritesResult ? sums : rows;
        otherVictim = Rows(overwritesResult ? result : p, other);
    }

    // C = P times ones
    __aicore__ inline void RunCube()
    {
        LocalTensor<float> l1(TPosition::A1, 0, 2 * ELEMENTS);
        InitConstValue(l1[ELEMENTS], InitConstValueParams<float>(1, ELEMENTS / 8, 0, 77.0f));
        InitConstValue(l0B, InitConstValueParams<float>(1, 2, 0, 1.0f));
        DataCopy(l1, rows, Nd2NzParams(1, SIDE, SIDE, 0, SIDE, SIDE, 1, 0));
        if (overwritesResult) {
            Multiply(l1);
            Store(sums);
        }
        if (teller == GROUP) {
            CrossCoreSetFlag<2, PIPE_FIX>(DONE);
            if (!overwritesResult) {
                Multiply(l1);
            }
            CrossCoreWaitFlag(OVERWRITTEN);
        } else {
            Meet(DONE);
            DataCopy(otherVictim, l1[ELEMENTS], ELEMENTS);
            Meet(OVERWRITTEN);
            if (!overwritesResult) {
                Multiply(l1);
            }
        }
        if (!overwritesResult) {
            Store(sums);
        }
        Store(sumsAgain);
    }

    __aicore__ inline void RunVector()
    {
        if (teller == GROUP) {
            LocalTensor<float> ub(TPosition::VECCALC, 0, ELEMENTS);
            CrossCoreWaitFlag(DONE);
            Duplicate(ub, 77.0f, static_cast<int32_t>(ELEMENTS));
            PipeBarrier<PIPE_ALL>();
            DataCopy(ownVictim, ub, ELEMENTS);
            CrossCoreSetFlag<2, PIPE_MTE3>(OVERWRITTEN);
        } else if (teller == ALL_CORES) {
            SyncAll<false>();
            SyncAll<false>();
        }
    }

private:
    __aicore__ inline GlobalTensor<float> Rows(GM_ADDR all, uint32_t group) const
    {
        GlobalTensor<float> tensor;
        tensor.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(all) + group * ELEMENTS);
        return tensor;
    }

    __aicore__ inline void Store(const GlobalTensor<float> &result)
    {
        PipeBarrier<PIPE_ALL>();
        Fixpipe<float, float, CFG_ROW_MAJOR>(result, l0C, FixpipeParamsV220(SIDE, SIDE, SIDE, SIDE, false));
        PipeBarrier<PIPE_ALL>();
    }

    __aicore__ inline void Multiply(const LocalTensor<float> &l1)
    {
        PipeBarrier<PIPE_ALL>();
        LoadData(l0A, l1, LoadData2DParams(0, SIDE / 8, 1, 0, 0, false, 0));
        PipeBarrier<PIPE_ALL>();
        Mmad(l0C, l0A, l0B, MmadParams(SIDE, SIDE, SIDE, 0, false, true));
    }

    // All groups have come to this point.
    __aicore__ inline void Meet(uint16_t flag)
    {
        PipeBarrier<PIPE_ALL>();
        if (teller == ALL_FLAGS) {
            CrossCoreSetFlag<0, PIPE_FIX>(flag);
            CrossCoreWaitFlag(flag);
        } else {
            SyncAll<false>();
        }
    }

    uint32_t teller = 0;
    bool overwritesResult = false;
    GlobalTensor<float> rows, sums, sumsAgain, ownVictim, otherVictim;
    LocalTensor<float> l0A{TPosition::A2, 0, ELEMENTS};
    LocalTensor<float> l0B{TPosition::B2, 0, ELEMENTS};
    LocalTensor<float> l0C{TPosition::CO1, 0, ELEMENTS};
};

extern "C" __global__ __aicore__ void deferred_cores(GM_ADDR p, GM_ADDR result, GM_ADDR again, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
    REGISTER_TILING_DEFAULT(CoresTiling);
    GET_TILING_DATA(cores, tiling);
    DeferredCores kernel;
    kernel.Init(p, result, again, cores);
    if ASCEND_IS_AIC {
        kernel.RunCube();
    }
    if ASCEND_IS_AIV {
        kernel.RunVector();
    }
}
