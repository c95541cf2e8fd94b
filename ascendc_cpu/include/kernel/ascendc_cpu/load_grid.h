// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Geometry shared by the LoadData variants: which fractal of L1 goes where in L0A or L0B.
#ifndef ASCENDC_CPU_LOAD_GRID_H
#define ASCENDC_CPU_LOAD_GRID_H
#include "../kernel_struct_mm.h"
#include "../kernel_tensor.h"
#include "isa_table.h"
#include "ascendc_cpu/trace.h"

ASCENDC_CPU_BEGIN

constexpr uint32_t FRACTAL_BYTES = 512;
constexpr uint32_t FRACTAL_ROWS = 16;

template <typename T>
constexpr ascendc_cpu::OperandType OperandTypeOf()
{
    if constexpr (std::is_same<T, half>::value) {
        return ascendc_cpu::OperandType::HALF;
    } else if constexpr (std::is_same<T, bfloat16_t>::value) {
        return ascendc_cpu::OperandType::BF16;
    } else {
        static_assert(std::is_same<T, float>::value || std::is_same<T, int32_t>::value ||
                          std::is_same<T, uint32_t>::value || std::is_same<T, int8_t>::value ||
                          std::is_same<T, uint8_t>::value,
                      "cube operands are half, bfloat16_t, float, int32_t, uint32_t, int8_t or uint8_t");
        return ascendc_cpu::OperandType::B32;
    }
}

// Arena bytes of one logical fractal.
template <typename T>
constexpr int64_t L0FractalBytes()
{
    return std::is_same<T, half>::value ? 2 * FRACTAL_BYTES : FRACTAL_BYTES;
}

template <typename T>
constexpr uint32_t C0Of()
{
    return ONE_BLK_SIZE / sizeof(T);
}

constexpr uint32_t CeilDiv16(uint32_t value)
{
    return (value + 15) / 16;
}

template <typename T>
inline ascendc_cpu::Memory L0Memory(const LocalTensor<T> &dst)
{
    return dst.GetMemory() == ascendc_cpu::Memory::L0B ? ascendc_cpu::Memory::L0B : ascendc_cpu::Memory::L0A;
}

template <typename T>
inline void CheckL0Aligned(const char *api, const char *argument, const LocalTensor<T> &tensor)
{
    if (ASCENDC_CPU_UNLIKELY(tensor.GetPhyAddr() % FRACTAL_BYTES != 0)) {
        ascendc_cpu::Fail(api, "%s starts at byte %llu of its memory, allowed multiples of %u", argument,
                          static_cast<unsigned long long>(tensor.GetPhyAddr()), FRACTAL_BYTES);
    }
}

template <typename T>
inline void RunLoad(bool toA, bool transpose, const ascendc_cpu::FractalGrid &grid)
{
    using ascendc_cpu::FractalMove;
    const FractalMove move = toA ? (transpose ? FractalMove::TO_A_TRANSPOSED : FractalMove::TO_A)
                                 : (transpose ? FractalMove::TO_B_TRANSPOSED : FractalMove::TO_B);
    ascendc_cpu::g_isa->cube.load[static_cast<int>(OperandTypeOf<T>())][static_cast<int>(move)](grid);
}

template <typename T>
inline void RunLoad(const LocalTensor<T> &dst, const LocalTensor<T> &src, bool toA, bool transpose,
                    const ascendc_cpu::FractalGrid &grid)
{
    [[maybe_unused]] constexpr uint32_t scale = L0FractalBytes<T>() / FRACTAL_BYTES;
    ASCENDC_CPU_LOADED(dst.GetMemory(), dst.GetPhyAddr() + (grid.dst - dst.ScaledAddress()) / scale,
                       src.GetPhyAddr() + (grid.src - reinterpret_cast<const uint8_t *>(src.Address())), sizeof(T),
                       scale, transpose, grid);
    RunLoad<T>(toA, transpose, grid);
}

// A rectangle of an NZ matrix in L1: rows mStart.. and 32 B columns from column block kStart.
struct NzRectangle {
    uint32_t l1Rows;
    uint32_t columnBlocks; // that the matrix has
    uint32_t mStart;
    uint32_t mFractals;
    uint32_t kBlock;
    uint32_t kBlocks;
};

inline NzRectangle RectangleOf(uint32_t l1Rows, uint32_t channels, uint32_t c0, uint32_t mStart, uint32_t mExtension,
                               uint32_t kStart, uint32_t kExtension)
{
    return {l1Rows, (channels + c0 - 1) / c0, mStart, CeilDiv16(mExtension), kStart / c0, (kExtension + c0 - 1) / c0};
}

// Bytes of L1 from the matrix's start to the rectangle's end, whole fractals.
inline uint64_t SourceExtent(const NzRectangle &r)
{
    const uint32_t end = r.kBlock + r.kBlocks;
    const uint64_t lastColumn = (end < r.columnBlocks ? end : r.columnBlocks) - 1;
    return (lastColumn * r.l1Rows + r.mStart + static_cast<uint64_t>(r.mFractals) * FRACTAL_ROWS) * ONE_BLK_SIZE;
}

// Grid of a 3D load of the rectangle: into L0A as it is or transposed as a whole, into L0B always transposed
// (rows are k). 4-byte transposes work on squares of two columns; `squares` of them start at column block kBlock.
template <typename T>
inline ascendc_cpu::FractalGrid GridOf(uint8_t *dst, const void *src, const NzRectangle &r, bool toA, bool transpose,
                                       uint32_t squares)
{
    const int64_t unit = L0FractalBytes<T>();
    const int64_t column = static_cast<int64_t>(r.l1Rows) * ONE_BLK_SIZE;
    const uint8_t *first =
        static_cast<const uint8_t *>(src) + r.kBlock * column + static_cast<int64_t>(r.mStart) * ONE_BLK_SIZE;
    if (sizeof(T) == 4 && transpose) {
        const uint32_t allSquares = (r.kBlocks + 1) / 2;
        if (toA) {
            return {dst,           first, squares, r.mFractals, 2 * unit * r.mFractals, 2 * unit, 2 * column,
                    FRACTAL_BYTES, unit,  column,  false};
        }
        return {dst,  first,         r.mFractals, squares,           2 * unit * allSquares,
                unit, FRACTAL_BYTES, 2 * column,  unit * allSquares, column,
                false};
    }
    if (toA && transpose) {
        return {dst, first, r.kBlocks, r.mFractals, unit * r.mFractals, unit, column, FRACTAL_BYTES, 0, 0, false};
    }
    return {dst, first, r.mFractals, r.kBlocks, unit * r.kBlocks, unit, FRACTAL_BYTES, column, 0, 0, false};
}

ASCENDC_CPU_END
#endif
