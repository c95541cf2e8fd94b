// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The symbols that an instruction set library exports.
#include "ascendc_cpu/isa_table.h"
#include "copy/copy_isa.h"
#include "cube/cube_isa.h"
#include "random/philox_bits.h"
#include "vector/vector_isa.h"

extern "C" __attribute__((visibility("default"))) const ascendc_cpu::IsaTable *AscendcCpuIsaTable()
{
    static const ascendc_cpu::IsaTable table = {ASCENDC_CPU_ISA_NAME, ascendc_cpu::COPY_ISA, ascendc_cpu::CUBE_ISA,
                                                ascendc_cpu::VectorTable(), ascendc_cpu::FillKeepBits};
    return &table;
}

extern "C" __attribute__((visibility("default"))) void AscendcCpuFreeAtomicLocks()
{
    ascendc_cpu::FreeAtomicLocks();
}
