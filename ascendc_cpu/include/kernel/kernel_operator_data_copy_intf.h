// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// DataCopy and DataCopyPad: GM <-> UB (AIV), GM <-> L1 (AIC), UB -> UB, L1 -> bias table.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_DATA_COPY_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_DATA_COPY_INTF_H
#include "kernel_operator_set_atomic_intf.h"
#include "kernel_struct_data_copy.h"
#include "kernel_tensor.h"
#include "ascendc_cpu/copy_regions.h"
#include "ascendc_cpu/defer_copy.h"
#include "ascendc_cpu/isa_table.h"
#include "ascendc_cpu/trace.h"

ASCENDC_CPU_BEGIN

// GM -> UB or L1. blockLen and gaps in 32 B; blockCount or blockLen 0 is a no-op.
template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &params)
{
    if (params.blockCount == 0 || params.blockLen == 0) {
        return;
    }
    CheckBlockCount("DataCopy", params.blockCount);
    const ascendc_cpu::BlockCopy copy =
        BlocksOf(reinterpret_cast<uint8_t *>(dst.Address()), src.GetPhyAddr(), params, ONE_BLK_SIZE);
    CheckTensor("DataCopy", "dst", dst, CopyMemory(dst), ExtentOf(copy.count, copy.bytes, copy.dstPitch));
    ASCENDC_CPU_TRACE(PIPE_MTE2, "DataCopy",
                      ascendc_cpu::Write(dst, ascendc_cpu::Region{copy.bytes, {copy.count, copy.dstPitch}}),
                      ascendc_cpu::Read(src, ascendc_cpu::Region{copy.bytes, {copy.count, copy.srcPitch}}));
    ascendc_cpu::g_isa->copy.blocks(copy);
    RememberNextLoad(copy);
}

// UB or L1 -> GM, atomic when SetAtomic* says so.
template <typename T>
__aicore__ inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &params)
{
    if (params.blockCount == 0 || params.blockLen == 0) {
        return;
    }
    CheckBlockCount("DataCopy", params.blockCount);
    const ascendc_cpu::BlockCopy copy =
        BlocksOf(reinterpret_cast<uint8_t *>(dst.GetPhyAddr()), src.Address(), params, ONE_BLK_SIZE);
    if (StoreChain(src, copy)) {
        return;
    }
    CheckTensor("DataCopy", "src", src, CopyMemory(src), ExtentOf(copy.count, copy.bytes, copy.srcPitch));
    ASCENDC_CPU_TRACE(PIPE_MTE3, "DataCopy",
                      ascendc_cpu::Write(dst, ascendc_cpu::Region{copy.bytes, {copy.count, copy.dstPitch}}),
                      ascendc_cpu::Read(src, ascendc_cpu::Region{copy.bytes, {copy.count, copy.srcPitch}}));
    StoreBlocks<T>("DataCopy", copy);
}

// UB -> UB, or L1 -> bias table (then blockLen and the destination gap are in 64 B).
template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &params)
{
    if (params.blockCount == 0 || params.blockLen == 0) {
        return;
    }
    CheckBlockCount("DataCopy", params.blockCount);
    const bool toBias = dst.GetMemory() == ascendc_cpu::Memory::BT;
    const uint32_t unit = toBias ? BIAS_BLOCK_BYTES : ONE_BLK_SIZE;
    ascendc_cpu::BlockCopy copy = BlocksOf(reinterpret_cast<uint8_t *>(dst.Address()), src.Address(), params, unit);
    copy.srcPitch = copy.bytes + static_cast<uint64_t>(params.srcStride) * ONE_BLK_SIZE;
    CheckTensor("DataCopy", "dst", dst, toBias ? ascendc_cpu::Memory::BT : ascendc_cpu::Memory::UB,
                ExtentOf(copy.count, copy.bytes, copy.dstPitch));
    CheckTensor("DataCopy", "src", src, toBias ? ascendc_cpu::Memory::L1 : ascendc_cpu::Memory::UB,
                ExtentOf(copy.count, copy.bytes, copy.srcPitch));
    ASCENDC_CPU_TRACE(toBias ? PIPE_MTE1 : PIPE_V, "DataCopy",
                      ascendc_cpu::Write(dst, ascendc_cpu::Region{copy.bytes, {copy.count, copy.dstPitch}}),
                      ascendc_cpu::Read(src, ascendc_cpu::Region{copy.bytes, {copy.count, copy.srcPitch}}));
    ascendc_cpu::g_isa->copy.blocks(copy);
}

// L1 -> bias table with widening: half -> float. blockLen is in 64 B of the destination.
template <typename T, typename U,
          typename std::enable_if<std::is_same<T, float>::value && std::is_same<U, half>::value, bool>::type = true>
__aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const DataCopyParams &params)
{
    if (params.blockCount == 0 || params.blockLen == 0) {
        return;
    }
    CheckBlockCount("DataCopy", params.blockCount);
    ascendc_cpu::BlockCopy copy =
        BlocksOf(reinterpret_cast<uint8_t *>(dst.Address()), src.Address(), params, BIAS_BLOCK_BYTES);
    const uint32_t srcBytes = copy.bytes / 2;
    copy.srcPitch = srcBytes + static_cast<uint64_t>(params.srcStride) * ONE_BLK_SIZE;
    CheckTensor("DataCopy", "dst", dst, ascendc_cpu::Memory::BT, ExtentOf(copy.count, copy.bytes, copy.dstPitch));
    CheckTensor("DataCopy", "src", src, ascendc_cpu::Memory::L1, ExtentOf(copy.count, srcBytes, copy.srcPitch));
    ASCENDC_CPU_TRACE(PIPE_MTE1, "DataCopy",
                      ascendc_cpu::Write(dst, ascendc_cpu::Region{copy.bytes, {copy.count, copy.dstPitch}}),
                      ascendc_cpu::Read(src, ascendc_cpu::Region{srcBytes, {copy.count, copy.srcPitch}}));
    ascendc_cpu::g_isa->copy.halfToFloat(copy);
}

// Count forms: `count` elements in one block. The device drops a tail below 32 B; here that is an error.
template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const uint32_t count)
{
    const ascendc_cpu::BlockCopy copy =
        OneBlock<T>("DataCopy", reinterpret_cast<uint8_t *>(dst.Address()), src.GetPhyAddr(), count);
    CheckTensor("DataCopy", "dst", dst, CopyMemory(dst), copy.bytes);
    ASCENDC_CPU_TRACE(PIPE_MTE2, "DataCopy", ascendc_cpu::Write(dst, ascendc_cpu::Region{copy.bytes}),
                      ascendc_cpu::Read(src, ascendc_cpu::Region{copy.bytes}));
    ascendc_cpu::g_isa->copy.blocks(copy);
}

template <typename T>
__aicore__ inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count)
{
    const ascendc_cpu::BlockCopy copy =
        OneBlock<T>("DataCopy", reinterpret_cast<uint8_t *>(dst.GetPhyAddr()), src.Address(), count);
    CheckTensor("DataCopy", "src", src, CopyMemory(src), copy.bytes);
    ASCENDC_CPU_TRACE(PIPE_MTE3, "DataCopy", ascendc_cpu::Write(dst, ascendc_cpu::Region{copy.bytes}),
                      ascendc_cpu::Read(src, ascendc_cpu::Region{copy.bytes}));
    StoreBlocks<T>("DataCopy", copy);
}

template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count)
{
    const bool toBias = dst.GetMemory() == ascendc_cpu::Memory::BT;
    const ascendc_cpu::BlockCopy copy =
        OneBlock<T>("DataCopy", reinterpret_cast<uint8_t *>(dst.Address()), src.Address(), count);
    CheckTensor("DataCopy", "dst", dst, toBias ? ascendc_cpu::Memory::BT : ascendc_cpu::Memory::UB, copy.bytes);
    CheckTensor("DataCopy", "src", src, toBias ? ascendc_cpu::Memory::L1 : ascendc_cpu::Memory::UB, copy.bytes);
    ASCENDC_CPU_TRACE(toBias ? PIPE_MTE1 : PIPE_V, "DataCopy", ascendc_cpu::Write(dst, ascendc_cpu::Region{copy.bytes}),
                      ascendc_cpu::Read(src, ascendc_cpu::Region{copy.bytes}));
    ascendc_cpu::g_isa->copy.blocks(copy);
}

