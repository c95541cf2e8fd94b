// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// L1 -> L0 loads, Mmad and their registers (cube core).
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_MM_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_MM_INTF_H
#include "ascendc_cpu/defer_copy.h"
#include "ascendc_cpu/load_grid.h"
#include "ascendc_cpu/mmad_tile.h"
#include "ascendc_cpu/trace.h"

ASCENDC_CPU_BEGIN

enum class HF32Mode { ENABLE, DISABLE };
enum class HF32TransMode { NEAREST_ZERO, NEAREST_EVEN };

inline void CheckAddrMode(const char *api, uint8_t addrMode)
{
    if (ASCENDC_CPU_UNLIKELY(addrMode != 0)) {
        ascendc_cpu::Fail(api, "addrMode is %u, supported 0 (ascending addresses)", addrMode);
    }
}

// L1 -> L0A or L0B, fractal by fractal. ifTranspose transposes inside each 16 x 16 fractal (2-byte types only).
template <typename T>
__aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData2DParams &params)
{
    if (params.repeatTimes == 0) {
        return;
    }
    CheckAddrMode("LoadData 2D", params.addrMode);
    if (ASCENDC_CPU_UNLIKELY(params.ifTranspose && sizeof(T) != 2)) {
        ascendc_cpu::Fail("LoadData 2D", "ifTranspose is for 2-byte types, got %u bytes",
                          static_cast<unsigned>(sizeof(T)));
    }
    const ascendc_cpu::Memory memory = L0Memory(dst);
    const uint32_t last = params.repeatTimes - 1;
    CheckL0Aligned("LoadData 2D", "dst", dst);
    if (params.startIndex == 0 && params.srcStride == 1 && params.dstGap == 0 &&
        DeferRightTransposed(dst, src, params.repeatTimes)) {
        return;
    }
    const uint64_t srcBytes = (params.startIndex + static_cast<uint64_t>(last) * params.srcStride + 1) * FRACTAL_BYTES;
    const uint8_t *first = reinterpret_cast<const uint8_t *>(src.Address()) + params.startIndex * FRACTAL_BYTES;
    CheckLeftSource("LoadData 2D", src, srcBytes);
    if (memory == ascendc_cpu::Memory::L0A && params.dstGap == 0 && !params.ifTranspose &&
        DeferLeft("LoadData 2D", dst,
                  {dst.ScaledAddress(), first, 1, params.repeatTimes, 0,
                   params.srcStride * static_cast<uint64_t>(FRACTAL_BYTES)})) {
        return;
    }
    CheckTensor("LoadData 2D", "src", src, ascendc_cpu::Memory::L1, srcBytes);
    CheckTensor("LoadData 2D", "dst", dst, memory, (last * (params.dstGap + 1ULL) + 1) * FRACTAL_BYTES);
    ASCENDC_CPU_TRACE(
        PIPE_MTE1, "LoadData 2D",
        ascendc_cpu::Write(dst, ascendc_cpu::Region{FRACTAL_BYTES, {last + 1, (params.dstGap + 1ULL) * FRACTAL_BYTES}}),
        ascendc_cpu::At(
            ascendc_cpu::Load(src, ascendc_cpu::Region{FRACTAL_BYTES, {last + 1, params.srcStride * FRACTAL_BYTES}}),
            params.startIndex * FRACTAL_BYTES));
    RunLoad(dst, src, memory == ascendc_cpu::Memory::L0A, params.ifTranspose,
            {dst.ScaledAddress(), first, 1, params.repeatTimes, 0, (params.dstGap + 1) * L0FractalBytes<T>(), 0,
             static_cast<int64_t>(params.srcStride) * FRACTAL_BYTES, 0, 0, false});
}

