// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One cube or copy instruction, repeated; or the chain Nd2Nz, LoadData, Mmad, Fixpipe over a long matrix in GM.
#include "kernel_operator.h"

struct CubeBench {
    uint32_t operation;
    uint32_t repeats;
    uint32_t m, n, k;
    uint32_t rowsInGm; // of the CHAIN
};

enum BenchOperation : uint32_t { MMAD, ND2NZ, LOAD_A, LOAD_KEY, LOAD_VALUE, FIXPIPE, FIXPIPE_ATOMIC, CHAIN };

using namespace AscendC;
using T = DTYPE_X;

constexpr uint32_t C0 = 32 / sizeof(T);

class CubeBenchKernel {
public:
    __aicore__ inline void Init(GM_ADDR matrix, GM_ADDR out, const CubeBench &bench)
    {
        p = bench;
        gm.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(matrix));
        gmOut.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(out));
        l1A = LocalTensor<T>(TPosition::A1, 0, 64 * 1024 / sizeof(T));
        l1B = LocalTensor<T>(TPosition::B1, 64 * 1024, 64 * 1024 / sizeof(T));
        l0A = LocalTensor<T>(TPosition::A2, 0, 64 * 1024 / sizeof(T));
        l0B = LocalTensor<T>(TPosition::B2, 0, 64 * 1024 / sizeof(T));
        l0C = LocalTensor<float>(TPosition::CO1, 0, 32 * 1024);
    }

    __aicore__ inline void Process()
    {
        ToL1(l1A, gm, p.m);
        ToL1(l1B, gm, p.n);
        LoadA();
        LoadKey();
        if (p.operation == FIXPIPE_ATOMIC) {
            SetAtomicAdd<float>();
        }
        for (uint32_t i = 0; i < p.repeats; ++i) {
            Run(i);
        }
        SetAtomicNone();
    }

private:
    __aicore__ inline void Run(uint32_t i)
    {
        switch (p.operation) {
        case MMAD:
            return Multiply();
        case ND2NZ:
            return ToL1(l1B, gm, p.n);
        case LOAD_A:
            return LoadA();
        case LOAD_KEY:
            return LoadKey();
        case LOAD_VALUE:
            return LoadValue();
        case CHAIN:
            ToL1(l1B, gm[static_cast<uint64_t>(i) * p.n % p.rowsInGm * p.k], p.n);
            LoadKey();
            Multiply();
            return Store();
        default:
            return Store();
        }
    }
    __aicore__ inline void ToL1(const LocalTensor<T> &l1, const GlobalTensor<T> &from, uint32_t rows)
    {
        DataCopy(l1, from, Nd2NzParams(1, rows, p.k, 0, p.k, rows, 1, 0));
    }
    __aicore__ inline LoadData3DParamsV2<T> Params(uint32_t rows)
    {
        LoadData3DParamsV2<T> load;
        load.l1H = 1;
        load.l1W = rows;
        load.channelSize = p.k;
        load.mExtension = rows;
        load.kExtension = p.k;
        return load;
    }
    __aicore__ inline void LoadA()
    {
        LoadData(l0A, l1A, Params(p.m));
    }
    __aicore__ inline void LoadKey()
    {
        LoadData(l0B, l1B, LoadData2DParams(0, p.n / 16 * (p.k / C0), 1, 0, 0, false, 0));
    }
    __aicore__ inline void LoadValue()
    {
        LoadData(l0B, l1B, Params(p.n));
    }
    __aicore__ inline void Multiply()
    {
        Mmad(l0C, l0A, l0B, MmadParams(p.m, p.n, p.k, 0, false, true));
    }
    __aicore__ inline void Store()
    {
        Fixpipe<float, float, CFG_ROW_MAJOR>(gmOut, l0C, FixpipeParamsV220(p.n, p.m, p.m, p.n, false));
    }

    CubeBench p;
    GlobalTensor<T> gm;
    GlobalTensor<float> gmOut;
    LocalTensor<T> l1A, l1B, l0A, l0B;
    LocalTensor<float> l0C;
};

extern "C" __global__ __aicore__ void cube_bench(GM_ADDR matrix, GM_ADDR out, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    REGISTER_TILING_DEFAULT(CubeBench);
    GET_TILING_DATA(bench, tiling);
    CubeBenchKernel kernel;
    kernel.Init(matrix, out, bench);
    kernel.Process();
}