// GM -> L1, ND -> NZ. Rows from nValue to the next multiple of 16 are not written.
template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const Nd2NzParams &params)
{
    if (params.ndNum == 0 || params.nValue == 0 || params.dValue == 0) {
        return;
    }
    CheckNd2Nz(params);
    const ascendc_cpu::Nd2NzCopy copy = Nd2NzOf<T>(dst, src, params);
    const ascendc_cpu::WordMatrix matrix = {copy.src, copy.srcRow, copy.rows, copy.rowBytes / 4};
    const bool canWait = CanWait<T>(copy);
    if (canWait && ascendc_cpu::Core().deferred.l1.Replace({copy.dst, matrix, false})) {
        RememberNextRows(copy);
        return;
    }
    const uint64_t columns = (copy.rowBytes + ONE_BLK_SIZE - 1) / ONE_BLK_SIZE;
    if (IsDense(copy)) {
        ForgetBox(copy.dst, columns * copy.dstColumn);
    }
    CheckTensor("DataCopy Nd2Nz", "dst", dst, ascendc_cpu::Memory::L1,
                (copy.matrices - 1) * copy.dstMatrix + (columns - 1) * copy.dstColumn + (copy.rows - 1) * copy.dstRow +
                    ONE_BLK_SIZE);
    ASCENDC_CPU_TRACE(
        PIPE_MTE2, "DataCopy Nd2Nz",
        ascendc_cpu::Write(dst, ascendc_cpu::Region{ONE_BLK_SIZE,
                                                    {copy.rows, copy.dstRow},
                                                    {columns, copy.dstColumn},
                                                    {copy.matrices, copy.dstMatrix}}),
        ascendc_cpu::Read(
            src, ascendc_cpu::Region{copy.rowBytes, {copy.rows, copy.srcRow}, {copy.matrices, copy.srcMatrix}}));
    if (canWait) {
        Defer(ascendc_cpu::Memory::L1, ascendc_cpu::Core().deferred.l1, {copy.dst, matrix, false});
    } else if (CanWaitForChange<T>(copy)) {
        DeferChanging({copy.dst, matrix, false});
    } else {
        ascendc_cpu::g_isa->copy.nd2nz(copy);
    }
    RememberNextRows(copy);
}

// GM -> UB at byte granularity. Each block starts on a fresh 32 B boundary; what lies between its end and the next
// boundary is filler: the pad value if there is padding, else the block's first element, whatever isPad says.
template <typename T>
__aicore__ inline void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                                   const DataCopyExtParams &params, const DataCopyPadExtParams<T> &padParams)
{
    uint64_t padValue = 0;
    memcpy(&padValue, &padParams.paddingValue, sizeof(T));
    LoadPadded(dst, src, params, padParams.isPad, padParams.leftPadding, padParams.rightPadding, padValue);
}

// Old form: blockLen in bytes, 16 bit.
template <typename T>
__aicore__ inline void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &params,
                                   const DataCopyPadParams &padParams)
{
    const DataCopyExtParams ext(params.blockCount, params.blockLen, params.srcStride, params.dstStride, 0);
    LoadPadded(dst, src, ext, padParams.isPad, padParams.leftPadding, padParams.rightPadding, padParams.paddingValue);
}

// UB -> GM at byte granularity: reads blocks that start on 32 B boundaries, writes exactly blockLen bytes of each.
template <typename T>
__aicore__ inline void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                                   const DataCopyExtParams &params)
{
    if (params.blockCount == 0 || params.blockLen == 0) {
        return;
    }
    CheckExtBlocks("DataCopyPad", params, sizeof(T));
    const ascendc_cpu::BlockCopy copy = {reinterpret_cast<uint8_t *>(dst.GetPhyAddr()),
                                         reinterpret_cast<const uint8_t *>(src.Address()),
                                         params.blockCount,
                                         params.blockLen,
                                         static_cast<uint64_t>(params.blockLen) + params.dstStride,
                                         RoundUpToBlock(params.blockLen) +
                                             static_cast<uint64_t>(params.srcStride) * ONE_BLK_SIZE};
    CheckTensor("DataCopyPad", "src", src, ascendc_cpu::Memory::UB, ExtentOf(copy.count, copy.bytes, copy.srcPitch));
    ASCENDC_CPU_TRACE(
        PIPE_MTE3, "DataCopyPad",
        ascendc_cpu::Aligned(ascendc_cpu::Write(dst, ascendc_cpu::Region{copy.bytes, {copy.count, copy.dstPitch}}), 1),
        ascendc_cpu::Read(src, ascendc_cpu::Region{copy.bytes, {copy.count, copy.srcPitch}}));
    StoreBlocks<T>("DataCopyPad", copy);
}

template <typename T>
__aicore__ inline void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &params)
{
    DataCopyPad(dst, src, DataCopyExtParams(params.blockCount, params.blockLen, params.srcStride, params.dstStride, 0));
}

// Pad value of later DataCopyPad calls that have paddings but isPad = false.
template <typename T, TPosition pos = TPosition::MAX>
__aicore__ inline void SetPadValue(T paddingValue)
{
    static_assert(pos == TPosition::MAX || pos == TPosition::VECIN || pos == TPosition::VECOUT,
                  "SetPadValue: pos is MAX, VECIN or VECOUT");
    ascendc_cpu::Core().sticky.copyPadValue = 0;
    memcpy(&ascendc_cpu::Core().sticky.copyPadValue, &paddingValue, sizeof(T));
}

ASCENDC_CPU_END
#endif