// GM that is fractal already -> L1, L0A or L0B.
template <typename T>
__aicore__ inline void LoadData(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const LoadData2DParams &params)
{
    if (params.repeatTimes == 0) {
        return;
    }
    CheckAddrMode("LoadData 2D", params.addrMode);
    if (ASCENDC_CPU_UNLIKELY(params.ifTranspose)) {
        ascendc_cpu::Fail("LoadData 2D", "ifTranspose needs a source in L1, got GM");
    }
    const bool toL1 = dst.GetMemory() == ascendc_cpu::Memory::L1;
    const ascendc_cpu::Memory memory = toL1 ? ascendc_cpu::Memory::L1 : L0Memory(dst);
    const uint32_t last = params.repeatTimes - 1;
    CheckTensor("LoadData 2D", "dst", dst, memory, (last * (params.dstGap + 1ULL) + 1) * FRACTAL_BYTES);
    ASCENDC_CPU_TRACE(
        PIPE_MTE2, "LoadData 2D",
        ascendc_cpu::Write(dst, ascendc_cpu::Region{FRACTAL_BYTES, {last + 1, (params.dstGap + 1ULL) * FRACTAL_BYTES}}),
        ascendc_cpu::At(
            ascendc_cpu::Read(src, ascendc_cpu::Region{FRACTAL_BYTES, {last + 1, params.srcStride * FRACTAL_BYTES}}),
            params.startIndex * FRACTAL_BYTES));
    const uint8_t *first = reinterpret_cast<const uint8_t *>(src.GetPhyAddr()) + params.startIndex * FRACTAL_BYTES;
    const uint64_t srcStep = static_cast<uint64_t>(params.srcStride) * FRACTAL_BYTES;
    if (toL1) {
        ascendc_cpu::g_isa->copy.blocks({reinterpret_cast<uint8_t *>(dst.Address()), first, params.repeatTimes,
                                         FRACTAL_BYTES, (params.dstGap + 1ULL) * FRACTAL_BYTES, srcStep});
        return;
    }
    CheckL0Aligned("LoadData 2D", "dst", dst);
    RunLoad<T>(memory == ascendc_cpu::Memory::L0A, false,
               {dst.ScaledAddress(), first, 1, params.repeatTimes, 0, (params.dstGap + 1) * L0FractalBytes<T>(), 0,
                static_cast<int64_t>(srcStep), 0, 0, false});
}

// Image registers of the 3D loads. Only matrix loads exist here, so the padding must be zero.
__aicore__ inline void SetFmatrix(uint16_t l1H, uint16_t l1W, const uint8_t padList[4], const FmatrixMode &fmatrixMode)
{
    ascendc_cpu::StickyState &sticky = ascendc_cpu::Core().sticky;
    const bool left = fmatrixMode == FmatrixMode::FMATRIX_LEFT;
    uint16_t *size = left ? sticky.fmatrixLeft : sticky.fmatrixRight;
    size[0] = l1H;
    size[1] = l1W;
    memcpy(left ? sticky.fmatrixPadLeft : sticky.fmatrixPadRight, padList, PAD_SIZE);
}

template <typename T>
__aicore__ inline void SetLoadDataPaddingValue(const T padValue)
{
    ascendc_cpu::Core().sticky.loadDataPadValue = 0;
    memcpy(&ascendc_cpu::Core().sticky.loadDataPadValue, &padValue, sizeof(T));
}

