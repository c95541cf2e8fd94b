// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "ascendc_cpu/isa_table.h"

namespace ascendc_cpu {

namespace {

constexpr uint64_t C0_BYTES = 32;

void CarryOut(Memory memory, const DeferredCopy &copy, PrefetchQueue &prefetch)
{
    const WordMatrix &matrix = copy.matrix;
    if (memory == Memory::L0B) {
        g_isa->cube.packRight(copy, prefetch);
    } else {
        g_isa->copy.nd2nz({copy.dst, matrix.src, 1, matrix.rows, matrix.words * 4, 0, matrix.pitch, 0, C0_BYTES,
                           matrix.rows * C0_BYTES, &prefetch});
    }
}

} // namespace

void SettleDeferred(Memory memory, const void *begin, uint64_t bytes)
{
    CoreState &core = Core();
    DeferredList &list = memory == Memory::L0B ? core.deferred.l0b : core.deferred.l1;
    for (uint32_t i = list.count; i-- > 0;) {
        const DeferredCopy copy = list.copies[i];
        if (copy.Touches(static_cast<const uint8_t *>(begin), bytes)) {
            list.Remove(i);
            CarryOut(memory, copy, core.prefetch);
        }
    }
}

} // namespace ascendc_cpu
