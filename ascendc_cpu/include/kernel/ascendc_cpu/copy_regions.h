// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// From the fields of the copy APIs to byte counts and pitches, with the checks that the fields need.
#ifndef ASCENDC_CPU_COPY_REGIONS_H
#define ASCENDC_CPU_COPY_REGIONS_H
#include "../kernel_operator_set_atomic_intf.h"
#include "../kernel_struct_data_copy.h"
#include "../kernel_tensor.h"
#include "isa_table.h"
#include "ascendc_cpu/trace.h"

ASCENDC_CPU_BEGIN

constexpr uint32_t BIAS_BLOCK_BYTES = 64;
constexpr uint32_t MAX_BLOCK_COUNT = 4095;
constexpr uint32_t MAX_EXT_BLOCK_BYTES = 2097151;
constexpr uint64_t MAX_PREFETCHED_BYTES = 64 * 1024;

constexpr uint64_t RoundUpToBlock(uint64_t bytes)
{
    return (bytes + ONE_BLK_SIZE - 1) / ONE_BLK_SIZE * ONE_BLK_SIZE;
}

constexpr uint64_t ExtentOf(uint32_t count, uint64_t bytes, uint64_t pitch)
{
    return (count - 1) * pitch + bytes;
}

// The local side of a GM copy: UB on a vector core, L1 on a cube core.
template <typename T>
inline ascendc_cpu::Memory CopyMemory(const LocalTensor<T> &tensor)
{
    return tensor.GetMemory() == ascendc_cpu::Memory::L1 ? ascendc_cpu::Memory::L1 : ascendc_cpu::Memory::UB;
}

inline void CheckBlockCount(const char *api, uint32_t blockCount)
{
    if (ASCENDC_CPU_UNLIKELY(blockCount > MAX_BLOCK_COUNT)) {
        ascendc_cpu::Fail(api, "blockCount is %u, allowed 0..%u", blockCount, MAX_BLOCK_COUNT);
    }
}

inline void CheckExtBlocks(const char *api, const DataCopyExtParams &params, uint32_t elementBytes)
{
    CheckBlockCount(api, params.blockCount);
    if (ASCENDC_CPU_UNLIKELY(params.blockLen > MAX_EXT_BLOCK_BYTES || params.blockLen % elementBytes != 0)) {
        ascendc_cpu::Fail(api, "blockLen is %u bytes, allowed up to %u and a multiple of the element size %u",
                          +params.blockLen, MAX_EXT_BLOCK_BYTES, elementBytes);
    }
}

inline ascendc_cpu::BlockCopy BlocksOf(uint8_t *dst, const void *src, const DataCopyParams &params, uint32_t unit)
{
    const uint32_t bytes = params.blockLen * unit;
    return {dst,
            static_cast<const uint8_t *>(src),
            params.blockCount,
            bytes,
            bytes + static_cast<uint64_t>(params.dstStride) * unit,
            bytes + static_cast<uint64_t>(params.srcStride) * unit};
}

template <typename T>
inline ascendc_cpu::BlockCopy OneBlock(const char *api, uint8_t *dst, const void *src, uint32_t count)
{
    const uint64_t bytes = static_cast<uint64_t>(count) * sizeof(T);
    if (ASCENDC_CPU_UNLIKELY(bytes % ONE_BLK_SIZE != 0 || bytes > UINT32_MAX)) {
        ascendc_cpu::Fail(api, "%u elements of %u bytes are not a multiple of 32 bytes (use DataCopyPad)", count,
                          static_cast<unsigned>(sizeof(T)));
    }
    return {dst, static_cast<const uint8_t *>(src), 1, static_cast<uint32_t>(bytes), bytes, bytes};
}

// Stores the exponentials that wait, if it is just their tile, while they are in registers; false: it is not.
template <typename T>
inline bool StoreChain(const LocalTensor<T> &src, const ascendc_cpu::BlockCopy &copy)
{
    ascendc_cpu::VectorChain &chain = ascendc_cpu::Core().deferred.chain;
    if (!std::is_same<T, float>::value || !chain.HoldsExp()) {
        return false;
    }
    const uint64_t rowBytes = chain.pitch * sizeof(float);
    if (copy.src != reinterpret_cast<const uint8_t *>(chain.src) || src.GetMemory() != ascendc_cpu::Memory::UB ||
        copy.count != chain.rows || copy.bytes != rowBytes || copy.srcPitch != rowBytes ||
        ascendc_cpu::Core().sticky.atomicOp != ascendc_cpu::AtomicOp::NONE) {
        return false;
    }
    ascendc_cpu::SettleForStore({copy.dst, copy.count, copy.bytes, copy.dstPitch});
    chain.before = ascendc_cpu::VectorChain::Before::EXP_STORED;
    chain.stored = reinterpret_cast<float *>(copy.dst);
    chain.storedPitch = copy.dstPitch / sizeof(float);
    ascendc_cpu::CarryOutChain();
    return true;
}

template <typename T>
inline void StoreBlocks(const char *api, const ascendc_cpu::BlockCopy &copy)
{
    ascendc_cpu::SettleForStore({copy.dst, copy.count, copy.bytes, copy.dstPitch});
    if (ASCENDC_CPU_UNLIKELY(AtomicStore<T>(api))) {
        const ascendc_cpu::StickyState &sticky = ascendc_cpu::Core().sticky;
        ascendc_cpu::g_isa->copy.blocksAtomic(copy, sticky.atomicOp, sticky.atomicType);
    } else {
        ascendc_cpu::g_isa->copy.blocks(copy);
    }
}

