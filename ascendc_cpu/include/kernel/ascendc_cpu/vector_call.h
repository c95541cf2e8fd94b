// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What every vector API does before its one call through g_isa: mask register, shape of the repeats, operand checks.
#ifndef ASCENDC_CPU_VECTOR_CALL_H
#define ASCENDC_CPU_VECTOR_CALL_H
#include "../kernel_common.h"
#include "../kernel_tensor.h"
#include "isa_table.h"
#include "ascendc_cpu/trace.h"

ASCENDC_CPU_BEGIN

constexpr uint64_t FULL_MASK = 0xffffffffffffffffULL;
// What a call with isSetMask = false passes as its mask.
constexpr uint64_t MASK_PLACEHOLDER = 0;
constexpr uint64_t MASK_PLACEHOLDER_LIST[2] = {0, 0};

// Bits of the first `lanes` lanes; 128 and more are all.
inline void FirstLanes(uint64_t lanes, uint64_t mask[2])
{
    mask[0] = lanes >= 64 ? FULL_MASK : (1ULL << lanes) - 1;
    mask[1] = lanes >= 128 ? FULL_MASK : lanes > 64 ? (1ULL << (lanes - 64)) - 1 : 0;
}

template <typename T, typename... Allowed>
constexpr bool IsOneOf()
{
    return (std::is_same<T, Allowed>::value || ...);
}

