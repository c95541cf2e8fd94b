// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Copy bodies of one instruction set.
#ifndef ASCENDC_CPU_SRC_COPY_ISA_H
#define ASCENDC_CPU_SRC_COPY_ISA_H
#include "ascendc_cpu/isa_copy.h"

namespace ascendc_cpu {

void CopyBlocks(const BlockCopy &copy);
void CopyBlocksAtomic(const BlockCopy &copy, AtomicOp op, AtomicType type);
// In a child of a fork, where the threads that held locks of atomic copies do not exist.
void FreeAtomicLocks();
void CopyPadded(const PaddedCopy &copy);
void CopyNd2Nz(const Nd2NzCopy &copy);
void FillWithPattern(const FillBlocks &fill);
void CopyHalfToFloat(const BlockCopy &copy);

// The functions above as a table.
extern const CopyIsa COPY_ISA;

} // namespace ascendc_cpu
#endif
