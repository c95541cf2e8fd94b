// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Prefetches what the next copies will read, a few lines at a time, between other work.
#ifndef ASCENDC_CPU_SRC_PREFETCH_AHEAD_H
#define ASCENDC_CPU_SRC_PREFETCH_AHEAD_H
#include "ascendc_cpu/core_state.h"

namespace ascendc_cpu {

constexpr uint32_t CACHE_LINE_BYTES = 64;

// Up to `lines` of the rows, and how many more that would have been. LOCALITY: 3 into all caches, 2 not into L1.
template <int LOCALITY>
inline uint32_t PrefetchLines(PrefetchRows &rows, uint32_t lines)
{
    while (rows.rows > 0 && lines > 0) {
        const uint8_t *line = rows.next + rows.column;
        const uint32_t left = (rows.rowBytes - rows.column + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES;
        const uint32_t run = left < lines ? left : lines;
        for (uint32_t i = 0; i < run; ++i) {
            __builtin_prefetch(line + i * CACHE_LINE_BYTES, 0, LOCALITY);
        }
        rows.column += run * CACHE_LINE_BYTES;
        lines -= run;
        if (rows.column >= rows.rowBytes) {
            rows.column = 0;
            rows.next += rows.pitch;
            --rows.rows;
        }
    }
    return lines;
}

inline void PrefetchAhead(PrefetchQueue &queue, uint32_t lines)
{
    for (PrefetchRows &slot : queue.slots) {
        lines = PrefetchLines<2>(slot, lines);
    }
}

} // namespace ascendc_cpu
#endif