// 3D load used as a matrix load: a rectangle of an NZ matrix in L1 to L0A (plain, or transposed as a whole) or to L0B
// (always transposed: rows are k). Convolution geometry (filter, stride, dilation, padding) is rejected.
template <typename T, const IsResetLoad3dConfig &defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG>
__aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                const LoadData3DParamsV2<T> &params)
{
    if constexpr (defaultConfig.isSetFMatrix) {
        SetFmatrix(params.l1H, params.l1W, params.padList,
                   params.fMatrixCtrl ? FmatrixMode::FMATRIX_RIGHT : FmatrixMode::FMATRIX_LEFT);
    }
    if constexpr (defaultConfig.isSetPadding) {
        SetLoadDataPaddingValue(params.padValue);
    }
    const ascendc_cpu::StickyState &sticky = ascendc_cpu::Core().sticky;
    const uint16_t *image = params.fMatrixCtrl ? sticky.fmatrixRight : sticky.fmatrixLeft;
    if (image[0] == 0 || image[1] == 0 || params.channelSize == 0 || params.kExtension == 0 || params.mExtension == 0) {
        return;
    }
    CheckMatrixLoad(params, params.fMatrixCtrl ? sticky.fmatrixPadRight : sticky.fmatrixPadLeft, C0Of<T>());
    const ascendc_cpu::Memory memory = L0Memory(dst);
    const bool toA = memory == ascendc_cpu::Memory::L0A;
    const bool transpose = !toA || params.enTranspose;
    if (ASCENDC_CPU_UNLIKELY(transpose && sizeof(T) == 1)) {
        ascendc_cpu::Fail("LoadData 3D", "1-byte types cannot be transposed (L0B, or L0A with enTranspose)");
    }
    const NzRectangle rectangle = RectangleOf(static_cast<uint32_t>(image[0]) * image[1], params.channelSize, C0Of<T>(),
                                              params.mStartPt, params.mExtension, params.kStartPt, params.kExtension);
    if (ASCENDC_CPU_UNLIKELY(rectangle.kBlock + rectangle.kBlocks > rectangle.columnBlocks)) {
        ascendc_cpu::Fail("LoadData 3D", "kStartPt %u + kExtension %u exceed channelSize %u", +params.kStartPt,
                          +params.kExtension, +params.channelSize);
    }
    const bool squares = sizeof(T) == 4 && transpose;
    const uint32_t columnUnits = squares ? (rectangle.kBlocks + 1) / 2 * 2 : rectangle.kBlocks;
    const bool oddTail =
        squares && rectangle.kBlocks % 2 == 1 && rectangle.kBlock + rectangle.kBlocks == rectangle.columnBlocks;
    CheckL0Aligned("LoadData 3D", "dst", dst);
    if (rectangle.mStart == 0 && rectangle.kBlock == 0 && params.mExtension == rectangle.l1Rows &&
        params.kExtension == params.channelSize && DeferRightRows(dst, src, rectangle.l1Rows, params.channelSize)) {
        return;
    }
    ascendc_cpu::FractalGrid grid = GridOf<T>(dst.ScaledAddress(), src.Address(), rectangle, toA, transpose,
                                              oddTail ? rectangle.kBlocks / 2 : columnUnits / 2);
    if (toA && !transpose) {
        CheckLeftSource("LoadData 3D", src, SourceExtent(rectangle));
        if (DeferLeft("LoadData 3D", dst,
                      {grid.dst, grid.src, grid.outer, grid.inner, static_cast<uint64_t>(grid.srcOuter),
                       static_cast<uint64_t>(grid.srcInner)})) {
            return;
        }
    }
    const uint64_t loaded = static_cast<uint64_t>(rectangle.mFractals) * columnUnits * FRACTAL_BYTES;
    if (toA) {
        ascendc_cpu::Core().deferred.l0a.ForgetInside(dst.ScaledAddress(), loaded);
    } else {
        ForgetDeferred(ascendc_cpu::Core().deferred.l0b, dst.ScaledAddress(), loaded);
    }
    CheckTensor("LoadData 3D", "dst", dst, memory, loaded);
    NzRectangle read = rectangle; // squares are two columns
    read.kBlocks = oddTail ? rectangle.kBlocks : columnUnits;
    CheckTensor("LoadData 3D", "src", src, ascendc_cpu::Memory::L1, SourceExtent(read));
    ASCENDC_CPU_TRACE(PIPE_MTE1, "LoadData 3D",
                      ascendc_cpu::Write(dst, ascendc_cpu::Region{rectangle.mFractals * columnUnits * FRACTAL_BYTES}),
                      ascendc_cpu::At(ascendc_cpu::Load(src, ascendc_cpu::Region{rectangle.mFractals * FRACTAL_BYTES,
                                                                                 {rectangle.kBlocks,
                                                                                  rectangle.l1Rows * ONE_BLK_SIZE}}),
                                      (rectangle.kBlock * rectangle.l1Rows + rectangle.mStart) * ONE_BLK_SIZE));
    RunLoad(dst, src, toA, transpose, grid);
    if (oddTail) {
        RunLoad(dst, src, toA, transpose, LastSquares(grid, toA));
    }
}

