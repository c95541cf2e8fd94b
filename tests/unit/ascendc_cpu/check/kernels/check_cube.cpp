// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Mistakes on a cube core and between cores, one a scenario, and the same without the mistake.
#include "kernel_operator.h"

using namespace AscendC;

enum Scenario : uint32_t {
    CUBE_NO_FLAG,
    CUBE_NO_BARRIER,
    CUBE_PAD_ROWS,
    CUBE_PAD_OF_C,
    CUBE_GEMV,
    CUBE_MISALIGNED,
    CROSS_NO_WAIT,
    CROSS_WRONG_PIPE,
    CROSS_LEFT,
    CROSS_IDLE_AIV,
    CROSS_OVERFLOW,
    CROSS_DEADLOCK,
    CROSS_NO_SYNC_ALL
};

constexpr int32_t N = 32; // C[M][N] = A[M][K] B^T[N][K], half

class Case {
public:
    __aicore__ inline void Init(GM_ADDR in, GM_ADDR out, bool mistake)
    {
        wrong = mistake;
        input.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(in));
        output.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(out));
        if ASCEND_IS_AIC {
            pipe.InitBuffer(l1, 64 * 1024);
            pipe.InitBuffer(l0a, 16 * 1024);
            pipe.InitBuffer(l0b, 16 * 1024);
            pipe.InitBuffer(l0c, 32 * 1024);
        } else {
            pipe.InitBuffer(ub, 64 * 1024);
        }
    }

    // rows of A that are loaded, rows and columns of C that are stored
    __aicore__ inline void Multiply(uint32_t scenario)
    {
        const uint16_t rows = scenario == CUBE_PAD_ROWS ? 20 : N;
        const uint16_t m = scenario == CUBE_GEMV && wrong ? 1 : scenario == CUBE_PAD_ROWS && !wrong ? rows : N;
        LocalTensor<half> a = l1.Get<half>();
        LocalTensor<half> b = a[scenario == CUBE_MISALIGNED && wrong ? N * N + 8 : N * N];
        DataCopy(a, input, Nd2NzParams(1, rows, N, 0, N, N, 1, 0));
        DataCopy(b, input[N * N], Nd2NzParams(1, N, N, 0, N, N, 1, 0));
        SetFlag<HardEvent::MTE2_MTE1>(0);
        WaitFlag<HardEvent::MTE2_MTE1>(0);
        LocalTensor<half> left = l0a.Get<half>();
        LocalTensor<half> right = l0b.Get<half>();
        for (uint16_t block = 0; block < (scenario == CUBE_PAD_ROWS && !wrong ? 1 : 2); block++) {
            LoadData(left[block * 16 * N], a, LoadData2DParams(block, N / 16, N / 16, 0, 0, false, 0));
        }
        LoadData(right, b, LoadData2DParams(0, N / 16 * N / 16, 1, 0, 0, false, 0));
        SetFlag<HardEvent::MTE1_M>(0);
        WaitFlag<HardEvent::MTE1_M>(0);
        LocalTensor<float> c = l0c.Get<float>();
        MmadParams params;
        params.m = scenario == CUBE_PAD_ROWS && !wrong ? 16 : scenario == CUBE_PAD_OF_C ? 20 : m;
        params.n = N;
        params.k = N;
        Mmad(c, left, right, params);
        if (scenario == CUBE_NO_BARRIER && !wrong) {
            PipeBarrier<PIPE_M>();
        }
        if (scenario == CUBE_NO_BARRIER) {
            params.cmatrixInitVal = false;
            Mmad(c, left, right, params);
        }
        SetFlag<HardEvent::M_FIX>(0);
        if (scenario != CUBE_NO_FLAG || !wrong) {
            WaitFlag<HardEvent::M_FIX>(0);
        }
        FixpipeParamsV220 store;
        store.nSize = N;
        store.mSize = scenario == CUBE_PAD_OF_C && wrong ? N : params.m;
        store.srcStride = (params.m + 15) / 16 * 16;
        store.dstStride = N;
        Fixpipe<float, float, CFG_ROW_MAJOR>(output, c, store);
        if (scenario == CUBE_NO_FLAG && wrong) {
            WaitFlag<HardEvent::M_FIX>(0);
        }
    }

    // C of the AIC is copied to the second half of the output by AIV 0.
    __aicore__ inline void HandOver(uint32_t scenario)
    {
        if ASCEND_IS_AIC {
            Multiply(scenario);
            if (scenario == CROSS_WRONG_PIPE && wrong) {
                CrossCoreSetFlag<2, PIPE_M>(0);
            } else {
                CrossCoreSetFlag<2, PIPE_FIX>(0);
            }
            return;
        }
        if (scenario == CROSS_NO_WAIT && wrong) {
            Read();
            CrossCoreWaitFlag(0);
        } else {
            if (scenario != CROSS_LEFT || !wrong) {
                CrossCoreWaitFlag(0);
            }
            Read();
        }
    }

    __aicore__ inline void Run(uint32_t scenario)
    {
        if (scenario < CROSS_NO_WAIT) {
            if ASCEND_IS_AIC {
                Multiply(scenario);
            }
        } else if (scenario <= CROSS_LEFT) {
            HandOver(scenario);
        } else if (scenario == CROSS_IDLE_AIV) {
            if ASCEND_IS_AIC {
                CrossCoreWaitFlag(1);
            } else if (!wrong || GetSubBlockIdx() == 0) {
                CrossCoreSetFlag<2, PIPE_MTE3>(1);
            }
        } else if (scenario == CROSS_OVERFLOW) {
            for (int32_t i = 0; i < (wrong ? 16 : 15); i++) {
                if ASCEND_IS_AIC {
                    CrossCoreSetFlag<2, PIPE_FIX>(2);
                }
            }
            for (int32_t i = 0; i < (wrong ? 16 : 15); i++) {
                if ASCEND_IS_AIV {
                    CrossCoreWaitFlag(2);
                }
            }
        } else if (scenario == CROSS_DEADLOCK) {
            if ASCEND_IS_AIC {
                if (wrong) {
                    CrossCoreWaitFlag(3);
                    CrossCoreSetFlag<2, PIPE_FIX>(4);
                } else {
                    CrossCoreSetFlag<2, PIPE_FIX>(4);
                    CrossCoreWaitFlag(3);
                }
            } else {
                CrossCoreWaitFlag(4);
                CrossCoreSetFlag<2, PIPE_MTE3>(3);
            }
        } else { // CROSS_NO_SYNC_ALL: each AIV reads what the next one has written
            SyncCase();
        }
    }

