// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic, logic and shifts.
#include "elementwise_ops.h"

namespace ascendc_cpu {

namespace {

template <typename T>
void FillSigned(VectorIsa &isa, VectorType type)
{
    Register<AddOp, Operands::TENSORS, T>(isa, VectorOp::ADD, type);
    Register<SubOp, Operands::TENSORS, T>(isa, VectorOp::SUB, type);
    Register<MulOp, Operands::TENSORS, T>(isa, VectorOp::MUL, type);
    Register<MaxOp, Operands::TENSORS, T>(isa, VectorOp::MAX, type);
    Register<MinOp, Operands::TENSORS, T>(isa, VectorOp::MIN, type);
    Register<AddOp, Operands::SCALAR, T>(isa, VectorOp::ADDS, type);
    Register<MulOp, Operands::SCALAR, T>(isa, VectorOp::MULS, type);
    Register<MaxOp, Operands::SCALAR, T>(isa, VectorOp::MAXS, type);
    Register<MinOp, Operands::SCALAR, T>(isa, VectorOp::MINS, type);
    Register<ShiftRightRoundOp, Operands::SCALAR, T>(isa, VectorOp::SHIFT_RIGHT_ROUND, type);
}

template <typename T>
void FillShifts(VectorIsa &isa, VectorType type)
{
    Register<ShiftLeftOp, Operands::SCALAR, T>(isa, VectorOp::SHIFT_LEFT, type);
    Register<ShiftRightOp, Operands::SCALAR, T>(isa, VectorOp::SHIFT_RIGHT, type);
}

template <typename T>
void FillLogic(VectorIsa &isa, VectorType type)
{
    Register<AndOp, Operands::TENSORS, T>(isa, VectorOp::AND, type);
    Register<OrOp, Operands::TENSORS, T>(isa, VectorOp::OR, type);
    Register<NotOp, Operands::ONE, T>(isa, VectorOp::NOT, type);
}

} // namespace

void FillIntegerEntries(VectorIsa &isa)
{
    FillSigned<int16_t>(isa, VectorType::INT16);
    FillSigned<int32_t>(isa, VectorType::INT32);
    FillShifts<int16_t>(isa, VectorType::INT16);
    FillShifts<int32_t>(isa, VectorType::INT32);
    FillShifts<uint16_t>(isa, VectorType::UINT16);
    FillShifts<uint32_t>(isa, VectorType::UINT32);
    FillLogic<int16_t>(isa, VectorType::INT16);
    FillLogic<uint16_t>(isa, VectorType::UINT16);
    Register<ReluOp, Operands::ONE, int32_t>(isa, VectorOp::RELU, VectorType::INT32);
}

} // namespace ascendc_cpu