// 16 x 16 squares of L1 transposed on their way. 4-byte types: a square is two consecutive fractals.
template <typename T>
__aicore__ inline void LoadDataWithTranspose(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                             const LoadData2dTransposeParams &params)
{
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "LoadDataWithTranspose: 2- and 4-byte types");
    if (params.repeatTimes == 0) {
        return;
    }
    CheckAddrMode("LoadDataWithTranspose", params.addrMode);
    constexpr uint32_t perSquare = sizeof(T) == 4 ? 2 : 1;
    const ascendc_cpu::Memory memory = L0Memory(dst);
    const uint32_t last = params.repeatTimes - 1;
    const uint32_t squareFractals = perSquare == 2 ? params.dstFracGap + 2U : 1U;
    CheckL0Aligned("LoadDataWithTranspose", "dst", dst);
    CheckTensor("LoadDataWithTranspose", "dst", dst, memory,
                (last * (params.dstGap + 1ULL) + squareFractals) * FRACTAL_BYTES);
    CheckTensor("LoadDataWithTranspose", "src", src, ascendc_cpu::Memory::L1,
                (params.startIndex + static_cast<uint64_t>(last) * params.srcStride + 1) * perSquare * FRACTAL_BYTES);
    ASCENDC_CPU_TRACE(
        PIPE_MTE1, "LoadDataWithTranspose",
        ascendc_cpu::Write(dst, ascendc_cpu::Region{FRACTAL_BYTES,
                                                    {perSquare, (params.dstFracGap + 1ULL) * FRACTAL_BYTES},
                                                    {last + 1, (params.dstGap + 1ULL) * FRACTAL_BYTES}}),
        ascendc_cpu::At(
            ascendc_cpu::Load(src, ascendc_cpu::Region{perSquare * FRACTAL_BYTES,
                                                       {last + 1, params.srcStride * perSquare * FRACTAL_BYTES}}),
            params.startIndex * perSquare * FRACTAL_BYTES));
    const int64_t unit = L0FractalBytes<T>();
    const uint8_t *first =
        reinterpret_cast<const uint8_t *>(src.Address()) + params.startIndex * perSquare * FRACTAL_BYTES;
    RunLoad(dst, src, memory == ascendc_cpu::Memory::L0A, true,
            {dst.ScaledAddress(), first, 1, params.repeatTimes, 0, (params.dstGap + 1) * unit, 0,
             static_cast<int64_t>(params.srcStride) * perSquare * FRACTAL_BYTES, (params.dstFracGap + 1) * unit,
             FRACTAL_BYTES, false});
}

