// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// C = A B through L1, L0 and L0C. The L1 images of A and B come from GM as they are; the recipes name how they are
// loaded. L0A and L0B are poisoned first.
#include "kernel_operator.h"

struct MatmulCase {
    uint32_t m, n, k;
    uint32_t recipeA, recipeB;
    uint32_t aRows, aColumns; // of the NZ matrix in L1, padded
    uint32_t bRows, bColumns;
    uint32_t aRow, aColumn; // where the operand starts in it
    uint32_t bRow, bColumn;
    uint32_t kDirectionAlign;
    uint32_t start; // 0: from zero, 1: accumulate a first product of the same, 2: bias table
    uint32_t nz;    // Fixpipe format
    uint32_t dstStride;
    uint32_t relu;
    uint32_t split;
    uint32_t atomic;
    uint32_t ndNum;
    uint32_t srcNdStride, dstNdStride;
    uint32_t storeRows, storeColumns; // 0: m and ceil16(n)
    uint32_t toL1;
    uint32_t poison;
};

enum Recipe : uint32_t {
    PLAIN_2D,
    PLAIN_3D,
    TRANSPOSED_2D,
    TRANSPOSED_3D,
    TRANSPOSED_SQUARES,
    VECTOR, // A of one row
    REGISTER_3D
};

using namespace AscendC;
using T = DTYPE_X;
using OutT = DTYPE_Y;
using AccT = DTYPE_ACC;

constexpr uint32_t C0 = 32 / sizeof(T);
constexpr uint32_t FRACTAL = 512 / sizeof(T);
constexpr IsResetLoad3dConfig KEEP_REGISTERS = {false, false};

constexpr QuantMode_t QUANT = sizeof(OutT) == 4 ? QuantMode_t::NoQuant
#if ORIG_DTYPE_Y == DT_BF16
                                                : QuantMode_t::F322BF16;
#else
                                                : QuantMode_t::F322F16;
#endif

__aicore__ inline uint32_t Ceil(uint32_t value, uint32_t unit)
{
    return (value + unit - 1) / unit;
}

class MatmulCaseKernel {
public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, const MatmulCase &matmulCase)
    {
        p = matmulCase;
        gmA.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(a));
        gmB.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(b));
        gmBias.SetGlobalBuffer(reinterpret_cast<__gm__ AccT *>(bias));
        gmC.SetGlobalBuffer(reinterpret_cast<__gm__ OutT *>(c));
        const uint32_t aBytes = p.aRows * p.aColumns * sizeof(T);
        const uint32_t bBytes = p.bRows * p.bColumns * sizeof(T);
        l1A = LocalTensor<T>(TPosition::A1, 0, aBytes / sizeof(T));
        l1B = LocalTensor<T>(TPosition::B1, aBytes, bBytes / sizeof(T));
        l1Bias = LocalTensor<AccT>(TPosition::C1, 500 * 1024, 256);
        l1C = LocalTensor<OutT>(TPosition::A1, 256 * 1024, 64 * 1024);
        l0A = LocalTensor<T>(TPosition::A2, 0, 64 * 1024 / sizeof(T));
        l0B = LocalTensor<T>(TPosition::B2, 0, 64 * 1024 / sizeof(T));
        l0C = LocalTensor<AccT>(TPosition::CO1, 0, 32 * 1024);
        table = LocalTensor<AccT>(TPosition::C2, 0, 256);
    }

    __aicore__ inline void Process()
    {
        DataCopy(l1A, gmA, l1A.GetSize());
        DataCopy(l1B, gmB, l1B.GetSize());
        PoisonL0();
        PipeBarrier<PIPE_ALL>();
        LoadA();
        LoadB();
        PipeBarrier<PIPE_ALL>();
        Multiply();
        PipeBarrier<PIPE_ALL>();
        Store();
        PipeBarrier<PIPE_ALL>();
    }

