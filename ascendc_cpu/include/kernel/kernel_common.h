// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The vector mask register, and ascendc_assert.
#ifndef ASCENDC_CPU_KERNEL_COMMON_H
#define ASCENDC_CPU_KERNEL_COMMON_H
#include "kernel_type.h"

ASCENDC_CPU_BEGIN

// Counter mode: maskLow is the number of elements, over as many repeats as it takes.
template <typename T, MaskMode mode = MaskMode::NORMAL>
__aicore__ inline void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow)
{
    ascendc_cpu::StickyState &sticky = ascendc_cpu::Core().sticky;
    sticky.mask[0] = maskLow;
    sticky.mask[1] = maskHigh;
}

// The first `len` elements of a repeat, or in counter mode `len` elements in all.
template <typename T, MaskMode mode = MaskMode::NORMAL>
__aicore__ inline void SetVectorMask(int32_t len)
{
    if constexpr (mode == MaskMode::COUNTER) {
        SetVectorMask<T, mode>(0, static_cast<uint64_t>(len));
    } else {
        constexpr int32_t lanes = ONE_REPEAT_BYTE_SIZE / (sizeof(T) < 2 ? 2 : sizeof(T));
        if (ASCENDC_CPU_UNLIKELY(len < 0 || len > lanes)) {
            ascendc_cpu::Fail("SetVectorMask", "len is %d, allowed are 0 to %d", len, lanes);
        }
        const auto ones = [](int32_t bits) { return bits <= 0 ? 0 : bits >= 64 ? ~0ULL : (1ULL << bits) - 1; };
        SetVectorMask<T, mode>(ones(len - 64), ones(len));
    }
}

__aicore__ inline void ResetMask()
{
    SetVectorMask<uint16_t>(~0ULL, ~0ULL);
}

__aicore__ inline void SetMaskCount()
{
    ascendc_cpu::Core().sticky.counterMode = true;
}

__aicore__ inline void SetMaskNorm()
{
    ascendc_cpu::Core().sticky.counterMode = false;
}

ASCENDC_CPU_END

// ascendc_assert(condition, format, arguments...): ends the launch.
#define ascendc_assert(condition, ...)                                                                                 \
    ((condition) ? static_cast<void>(0) : ascendc_cpu::Fail("ascendc_assert", "" __VA_ARGS__))
#endif
