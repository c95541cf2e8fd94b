// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Atomic mode of the core: a register that turns every later UB -> GM, L1 -> GM and L0C -> GM store into a
// read-modify-write until it is cleared.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_SET_ATOMIC_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_SET_ATOMIC_INTF_H
#include "kernel_type.h"

ASCENDC_CPU_BEGIN

template <typename T>
constexpr ascendc_cpu::AtomicType AtomicTypeOf()
{
    if constexpr (std::is_same<T, float>::value) {
        return ascendc_cpu::AtomicType::FLOAT;
    } else if constexpr (std::is_same<T, half>::value) {
        return ascendc_cpu::AtomicType::HALF;
    } else if constexpr (std::is_same<T, bfloat16_t>::value) {
        return ascendc_cpu::AtomicType::BF16;
    } else if constexpr (std::is_same<T, int8_t>::value) {
        return ascendc_cpu::AtomicType::INT8;
    } else if constexpr (std::is_same<T, int16_t>::value) {
        return ascendc_cpu::AtomicType::INT16;
    } else if constexpr (std::is_same<T, int32_t>::value) {
        return ascendc_cpu::AtomicType::INT32;
    } else {
        return ascendc_cpu::AtomicType::NONE;
    }
}

template <typename T>
__aicore__ inline void SetAtomicMode(ascendc_cpu::AtomicOp op)
{
    static_assert(AtomicTypeOf<T>() != ascendc_cpu::AtomicType::NONE,
                  "atomic stores take float, half, bfloat16_t, int8_t, int16_t or int32_t");
    ascendc_cpu::Core().sticky.atomicOp = op;
    ascendc_cpu::Core().sticky.atomicType = AtomicTypeOf<T>();
}

template <typename T>
__aicore__ inline void SetAtomicAdd()
{
    SetAtomicMode<T>(ascendc_cpu::AtomicOp::ADD);
}

template <typename T>
__aicore__ inline void SetAtomicMax()
{
    SetAtomicMode<T>(ascendc_cpu::AtomicOp::MAX);
}

template <typename T>
__aicore__ inline void SetAtomicMin()
{
    SetAtomicMode<T>(ascendc_cpu::AtomicOp::MIN);
}

__aicore__ inline void SetAtomicNone()
{
    ascendc_cpu::Core().sticky.atomicOp = ascendc_cpu::AtomicOp::NONE;
    ascendc_cpu::Core().sticky.atomicType = ascendc_cpu::AtomicType::NONE;
}

__aicore__ inline void DisableDmaAtomic()
{
    SetAtomicNone();
}

// For the store APIs: whether the atomic register is on; its type must be the stored one.
template <typename T>
__aicore__ inline bool AtomicStore(const char *api)
{
    const ascendc_cpu::StickyState &sticky = ascendc_cpu::Core().sticky;
    if (sticky.atomicOp == ascendc_cpu::AtomicOp::NONE) {
        return false;
    }
    if (ASCENDC_CPU_UNLIKELY(sticky.atomicType != AtomicTypeOf<T>())) {
        ascendc_cpu::Fail(api, "the atomic mode was set for another element type than the %u-byte one stored here",
                          static_cast<unsigned>(sizeof(T)));
    }
    return true;
}

ASCENDC_CPU_END
#endif
