// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A product of matrices whose rows are not whole fractals, loaded in every way: what Nd2Nz leaves unwritten is not
// used.
#include "kernel_operator.h"

using namespace AscendC;

using T = DTYPE_X;

struct LoadCase {
    uint32_t m; // of the matrices in GM
    uint32_t n;
    uint32_t k;
    uint32_t left;  // 0: [m][k]. 1: [k][m] by LoadData 3D. 2: the same by LoadDataWithTranspose
    uint32_t right; // 0: [n][k]. 1: [k][n] by LoadData 3D. 2: the same by LoadDataWithTranspose
    uint32_t usedM; // of Mmad
    uint32_t usedN;
    uint32_t usedK;
};

constexpr uint16_t C0 = 32 / sizeof(T);
constexpr uint16_t SQUARE = 16; // rows and columns of what LoadDataWithTranspose takes

__aicore__ inline uint16_t Align(uint32_t value, uint32_t unit)
{
    return static_cast<uint16_t>((value + unit - 1) / unit * unit);
}

class CheckLoad {
public:
    __aicore__ inline void Run(GM_ADDR a, GM_ADDR b, const LoadCase &loadCase)
    {
        c = loadCase;
        pipe.InitBuffer(l1, 64 * 1024);
        pipe.InitBuffer(l0a, 32 * 1024);
        pipe.InitBuffer(l0b, 32 * 1024);
        pipe.InitBuffer(l0c, 64 * 1024);
        const LocalTensor<T> leftL1 = l1.Get<T>();
        const LocalTensor<T> rightL1 = leftL1[32 * 1024 / sizeof(T)];
        ToL1(leftL1, a, c.left == 0 ? c.m : c.k, c.left == 0 ? c.k : c.m);
        ToL1(rightL1, b, c.right == 0 ? c.n : c.k, c.right == 0 ? c.k : c.n);
        SetFlag<HardEvent::MTE2_MTE1>(0);
        WaitFlag<HardEvent::MTE2_MTE1>(0);
        const LocalTensor<T> left = l0a.Get<T>();
        const LocalTensor<T> right = l0b.Get<T>();
        ToL0(left, leftL1, c.left, c.m, true);
        ToL0(right, rightL1, c.right, c.n, false);
        SetFlag<HardEvent::MTE1_M>(0);
        WaitFlag<HardEvent::MTE1_M>(0);
        MmadParams params(static_cast<uint16_t>(c.usedM), static_cast<uint16_t>(c.usedN),
                          static_cast<uint16_t>(c.usedK), 0, false, true);
        params.kDirectionAlign = sizeof(T) == 4 && c.left != 0; // two fractals a square
        Mmad(l0c.Get<float>(), left, right, params);
    }

private:
    __aicore__ inline void ToL1(const LocalTensor<T> &dst, GM_ADDR address, uint32_t rows, uint32_t columns)
    {
        GlobalTensor<T> source;
        source.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(address));
        DataCopy(dst, source,
                 Nd2NzParams(1, static_cast<uint16_t>(rows), static_cast<uint16_t>(columns), 0,
                             static_cast<uint16_t>(columns), Align(rows, SQUARE), 1, 0));
    }

    // lines: m of the left matrix, n of the right one
    __aicore__ inline void ToL0(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t way, uint32_t lines,
                                bool isLeft)
    {
        const uint16_t rows = Align(lines, SQUARE);
        const uint16_t depth = Align(c.k, way == 0 ? C0 : SQUARE);
        if (way == 0 && isLeft) {
            for (uint16_t i = 0; i < rows / 16; i++) {
                LoadData(dst[i * 16 * depth], src, LoadData2DParams(i, depth / C0, rows / 16, 0, 0, false, 0));
            }
        } else if (way == 0) {
            LoadData(dst, src, LoadData2DParams(0, rows / 16 * depth / C0, 1, 0, 0, false, 0));
        } else if (way == 1) {
            LoadData3DParamsV2<T> params;
            params.l1H = 1;
            params.l1W = depth;
            params.channelSize = Align(lines, C0);
            params.kExtension = params.channelSize;
            params.mExtension = depth;
            params.enTranspose = isLeft;
            LoadData(dst, src, params);
        } else {
            for (uint16_t i = 0; i < depth / SQUARE; i++) {
                Transpose(dst, src, rows, depth, i, isLeft);
            }
        }
    }

    // Squares of 16 rows of k.
    __aicore__ inline void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint16_t rows,
                                     uint16_t depth, uint16_t i, bool isLeft)
    {
        constexpr uint16_t perSquare = SQUARE / C0; // fractals
        const uint8_t count = static_cast<uint8_t>(rows / SQUARE);
        LoadData2dTransposeParams params;
        params.repeatTimes = 1;
        for (uint16_t j = 0; j < count; j++) {
            // two fractals of 4-byte elements stand one below the other in L1 only when there is one of them a column
            params.startIndex = static_cast<uint16_t>(j * (depth / SQUARE) + i);
            const uint32_t fractal = isLeft ? (j * (depth / SQUARE) + i) * perSquare : i * perSquare * count + j;
            params.dstFracGap = isLeft ? 0 : count - 1;
            LoadDataWithTranspose(dst[fractal * 16 * C0], src, params);
        }
    }

    LoadCase c;
    TPipe pipe;
    TBuf<TPosition::A1> l1;
    TBuf<TPosition::A2> l0a;
    TBuf<TPosition::B2> l0b;
    TBuf<TPosition::CO1> l0c;
};

extern "C" __global__ __aicore__ void check_load(GM_ADDR a, GM_ADDR b, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    REGISTER_TILING_DEFAULT(LoadCase);
    GET_TILING_DATA(data, tiling);
    CheckLoad op;
    op.Run(a, b, data);
}
