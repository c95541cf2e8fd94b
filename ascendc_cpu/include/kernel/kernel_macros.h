// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Qualifiers and side macros. A kernel is compiled twice: once with __DAV_C220_CUBE__ and once with __DAV_C220_VEC__.
#ifndef ASCENDC_CPU_KERNEL_MACROS_H
#define ASCENDC_CPU_KERNEL_MACROS_H

#define __aicore__
#define __global__
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __BLOCK_LOCAL__
#define __forceinline__ inline
// In the place of a kernel type; here the launch names it.
#define __vector__
#define __cube__
#define __mix__(cubes, vectors)
#define GM_ADDR __gm__ uint8_t *

#define __CCE_AICORE__ 220
#define __NPU_ARCH__ 2201

#if defined(__DAV_C220_CUBE__) == defined(__DAV_C220_VEC__)
#error "define exactly one of __DAV_C220_CUBE__ and __DAV_C220_VEC__"
#endif

// Names of the two sides never meet: AscendC is an inline namespace per side.
#if defined(__DAV_C220_CUBE__)
#define ASCEND_IS_AIC constexpr(true)
#define ASCEND_IS_AIV constexpr(false)
#define ASCENDC_CPU_SIDE aic
#else
#define ASCEND_IS_AIC constexpr(false)
#define ASCEND_IS_AIV constexpr(true)
#define ASCENDC_CPU_SIDE aiv
#endif
#define ASCENDC_CPU_BEGIN                                                                                              \
    namespace AscendC {                                                                                                \
    inline namespace ASCENDC_CPU_SIDE {
#define ASCENDC_CPU_END                                                                                                \
    }                                                                                                                  \
    }
#define ASCENDC_CPU_UNLIKELY(...) __builtin_expect(!!(__VA_ARGS__), 0) // a condition may hold template commas
#endif
