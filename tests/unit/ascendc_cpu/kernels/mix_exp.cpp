// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// c = exp(a b^T), a in row blocks of 32: the AIC multiplies, its AIVs take half of the rows each. Results cross through
// a ring in the workspace. DTYPE_A is half or float.
#include "kernel_operator.h"

using namespace AscendC;

struct MixExpTiling {
    uint32_t blocks; // of 32 rows of a
    uint32_t n;      // rows of b, a multiple of 16
    uint32_t k;      // a multiple of 16
    uint32_t unused;
};

constexpr uint32_t ROWS = 32;
constexpr uint32_t DEPTH = 2;
constexpr uint16_t READY = 0; // and the next ones, a flag for each slot
constexpr uint16_t FREE = 4;
constexpr TEventID LEFT_READ = 3; // M_MTE1: TPipe keeps 0 to 2 for itself

template <typename T>
class MixExp {
public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, const MixExpTiling &data)
    {
        tiling = data;
        group = GetBlockIdx() / GetSubBlockNum();
        left.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(a));
        right.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(b));
        result.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(c));
        ring.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(workspace) + group * DEPTH * ROWS * data.n);
    }
    // One loop for both sides: they cannot drift.
    __aicore__ inline void Process()
    {
        if ASCEND_IS_AIC {
            InitCube();
        } else {
            pipe.InitBuffer(ub, ROWS / 2 * tiling.n * sizeof(float));
        }
        uint32_t step = 0;
        for (int64_t block = group; block < tiling.blocks; block += GetBlockNum(), step++) {
            if ASCEND_IS_AIC {
                Cube(block, step);
            } else {
                Vector(block, step);
            }
        }
        if ASCEND_IS_AIC {
            for (uint32_t i = step < DEPTH ? 0 : step - DEPTH; i < step; i++) {
                CrossCoreWaitFlag(FREE + i % DEPTH);
            }
            WaitFlag<HardEvent::MTE1_MTE2>(0);
            WaitFlag<HardEvent::M_MTE1>(LEFT_READ);
            WaitFlag<HardEvent::FIX_M>(0);
        }
    }

