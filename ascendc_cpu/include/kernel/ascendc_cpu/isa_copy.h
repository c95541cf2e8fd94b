// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Bodies of the copy instructions. All sizes are bytes, all pitches run from head to head.
#ifndef ASCENDC_CPU_ISA_COPY_H
#define ASCENDC_CPU_ISA_COPY_H
#include "core_state.h"

namespace ascendc_cpu {

struct BlockCopy {
    uint8_t *dst;
    const uint8_t *src;
    uint32_t count;
    uint32_t bytes;
    uint64_t dstPitch;
    uint64_t srcPitch;
};

// Each block of src lands behind leftBytes of fill; fill then goes on up to the next 32 B boundary after rightBytes.
struct PaddedCopy {
    BlockCopy blocks;
    uint32_t leftBytes;
    uint32_t rightBytes;
    uint32_t elementBytes;
    uint64_t fill;      // one element, in the low bytes
    bool fillWithFirst; // the fill is each block's own first element instead
};

// Element (nd, row, column) of ND goes to nd * dstMatrix + column block * dstColumn + row * dstRow + rest.
struct Nd2NzCopy {
    uint8_t *dst;
    const uint8_t *src;
    uint32_t matrices;
    uint32_t rows;
    uint32_t rowBytes; // a tail below 32 B is completed with zeros
    uint64_t srcMatrix;
    uint64_t srcRow;
    uint64_t dstMatrix;
    uint64_t dstRow;
    uint64_t dstColumn;
};

// count runs of `bytes` filled with a 4-byte pattern
struct FillBlocks {
    uint8_t *dst;
    uint32_t count;
    uint32_t bytes;
    uint64_t dstPitch;
    uint32_t pattern;
};

struct CopyIsa {
    void (*blocks)(const BlockCopy &copy);
    // Read-modify-write of GM; two of them never interleave inside one element, whatever thread they run on.
    void (*blocksAtomic)(const BlockCopy &copy, AtomicOp op, AtomicType type);
    void (*padded)(const PaddedCopy &copy);
    void (*nd2nz)(const Nd2NzCopy &copy);
    void (*fill)(const FillBlocks &fill);
    // L1 -> bias table: half becomes float
    void (*halfToFloat)(const BlockCopy &copy);
};

} // namespace ascendc_cpu
#endif
