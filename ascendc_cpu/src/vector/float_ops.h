// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The operations that half and float have in common.
#ifndef ASCENDC_CPU_SRC_VECTOR_FLOAT_OPS_H
#define ASCENDC_CPU_SRC_VECTOR_FLOAT_OPS_H
#include "elementwise_ops.h"

namespace ascendc_cpu {

template <typename T>
inline void FillArithmetic(VectorIsa &isa, VectorType type)
{
    Register<AddOp, Operands::TENSORS, T>(isa, VectorOp::ADD, type);
    Register<SubOp, Operands::TENSORS, T>(isa, VectorOp::SUB, type);
    Register<MulOp, Operands::TENSORS, T>(isa, VectorOp::MUL, type);
    Register<DivOp, Operands::TENSORS, T>(isa, VectorOp::DIV, type);
    Register<MaxOp, Operands::TENSORS, T>(isa, VectorOp::MAX, type);
    Register<MinOp, Operands::TENSORS, T>(isa, VectorOp::MIN, type);
    Register<AddOp, Operands::SCALAR, T>(isa, VectorOp::ADDS, type);
    Register<MulOp, Operands::SCALAR, T>(isa, VectorOp::MULS, type);
    Register<MaxOp, Operands::SCALAR, T>(isa, VectorOp::MAXS, type);
    Register<MinOp, Operands::SCALAR, T>(isa, VectorOp::MINS, type);
    Register<LeakyReluOp, Operands::SCALAR, T>(isa, VectorOp::LEAKY_RELU, type);
    Register<ExpOp, Operands::ONE, T>(isa, VectorOp::EXP, type);
    Register<LnOp, Operands::ONE, T>(isa, VectorOp::LN, type);
    Register<AbsOp, Operands::ONE, T>(isa, VectorOp::ABS, type);
    Register<SqrtOp, Operands::ONE, T>(isa, VectorOp::SQRT, type);
    Register<RsqrtOp, Operands::ONE, T>(isa, VectorOp::RSQRT, type);
    Register<ReciprocalOp, Operands::ONE, T>(isa, VectorOp::RECIPROCAL, type);
    Register<ReluOp, Operands::ONE, T>(isa, VectorOp::RELU, type);
}

template <typename D, typename S>
inline void FillAccumulate(VectorIsa &isa, VectorType type)
{
    Register<MulAddOp, Operands::ACCUMULATE, D, S>(isa, VectorOp::MUL_ADD_DST, type);
    Register<MulAddOp, Operands::SCALE_ADD, D, S>(isa, VectorOp::AXPY, type);
}

} // namespace ascendc_cpu
#endif
