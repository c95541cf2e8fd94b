// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Every instruction body is compiled once per instruction set into its own library; one of them is chosen at load time.
#ifndef ASCENDC_CPU_ISA_TABLE_H
#define ASCENDC_CPU_ISA_TABLE_H
#include "isa_copy.h"
#include "isa_cube.h"
#include "isa_random.h"
#include "isa_vector.h"

namespace ascendc_cpu {

struct IsaTable {
    const char *name; // "avx512", "avx2" or "generic"
    CopyIsa copy;
    CubeIsa cube;
    VectorIsa vector;
    KeepBitsFunction fillKeepBits;
};

extern const IsaTable *g_isa;

} // namespace ascendc_cpu
#endif
