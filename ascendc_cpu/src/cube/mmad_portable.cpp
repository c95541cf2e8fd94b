// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Mmad in compiler vector types. bf16 products are exact in float and added one by one, denormals kept: sums differ in
// rounding from vdpbf16ps, which adds pairs and flushes denormals.
#include <cstring>
#include "mmad_driver.h"
#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

namespace ascendc_cpu {
namespace {

// Registers as wide as the machine's, and rows so that the accumulators fit in the register file.
#if defined(__AVX2__)
constexpr int VECTOR_BYTES = 32;
constexpr int BLOCK_ROWS = 6;
#elif defined(__aarch64__)
constexpr int VECTOR_BYTES = 16;
constexpr int BLOCK_ROWS = 6;
#else
constexpr int VECTOR_BYTES = 16;
constexpr int BLOCK_ROWS = 2;
#endif
constexpr int VECTORS = 64 / VECTOR_BYTES; // per 16 lanes

using FloatVector = float __attribute__((vector_size(VECTOR_BYTES)));
using IntVector = int32_t __attribute__((vector_size(VECTOR_BYTES)));

inline FloatVector Fma(FloatVector a, FloatVector b, FloatVector c)
{
#if defined(__AVX2__) && defined(__FMA__)
    return _mm256_fmadd_ps(a, b, c);
#else
    return a * b + c;
#endif
}

inline FloatVector AsFloat(IntVector v)
{
    return reinterpret_cast<FloatVector>(v);
}

inline IntVector Broadcast(int32_t word)
{
    return word - IntVector{};
}

template <typename Vector>
inline Vector LoadVector(const uint8_t *src)
{
    Vector v;
    memcpy(&v, src, sizeof(v));
    return v;
}

struct FloatOp {
    using Vector = FloatVector;
    static constexpr uint32_t ELEMENTS = 1;
    static Vector MulAdd(Vector c, int32_t a, IntVector b)
    {
        return Fma(AsFloat(Broadcast(a)), AsFloat(b), c);
    }
};

struct Bf16Op {
    using Vector = FloatVector;
    static constexpr uint32_t ELEMENTS = 2;
    static Vector MulAdd(Vector c, int32_t a, IntVector b)
    {
        const int32_t high = static_cast<int32_t>(0xffff0000U);
        c = Fma(AsFloat(Broadcast(static_cast<int32_t>(static_cast<uint32_t>(a) << 16))), AsFloat(b << 16), c);
        return Fma(AsFloat(Broadcast(a & high)), AsFloat(b & high), c);
    }
};

struct Int8Op {
    using Vector = IntVector;
    static constexpr uint32_t ELEMENTS = 4;
    static Vector MulAdd(Vector c, int32_t a, IntVector b)
    {
        for (int shift = 24; shift >= 0; shift -= 8) {
            const int32_t value = static_cast<int32_t>(static_cast<uint32_t>(a) << shift) >> 24;
            c += value * ((b << shift) >> 24);
        }
        return c;
    }
};

template <class Op, int Words, int Rows>
struct Accumulators {
    using Vector = typename Op::Vector;
    Vector sum[Rows][VECTORS] = {};

    __attribute__((always_inline)) void AddWord(const uint8_t *a, const uint8_t *b, int32_t mask, int64_t row)
    {
        IntVector lanes[VECTORS];
#pragma GCC unroll 4
        for (int v = 0; v < VECTORS; ++v) {
            lanes[v] = LoadVector<IntVector>(b + v * VECTOR_BYTES) & mask;
        }
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) {
            int32_t word;
            memcpy(&word, a + r * row, sizeof(word));
#pragma GCC unroll 4
            for (int v = 0; v < VECTORS; ++v) {
                sum[r][v] = Op::MulAdd(sum[r][v], word & mask, lanes[v]);
            }
        }
    }

    void Store(const MmadBlock &block) const
    {
        for (int r = 0; r < Rows; ++r) {
            for (int v = 0; v < VECTORS; ++v) {
                uint8_t *c = block.c + r * LANES_BYTES + v * VECTOR_BYTES;
                Vector value = sum[r][v];
                if (block.accumulate) {
                    value += LoadVector<Vector>(c);
                } else if (block.bias != nullptr) {
                    value += LoadVector<Vector>(block.bias + v * VECTOR_BYTES);
                }
                if (block.rows == nullptr || !block.rowsOnly) {
                    memcpy(c, &value, sizeof(value));
                }
                if (block.rows != nullptr && r < static_cast<int>(block.rowCount)) {
                    memcpy(block.rows + r * block.rowPitch + v * VECTOR_BYTES, &value, sizeof(value));
                }
            }
        }
    }
};

template <class Op, int Words, int Rows>
__attribute__((noinline)) void RunBlock(const MmadBlock &block)
{
    Accumulators<Op, Words, Rows> sums;
    const uint8_t *a = block.a;
    const uint8_t *b = block.b;
    for (uint32_t k = 0; k < block.fractals; ++k) {
#pragma GCC unroll 4
        for (int w = 0; w < Words; ++w) {
            sums.AddWord(a + w * 4, b + w * block.bWord, -1, block.aRow);
        }
        a += block.aFractal;
        b += block.bFractal;
    }
    for (uint32_t w = 0; w < block.tailWords; ++w, a += 4, b += block.bWord) {
        sums.AddWord(a, b, -1, block.aRow);
    }
    if (block.tailMask != 0) {
        sums.AddWord(a, b, static_cast<int32_t>(block.tailMask), block.aRow);
    }
    sums.Store(block);
}

template <class Op, uint32_t Words>
struct Kernel {
    static constexpr uint32_t WORDS = Words;
    static constexpr uint32_t ELEMENTS = Op::ELEMENTS;

    static uint32_t PanelOf(const MmadTile &, uint32_t)
    {
        return 1;
    }
    static uint32_t RowsOf(uint32_t, uint32_t row, uint32_t)
    {
        return row + BLOCK_ROWS <= 16 ? BLOCK_ROWS : 16 % BLOCK_ROWS;
    }
    static void Run(const MmadBlock &block, uint32_t, uint32_t rows)
    {
        if (rows == BLOCK_ROWS) {
            RunBlock<Op, Words, BLOCK_ROWS>(block);
        } else if (rows == 1) {
            RunBlock<Op, Words, 1>(block);
        } else if constexpr (16 % BLOCK_ROWS != 0) {
            RunBlock<Op, Words, 16 % BLOCK_ROWS>(block);
        }
    }
};

} // namespace

#if !ASCENDC_CPU_AVX512_KERNELS
void MmadFloat(const MmadTile &tile)
{
    RunMmadTile<Kernel<FloatOp, 8>>(tile);
}

void MmadBf16(const MmadTile &tile)
{
    RunMmadTile<Kernel<Bf16Op, 8>>(tile);
}

void MmadHalf(const MmadTile &tile)
{
    RunMmadTile<Kernel<FloatOp, 16>>(tile);
}
#endif

void MmadInt8(const MmadTile &tile)
{
    RunMmadTile<Kernel<Int8Op, 8>>(tile);
}

} // namespace ascendc_cpu