inline void CheckNd2Nz(const Nd2NzParams &params)
{
    const auto isStride = [](uint32_t stride) { return stride >= 1 && stride <= 16384; };
    if (ASCENDC_CPU_UNLIKELY(params.ndNum > 4095 || params.nValue > 16384 || params.srcDValue == 0 ||
                             !isStride(params.dstNzC0Stride) || !isStride(params.dstNzNStride))) {
        ascendc_cpu::Fail("DataCopy Nd2Nz",
                          "ndNum %u (0..4095), nValue %u (0..16384), srcDValue %u (1..65535), dstNzC0Stride %u, "
                          "dstNzNStride %u (1..16384 each)",
                          +params.ndNum, +params.nValue, +params.srcDValue, +params.dstNzC0Stride,
                          +params.dstNzNStride);
    }
}

template <typename T>
inline ascendc_cpu::Nd2NzCopy Nd2NzOf(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const Nd2NzParams &params)
{
    return {reinterpret_cast<uint8_t *>(dst.Address()),
            reinterpret_cast<const uint8_t *>(src.GetPhyAddr()),
            params.ndNum,
            params.nValue,
            static_cast<uint32_t>(params.dValue * sizeof(T)),
            params.srcNdMatrixStride * sizeof(T),
            params.srcDValue * sizeof(T),
            params.dstNzMatrixStride * sizeof(T),
            static_cast<uint64_t>(params.dstNzNStride) * ONE_BLK_SIZE,
            static_cast<uint64_t>(params.dstNzC0Stride) * ONE_BLK_SIZE};
}

// The rows behind a box are what the next box will read, if the loop walks down the matrix. A matrix larger than that
// is no step of a loop.
inline void RememberNextRows(const ascendc_cpu::Nd2NzCopy &copy)
{
    if (static_cast<uint64_t>(copy.rows) * copy.rowBytes > MAX_PREFETCHED_BYTES) {
        return;
    }
    ascendc_cpu::PrefetchQueue &queue = ascendc_cpu::Core().prefetch;
    queue.slots[queue.head++ % ascendc_cpu::PrefetchQueue::SLOTS] = {copy.src + copy.rows * copy.srcRow, copy.rows,
                                                                     copy.rowBytes, copy.srcRow, 0};
}

// The same for rows of a tile in UB.
inline void RememberNextLoad(const ascendc_cpu::BlockCopy &copy)
{
    constexpr uint64_t least = 4096; // smaller ones come in time
    if (static_cast<uint64_t>(copy.count) * copy.bytes >= least) {
        ascendc_cpu::Core().nextLoad = copy.src + copy.count * copy.srcPitch;
    }
}

template <typename T>
inline void LoadPadded(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyExtParams &params,
                       bool isPad, uint32_t leftPadding, uint32_t rightPadding, uint64_t padValue)
{
    if (params.blockCount == 0 || params.blockLen == 0) {
        return;
    }
    CheckExtBlocks("DataCopyPad", params, sizeof(T));
    const uint32_t left = leftPadding * static_cast<uint32_t>(sizeof(T));
    const uint32_t right = rightPadding * static_cast<uint32_t>(sizeof(T));
    if (ASCENDC_CPU_UNLIKELY(left > ONE_BLK_SIZE || right > ONE_BLK_SIZE)) {
        ascendc_cpu::Fail("DataCopyPad",
                          "leftPadding %u and rightPadding %u elements of %u bytes: at most 32 bytes each", leftPadding,
                          rightPadding, static_cast<unsigned>(sizeof(T)));
    }
    if (ASCENDC_CPU_UNLIKELY(sizeof(T) == 8 && isPad && padValue != 0)) {
        ascendc_cpu::Fail("DataCopyPad", "paddingValue must be 0 for 8-byte elements");
    }
    uint64_t &sticky = ascendc_cpu::Core().sticky.copyPadValue;
    sticky = isPad ? padValue : sticky;
    const uint64_t dstBytes = RoundUpToBlock(static_cast<uint64_t>(left) + params.blockLen + right);
    const ascendc_cpu::PaddedCopy copy = {
        {reinterpret_cast<uint8_t *>(dst.Address()), reinterpret_cast<const uint8_t *>(src.GetPhyAddr()),
         params.blockCount, params.blockLen, dstBytes + static_cast<uint64_t>(params.dstStride) * ONE_BLK_SIZE,
         static_cast<uint64_t>(params.blockLen) + params.srcStride},
        left,
        right,
        sizeof(T),
        sticky,
        left == 0 && right == 0};
    CheckTensor("DataCopyPad", "dst", dst, ascendc_cpu::Memory::UB,
                ExtentOf(params.blockCount, dstBytes, copy.blocks.dstPitch));
    ASCENDC_CPU_TRACE(
        PIPE_MTE2, "DataCopyPad",
        ascendc_cpu::Write(dst, ascendc_cpu::Region{dstBytes, {params.blockCount, copy.blocks.dstPitch}}),
        ascendc_cpu::Aligned(
            ascendc_cpu::Read(src, ascendc_cpu::Region{params.blockLen, {params.blockCount, copy.blocks.srcPitch}}),
            1));
    ascendc_cpu::g_isa->copy.padded(copy);
}

ASCENDC_CPU_END
#endif
