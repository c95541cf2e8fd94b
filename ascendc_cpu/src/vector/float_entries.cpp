// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "float_ops.h"

namespace ascendc_cpu {

void FillFloatEntries(VectorIsa &isa)
{
    FillArithmetic<float>(isa, VectorType::FLOAT);
    FillAccumulate<float, float>(isa, VectorType::FLOAT);
    isa.tile[static_cast<int>(VectorChain::Before::SCALE)] = ChangeTile<ScaledRow>;
    isa.tile[static_cast<int>(VectorChain::Before::EXP)] = ChangeTile<ExpOfDifferenceRow>;
}

} // namespace ascendc_cpu
