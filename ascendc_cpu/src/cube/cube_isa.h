// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Cube bodies of one instruction set.
#ifndef ASCENDC_CPU_SRC_CUBE_ISA_H
#define ASCENDC_CPU_SRC_CUBE_ISA_H
#include "ascendc_cpu/isa_cube.h"

// The libraries have two sets of kernels: AVX-512 with BF16, and compiler vectors for everything else.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512BF16__)
#define ASCENDC_CPU_AVX512_KERNELS 1
#else
#define ASCENDC_CPU_AVX512_KERNELS 0
#endif

namespace ascendc_cpu {

void MmadFloat(const MmadTile &tile);
void MmadBf16(const MmadTile &tile);
void MmadHalf(const MmadTile &tile);
void MmadInt8(const MmadTile &tile);

void FixpipeToFloat(const FixpipeTile &tile);
void FixpipeToHalf(const FixpipeTile &tile);
void FixpipeToBf16(const FixpipeTile &tile);
void FixpipeToInt32(const FixpipeTile &tile);

void PackRight(const DeferredCopy &copy);
#if ASCENDC_CPU_AVX512_KERNELS
bool MmadFloatFromGm(const MmadTile &tile, const DeferredCopy &right);
#endif

using LoadFunction = void (*)(const FractalGrid &grid);
LoadFunction LoadFor(OperandType type, FractalMove move);

// The functions above as a table.
extern const CubeIsa CUBE_ISA;

} // namespace ascendc_cpu
#endif
