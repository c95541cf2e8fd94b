// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// GlobalTensor and LocalTensor: an address with the room behind it. Neither owns memory.
#ifndef ASCENDC_CPU_KERNEL_TENSOR_H
#define ASCENDC_CPU_KERNEL_TENSOR_H
#include "kernel_type.h"
#include "ascendc_cpu/trace.h"

ASCENDC_CPU_BEGIN

template <typename T>
class GlobalTensor {
public:
    using PrimType = T;

    void SetGlobalBuffer(__gm__ T *buffer)
    {
        SetGlobalBuffer(buffer, 0);
    }
    // elements: what GetSize() reports; accesses are not checked against it, as on the device
    void SetGlobalBuffer(__gm__ T *buffer, uint64_t elements)
    {
        address = buffer;
        size = elements;
    }
    __gm__ T *GetPhyAddr() const
    {
        return address;
    }
    __gm__ T *GetPhyAddr(uint64_t offset) const
    {
        return address + offset;
    }
    T GetValue(uint64_t offset) const
    {
        ASCENDC_CPU_TRACE(PIPE_S, "GetValue", ascendc_cpu::Element(ascendc_cpu::AccessKind::READ, *this, offset));
        return address[offset];
    }
    T &operator()(uint64_t offset) const
    {
        ASCENDC_CPU_TRACE(PIPE_S, "operator()", ascendc_cpu::Element(ascendc_cpu::AccessKind::TOUCH, *this, offset));
        ascendc_cpu::ForbidChanging();
        return address[offset];
    }
    void SetValue(uint64_t offset, T value)
    {
        ASCENDC_CPU_TRACE(PIPE_S, "SetValue", ascendc_cpu::Element(ascendc_cpu::AccessKind::WRITE, *this, offset));
        ascendc_cpu::SettleForStore({reinterpret_cast<const uint8_t *>(address + offset), 1, sizeof(T), sizeof(T)});
        address[offset] = value;
    }
    uint64_t GetSize() const
    {
        return size;
    }
    GlobalTensor operator[](uint64_t offset) const
    {
        GlobalTensor shifted;
        shifted.address = address + offset;
        shifted.size = size;
        return shifted;
    }
    void SetL2CacheHint(CacheMode)
    {
    }

private:
    __gm__ T *address = nullptr;
    uint64_t size = 0;
};

template <typename T>
class LocalTensor {
public:
    using PrimType = T;

    LocalTensor() = default;
    // Of no buffer: a tensor without an address.
    explicit LocalTensor(TPosition position) : position(position), memory(MemoryOf(position))
    {
    }
    // A view of `elements` elements at `byteOffset` of the memory behind `position`, on the current core.
    LocalTensor(TPosition position, uint32_t byteOffset, uint32_t elements)
        : size(elements), position(position), memory(MemoryOf(position))
    {
        const ascendc_cpu::MemoryRegion &region = ascendc_cpu::Core().memory[static_cast<int>(memory)];
        const uint32_t capacity = ascendc_cpu::MEMORY_CAPACITY[static_cast<int>(memory)];
        if (ASCENDC_CPU_UNLIKELY(byteOffset > capacity)) {
            ascendc_cpu::FailTensor("LocalTensor", "addr", memory, memory, region.base, byteOffset, capacity);
        }
        base = region.base;
        byteAddress = byteOffset;
        // A memory that this core does not have: no room, so that the first use fails and not the declaration.
        room = region.capacity == 0 ? 0 : capacity - byteOffset;
    }

    LocalTensor operator[](uint32_t offset) const
    {
        // Field by field: of a tensor just made, a copy as a whole would wait until its fields have reached the cache.
        LocalTensor shifted;
        const uint32_t bytes = offset * static_cast<uint32_t>(sizeof(T));
        shifted.base = base;
        shifted.byteAddress = byteAddress + bytes;
        shifted.room = bytes > room ? 0 : room - bytes;
        shifted.size = offset > size ? 0 : size - offset;
        shifted.position = position;
        shifted.memory = memory;
        return shifted;
    }
    template <typename U>
    LocalTensor<U> ReinterpretCast() const
    {
        LocalTensor<U> other;
        other.base = base;
        other.byteAddress = byteAddress;
        other.room = room;
        other.position = position;
        other.memory = memory;
        other.size = static_cast<uint32_t>(static_cast<uint64_t>(size) * sizeof(T) / sizeof(U));
        return other;
    }
    // Scalar access, UB only. `operator()` gives a reference.
    T GetValue(uint32_t index) const
    {
        const T &place = Place(index);
        ASCENDC_CPU_TRACE(PIPE_S, "GetValue", ascendc_cpu::Element(ascendc_cpu::AccessKind::READ, *this, index));
        return place;
    }
    template <typename S>
    void SetValue(uint32_t index, S value) const
    {
        T &place = Place(index);
        ASCENDC_CPU_TRACE(PIPE_S, "SetValue", ascendc_cpu::Element(ascendc_cpu::AccessKind::WRITE, *this, index));
        place = static_cast<T>(value);
    }
    T &operator()(uint32_t index) const
    {
        T &place = Place(index);
        ascendc_cpu::Core().deferred.vectorForbidden = true;
        ASCENDC_CPU_TRACE(PIPE_S, "operator()", ascendc_cpu::Element(ascendc_cpu::AccessKind::TOUCH, *this, index));
        return place;
    }
    uint32_t GetSize() const
    {
        return size;
    }
    void SetSize(uint32_t elements)
    {
        size = elements;
    }
    uint32_t GetLength() const
    {
        return size * static_cast<uint32_t>(sizeof(T));
    }
    int32_t GetPosition() const
    {
        return static_cast<int32_t>(position);
    }
    // Byte offset inside its memory, as on the device.
    uint64_t GetPhyAddr() const
    {
        return byteAddress;
    }
    uint64_t GetPhyAddr(uint32_t offset) const
    {
        return byteAddress + static_cast<uint64_t>(offset) * sizeof(T);
    }

