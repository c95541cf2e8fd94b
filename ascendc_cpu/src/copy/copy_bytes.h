// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Inline copy of a run; fixed-size pieces become vector moves.
#ifndef ASCENDC_CPU_SRC_COPY_BYTES_H
#define ASCENDC_CPU_SRC_COPY_BYTES_H
#include <cstdint>
#include <cstring>

namespace ascendc_cpu {

constexpr uint32_t LONG_RUN_BYTES = 4096; // from here on the C library's memcpy is as good

inline void CopyRun(uint8_t *__restrict dst, const uint8_t *__restrict src, uint32_t bytes)
{
    if (bytes >= LONG_RUN_BYTES) {
        memcpy(dst, src, bytes);
        return;
    }
    uint32_t at = 0;
    for (; at + 64 <= bytes; at += 64) {
        memcpy(dst + at, src + at, 64);
    }
    if (bytes & 32) {
        memcpy(dst + at, src + at, 32);
        at += 32;
    }
    if (bytes & 16) {
        memcpy(dst + at, src + at, 16);
        at += 16;
    }
    for (; at < bytes; ++at) {
        dst[at] = src[at];
    }
}

} // namespace ascendc_cpu
#endif
