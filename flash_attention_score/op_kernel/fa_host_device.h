// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef FA_HOST_DEVICE_H
#define FA_HOST_DEVICE_H
#include <cstdint>
// Qualifier for functions that the tiling and the kernel share. The only place that looks at the compiler.
#if defined(__CCE_AICORE__) || defined(__NPU_ARCH__)
#define FA_INLINE __aicore__ inline
#else
#define FA_INLINE inline
#endif

constexpr FA_INLINE int64_t FaMin(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

constexpr FA_INLINE int64_t FaMax(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

constexpr FA_INLINE int64_t FaCeilDiv(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit;
}

// The next multiple of `unit`.
constexpr FA_INLINE int64_t FaAlign(int64_t value, int64_t unit)
{
    return FaCeilDiv(value, unit) * unit;
}
#endif