private:
    static constexpr uint16_t C0 = 32 / sizeof(T);

    __aicore__ inline void InitCube()
    {
        pipe.InitBuffer(l1Left, ROWS * tiling.k * sizeof(T));
        pipe.InitBuffer(l1Right, tiling.n * tiling.k * sizeof(T));
        pipe.InitBuffer(l0Left, ROWS * tiling.k * sizeof(T));
        pipe.InitBuffer(l0Right, tiling.n * tiling.k * sizeof(T));
        pipe.InitBuffer(l0Result, ROWS * tiling.n * sizeof(float));
        LoadNz(l1Right.template Get<T>(), right, tiling.n);
        SetFlag<HardEvent::MTE2_MTE1>(0);
        WaitFlag<HardEvent::MTE2_MTE1>(0);
        LoadData2DParams params;
        params.repeatTimes = static_cast<uint8_t>(tiling.n / 16 * tiling.k / C0);
        params.srcStride = 1;
        LoadData(l0Right.template Get<T>(), l1Right.template Get<T>(), params);
        SetFlag<HardEvent::MTE1_MTE2>(0); // each block's L1, L0A and L0C are free to begin with
        SetFlag<HardEvent::M_MTE1>(LEFT_READ);
        SetFlag<HardEvent::FIX_M>(0);
    }
    __aicore__ inline void LoadNz(const LocalTensor<T> &target, const GlobalTensor<T> &source, uint32_t rows)
    {
        const auto count = static_cast<uint16_t>(rows);
        const auto columns = static_cast<uint16_t>(tiling.k);
        DataCopy(target, source, Nd2NzParams(1, count, columns, 0, columns, count, 1, 0));
    }
    __aicore__ inline void Cube(int64_t block, uint32_t step)
    {
        LocalTensor<T> l1 = l1Left.template Get<T>();
        WaitFlag<HardEvent::MTE1_MTE2>(0);
        LoadNz(l1, left[block * ROWS * tiling.k], ROWS);
        SetFlag<HardEvent::MTE2_MTE1>(0);
        WaitFlag<HardEvent::MTE2_MTE1>(0);
        WaitFlag<HardEvent::M_MTE1>(LEFT_READ);
        for (uint16_t i = 0; i < ROWS / 16; i++) {
            LoadData2DParams params;
            params.startIndex = i;
            params.repeatTimes = static_cast<uint8_t>(tiling.k / C0);
            params.srcStride = ROWS / 16;
            LoadData(l0Left.template Get<T>()[i * 16 * tiling.k], l1, params);
        }
        SetFlag<HardEvent::MTE1_MTE2>(0);
        SetFlag<HardEvent::MTE1_M>(0);
        WaitFlag<HardEvent::MTE1_M>(0);
        WaitFlag<HardEvent::FIX_M>(0);
        MmadParams params;
        params.m = ROWS;
        params.n = static_cast<uint16_t>(tiling.n);
        params.k = static_cast<uint16_t>(tiling.k);
        LocalTensor<float> sums = l0Result.template Get<float>();
        Mmad(sums, l0Left.template Get<T>(), l0Right.template Get<T>(), params);
        SetFlag<HardEvent::M_MTE1>(LEFT_READ);
        SetFlag<HardEvent::M_FIX>(0);
        WaitFlag<HardEvent::M_FIX>(0);
        if (step >= DEPTH) {
            CrossCoreWaitFlag(FREE + step % DEPTH);
        }
        FixpipeParamsV220 store;
        store.nSize = params.n;
        store.mSize = ROWS;
        store.srcStride = ROWS;
        store.dstStride = tiling.n;
        Fixpipe(ring[step % DEPTH * ROWS * tiling.n], sums, store);
        SetFlag<HardEvent::FIX_M>(0);
        CrossCoreSetFlag<2, PIPE_FIX>(READY + step % DEPTH);
    }
    __aicore__ inline void Vector(int64_t block, uint32_t step)
    {
        const uint32_t count = ROWS / 2 * tiling.n;
        const uint32_t offset = GetSubBlockIdx() * count;
        LocalTensor<float> values = ub.template Get<float>();
        CrossCoreWaitFlag(READY + step % DEPTH);
        DataCopy(values, ring[step % DEPTH * ROWS * tiling.n + offset], count);
        CrossCoreSetFlag<2, PIPE_MTE2>(FREE + step % DEPTH);
        SetFlag<HardEvent::MTE2_V>(0);
        WaitFlag<HardEvent::MTE2_V>(0);
        Exp(values, values, static_cast<int32_t>(count));
        SetFlag<HardEvent::V_MTE3>(0);
        WaitFlag<HardEvent::V_MTE3>(0);
        DataCopy(result[block * ROWS * tiling.n + offset], values, count);
        SetFlag<HardEvent::MTE3_MTE2>(0);
        WaitFlag<HardEvent::MTE3_MTE2>(0);
    }

    MixExpTiling tiling;
    int64_t group = 0;
    GlobalTensor<T> left;
    GlobalTensor<T> right;
    GlobalTensor<float> ring;
    GlobalTensor<float> result;
    TPipe pipe;
    TBuf<TPosition::A1> l1Left;
    TBuf<TPosition::B1> l1Right;
    TBuf<TPosition::A2> l0Left;
    TBuf<TPosition::B2> l0Right;
    TBuf<TPosition::CO1> l0Result;
    TBuf<TPosition::VECCALC> ub;
};

extern "C" __global__ __aicore__ void mix_exp(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    REGISTER_TILING_DEFAULT(MixExpTiling);
    GET_TILING_DATA(data, tiling);
    MixExp<DTYPE_A> kernel;
    kernel.Init(a, b, c, GetUserWorkspace(workspace), data);
    kernel.Process();
}
