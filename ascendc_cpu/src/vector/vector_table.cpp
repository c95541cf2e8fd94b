// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "vector_isa.h"

namespace ascendc_cpu {

const VectorIsa &VectorTable()
{
    static const VectorIsa table = [] {
        VectorIsa isa{};
        FillFloatEntries(isa);
        FillHalfEntries(isa);
        FillIntegerEntries(isa);
        FillCastEntries(isa);
        FillCompareSelectEntries(isa);
        FillReduceEntries(isa);
        FillMoveEntries(isa);
        return isa;
    }();
    return table;
}

} // namespace ascendc_cpu