    // For the SDK: host address, memory, and bytes left in that memory.
    T *Address() const
    {
        return reinterpret_cast<T *>(base + byteAddress);
    }
    // L0A and L0B only: half stands in the widened arena (core_state.h).
    uint8_t *ScaledAddress() const
    {
        if constexpr (std::is_same<T, half>::value) {
            return base + ascendc_cpu::MEMORY_CAPACITY[static_cast<int>(memory)] + 2ULL * byteAddress;
        } else {
            return base + byteAddress;
        }
    }
    ascendc_cpu::Memory GetMemory() const
    {
        return memory;
    }
    uint32_t Room() const
    {
        return room;
    }

private:
    template <typename U>
    friend class LocalTensor;

    T &Place(uint32_t index) const
    {
        const uint64_t end = (static_cast<uint64_t>(index) + 1) * sizeof(T);
        if (ASCENDC_CPU_UNLIKELY(memory != ascendc_cpu::Memory::UB || end > room)) {
            ascendc_cpu::FailTensor("GetValue/SetValue", "tensor", memory, ascendc_cpu::Memory::UB, Address(), end,
                                    room);
        }
        ascendc_cpu::SettleVector();
        return Address()[index];
    }

    uint8_t *base = nullptr; // start of the memory on this core
    uint32_t byteAddress = 0;
    uint32_t room = 0; // bytes from byteAddress to the end of the memory
    uint32_t size = 0; // elements
    TPosition position = TPosition::GM;
    ascendc_cpu::Memory memory = ascendc_cpu::Memory::GM;
};

// The two compares that every call pays: right memory, and `bytes` from the tensor's start inside it.
template <typename T>
inline void CheckRoom(const char *api, const char *argument, const LocalTensor<T> &tensor, ascendc_cpu::Memory allowed,
                      uint64_t bytes)
{
    if (ASCENDC_CPU_UNLIKELY(tensor.GetMemory() != allowed || bytes > tensor.Room())) {
        ascendc_cpu::FailTensor(api, argument, tensor.GetMemory(), allowed, tensor.Address(), bytes, tensor.Room());
    }
}

// The same, and what is deferred into an operand is carried out, and what is deferred from a destination, which every
// API calls "dst".
template <typename T>
inline void CheckTensor(const char *api, const char *argument, const LocalTensor<T> &tensor,
                        ascendc_cpu::Memory allowed, uint64_t bytes)
{
    CheckRoom(api, argument, tensor, allowed, bytes);
    if (allowed == ascendc_cpu::Memory::UB) {
        ascendc_cpu::SettleVector();
        return;
    }
    if (ASCENDC_CPU_UNLIKELY(ascendc_cpu::Core().deferred.product.waits)) {
        ascendc_cpu::SettleProduct();
    }
    if (allowed == ascendc_cpu::Memory::L1) {
        if (ASCENDC_CPU_UNLIKELY(ascendc_cpu::Core().deferred.l1.MayTouch(tensor.Address(), bytes))) {
            ascendc_cpu::SettleDeferred(allowed, tensor.Address(), bytes);
        }
        if (ASCENDC_CPU_UNLIKELY(ascendc_cpu::Core().deferred.changing->Touches(tensor.Address(), bytes))) {
            ascendc_cpu::SettleChanging();
        }
        const bool isWritten = argument[0] == 'd';
        if (isWritten && ASCENDC_CPU_UNLIKELY(ascendc_cpu::Core().deferred.l0a.ComeFrom(tensor.Address(), bytes))) {
            ascendc_cpu::SettleDeferredFrom(tensor.Address(), bytes);
        }
    } else if (allowed == ascendc_cpu::Memory::L0B) {
        if (ASCENDC_CPU_UNLIKELY(ascendc_cpu::Core().deferred.l0b.MayTouch(tensor.ScaledAddress(), bytes))) {
            ascendc_cpu::SettleDeferred(allowed, tensor.ScaledAddress(), bytes);
        }
    } else if (allowed == ascendc_cpu::Memory::L0C) {
        if (ASCENDC_CPU_UNLIKELY(ascendc_cpu::Core().deferred.inGm->Touch(tensor.Address(), bytes))) {
            ascendc_cpu::SettleProductsInGm();
        }
    } else if (allowed == ascendc_cpu::Memory::L0A) {
        if (ASCENDC_CPU_UNLIKELY(ascendc_cpu::Core().deferred.l0a.Touch(tensor.ScaledAddress(), bytes))) {
            ascendc_cpu::SettleDeferred(allowed, tensor.ScaledAddress(), bytes);
        }
    }
}

ASCENDC_CPU_END
#endif
