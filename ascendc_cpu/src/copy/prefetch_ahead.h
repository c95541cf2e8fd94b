// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Prefetches what the next copies will read, a few lines at a time, between other work.
#ifndef ASCENDC_CPU_SRC_PREFETCH_AHEAD_H
#define ASCENDC_CPU_SRC_PREFETCH_AHEAD_H
#include "ascendc_cpu/core_state.h"

namespace ascendc_cpu {

constexpr uint32_t CACHE_LINE_BYTES = 64;

inline void PrefetchAhead(PrefetchQueue &queue, uint32_t lines)
{
    for (PrefetchRows &slot : queue.slots) {
        while (slot.rows > 0 && lines > 0) {
            __builtin_prefetch(slot.next + slot.column, 0, 2);
            slot.column += CACHE_LINE_BYTES;
            --lines;
            if (slot.column >= slot.rowBytes) {
                slot.column = 0;
                slot.next += slot.pitch;
                --slot.rows;
            }
        }
    }
}

} // namespace ascendc_cpu
#endif
