// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Chains of instructions on float (vector_chain.h), several vectors at once.
#ifndef ASCENDC_CPU_SRC_VECTOR_CHAIN_KERNEL_H
#define ASCENDC_CPU_SRC_VECTOR_CHAIN_KERNEL_H
#include "elementwise_kernel.h"

namespace ascendc_cpu {

constexpr uint32_t AT_ONCE = 4; // vectors; a chunk has a multiple of them
constexpr uint32_t CACHE_LINE_FLOATS = 16;

inline __attribute__((always_inline)) void LoadVectors(F32 (&x)[AT_ONCE], const float *src)
{
    for (uint32_t i = 0; i < AT_ONCE; i++) {
        x[i] = Load(src + i * LANES);
    }
}

inline __attribute__((always_inline)) void StoreVectors(float *dst, const F32 (&x)[AT_ONCE])
{
    for (uint32_t i = 0; i < AT_ONCE; i++) {
        Store(dst + i * LANES, x[i]);
    }
}

// Rows as a fold takes them: with what is done to their tile before it, VectorChain::Before.
struct UnchangedRow {
    UnchangedRow(const VectorChain &, uint32_t)
    {
    }
    void Take(F32 (&x)[AT_ONCE], const float *place) const
    {
        LoadVectors(x, place);
    }
};

struct ScaledRow {
    F32 scalar;

    ScaledRow(const VectorChain &chain, uint32_t /*row*/) : scalar(Splat<F32>(chain.scalar))
    {
    }
    void Take(F32 (&x)[AT_ONCE], float *place) const
    {
        LoadVectors(x, place);
        for (F32 &lanes : x) {
            lanes = lanes * scalar;
        }
        StoreVectors(place, x);
    }
};

struct ExpOfDifferenceRow {
    static constexpr uint32_t VECTORS = BLOCK_BYTES > sizeof(F32) ? BLOCK_BYTES / sizeof(F32) : 1;
    F32 value[VECTORS];
    intptr_t ahead; // bytes from a place to what is prefetched with it

    ExpOfDifferenceRow(const VectorChain &chain, uint32_t row)
        : ahead(reinterpret_cast<intptr_t>(chain.ahead) - reinterpret_cast<intptr_t>(chain.src))
    {
        const float *block = chain.values + row * static_cast<uint64_t>(chain.valuePitch);
        for (uint32_t i = 0; i < VECTORS; i++) {
            value[i] = LoadRepeatedBlock(block, i * LANES);
        }
    }
    void Take(F32 (&x)[AT_ONCE], float *place) const
    {
        LoadVectors(x, place);
        for (uint32_t i = 0; i < AT_ONCE * LANES; i += CACHE_LINE_FLOATS) {
            __builtin_prefetch(reinterpret_cast<const void *>(reinterpret_cast<intptr_t>(place + i) + ahead), 0, 2);
        }
        for (uint32_t i = 0; i < AT_ONCE; i++) {
            x[i] = x[i] - value[i % VECTORS];
        }
        ExpOf(x);
        StoreVectors(place, x);
    }
};

struct StoredExpRow {
    ExpOfDifferenceRow exp;
    intptr_t toStored; // bytes from a place to its own in GM

    StoredExpRow(const VectorChain &chain, uint32_t row)
        : exp(chain, row), toStored(reinterpret_cast<intptr_t>(chain.stored + row * chain.storedPitch) -
                                    reinterpret_cast<intptr_t>(chain.src + row * static_cast<uint64_t>(chain.pitch)))
    {
    }
    void Take(F32 (&x)[AT_ONCE], float *place) const
    {
        exp.Take(x, place);
        StoreVectors(reinterpret_cast<float *>(reinterpret_cast<intptr_t>(place) + toStored), x);
    }
};

// The tile without a fold: `src` of the chain, rows of `pitch` floats.
template <typename Row>
inline void ChangeTile(const VectorChain &chain)
{
    for (uint32_t row = 0; row < chain.rows; row++) {
        const Row change(chain, row);
        float *place = const_cast<float *>(chain.src) + row * static_cast<uint64_t>(chain.pitch);
        for (uint32_t at = 0; at < chain.pitch; at += AT_ONCE * LANES) {
            F32 x[AT_ONCE];
            change.Take(x, place + at);
        }
    }
}

// Instructions with two tensors of float.
template <typename Kernel>
struct ChainEntry {
    template <typename Row>
    static void Fold(const VectorChain &chain)
    {
        const Kernel kernel(nullptr);
        for (uint32_t row = 0; row < chain.rows; row++) {
            const Row change(chain, row);
            for (uint32_t first = 0; first < VectorChain::CHUNK; first += AT_ONCE * LANES) {
                float *src = const_cast<float *>(chain.src) + row * static_cast<uint64_t>(chain.pitch) + first;
                F32 folded[AT_ONCE];
                change.Take(folded, src);
                for (uint32_t chunk = 1; chunk < chain.chunks; chunk++) {
                    src += VectorChain::CHUNK;
                    F32 x[AT_ONCE];
                    change.Take(x, src);
                    for (uint32_t i = 0; i < AT_ONCE; i++) {
                        folded[i] = kernel.Apply(F32{}, folded[i], x[i]);
                    }
                }
                StoreVectors(chain.dst + row * VectorChain::CHUNK + first, folded);
            }
        }
    }
    static void Rows(const VectorChain &chain)
    {
        const Kernel kernel(nullptr);
        for (uint32_t row = 0; row < chain.rows; row++) {
            float *place = chain.dst + row * static_cast<uint64_t>(chain.pitch);
            kernel.RowOfBlock(place, place, chain.values + row * static_cast<uint64_t>(chain.valuePitch),
                              chain.chunks * VectorChain::CHUNK, 0);
        }
    }
    static void FillIn(VectorEntry &entry)
    {
        entry.fold[static_cast<int>(VectorChain::Before::NOTHING)] = Fold<UnchangedRow>;
        entry.fold[static_cast<int>(VectorChain::Before::SCALE)] = Fold<ScaledRow>;
        entry.fold[static_cast<int>(VectorChain::Before::EXP)] = Fold<ExpOfDifferenceRow>;
        entry.fold[static_cast<int>(VectorChain::Before::EXP_STORED)] = Fold<StoredExpRow>;
        entry.rows = Rows;
    }
};

} // namespace ascendc_cpu
#endif