private:
    __aicore__ inline void Read()
    {
        if (GetSubBlockIdx() == 0) {
            DataCopy(ub.Get<float>(), output, 16 * N);
        }
    }

    __aicore__ inline void SyncCase()
    {
        const int64_t cores = GetBlockNum() * 2;
        if ASCEND_IS_AIV {
            LocalTensor<float> own = ub.Get<float>();
            Duplicate(own, 1.0f, 64);
            SetFlag<HardEvent::V_MTE3>(0);
            WaitFlag<HardEvent::V_MTE3>(0);
            DataCopy(output[GetBlockIdx() * 64], own, 64);
        }
        if (!wrong) {
            SyncAll<false>();
        }
        if ASCEND_IS_AIV {
            DataCopy(ub.Get<float>()[64], output[(GetBlockIdx() + 1) % cores * 64], 64);
        }
        if (wrong) {
            SyncAll<false>();
        }
    }

    TPipe pipe;
    TBuf<TPosition::A1> l1;
    TBuf<TPosition::A2> l0a;
    TBuf<TPosition::B2> l0b;
    TBuf<TPosition::CO1> l0c;
    TBuf<TPosition::VECCALC> ub;
    GlobalTensor<half> input;   // A [N][N], B [N][N]
    GlobalTensor<float> output; // [N][N]
    bool wrong = false;
};

extern "C" __global__ __aicore__ void check_cube(GM_ADDR in, GM_ADDR out, uint32_t scenario, uint32_t wrong)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    Case each;
    each.Init(in, out, wrong != 0);
    each.Run(scenario);
}
