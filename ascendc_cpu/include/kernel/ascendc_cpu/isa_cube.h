// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Bodies of the cube instructions. L1 and L0C have the device's layouts. L0A keeps the device's zZ order (half widened
// to float: 16 rows of 16 words). L0B keeps the device's order of fractals, but each fractal is stored word-major: for
// each 4-byte word along k, the 16 lanes of n (half: 16 words). Only Mmad reads L0B, so this order is invisible.
#ifndef ASCENDC_CPU_ISA_CUBE_H
#define ASCENDC_CPU_ISA_CUBE_H
#include "core_state.h"

namespace ascendc_cpu {

// How a fractal's content changes on its way from L1. B32 moves 4-byte words (float, int32_t, four int8_t).
enum class OperandType : uint8_t { B32, BF16, HALF, COUNT };
enum class FractalMove : uint8_t { TO_A, TO_A_TRANSPOSED, TO_B, TO_B_TRANSPOSED, COUNT };

// outer x inner units. A unit is one source fractal (512 B) and one destination fractal; for B32 transposed it is a
// square of two source fractals (16 rows x 8 words each), srcPair apart, and two destination fractals, dstPair apart.
struct FractalGrid {
    uint8_t *dst;
    const uint8_t *src;
    uint32_t outer;
    uint32_t inner;
    int64_t dstOuter; // bytes of the arena
    int64_t dstInner;
    int64_t srcOuter; // bytes of L1
    int64_t srcInner;
    int64_t dstPair;
    int64_t srcPair;
    bool srcPairMissing; // the second source fractal is beyond the last column: zeros
};

// dst element (matrix, row, 16-column block) = cvt(src[matrix][block][row][16]); strides in elements.
struct FixpipeTile {
    uint8_t *dst;
    const float *src;
    uint32_t matrices;
    uint32_t m;
    uint32_t n;
    uint64_t srcMatrix;
    uint64_t srcBlock; // between 16-column blocks
    uint64_t dstMatrix;
    uint64_t dstRow;
    uint64_t dstColumns; // columns that stand together in dst: 16, or 8 when float channels are split
    uint64_t dstBlock;   // from one such group of columns to the next
    bool relu;
    AtomicOp atomicOp;
    AtomicType atomicType;
};

struct CubeIsa {
    void (*load[static_cast<int>(OperandType::COUNT)][static_cast<int>(FractalMove::COUNT)])(const FractalGrid &grid);
    void (*mmad[static_cast<int>(MmadType::COUNT)])(const MmadTile &tile);
    void (*fixpipe[static_cast<int>(FixpipeOut::COUNT)])(const FixpipeTile &tile);
    // A deferred copy to L0B, in L0B's order of words.
    void (*packRight)(const DeferredCopy &copy);
    // Mmad whose right operand stands in GM; false: not for this tile, nothing is done. nullptr: for none.
    bool (*mmadFloatFromGm)(const MmadTile &tile, const DeferredCopy &right);
};

} // namespace ascendc_cpu
#endif
