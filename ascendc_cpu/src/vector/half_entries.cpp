// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// half is computed in float and rounded once.
#include "float_ops.h"

namespace ascendc_cpu {

void FillHalfEntries(VectorIsa &isa)
{
    FillArithmetic<Half>(isa, VectorType::HALF);
    FillAccumulate<Half, Half>(isa, VectorType::HALF);
    FillAccumulate<float, Half>(isa, VectorType::HALF_TO_FLOAT);
}

} // namespace ascendc_cpu
