// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Checks and argument building behind Mmad, Fill and the 3D load.
#ifndef ASCENDC_CPU_MMAD_TILE_H
#define ASCENDC_CPU_MMAD_TILE_H
#include "access.h"
#include "defer_copy.h"
#include "load_grid.h"
#include "ascendc_cpu/trace.h"

ASCENDC_CPU_BEGIN

constexpr uint32_t MAX_MMAD_EXTENT = 4095;

template <typename T>
inline void CheckMatrixLoad(const LoadData3DParamsV2<T> &params, const uint8_t *pads, uint32_t c0)
{
    const bool plain = params.strideW == 1 && params.strideH == 1 && params.filterW == 1 && params.filterH == 1 &&
                       params.dilationFilterW == 1 && params.dilationFilterH == 1 && !params.filterSizeW &&
                       !params.filterSizeH && !params.enSmallK;
    if (ASCENDC_CPU_UNLIKELY(!plain || (pads[0] | pads[1] | pads[2] | pads[3]) != 0)) {
        ascendc_cpu::Fail("LoadData 3D",
                          "only matrix loads are supported: filter, stride and dilation 1 (got filter "
                          "%ux%u, stride %ux%u), padding 0, enSmallK false",
                          +params.filterH, +params.filterW, +params.strideH, +params.strideW);
    }
    // the last column block is whole, or its first 4, 8 or 16 channels
    const uint32_t tail = params.channelSize % c0;
    if (ASCENDC_CPU_UNLIKELY(tail != 0 && tail != 4 && tail != 8 && tail != 16)) {
        ascendc_cpu::Fail("LoadData 3D",
                          "channelSize is %u, allowed are multiples of %u, and 4, 8 or 16 (below %u) more",
                          +params.channelSize, c0, c0);
    }
    if (ASCENDC_CPU_UNLIKELY(params.kStartPt % c0 != 0)) {
        ascendc_cpu::Fail("LoadData 3D", "kStartPt is %u, allowed multiples of %u", +params.kStartPt, c0);
    }
}

// The squares behind those of `grid`, whose second column does not exist: one more unit along the column axis.
inline ascendc_cpu::FractalGrid LastSquares(ascendc_cpu::FractalGrid grid, bool toA)
{
    if (toA) {
        grid.dst += grid.outer * grid.dstOuter;
        grid.src += grid.outer * grid.srcOuter;
        grid.outer = 1;
    } else {
        grid.dst += grid.inner * grid.dstInner;
        grid.src += grid.inner * grid.srcInner;
        grid.inner = 1;
    }
    grid.srcPairMissing = true;
    return grid;
}

template <typename T>
inline uint32_t FillPattern(T value)
{
    uint32_t pattern = 0;
    memcpy(&pattern, &value, sizeof(T));
    return sizeof(T) == 2 ? pattern | pattern << 16 : pattern;
}

template <typename T>
inline uint32_t L0FillPattern(T value)
{
    (void)OperandTypeOf<T>(); // other 2-byte types have no defined form in L0
    if constexpr (std::is_same<T, half>::value) {
        return FillPattern(static_cast<float>(value));
    } else {
        return FillPattern(value);
    }
}

template <typename T, typename U, typename S>
constexpr ascendc_cpu::MmadType MmadTypeOf()
{
    static_assert(std::is_same<U, S>::value, "Mmad: A and B have one type");
    if constexpr (std::is_same<U, int8_t>::value) {
        static_assert(std::is_same<T, int32_t>::value, "Mmad: int8_t operands give int32_t");
        return ascendc_cpu::MmadType::INT8;
    } else {
        static_assert(std::is_same<T, float>::value, "Mmad: half, bfloat16_t and float operands give float");
        static_assert(std::is_same<U, half>::value || std::is_same<U, bfloat16_t>::value ||
                          std::is_same<U, float>::value,
                      "Mmad: operands are half, bfloat16_t, float or int8_t");
        return std::is_same<U, half>::value         ? ascendc_cpu::MmadType::HALF
               : std::is_same<U, bfloat16_t>::value ? ascendc_cpu::MmadType::BF16
                                                    : ascendc_cpu::MmadType::FLOAT;
    }
}

// Rows [0, rows) and the first `bytes` of each in fractals of 16 rows x 32 B: the part of whole fractals, and the rest.
struct FractalRows {
    uint64_t rows;
    uint64_t bytes; // k in bytes
    uint64_t rowFractalStride;
    uint64_t kFractalStride;

