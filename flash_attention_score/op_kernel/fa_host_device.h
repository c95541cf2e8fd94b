// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef FA_HOST_DEVICE_H
#define FA_HOST_DEVICE_H
// Qualifier for functions that the tiling and the kernel share. The only place that looks at the compiler.
#if defined(__CCE_AICORE__) || defined(__NPU_ARCH__)
#define FA_INLINE __aicore__ inline
#else
#define FA_INLINE inline
#endif
#endif
