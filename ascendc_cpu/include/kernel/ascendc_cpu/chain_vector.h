// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Which element-wise instructions wait as a chain (vector_chain.h): whole repeats of float, two tensors.
#ifndef ASCENDC_CPU_CHAIN_VECTOR_H
#define ASCENDC_CPU_CHAIN_VECTOR_H
#include "vector_call.h"

ASCENDC_CPU_BEGIN

constexpr uint32_t FLOATS_PER_BLOCK = 8;

// One instruction with all lanes of its repeats.
struct RowsOfChunks {
    float *dst;
    const float *src0;
    const float *src1;
    const ascendc_cpu::VectorShape &shape;

    // Strides of whole rows of 64 floats.
    bool IsFold() const
    {
        return shape.dst.block == 1 && shape.src0.block == 1 && shape.src1.block == 1 && shape.dst.repeat == 8;
    }
    bool IsRows() const
    {
        return dst == src0 && shape.dst.block == 1 && shape.src0.block == 1 && shape.src1.block == 0 &&
               shape.dst.repeat == shape.src0.repeat;
    }
};

// The first of a chain; the places that it reads do not change while it is carried out in another order.
inline bool BeginChain(ascendc_cpu::VectorChain &chain, const ascendc_cpu::VectorEntry &entry, const RowsOfChunks &call)
{
    using Chain = ascendc_cpu::VectorChain;
    Chain next;
    next.entry = &entry;
    next.rows = call.shape.repeats;
    next.pitch = call.shape.src0.repeat * FLOATS_PER_BLOCK;
    next.dst = call.dst;
    next.src = call.src0;
    next.chunks = 1;
    if (call.IsFold() && call.src1 == call.src0 + Chain::CHUNK && call.shape.src0.repeat == call.shape.src1.repeat) {
        next.kind = Chain::Kind::FOLD;
        next.chunks = 2;
        const float *dstEnd = call.dst + next.rows * Chain::CHUNK;
        if (call.dst < next.EndOf(next.src) && next.src < dstEnd) {
            return false;
        }
    } else if (call.IsRows() && next.pitch >= Chain::CHUNK) {
        next.kind = Chain::Kind::ROWS;
        next.values = call.src1;
        next.valuePitch = call.shape.src1.repeat * FLOATS_PER_BLOCK;
        const float *valuesEnd = call.src1 + (next.rows - 1) * next.valuePitch + FLOATS_PER_BLOCK;
        if (call.src1 < call.dst + static_cast<uint64_t>(next.rows) * next.pitch && call.dst < valuesEnd) {
            return false;
        }
    } else {
        return false;
    }
    chain = next;
    return true;
}

inline bool ExtendChain(ascendc_cpu::VectorChain &chain, const ascendc_cpu::VectorEntry &entry,
                        const RowsOfChunks &call)
{
    using Chain = ascendc_cpu::VectorChain;
    const uint32_t end = chain.chunks * Chain::CHUNK;
    if (chain.entry != &entry || chain.rows != call.shape.repeats) {
        return false;
    }
    bool follows;
    if (chain.kind == Chain::Kind::FOLD) {
        follows = call.IsFold() && call.dst == chain.dst && call.src0 == chain.dst && call.shape.src0.repeat == 8 &&
                  call.src1 == chain.src + end && call.shape.src1.repeat * FLOATS_PER_BLOCK == chain.pitch &&
                  (chain.dst < chain.src || chain.dst >= chain.EndOf(chain.src)); // as in BeginChain
    } else {
        follows = call.IsRows() && call.dst == chain.dst + end && end + Chain::CHUNK <= chain.pitch &&
                  call.shape.dst.repeat * FLOATS_PER_BLOCK == chain.pitch && call.src1 == chain.values &&
                  call.shape.src1.repeat * FLOATS_PER_BLOCK == chain.valuePitch;
    }
    chain.chunks += follows ? 1 : 0;
    return follows;
}

// Whether the instruction waits; if not, what has waited is carried out.
inline bool WaitsInChain(const ascendc_cpu::VectorEntry &entry, const RowsOfChunks &call)
{
    ascendc_cpu::DeferredCopies &deferred = ascendc_cpu::Core().deferred;
    ascendc_cpu::VectorChain &chain = deferred.chain;
    const bool isWhole = call.shape.mask[0] == FULL_MASK && call.shape.tailLanes == 0;
    if (isWhole && chain.kind != ascendc_cpu::VectorChain::Kind::NONE && ExtendChain(chain, entry, call)) {
        return true;
    }
    ascendc_cpu::SettleVector();
    return isWhole && deferred.allowed && !deferred.vectorForbidden && entry.fold != nullptr &&
           BeginChain(chain, entry, call);
}

// Exp of just the rows that a waiting Sub has reached: both in one pass.
inline bool ExpOfChain(const ascendc_cpu::VectorEntry &entry, float *dst, const void *src, uint64_t elements)
{
    using Chain = ascendc_cpu::VectorChain;
    Chain &chain = ascendc_cpu::Core().deferred.chain;
    if (chain.kind != Chain::Kind::ROWS || dst != src || dst != chain.dst ||
        chain.chunks * Chain::CHUNK != chain.pitch || elements != static_cast<uint64_t>(chain.rows) * chain.pitch ||
        &entry != &EntryOf(ascendc_cpu::VectorOp::EXP, ascendc_cpu::VectorType::FLOAT) ||
        chain.entry != &EntryOf(ascendc_cpu::VectorOp::SUB, ascendc_cpu::VectorType::FLOAT)) {
        return false;
    }
    chain.kind = Chain::Kind::NONE;
    ascendc_cpu::g_isa->vector.expOfRows(chain);
    return true;
}

ASCENDC_CPU_END
#endif
