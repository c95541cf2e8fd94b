// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_SRC_PHILOX_BITS_H
#define ASCENDC_CPU_SRC_PHILOX_BITS_H
#include "ascendc_cpu/isa_random.h"

namespace ascendc_cpu {

void FillKeepBits(const KeepBits &bits, int64_t firstBlock, int64_t endBlock, uint8_t *out);

} // namespace ascendc_cpu
#endif