    ascendc_cpu::Region Whole() const
    {
        return {FRACTAL_BYTES, {bytes / ONE_BLK_SIZE, kFractalStride}, {rows / 16, rowFractalStride}, {}};
    }
    ascendc_cpu::Region TailRows() const
    {
        return {rows % 16 * ONE_BLK_SIZE, {bytes / ONE_BLK_SIZE, kFractalStride}, {}, {}};
    }
    ascendc_cpu::Region TailK() const
    {
        return {bytes % ONE_BLK_SIZE, {16, ONE_BLK_SIZE}, {rows / 16, rowFractalStride}, {}};
    }
    ascendc_cpu::Region Corner() const
    {
        return {bytes % ONE_BLK_SIZE, {rows % 16, ONE_BLK_SIZE}, {}, {}};
    }
    uint64_t TailRowsOffset() const
    {
        return rows / 16 * rowFractalStride;
    }
    uint64_t TailKOffset() const
    {
        return bytes / ONE_BLK_SIZE * kFractalStride;
    }
};

// The elements that take part; of C, rows and columns beyond m and n are spoilt. Columns of C: 16 x 4 B a fractal row.
template <typename T, typename U, typename S>
inline void TraceMmad([[maybe_unused]] const LocalTensor<T> &c, [[maybe_unused]] const LocalTensor<U> &a,
                      [[maybe_unused]] const LocalTensor<S> &b, const MmadParams &params, uint64_t kFractals,
                      bool accumulate)
{
    using ascendc_cpu::Region;
    const uint64_t mFractals = CeilDiv16(params.m);
    const uint64_t nFractals = CeilDiv16(params.n);
    const uint64_t kBytes = params.k * sizeof(U);
    // GEMV: one row of k elements, without fractals
    [[maybe_unused]] const FractalRows left = {params.m == 1 ? 0ULL : params.m, kBytes, kFractals * FRACTAL_BYTES,
                                               FRACTAL_BYTES};
    [[maybe_unused]] const Region vector = {params.m == 1 ? kBytes : 0, {}, {}, {}};
    [[maybe_unused]] const FractalRows right = {params.n, kBytes, FRACTAL_BYTES, nFractals * FRACTAL_BYTES};
    const uint64_t column = mFractals * 1024;
    const uint64_t tail = params.n % 16 * 4ULL;
    const Region whole = {params.m * 64ULL, {params.n / 16U, column}, {}, {}};
    const Region last = {tail, {params.m, 64}, {}, {}};
    const Region nothing = {};
    [[maybe_unused]] const Region padRows = {(mFractals * 16 - params.m) * 64, {nFractals, column}, {}, {}};
    [[maybe_unused]] const Region padColumns = {tail == 0 ? 0 : 64 - tail, {params.m, 64}, {}, {}};
    [[maybe_unused]] const uint64_t lastOffset = params.n / 16 * column;
    [[maybe_unused]] const Region wholeRead = accumulate ? whole : nothing;
    [[maybe_unused]] const Region lastRead = accumulate ? last : nothing;
    ASCENDC_CPU_TRACE_FLAGS(params.m == 1 ? ascendc_cpu::GEMV : ascendc_cpu::PLAIN);
    ASCENDC_CPU_TRACE_FLAGS((params.m / 16) * (params.n / 16) >= 10 ? ascendc_cpu::ORDERED_MMAD : ascendc_cpu::PLAIN);
    ASCENDC_CPU_TRACE_FLAGS(ascendc_cpu::UnitFlagOf(params.unitFlag));
    ASCENDC_CPU_TRACE(
        PIPE_M, "Mmad", ascendc_cpu::Read(a, left.Whole()), ascendc_cpu::Read(a, vector),
        ascendc_cpu::At(ascendc_cpu::Read(a, left.TailRows()), left.TailRowsOffset()),
        ascendc_cpu::At(ascendc_cpu::Read(a, left.TailK()), left.TailKOffset()),
        ascendc_cpu::At(ascendc_cpu::Read(a, left.Corner()), left.TailRowsOffset() + left.TailKOffset()),
        ascendc_cpu::Read(b, right.Whole()),
        ascendc_cpu::At(ascendc_cpu::Read(b, right.TailRows()), right.TailRowsOffset()),
        ascendc_cpu::At(ascendc_cpu::Read(b, right.TailK()), right.TailKOffset()),
        ascendc_cpu::At(ascendc_cpu::Read(b, right.Corner()), right.TailRowsOffset() + right.TailKOffset()),
        ascendc_cpu::Aligned(ascendc_cpu::Read(c, wholeRead), 1024),
        ascendc_cpu::At(ascendc_cpu::Read(c, lastRead), lastOffset),
        ascendc_cpu::Aligned(ascendc_cpu::Write(c, whole), 1024),
        ascendc_cpu::At(ascendc_cpu::Write(c, last), lastOffset),
        ascendc_cpu::At(ascendc_cpu::Spoil(c, padRows), params.m * 64ULL),
        ascendc_cpu::At(ascendc_cpu::Spoil(c, padColumns), lastOffset + tail));
}

