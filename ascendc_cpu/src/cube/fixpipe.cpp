// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// L0C -> GM or L1. A row of an L0C fractal is 16 words, moved and converted as one.
#include <cstring>
#include "convert.h"
#include "cube_isa.h"
#include "../copy/copy_isa.h"

namespace ascendc_cpu {
namespace {

constexpr uint32_t LANES = 16;

struct AsFloat {
    static constexpr uint32_t BYTES = 4;
    static void Convert(uint8_t *dst, const float *src)
    {
        memcpy(dst, src, LANES * BYTES);
    }
};

struct AsHalf {
    static constexpr uint32_t BYTES = 2;
    static void Convert(uint8_t *dst, const float *src)
    {
        FloatToHalf16(dst, src);
    }
};

struct AsBf16 {
    static constexpr uint32_t BYTES = 2;
    static void Convert(uint8_t *dst, const float *src)
    {
        FloatToBf16Lanes16(dst, src);
    }
};

// NaN stays NaN.
inline void Relu(float *lanes, const float *src)
{
    for (uint32_t i = 0; i < LANES; ++i) {
        lanes[i] = src[i] < 0.0F ? 0.0F : src[i];
    }
}

inline void Relu(int32_t *lanes, const int32_t *src)
{
    for (uint32_t i = 0; i < LANES; ++i) {
        lanes[i] = src[i] < 0 ? 0 : src[i];
    }
}

// Rows of whole 16-column blocks, plain stores: the usual case.
template <class Out>
void StoreRows(const FixpipeTile &tile, uint8_t *dst, const float *src)
{
    for (uint32_t row = 0; row < tile.m; ++row) {
        uint8_t *to = dst + row * tile.dstRow * Out::BYTES;
        const float *from = src + row * LANES;
        for (uint32_t n = 0; n < tile.n; n += LANES) {
            Out::Convert(to, from);
            to += tile.dstBlock * Out::BYTES;
            from += tile.srcBlock;
        }
    }
}

// Everything else: ReLU, atomic stores, channel split. Up to CHUNK columns go out as one run: atomic stores lock a run.
template <class Out, typename Word>
void StoreLanes(const FixpipeTile &tile, uint8_t *dst, const float *src)
{
    constexpr uint32_t CHUNK = 256;
    const uint32_t groupBytes = static_cast<uint32_t>(tile.dstColumns) * Out::BYTES;
    for (uint32_t row = 0; row < tile.m; ++row) {
        for (uint32_t chunk = 0; chunk < tile.n; chunk += CHUNK) {
            const uint32_t columns = tile.n - chunk < CHUNK ? tile.n - chunk : CHUNK;
            uint8_t out[CHUNK * Out::BYTES];
            for (uint32_t n = 0; n < columns; n += LANES) {
                Word lanes[LANES];
                memcpy(lanes, src + (chunk + n) / LANES * tile.srcBlock + row * LANES, sizeof(lanes));
                if (tile.relu) {
                    Relu(lanes, lanes);
                }
                float words[LANES];
                memcpy(words, lanes, sizeof(lanes));
                Out::Convert(out + n * Out::BYTES, words);
            }
            const uint32_t groups = columns / static_cast<uint32_t>(tile.dstColumns);
            BlockCopy copy = {dst + (row * tile.dstRow + chunk / tile.dstColumns * tile.dstBlock) * Out::BYTES,
                              out,
                              groups,
                              groupBytes,
                              tile.dstBlock * Out::BYTES,
                              groupBytes};
            if (tile.dstBlock == tile.dstColumns) {
                copy.count = 1;
                copy.bytes = groups * groupBytes;
            }
            if (tile.atomicOp == AtomicOp::NONE) {
                CopyBlocks(copy);
            } else {
                CopyBlocksAtomic(copy, tile.atomicOp, tile.atomicType);
            }
        }
    }
}

template <class Out, typename Word = float>
void Store(const FixpipeTile &tile)
{
    const bool plain = !tile.relu && tile.atomicOp == AtomicOp::NONE && tile.dstColumns == LANES;
    for (uint32_t i = 0; i < tile.matrices; ++i) {
        uint8_t *dst = tile.dst + i * tile.dstMatrix * Out::BYTES;
        const float *src = tile.src + i * tile.srcMatrix;
        if (plain) {
            StoreRows<Out>(tile, dst, src);
        } else {
            StoreLanes<Out, Word>(tile, dst, src);
        }
    }
}

} // namespace

void FixpipeToFloat(const FixpipeTile &tile)
{
    Store<AsFloat>(tile);
}

void FixpipeToHalf(const FixpipeTile &tile)
{
    Store<AsHalf>(tile);
}

void FixpipeToBf16(const FixpipeTile &tile)
{
    Store<AsBf16>(tile);
}

void FixpipeToInt32(const FixpipeTile &tile)
{
    Store<AsFloat, int32_t>(tile);
}

} // namespace ascendc_cpu
