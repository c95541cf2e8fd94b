// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Vector instructions that fast mode carries out as one: each works on a few rows of 64 floats of UB, and the next one
// goes on with the 64 floats to the right. What was done to all of a tile waits for a fold of that tile. No instruction
// but the next of the chain sees UB before SettleVector.
#ifndef ASCENDC_CPU_VECTOR_CHAIN_H
#define ASCENDC_CPU_VECTOR_CHAIN_H
#include <cstdint>

namespace ascendc_cpu {

struct VectorEntry;

struct VectorChain {
    static constexpr uint32_t CHUNK = 64; // floats

    enum class Kind : uint8_t {
        NONE,
        FOLD, // dst[r] = (src[r][0] op src[r][1]) op src[r][2] ...: dst is rows x CHUNK
        ROWS, // dst[r][c] = dst[r][c] op values[r], a block of 32 B
        TILE  // nothing but what `before` says
    };
    // What is done to all of src before, as rows of `pitch` floats.
    enum class Before : uint8_t {
        NOTHING,
        SCALE,      // x[r][c] = x[r][c] * scalar
        EXP,        // x[r][c] = exp(x[r][c] - values[r])
        EXP_STORED, // the same, and stored to rows of GM as well
        COUNT
    };

    Kind kind = Kind::NONE;
    Before before = Before::NOTHING;
    float scalar = 0.0F;
    const VectorEntry *entry = nullptr;
    float *dst = nullptr;
    const float *src = nullptr;
    const float *values = nullptr;
    uint32_t rows = 0;
    uint32_t chunks = 0;
    uint32_t most = 0;       // chunks, of them at most: before the chain meets itself (~0: never) or the next row
    uint32_t pitch = 0;      // floats between rows of src; ROWS: of dst
    uint32_t valuePitch = 0; // floats between blocks of `values`
    float *sums = nullptr;   // FOLD: where the sum of every row of dst goes then, one behind the other, or null
    float *stored = nullptr; // EXP_STORED: rows of GM
    uint64_t storedPitch = 0;
    const uint8_t *ahead = nullptr; // in GM: prefetched meanwhile, as many bytes as the tile has

    uint64_t RowsEnd() const // of the first chunks, from the start of `src`
    {
        return (rows - 1) * static_cast<uint64_t>(pitch) + chunks * CHUNK;
    }
    uint64_t ValueFloats() const // from the first value to the end of the last block
    {
        return (rows - 1) * static_cast<uint64_t>(valuePitch) + 8;
    }
    bool HoldsExp() const // of a whole tile, and its fold
    {
        return kind == Kind::FOLD && before == Before::EXP && chunks == most;
    }
};

} // namespace ascendc_cpu
#endif