private:
    __aicore__ inline void PoisonL0()
    {
#if ORIG_DTYPE_X != DT_INT8
        if (p.poison != 0) {
            uint32_t nan = 0x7fc07fc0U;
            InitConstValue(l0A, InitConstValueParams<T>(1, 128, 0, *reinterpret_cast<T *>(&nan)));
            InitConstValue(l0B, InitConstValueParams<T>(1, 128, 0, *reinterpret_cast<T *>(&nan)));
        }
#endif
    }

    __aicore__ inline LoadData3DParamsV2<T> Params3D(uint32_t rows, uint32_t columns, uint32_t row, uint32_t column,
                                                     uint32_t rowCount, uint32_t columnCount)
    {
        LoadData3DParamsV2<T> load;
        load.l1H = 1;
        load.l1W = rows;
        load.channelSize = columns;
        load.mStartPt = row;
        load.kStartPt = column;
        load.mExtension = rowCount;
        load.kExtension = columnCount;
        return load;
    }

    __aicore__ inline void LoadA()
    {
        const uint32_t kFractals = Ceil(p.k, C0);
        if (p.recipeA == PLAIN_2D) {
            for (uint32_t i = 0; i < Ceil(p.m, 16); ++i) {
                const uint32_t first = p.aColumn / C0 * (p.aRows / 16) + p.aRow / 16 + i;
                LoadData(l0A[i * kFractals * FRACTAL], l1A,
                         LoadData2DParams(first, kFractals, p.aRows / 16, 0, 0, false, 0));
            }
        } else if (p.recipeA == PLAIN_3D) {
            LoadData(l0A, l1A, Params3D(p.aRows, p.aColumns, p.aRow, p.aColumn, p.m, p.k));
        } else if (p.recipeA == TRANSPOSED_2D) {
            for (uint32_t i = 0; i < Ceil(p.m, 16); ++i) {
                const uint32_t first = (p.aColumn / 16 + i) * (p.aRows / 16) + p.aRow / 16;
                LoadData(l0A[i * kFractals * FRACTAL], l1A, LoadData2DParams(first, kFractals, 1, 0, 0, true, 0));
            }
        } else if (p.recipeA == TRANSPOSED_3D) {
#if ORIG_DTYPE_X != DT_INT8
            auto load = Params3D(p.aRows, p.aColumns, p.aRow, p.aColumn, p.k, p.m);
            load.enTranspose = true;
            LoadData(l0A, l1A, load);
#endif
        } else if (p.recipeA == TRANSPOSED_SQUARES) {
#if ORIG_DTYPE_X != DT_INT8
            // L1 holds squares one behind the other: k x m with exactly 16 rows
            LoadDataWithTranspose(l0A, l1A, LoadData2dTransposeParams(0, Ceil(p.m, 16), 1, sizeof(T) == 4 ? 1 : 0, 0));
#endif
        } else { // VECTOR: k elements stand one behind the other
            LoadData(l0A, l1A, LoadData2DParams(0, Ceil(p.k, FRACTAL), 1, 0, 0, false, 0));
        }
    }

    __aicore__ inline void LoadB()
    {
        const uint32_t nFractals = Ceil(p.n, 16);
        if (p.recipeB == PLAIN_2D) { // L1 has n x k
            for (uint32_t i = 0; i < Ceil(p.k, C0); ++i) {
                const uint32_t first = (p.bColumn / C0 + i) * (p.bRows / 16) + p.bRow / 16;
                LoadData(l0B[i * nFractals * FRACTAL], l1B, LoadData2DParams(first, nFractals, 1, 0, 0, false, 0));
            }
        } else if (p.recipeB == TRANSPOSED_2D) { // L1 has k x n
            for (uint32_t i = 0; i < Ceil(p.k, 16); ++i) {
                const uint32_t first = p.bColumn / 16 * (p.bRows / 16) + p.bRow / 16 + i;
                LoadData(l0B[i * nFractals * FRACTAL], l1B,
                         LoadData2DParams(first, nFractals, p.bRows / 16, 0, 0, true, 0));
            }
        } else if (p.recipeB == TRANSPOSED_SQUARES) { // n x k in L1 columns of 16: see the test
#if ORIG_DTYPE_X != DT_INT8
            const uint32_t gap = sizeof(T) == 4 ? 2 * nFractals - 1 : nFractals - 1;
            for (uint32_t i = 0; i < nFractals; ++i) {
                LoadDataWithTranspose(l0B[i * FRACTAL], l1B[i * Ceil(p.k, 16) * 256],
                                      LoadData2dTransposeParams(0, Ceil(p.k, 16), 1, gap, nFractals - 1));
            }
#endif
        } else if (p.recipeB == REGISTER_3D) {
            const uint8_t noPad[4] = {0, 0, 0, 0};
            SetFmatrix(1, p.bRows, noPad, FmatrixMode::FMATRIX_RIGHT);
            SetLoadDataPaddingValue<T>(static_cast<T>(0));
            auto load = Params3D(7, p.bColumns, p.bRow, p.bColumn, p.k, p.n);
            load.fMatrixCtrl = true;
            LoadData<T, KEEP_REGISTERS>(l0B, l1B, load);
        } else {
            LoadData(l0B, l1B, Params3D(p.bRows, p.bColumns, p.bRow, p.bColumn, p.k, p.n));
        }
    }

    __aicore__ inline void Multiply()
    {
        MmadParams params(p.m, p.n, p.k, 0, false, true);
        params.kDirectionAlign = p.kDirectionAlign != 0;
        if (p.start == 2) {
            DataCopy(l1Bias, gmBias, 256);
            DataCopy(table, l1Bias, DataCopyParams(1, 16, 0, 0));
            params.cmatrixInitVal = false;
            Mmad(l0C, l0A, l0B, table, params);
            return;
        }
        Mmad(l0C, l0A, l0B, params);
        if (p.start == 1) {
            params.cmatrixInitVal = false;
            PipeBarrier<PIPE_M>();
            Mmad(l0C, l0A, l0B, params);
        }
    }

    __aicore__ inline void Store()
    {
        FixpipeParamsV220 params(p.storeColumns != 0 ? p.storeColumns : Ceil(p.n, 16) * 16,
                                 p.storeRows != 0 ? p.storeRows : p.m, Ceil(p.m, 16) * 16, p.dstStride, p.relu != 0,
                                 QUANT, 0, p.ndNum, p.srcNdStride, p.dstNdStride, 0, p.split != 0);
        if (p.toL1 != 0) {
#if ORIG_DTYPE_Y == DT_FLOAT16 || ORIG_DTYPE_Y == DT_BF16
            Fixpipe<OutT, AccT, CFG_NZ>(l1C, l0C, params);
            PipeBarrier<PIPE_ALL>();
            DataCopy(gmC, l1C, p.toL1);
#endif
            return;
        }
        if (p.atomic != 0) {
            SetAtomicAdd<OutT>();
        }
        if (p.nz != 0) {
            Fixpipe<OutT, AccT, CFG_NZ>(gmC, l0C, params);
        } else {
            Fixpipe<OutT, AccT, CFG_ROW_MAJOR>(gmC, l0C, params);
        }
        SetAtomicNone();
    }

    MatmulCase p;
    GlobalTensor<T> gmA, gmB;
    GlobalTensor<AccT> gmBias;
    GlobalTensor<OutT> gmC;
    LocalTensor<T> l1A, l1B, l0A, l0B;
    LocalTensor<AccT> l1Bias, l0C, table;
    LocalTensor<OutT> l1C;
};

extern "C" __global__ __aicore__ void matmul_case(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    REGISTER_TILING_DEFAULT(MatmulCase);
    GET_TILING_DATA(matmulCase, tiling);
    MatmulCaseKernel kernel;
    kernel.Init(a, b, bias, c, matmulCase);
    kernel.Process();
}