template <typename T, typename U, typename S>
inline void RunMmad(const LocalTensor<T> &c, const LocalTensor<U> &a, const LocalTensor<S> &b, const MmadParams &params,
                    bool accumulate, const void *bias)
{
    constexpr ascendc_cpu::MmadType type = MmadTypeOf<T, U, S>();
    if (params.m == 0 || params.n == 0 || params.k == 0) {
        return;
    }
    if (ASCENDC_CPU_UNLIKELY(params.m > MAX_MMAD_EXTENT || params.n > MAX_MMAD_EXTENT || params.k > MAX_MMAD_EXTENT)) {
        ascendc_cpu::Fail("Mmad", "m %u, n %u, k %u: allowed 0..%u", +params.m, +params.n, +params.k, MAX_MMAD_EXTENT);
    }
    if (ASCENDC_CPU_UNLIKELY(params.kDirectionAlign && type != ascendc_cpu::MmadType::FLOAT)) {
        ascendc_cpu::Fail("Mmad", "kDirectionAlign is for float operands");
    }
    const uint32_t kFractals =
        params.kDirectionAlign ? 2 * CeilDiv16(params.k) : (params.k + C0Of<U>() - 1) / C0Of<U>();
    const uint64_t mFractals = CeilDiv16(params.m);
    const uint64_t nFractals = CeilDiv16(params.n);
    CheckL0Aligned("Mmad", "fm", a);
    CheckL0Aligned("Mmad", "filter", b);
    if (!accumulate) {
        ascendc_cpu::Core().deferred.inGm->Forget(c.Address(), mFractals * nFractals * 1024);
    }
    CheckTensor("Mmad", "dst", c, ascendc_cpu::Memory::L0C, mFractals * nFractals * 1024);
    constexpr int64_t fractal = L0FractalBytes<U>();
    ascendc_cpu::MmadTile tile = {c.Address(),
                                  a.ScaledAddress(),
                                  b.ScaledAddress(),
                                  params.m,
                                  params.n,
                                  params.k,
                                  kFractals,
                                  fractal,
                                  kFractals * fractal,
                                  fractal / 16,
                                  accumulate,
                                  bias,
                                  &ascendc_cpu::Core().prefetch};
    if (a.GetMemory() != ascendc_cpu::Memory::L0A || !FindLeft(tile)) {
        CheckTensor("Mmad", "fm", a, ascendc_cpu::Memory::L0A,
                    params.m == 1 ? params.k * sizeof(U) : mFractals * kFractals * FRACTAL_BYTES);
    }
    bool isElsewhere = false; // B
    if constexpr (type == ascendc_cpu::MmadType::FLOAT) {
        const ascendc_cpu::DeferredCopy *right = b.GetMemory() == ascendc_cpu::Memory::L0B ? FindRight(tile) : nullptr;
        if (right != nullptr && MultiplyFromGm(tile, *right)) {
            return;
        }
        isElsewhere = right != nullptr && (ReadRight(tile, *right) || ReadPacked(tile, *right));
    }
    if (!isElsewhere) {
        CheckTensor("Mmad", "filter", b, ascendc_cpu::Memory::L0B, nFractals * kFractals * FRACTAL_BYTES);
    }
    TraceMmad(c, a, b, params, kFractals, accumulate);
    if (type != ascendc_cpu::MmadType::INT8 && ascendc_cpu::Core().deferred.allowed && params.n % 16 == 0) {
        ascendc_cpu::Core().deferred.product = {true, type, tile};
        return;
    }
    ascendc_cpu::g_isa->cube.mmad[static_cast<int>(type)](tile);
}

ASCENDC_CPU_END
#endif
