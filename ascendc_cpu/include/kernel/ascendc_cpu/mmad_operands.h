// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What Mmad multiplies, in host addresses.
#ifndef ASCENDC_CPU_MMAD_OPERANDS_H
#define ASCENDC_CPU_MMAD_OPERANDS_H
#include <cstdint>

namespace ascendc_cpu {

struct PrefetchQueue;

enum class MmadType : uint8_t { FLOAT, BF16, HALF, INT8, COUNT };

struct MmadTile {
    void *c; // float or int32_t, NZ with 16 x 16 fractals
    const uint8_t *a;
    const uint8_t *b;
    uint32_t m; // 1: A is a plain vector
    uint32_t n;
    uint32_t k;
    uint32_t kFractals; // fractals of A per 16 rows, in memory
    int64_t aFractal;   // bytes from one fractal of A to the next along k
    int64_t aBlock;     // and from 16 rows to the next 16
    int64_t aRow;       // and from one row to the next
    bool accumulate;    // add to what stands in C
    const void *bias;   // nullptr, or ceil16(n) values that are added to every row
    PrefetchQueue *prefetch;
    uint64_t bRow = 0;       // not 0, float only: B stands in rows of n words, as many bytes apart
    uint8_t *rows = nullptr; // n a multiple of 16: every row of C goes there too, as n words
    uint64_t rowPitch = 0;   // bytes
    bool rowsOnly = false;   // the sums go nowhere else
};

enum class FixpipeOut : uint8_t { FLOAT, HALF, BF16, INT32, COUNT };

// One that fast mode has not carried out yet. It is, before the core's next instruction on a local memory; if that is
// a Fixpipe of C to rows of float, both go in one pass.
struct WaitingProduct {
    bool waits = false;
    MmadType type = MmadType::FLOAT;
    MmadTile tile;
};

} // namespace ascendc_cpu
#endif