// L1 (unit 32 B) or L0A / L0B (unit 512 B) filled with one value.
template <typename T>
__aicore__ inline void Fill(const LocalTensor<T> &dst, const InitConstValueParams<T> &params)
{
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "Fill: 2- and 4-byte types");
    if (params.repeatTimes == 0 || params.blockNum == 0) {
        return;
    }
    if (ASCENDC_CPU_UNLIKELY(params.repeatTimes > 32767 || params.blockNum > 32767 || params.dstGap > 32767)) {
        ascendc_cpu::Fail("Fill", "repeatTimes %u, blockNum %u, dstGap %u: allowed 0..32767", +params.repeatTimes,
                          +params.blockNum, +params.dstGap);
    }
    const bool inL1 = dst.GetMemory() == ascendc_cpu::Memory::L1;
    const uint64_t unit = inL1 ? ONE_BLK_SIZE : FRACTAL_BYTES;
    const uint64_t bytes = params.blockNum * unit;
    const uint64_t pitch = bytes + params.dstGap * unit;
    CheckTensor("Fill", "dst", dst, inL1 ? ascendc_cpu::Memory::L1 : L0Memory(dst),
                (params.repeatTimes - 1) * pitch + bytes);
    ASCENDC_CPU_TRACE_FLAGS(ascendc_cpu::CLEARS);
    ASCENDC_CPU_TRACE(inL1 ? PIPE_MTE2 : PIPE_MTE1, "Fill",
                      ascendc_cpu::Write(dst, ascendc_cpu::Region{bytes, {params.repeatTimes, pitch}}));
    if (inL1) {
        ascendc_cpu::g_isa->copy.fill({reinterpret_cast<uint8_t *>(dst.Address()), params.repeatTimes,
                                       static_cast<uint32_t>(bytes), pitch, FillPattern(params.initValue)});
        return;
    }
    CheckL0Aligned("Fill", "dst", dst);
    const uint32_t scale = static_cast<uint32_t>(L0FractalBytes<T>() / FRACTAL_BYTES);
    ascendc_cpu::g_isa->copy.fill({dst.ScaledAddress(), params.repeatTimes, static_cast<uint32_t>(bytes * scale),
                                   pitch * scale, L0FillPattern(params.initValue)});
}

template <typename T>
__aicore__ inline void InitConstValue(const LocalTensor<T> &dst, const InitConstValueParams<T> &params)
{
    Fill(dst, params);
}

// C = A * B, or C += A * B when cmatrixInitVal is false. Rows and columns of C up to the next multiple of 16 hold
// garbage. m = 1 reads A as a plain vector of k elements. unitFlag has no effect on the result.
template <typename T, typename U, typename S>
__aicore__ inline void Mmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter,
                            const MmadParams &params)
{
    if (ASCENDC_CPU_UNLIKELY(!params.cmatrixInitVal && params.cmatrixSource)) {
        ascendc_cpu::Fail("Mmad", "cmatrixSource = true needs the overload with a bias tensor");
    }
    RunMmad(dst, fm, filter, params, !params.cmatrixInitVal || params.isBias, nullptr);
}

// C starts from the bias row in the bias table (cmatrixInitVal = false), then as above.
template <typename T, typename U, typename S, typename V>
__aicore__ inline void Mmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter,
                            const LocalTensor<V> &bias, const MmadParams &params)
{
    static_assert(std::is_same<T, V>::value, "Mmad: the bias table holds C's type");
    CheckTensor("Mmad", "bias", bias, ascendc_cpu::Memory::BT, CeilDiv16(params.n) * 16ULL * sizeof(V));
    RunMmad(dst, fm, filter, params, false, params.cmatrixInitVal ? nullptr : bias.Address());
}

// float operands are never rounded to HF32 here, so only switching the mode off is possible.
__aicore__ inline void SetHF32Mode(bool hf32Mode)
{
    if (hf32Mode) {
        ascendc_cpu::Fail("SetHF32Mode", "HF32 rounding is not supported, only false");
    }
}

__aicore__ inline void SetHF32Mode(HF32Mode mode)
{
    SetHF32Mode(mode == HF32Mode::ENABLE);
}

// How HF32 would round; without HF32 it has no effect.
__aicore__ inline void SetHF32TransMode(bool)
{
}
__aicore__ inline void SetHF32TransMode(HF32TransMode)
{
}

// Order in which Mmad produces the fractals of C: no effect on the result.
__aicore__ inline void SetMMLayoutTransform(bool)
{
}
__aicore__ inline void SetMMRowMajor()
{
}
__aicore__ inline void SetMMColumnMajor()
{
}

ASCENDC_CPU_END
#endif
