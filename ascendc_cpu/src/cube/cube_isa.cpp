// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "cube_isa.h"

namespace ascendc_cpu {
namespace {

CubeIsa MakeTable()
{
    CubeIsa table = {};
    for (int type = 0; type < static_cast<int>(OperandType::COUNT); ++type) {
        for (int move = 0; move < static_cast<int>(FractalMove::COUNT); ++move) {
            table.load[type][move] = LoadFor(static_cast<OperandType>(type), static_cast<FractalMove>(move));
        }
    }
    table.mmad[static_cast<int>(MmadType::FLOAT)] = MmadFloat;
    table.mmad[static_cast<int>(MmadType::BF16)] = MmadBf16;
    table.mmad[static_cast<int>(MmadType::HALF)] = MmadHalf;
    table.mmad[static_cast<int>(MmadType::INT8)] = MmadInt8;
    table.fixpipe[static_cast<int>(FixpipeOut::FLOAT)] = FixpipeToFloat;
    table.fixpipe[static_cast<int>(FixpipeOut::HALF)] = FixpipeToHalf;
    table.fixpipe[static_cast<int>(FixpipeOut::BF16)] = FixpipeToBf16;
    table.fixpipe[static_cast<int>(FixpipeOut::INT32)] = FixpipeToInt32;
    table.packRight = PackRight;
#if ASCENDC_CPU_AVX512_KERNELS
    table.mmadFloatFromGm = MmadFloatFromGm;
#endif
    return table;
}

} // namespace

const CubeIsa CUBE_ISA = MakeTable();

} // namespace ascendc_cpu
