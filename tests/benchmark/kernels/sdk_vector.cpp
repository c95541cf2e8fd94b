// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One vector instruction, or the calls of one idiom, over and over on tiles of 4096 floats (8 rows of 512).
#include "kernel_operator.h"

using namespace AscendC;

class SdkVector {
public:
    __aicore__ inline void Run(int64_t what, int64_t rounds)
    {
        for (int32_t i = 0; i < ELEMENTS; i++) {
            a.SetValue(i, -0.01f * static_cast<float>(i % 997));
            b.SetValue(i, 0.5f + static_cast<float>(i));
        }
        for (int64_t round = 0; round < rounds; round++) {
            Once(what);
        }
    }

private:
    static constexpr int32_t ELEMENTS = 4096;
    static constexpr int32_t COLUMNS = 512;
    static constexpr uint64_t LANES = 64;
    static constexpr uint8_t ROWS = 8;
    static constexpr uint8_t PITCH = COLUMNS / 8; // blocks of 32 B from row to row

    __aicore__ inline void Once(int64_t what)
    {
        switch (what) {
        case 0:
            return Adds(d, a, 1.0f, 8);
        case 1:
            return Add(d, a, b, LANES, 1, {1, 1, 1, 8, 8, 8});
        case 2:
            return Muls(d, a, 2.0f, ELEMENTS);
        case 3:
            return Add(d, a, b, ELEMENTS);
        case 4:
            return Max(d, a, b, ELEMENTS);
        case 5:
            return Exp(d, a, ELEMENTS);
        case 6:
            return Ln(d, b, ELEMENTS);
        case 7:
            return Cast(halves, a, RoundMode::CAST_RINT, static_cast<uint32_t>(ELEMENTS));
        case 8:
            return Cast(bfloats, a, RoundMode::CAST_RINT, static_cast<uint32_t>(ELEMENTS));
        case 9:
            return Cast(d, halves, RoundMode::CAST_NONE, static_cast<uint32_t>(ELEMENTS));
        case 10:
            return Cast(halves, bytes, RoundMode::CAST_NONE, static_cast<uint32_t>(ELEMENTS));
        case 11:
            return SubRows();
        case 12:
            return RowMax();
        case 13:
            return RowSum();
        case 14:
            return Select(d, bytes, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, LANES, ROWS, {1, 1, 1, PITCH, PITCH, 0});
        case 15:
            return Select(d, bytes, a, 1.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, static_cast<uint32_t>(ELEMENTS));
        case 16:
            return CompareScalar(bits, halves, static_cast<half>(0), CMPMODE::EQ, static_cast<uint32_t>(ELEMENTS));
        case 17:
            return Add(d, a, b, static_cast<uint64_t>(37), ROWS, {1, 1, 1, 8, 8, 8});
        case 18:
            return Brcb(s, a, 1, {1, 8});
        case 19:
            return Duplicate(d, 0.0f, ELEMENTS);
        }
    }
    __aicore__ inline void SubRows()
    {
        for (int32_t column = 0; column < COLUMNS; column += LANES) {
            Sub(d[column], a[column], s, LANES, ROWS, {1, 1, 0, PITCH, PITCH, 1});
        }
    }
    __aicore__ inline void RowMax()
    {
        Max(s, a, a[LANES], LANES, ROWS, {1, 1, 1, 8, PITCH, PITCH});
        for (int32_t column = 2 * LANES; column < COLUMNS; column += LANES) {
            Max(s, s, a[column], LANES, ROWS, {1, 1, 1, 8, 8, PITCH});
        }
        WholeReduceMax(d, s, static_cast<int32_t>(LANES), ROWS, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
    }
    __aicore__ inline void RowSum()
    {
        Add(s, a, a[LANES], LANES, ROWS, {1, 1, 1, 8, PITCH, PITCH});
        for (int32_t column = 2 * LANES; column < COLUMNS; column += LANES) {
            Add(s, s, a[column], LANES, ROWS, {1, 1, 1, 8, 8, PITCH});
        }
        WholeReduceSum(d, s, static_cast<int32_t>(LANES), ROWS, 1, 1, 8);
    }

    LocalTensor<float> a{TPosition::VECCALC, 0, ELEMENTS};
    LocalTensor<float> b{TPosition::VECCALC, 16384, ELEMENTS};
    LocalTensor<float> d{TPosition::VECCALC, 32768, ELEMENTS};
    LocalTensor<half> halves{TPosition::VECCALC, 49152, ELEMENTS};
    LocalTensor<bfloat16_t> bfloats{TPosition::VECCALC, 57344, ELEMENTS};
    LocalTensor<float> s{TPosition::VECCALC, 65536, ELEMENTS};
    LocalTensor<uint8_t> bytes{TPosition::VECCALC, 81920, ELEMENTS};
    LocalTensor<uint8_t> bits{TPosition::VECCALC, 90112, ELEMENTS};
};

extern "C" __global__ __aicore__ void sdk_vector(int64_t what, int64_t rounds)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    SdkVector kernel;
    kernel.Run(what, rounds);
}
