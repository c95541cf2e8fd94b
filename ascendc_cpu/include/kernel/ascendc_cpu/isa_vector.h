// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Bodies of the vector instructions: one entry per operation and dtype over a common description of the repeats.
#ifndef ASCENDC_CPU_ISA_VECTOR_H
#define ASCENDC_CPU_ISA_VECTOR_H
#include <cstdint>
#include "vector_chain.h"

namespace ascendc_cpu {

enum class VectorOp : uint8_t {
    ADD,
    SUB,
    MUL,
    DIV,
    MAX,
    MIN,
    AND,
    OR,
    MUL_ADD_DST,
    ADDS,
    MULS,
    MAXS,
    MINS,
    LEAKY_RELU,
    AXPY,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SHIFT_RIGHT_ROUND,
    EXP,
    LN,
    ABS,
    SQRT,
    RSQRT,
    RECIPROCAL,
    RELU,
    NOT,
    COPY,
    DUPLICATE,
    CREATE_INDEX,
    COUNT
};

// Element types of the instructions. HALF_TO_FLOAT: sources half, destination float (Axpy, MulAddDst).
enum class VectorType : uint8_t { HALF, FLOAT, INT16, INT32, UINT16, UINT32, HALF_TO_FLOAT, COUNT };

enum class CastPair : uint8_t {
    INT8_HALF,
    UINT8_HALF,
    INT16_HALF,
    INT16_FLOAT,
    HALF_INT8,
    HALF_UINT8,
    HALF_INT16,
    HALF_INT32,
    HALF_FLOAT,
    BFLOAT16_INT32,
    BFLOAT16_FLOAT,
    INT32_INT16,
    INT32_FLOAT,
    INT32_INT64,
    FLOAT_INT16,
    FLOAT_HALF,
    FLOAT_BFLOAT16,
    FLOAT_INT32,
    FLOAT_FLOAT,
    FLOAT_INT64,
    INT64_INT32,
    INT64_FLOAT,
    COUNT
};

enum class ReduceOp : uint8_t { MAX, MIN, SUM, COUNT };

// Strides in blocks of 32 B: between the blocks of a repeat, and between repeats.
struct VectorStride {
    uint16_t block;
    uint16_t repeat;
};

// Lane e of repeat r stands at base + (r * repeat + e / lanesPerBlock * block) * 32 B + e % lanesPerBlock elements.
struct VectorShape {
    uint64_t mask[2];   // active lanes of a repeat
    uint32_t repeats;   // executed in order
    uint32_t tailLanes; // one more repeat with only its first lanes active (counter mode), 0 for none
    VectorStride dst;
    VectorStride src0;
    VectorStride src1;
};

using ChainFunction = void (*)(const VectorChain &chain);

// src1 is the second tensor, or points to one scalar of the source type, or is null.
struct VectorEntry {
    void (*count)(void *dst, const void *src0, const void *src1, uint32_t count); // contiguous
    void (*repeat)(void *dst, const void *src0, const void *src1, const VectorShape &shape);
    // null but for two tensors of float
    ChainFunction fold[static_cast<int>(VectorChain::Before::COUNT)];
    ChainFunction rows;
};

// The numbers of RoundMode are those of AscendC::RoundMode.
struct CastEntry {
    void (*count)(void *dst, const void *src, uint8_t roundMode, uint32_t count);
    void (*repeat)(void *dst, const void *src, uint8_t roundMode, const VectorShape &shape);
};

// Result bits are written contiguously, every lane takes part. mode: AscendC::CMPMODE.
struct CompareEntry {
    void (*tensor)(uint8_t *bits, const void *src0, const void *src1, uint8_t mode, const VectorShape &shape);
    void (*scalar)(uint8_t *bits, const void *src0, const void *src1, uint8_t mode, const VectorShape &shape);
};

// bit i of the stream selects src0 for lane i; every repeat consumes new bits, or the first ones again (reuseBits).
struct SelectEntry {
    void (*tensor)(void *dst, const uint8_t *bits, const void *src0, const void *src1, bool reuseBits,
                   const VectorShape &shape);
    void (*scalar)(void *dst, const uint8_t *bits, const void *src0, const void *src1, bool reuseBits,
                   const VectorShape &shape);
};

// order: AscendC::ReduceOrder, MAX and MIN of a whole repeat only. dstBytes: pitch of the results of two repeats.
using ReduceFunction = void (*)(void *dst, const void *src, uint8_t order, uint32_t dstBytes, const VectorShape &shape);

// Bit (lane % patternBits) of the pattern keeps a lane; the pattern moves by patternBytes per repeat. dst null: count
// only.
struct GatherMaskCall {
    void *dst;
    const void *src;
    const uint8_t *pattern;
    uint32_t patternBits;
    uint32_t patternBytes;
    uint32_t lanes; // per repeat
    uint32_t repeats;
    VectorStride srcStride;
};

struct VectorIsa {
    VectorEntry elementwise[static_cast<int>(VectorOp::COUNT)][static_cast<int>(VectorType::COUNT)];
    ChainFunction tile[static_cast<int>(VectorChain::Before::COUNT)]; // what a fold begins with, without it
    CastEntry cast[static_cast<int>(CastPair::COUNT)];
    CompareEntry compare[static_cast<int>(VectorType::COUNT)];
    SelectEntry select[static_cast<int>(VectorType::COUNT)];
    ReduceFunction wholeReduce[static_cast<int>(ReduceOp::COUNT)][2]; // half, float
    ReduceFunction blockReduce[static_cast<int>(ReduceOp::COUNT)][2];
    ReduceFunction pairReduceSum[2];
    // 2- and 4-byte elements; strides in blocks of 32 B, 8 source elements a repeat
    void (*brcb[2])(void *dst, const void *src, uint32_t repeats, uint32_t dstBlockStride, uint32_t dstRepeatStride);
    void (*transpose)(void *dst, const void *src);         // 16 x 16 elements of 2 bytes
    uint64_t (*gatherMask[2])(const GatherMaskCall &call); // returns the number of elements kept
};

} // namespace ascendc_cpu
#endif
