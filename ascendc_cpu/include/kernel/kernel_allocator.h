// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Tensors without TPipe: LocalMemAllocator hands out one memory from its start, InitSocState sets the registers that
// a TPipe would set.
#ifndef ASCENDC_CPU_KERNEL_ALLOCATOR_H
#define ASCENDC_CPU_KERNEL_ALLOCATOR_H
#include "kernel_common.h"
#include "kernel_operator_mm_intf.h"
#include "kernel_operator_set_atomic_intf.h"
#include "kernel_tensor.h"

ASCENDC_CPU_BEGIN

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

// The position that a tensor of this memory gets when none is named.
constexpr TPosition PositionOf(Hardware hardware)
{
    switch (hardware) {
    case Hardware::UB:
        return TPosition::VECCALC;
    case Hardware::L1:
        return TPosition::A1;
    case Hardware::L0A:
        return TPosition::A2;
    case Hardware::L0B:
        return TPosition::B2;
    case Hardware::L0C:
        return TPosition::CO1;
    case Hardware::BIAS:
        return TPosition::C2;
    case Hardware::FIXBUF:
        return TPosition::C2PIPE2GM;
    default:
        return TPosition::GM;
    }
}

// One at a time for each memory: a second one starts at byte 0 again.
template <Hardware hard = Hardware::UB>
class LocalMemAllocator {
    static_assert(PositionOf(hard) != TPosition::GM, "an allocator is for one of the core's own memories");

public:
    __aicore__ inline LocalMemAllocator() = default;
    // Byte offset of the next tensor.
    __aicore__ inline uint32_t GetCurAddr() const
    {
        return head;
    }
    template <TPosition pos, class DataType, uint32_t tileSize>
    __aicore__ inline LocalTensor<DataType> Alloc()
    {
        return Alloc<pos, DataType>(tileSize);
    }
    // tileSize: elements
    template <TPosition pos, class DataType>
    __aicore__ inline LocalTensor<DataType> Alloc(uint32_t tileSize)
    {
        constexpr ascendc_cpu::Memory memory = MemoryOf(PositionOf(hard));
        static_assert(MemoryOf(pos) == memory, "the position is in another memory than the allocator's");
        constexpr uint32_t capacity = ascendc_cpu::MEMORY_CAPACITY[static_cast<int>(memory)];
        const uint64_t bytes = static_cast<uint64_t>(tileSize) * sizeof(DataType);
        if (ASCENDC_CPU_UNLIKELY(bytes > capacity - head)) {
            ascendc_cpu::Fail("LocalMemAllocator", "%llu bytes of %s asked, %u of %u are left in it",
                              static_cast<unsigned long long>(bytes), ascendc_cpu::MemoryName(memory), capacity - head,
                              capacity);
        }
        const LocalTensor<DataType> tensor(pos, head, tileSize);
        head += static_cast<uint32_t>(bytes);
        return tensor;
    }
    template <class DataType, uint32_t tileSize>
    __aicore__ inline LocalTensor<DataType> Alloc()
    {
        return Alloc<PositionOf(hard), DataType>(tileSize);
    }
    template <class DataType>
    __aicore__ inline LocalTensor<DataType> Alloc(uint32_t tileSize)
    {
        return Alloc<PositionOf(hard), DataType>(tileSize);
    }

private:
    uint32_t head = 0;
};

__aicore__ inline void InitSocState()
{
    SetAtomicNone();
    SetMaskNorm();
    if constexpr (g_coreType == AIC) {
        SetLoadDataPaddingValue<half>(0);
    } else {
        ResetMask();
    }
}

ASCENDC_CPU_END
#endif
