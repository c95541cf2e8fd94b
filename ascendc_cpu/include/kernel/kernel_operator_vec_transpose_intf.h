// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_TRANSPOSE_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_TRANSPOSE_INTF_H
#include "kernel_struct_transpose.h"
#include "ascendc_cpu/vector_call.h"

ASCENDC_CPU_BEGIN

// A block of 16 x 16 elements, row after row.
template <typename T>
__aicore__ inline void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src)
{
    ASCENDC_CPU_REQUIRE(T, "Transpose", (half, int16_t, uint16_t));
    constexpr uint32_t BYTES = 16 * 16 * sizeof(T);
    CheckVectorOperand("Transpose", "dst", dst, BYTES);
    CheckVectorOperand("Transpose", "src", src, BYTES);
    ASCENDC_CPU_TRACE(PIPE_V, "Transpose", ascendc_cpu::Write(dst, ascendc_cpu::Region{BYTES}),
                      ascendc_cpu::Read(src, ascendc_cpu::Region{BYTES}));
    ascendc_cpu::g_isa->vector.transpose(dst.Address(), src.Address());
}

// A block of 32 B at each of 16 addresses of UB, of which 1-byte elements use a half.
template <typename T>
class BlockList {
public:
    static constexpr uint32_t ELEMENTS = sizeof(T) == 1 ? 16 : ONE_BLK_SIZE / sizeof(T); // of a block
    static constexpr uint32_t BYTES = ELEMENTS * sizeof(T);

    // Checks all repeats.
    BlockList(const char *argument, const uint64_t addresses[NCHW_CONV_ADDR_LIST_SIZE], uint32_t repeats,
              uint32_t stride, bool highHalf)
        : first(repeats == 1 ? stride : 0), stride(stride), half(sizeof(T) == 1 && highHalf ? BYTES : 0)
    {
        for (int32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; i++) {
            const uint32_t address = addresses[i] > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(addresses[i]);
            blocks[i] = LocalTensor<T>(TPosition::VECCALC, address, ELEMENTS);
            CheckVectorOperand("TransDataTo5HD", argument, blocks[i], OffsetOf(repeats - 1) + BYTES);
        }
    }
    const LocalTensor<T> &operator[](uint32_t i) const
    {
        return blocks[i];
    }
    // Bytes from an address to the block that a repeat uses.
    uint64_t OffsetOf(uint32_t repeat) const
    {
        return (first + static_cast<uint64_t>(repeat) * stride) * ONE_BLK_SIZE + half;
    }
    T *At(uint32_t i, uint32_t repeat) const
    {
        return blocks[i].Address() + OffsetOf(repeat) / sizeof(T);
    }

private:
    LocalTensor<T> blocks[NCHW_CONV_ADDR_LIST_SIZE];
    uint64_t first; // blocks
    uint64_t stride;
    uint64_t half; // bytes
};

// Of each repeat, element e of block i goes to where element i of row e is: rows of 16 elements, over two blocks of
// 4-byte ones.
template <typename T>
__aicore__ inline void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE],
                                      uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                                      const TransDataTo5HDParams &nchwconvParams)
{
    ASCENDC_CPU_REQUIRE(T, "TransDataTo5HD", (int8_t, uint8_t, half, int16_t, uint16_t, float, int32_t, uint32_t));
    constexpr uint32_t BLOCKS = NCHW_CONV_ADDR_LIST_SIZE;
    constexpr uint32_t ELEMENTS = BlockList<T>::ELEMENTS;
    const uint32_t repeats = nchwconvParams.repeatTimes;
    if (repeats == 0) {
        return;
    }
    const BlockList<T> dst("dst", dstList, repeats, nchwconvParams.dstRepStride, nchwconvParams.dstHighHalf);
    const BlockList<T> src("src", srcList, repeats, nchwconvParams.srcRepStride, nchwconvParams.srcHighHalf);
    ascendc_cpu::AccessList accesses;
    for (uint32_t i = 0; i < repeats * BLOCKS; i++) {
        accesses.AddRead(src[i % BLOCKS], src.OffsetOf(i / BLOCKS), BlockList<T>::BYTES);
        accesses.AddWrite(dst[i % BLOCKS], dst.OffsetOf(i / BLOCKS), BlockList<T>::BYTES);
    }
    ASCENDC_CPU_TRACE_LIST(PIPE_V, "TransDataTo5HD", accesses);
    for (uint32_t repeat = 0; repeat < repeats; repeat++) {
        T rows[ELEMENTS * BLOCKS];
        for (uint32_t i = 0; i < BLOCKS; i++) {
            for (uint32_t element = 0; element < ELEMENTS; element++) {
                rows[element * BLOCKS + i] = src.At(i, repeat)[element];
            }
        }
        for (uint32_t i = 0; i < BLOCKS; i++) {
            memcpy(dst.At(i, repeat), rows + i * ELEMENTS, BlockList<T>::BYTES);
        }
    }
}

template <typename T>
__aicore__ inline void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                                      const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                                      const TransDataTo5HDParams &nchwconvParams)
{
    uint64_t to[NCHW_CONV_ADDR_LIST_SIZE];
    uint64_t from[NCHW_CONV_ADDR_LIST_SIZE];
    for (int32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; i++) {
        CheckVectorOperand("TransDataTo5HD", "dst", dstList[i], 0);
        CheckVectorOperand("TransDataTo5HD", "src", srcList[i], 0);
        to[i] = dstList[i].GetPhyAddr();
        from[i] = srcList[i].GetPhyAddr();
    }
    TransDataTo5HD<T>(to, from, nchwconvParams);
}

// The addresses are in UB themselves; the scalar unit reads them.
template <typename T>
__aicore__ inline void TransDataTo5HD(const LocalTensor<uint64_t> &dst, const LocalTensor<uint64_t> &src,
                                      const TransDataTo5HDParams &nchwconvParams)
{
    uint64_t to[NCHW_CONV_ADDR_LIST_SIZE];
    uint64_t from[NCHW_CONV_ADDR_LIST_SIZE];
    for (uint32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; i++) {
        to[i] = dst.GetValue(i);
        from[i] = src.GetValue(i);
    }
    TransDataTo5HD<T>(to, from, nchwconvParams);
}

ASCENDC_CPU_END
#endif
