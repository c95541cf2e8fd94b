// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "float_ops.h"

namespace ascendc_cpu {

namespace {

struct ExpOfDifference {
    static F32 Apply(F32 a, F32 b)
    {
        return ExpOf(SubOp::Apply(a, b));
    }
};

} // namespace

void FillFloatEntries(VectorIsa &isa)
{
    FillArithmetic<float>(isa, VectorType::FLOAT);
    FillAccumulate<float, float>(isa, VectorType::FLOAT);
    isa.expOfRows = ChainEntry<ElementwiseKernel<ExpOfDifference, Operands::TENSORS, float, float>>::Rows;
}

} // namespace ascendc_cpu