// dtypes: the parenthesised list of element types that the instruction has on this architecture
#define ASCENDC_CPU_UNPACK(...) __VA_ARGS__
#define ASCENDC_CPU_REQUIRE(T, name, dtypes)                                                                           \
    static_assert(IsOneOf<T, ASCENDC_CPU_UNPACK dtypes>(), name ": the element type must be one of " #dtypes)

template <typename T>
constexpr ascendc_cpu::VectorType VectorTypeOf()
{
    using ascendc_cpu::VectorType;
    return IsOneOf<T, half>()       ? VectorType::HALF
           : IsOneOf<T, float>()    ? VectorType::FLOAT
           : IsOneOf<T, int16_t>()  ? VectorType::INT16
           : IsOneOf<T, int32_t>()  ? VectorType::INT32
           : IsOneOf<T, uint32_t>() ? VectorType::UINT32
                                    : VectorType::UINT16;
}

// Elements are only moved: the unsigned type of the same size.
template <typename T>
constexpr ascendc_cpu::VectorType BitTypeOf()
{
    return sizeof(T) == 4 ? ascendc_cpu::VectorType::UINT32 : ascendc_cpu::VectorType::UINT16;
}

// Lanes of a repeat: 256 B of the widest operand.
template <typename D, typename S>
constexpr uint32_t LanesOf()
{
    return ONE_REPEAT_BYTE_SIZE / (sizeof(D) > sizeof(S) ? sizeof(D) : sizeof(S));
}

inline const ascendc_cpu::VectorEntry &EntryOf(ascendc_cpu::VectorOp op, ascendc_cpu::VectorType type)
{
    return ascendc_cpu::g_isa->vector.elementwise[static_cast<int>(op)][static_cast<int>(type)];
}

template <bool isSetMask>
inline void WriteMask(const uint64_t mask[])
{
    if constexpr (isSetMask) {
        ascendc_cpu::StickyState &sticky = ascendc_cpu::Core().sticky;
        sticky.mask[0] = mask[0];
        sticky.mask[1] = mask[1];
    }
}

// The device turns the number of lanes into bits, which counter mode would then read as a number of elements.
template <bool isSetMask>
inline void WriteMask(const char *api, uint64_t lanes)
{
    if constexpr (isSetMask) {
        ascendc_cpu::StickyState &sticky = ascendc_cpu::Core().sticky;
        if (ASCENDC_CPU_UNLIKELY(sticky.counterMode)) {
            ascendc_cpu::Fail(api, "mask given as a number of lanes in counter mode; pass mask[] or isSetMask = false");
        }
        FirstLanes(lanes, sticky.mask);
    }
}

// After a count form: normal mode, all lanes.
inline void LeaveCountForm()
{
    ascendc_cpu::Core().sticky.counterMode = false;
    ResetMask();
}

// One instruction: its shape and the highest active lane of a repeat.
template <uint32_t LANES>
struct VectorCall {
    ascendc_cpu::VectorShape shape;
    uint32_t lastLane = LANES - 1;
    bool isEmpty = false; // apart from the shape, which is in memory and would have to be read back

    // From the mask register, with the strides still to be set.
    explicit VectorCall(uint32_t repeats)
    {
        const ascendc_cpu::StickyState &sticky = ascendc_cpu::Core().sticky;
        shape.mask[0] = FULL_MASK;
        shape.mask[1] = LANES > 64 ? FULL_MASK : 0;
        shape.repeats = repeats;
        shape.tailLanes = 0;
        isEmpty = repeats == 0;
        if (ASCENDC_CPU_UNLIKELY(sticky.counterMode)) {
            SetElements(sticky.mask[0]);
            return;
        }
        shape.mask[0] = LANES < 64 ? sticky.mask[0] & ((1ULL << (LANES & 63)) - 1) : sticky.mask[0];
        shape.mask[1] &= sticky.mask[1];
        if (shape.mask[1] != 0) {
            lastLane = 127 - static_cast<uint32_t>(__builtin_clzll(shape.mask[1]));
        } else if (shape.mask[0] != 0) {
            lastLane = 63 - static_cast<uint32_t>(__builtin_clzll(shape.mask[0]));
        } else {
            isEmpty = true;
        }
    }

    static VectorCall ForElements(uint64_t elements)
    {
        VectorCall call;
        call.shape.mask[0] = LANES < 64 ? (1ULL << (LANES & 63)) - 1 : FULL_MASK;
        call.shape.mask[1] = LANES > 64 ? FULL_MASK : 0;
        call.SetElements(elements);
        return call;
    }

    void SetElements(uint64_t elements)
    {
        constexpr uint64_t MOST = 0xffffffffULL; // no memory holds more: the operand check refuses it
        shape.repeats = static_cast<uint32_t>(elements / LANES < MOST ? elements / LANES : MOST);
        shape.tailLanes = static_cast<uint32_t>(elements % LANES);
        isEmpty = elements == 0;
    }

    // Bytes from the operand's start to the end of its last active lane.
    template <typename T>
    uint64_t Extent(ascendc_cpu::VectorStride stride) const
    {
        constexpr uint32_t PER_BLOCK = ONE_BLK_SIZE / sizeof(T);
        const auto endOf = [stride](uint64_t repeat, uint32_t lane) {
            return (repeat * stride.repeat + lane / PER_BLOCK * static_cast<uint64_t>(stride.block)) * ONE_BLK_SIZE +
                   (lane % PER_BLOCK + 1) * sizeof(T);
        };
        const uint64_t whole = shape.repeats == 0 ? 0 : endOf(shape.repeats - 1, lastLane);
        const uint64_t tail = shape.tailLanes == 0 ? 0 : endOf(shape.repeats, shape.tailLanes - 1);
        return whole > tail ? whole : tail;
    }

private:
    VectorCall() = default;
};

template <typename T>
inline void CheckVectorAlignment(const char *api, const char *argument, const LocalTensor<T> &tensor,
                                 uint32_t alignment = ONE_BLK_SIZE)
{
    if (ASCENDC_CPU_UNLIKELY(tensor.GetPhyAddr() % alignment != 0)) {
        ascendc_cpu::Fail(api, "%s starts at UB address %llu, allowed are multiples of %u", argument,
                          static_cast<unsigned long long>(tensor.GetPhyAddr()), alignment);
    }
}

template <typename T>
inline void CheckVectorOperand(const char *api, const char *argument, const LocalTensor<T> &tensor, uint64_t bytes,
                               uint32_t alignment = ONE_BLK_SIZE)
{
    CheckTensor(api, argument, tensor, ascendc_cpu::Memory::UB, bytes);
    CheckVectorAlignment(api, argument, tensor, alignment);
}

// Of an instruction that may go on with what waits.
template <typename T>
inline void CheckVectorRoom(const char *api, const char *argument, const LocalTensor<T> &tensor, uint64_t bytes)
{
    CheckRoom(api, argument, tensor, ascendc_cpu::Memory::UB, bytes);
    CheckVectorAlignment(api, argument, tensor);
}

// A negative count never reaches the hardware as such.
inline uint32_t CheckCount(const char *api, int32_t count)
{
    if (ASCENDC_CPU_UNLIKELY(count < 0)) {
        ascendc_cpu::Fail(api, "count is %d, allowed 0 or more", count);
    }
    return static_cast<uint32_t>(count);
}

// Active lanes of an operand, for ASCENDC_CPU_TRACE.
#define ASCENDC_CPU_VECTOR_REGION(stride, shape) (ascendc_cpu::LaneRegion{(stride), &(shape)})

ASCENDC_CPU_END
#endif
