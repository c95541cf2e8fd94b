// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Random bits of a dropout mask, a function of seed and offset only.
//
// Philox4x32-10 (Salmon et al., SC11, doi 10.1145/2063384.2063405). Bit i is decided by word i % 4 of the block whose
//   key     = {low 32 bits of seed, high 32 bits of seed}
//   counter = {low 32 bits of i / 4, high 32 bits of i / 4, low 32 bits of offset, high 32 bits of offset}
// and is 1 (keep) when word >= round(dropProbability * 2^32). It stands in byte i / 8 at place i % 8 from the least
// significant bit on.
#ifndef ASCENDC_CPU_ISA_RANDOM_H
#define ASCENDC_CPU_ISA_RANDOM_H
#include <cstdint>

namespace ascendc_cpu {

struct KeepBits {
    double dropProbability; // 0 to 1
    uint64_t seed;
    uint64_t offset;
};

constexpr int64_t KEEP_BITS_BLOCK = 128; // bits, the granule that is written

// Writes blocks [firstBlock, endBlock) of 128 bits, 16 bytes each, to `out`, which begins with block 0.
using KeepBitsFunction = void (*)(const KeepBits &bits, int64_t firstBlock, int64_t endBlock, uint8_t *out);

} // namespace ascendc_cpu
#endif
