// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Vector bodies of one instruction set. The table is filled family by family.
#ifndef ASCENDC_CPU_SRC_VECTOR_VECTOR_ISA_H
#define ASCENDC_CPU_SRC_VECTOR_VECTOR_ISA_H
#include "ascendc_cpu/isa_vector.h"

namespace ascendc_cpu {

void FillFloatEntries(VectorIsa &isa);
void FillHalfEntries(VectorIsa &isa);
void FillIntegerEntries(VectorIsa &isa);
void FillCastEntries(VectorIsa &isa);
void FillCompareSelectEntries(VectorIsa &isa);
void FillReduceEntries(VectorIsa &isa);
void FillMoveEntries(VectorIsa &isa);

const VectorIsa &VectorTable();

} // namespace ascendc_cpu
#endif
