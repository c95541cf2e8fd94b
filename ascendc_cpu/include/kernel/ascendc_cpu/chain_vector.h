// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Which element-wise instructions wait as a chain (vector_chain.h): whole repeats of float, two tensors, and Muls and
// Exp of all of a tile.
#ifndef ASCENDC_CPU_CHAIN_VECTOR_H
#define ASCENDC_CPU_CHAIN_VECTOR_H
#include "vector_call.h"

ASCENDC_CPU_BEGIN

constexpr uint32_t FLOATS_PER_BLOCK = 8;

struct ElementwiseStrides {
    ascendc_cpu::VectorStride dst;
    ascendc_cpu::VectorStride src0;
    ascendc_cpu::VectorStride src1;
};

// One instruction with all lanes of its repeats.
struct RowsOfChunks {
    float *dst;
    const float *src0;
    const float *src1;
    uint32_t repeats;
    const ElementwiseStrides &strides;

    // Strides of whole rows of 64 floats.
    bool IsFold() const
    {
        return strides.dst.block == 1 && strides.src0.block == 1 && strides.src1.block == 1 && strides.dst.repeat == 8;
    }
    bool IsRows() const
    {
        return dst == src0 && strides.dst.block == 1 && strides.src0.block == 1 && strides.src1.block == 0 &&
               strides.dst.repeat == strides.src0.repeat;
    }
};

// The first of a chain; the places that it reads do not change while it is carried out in another order. Written field
// by field into its place: what was just written so is not read back as vectors.
inline bool BeginChain(ascendc_cpu::VectorChain &chain, const ascendc_cpu::VectorEntry &entry, const RowsOfChunks &call)
{
    using Chain = ascendc_cpu::VectorChain;
    chain.before = Chain::Before::NOTHING;
    chain.entry = &entry;
    chain.rows = call.repeats;
    chain.pitch = call.strides.src0.repeat * FLOATS_PER_BLOCK;
    chain.dst = call.dst;
    chain.src = call.src0;
    if (call.IsFold() && call.src1 == call.src0 + Chain::CHUNK &&
        call.strides.src0.repeat == call.strides.src1.repeat) {
        chain.chunks = 2;
        const float *srcEnd = call.src0 + chain.RowsEnd();
        if (call.dst < srcEnd && call.src0 < call.dst + chain.rows * Chain::CHUNK) {
            return false;
        }
        chain.most = call.dst < call.src0 ? ~0U : 2 + static_cast<uint32_t>((call.dst - srcEnd) / Chain::CHUNK);
        chain.kind = Chain::Kind::FOLD;
        return true;
    }
    if (!call.IsRows() || chain.pitch < Chain::CHUNK) {
        return false;
    }
    chain.chunks = 1;
    chain.most = chain.pitch / Chain::CHUNK;
    chain.values = call.src1;
    chain.valuePitch = call.strides.src1.repeat * FLOATS_PER_BLOCK;
    const float *valuesEnd = call.src1 + chain.ValueFloats();
    if (call.src1 < call.dst + static_cast<uint64_t>(chain.rows) * chain.pitch && call.dst < valuesEnd) {
        return false;
    }
    chain.kind = Chain::Kind::ROWS;
    return true;
}

inline bool HasRoom(const LocalTensor<float> &tensor, uint64_t floats)
{
    return tensor.GetMemory() == ascendc_cpu::Memory::UB && floats * sizeof(float) <= tensor.Room();
}

// Whether the instruction goes on with the chain that waits. Asked before its operands are checked one by one, since
// nearly every instruction that could go on does.
inline bool ExtendChain(const ascendc_cpu::VectorEntry &entry, const LocalTensor<float> &dst,
                        const LocalTensor<float> &src0, const LocalTensor<float> &src1, uint32_t repeats,
                        const ElementwiseStrides &strides)
{
    using Chain = ascendc_cpu::VectorChain;
    const ascendc_cpu::StickyState &sticky = ascendc_cpu::Core().sticky;
    Chain &chain = ascendc_cpu::Core().deferred.chain;
    if (chain.entry != &entry || chain.kind == Chain::Kind::NONE || chain.rows != repeats ||
        chain.chunks >= chain.most || sticky.mask[0] != FULL_MASK || sticky.counterMode) {
        return false;
    }
    const RowsOfChunks call = {dst.Address(), src0.Address(), src1.Address(), repeats, strides};
    const uint32_t end = chain.chunks * Chain::CHUNK;
    const uint64_t rowsEnd = chain.RowsEnd();
    bool follows;
    if (chain.kind == Chain::Kind::FOLD) {
        const uint64_t foldEnd = chain.rows * Chain::CHUNK;
        follows = call.src1 == chain.src + end && call.dst == chain.dst && call.src0 == chain.dst && call.IsFold() &&
                  strides.src0.repeat == 8 && strides.src1.repeat * FLOATS_PER_BLOCK == chain.pitch &&
                  HasRoom(dst, foldEnd) && HasRoom(src0, foldEnd) && HasRoom(src1, rowsEnd - end + Chain::CHUNK);
    } else {
        const uint64_t rowEnd = rowsEnd - end + Chain::CHUNK;
        follows = call.dst == chain.dst + end && call.src1 == chain.values && call.IsRows() &&
                  strides.dst.repeat * FLOATS_PER_BLOCK == chain.pitch &&
                  strides.src1.repeat * FLOATS_PER_BLOCK == chain.valuePitch && HasRoom(dst, rowEnd) &&
                  HasRoom(src0, rowEnd) && HasRoom(src1, chain.ValueFloats());
    }
    chain.chunks += follows ? 1 : 0;
    return follows;
}

inline bool Overlap(const float *a, uint64_t aFloats, const float *b, uint64_t bFloats)
{
    return a < b + bFloats && b < a + aFloats;
}

// Whether the instruction is the first of a fold of just the tile that waits.
inline bool FoldTile(ascendc_cpu::VectorChain &chain, const ascendc_cpu::VectorEntry &entry, const RowsOfChunks &call)
{
    using Chain = ascendc_cpu::VectorChain;
    const uint32_t pitch = call.strides.src0.repeat * FLOATS_PER_BLOCK;
    const uint64_t floats = call.repeats * static_cast<uint64_t>(pitch);
    if (chain.kind != Chain::Kind::TILE || !call.IsFold() || call.src0 != chain.src ||
        call.src1 != call.src0 + Chain::CHUNK || call.strides.src1.repeat != call.strides.src0.repeat ||
        pitch % Chain::CHUNK != 0 || pitch < 2 * Chain::CHUNK ||
        floats != chain.rows * static_cast<uint64_t>(chain.pitch) ||
        Overlap(call.dst, call.repeats * Chain::CHUNK, chain.src, floats)) {
        return false;
    }
    if (chain.before == Chain::Before::EXP) {
        if (chain.rows != call.repeats ||
            Overlap(call.dst, call.repeats * Chain::CHUNK, chain.values, chain.ValueFloats())) {
            return false;
        }
    }
    chain.kind = Chain::Kind::FOLD;
    chain.entry = &entry;
    if (chain.rows == 1) { // one run, in which any rows stand
        chain.rows = call.repeats;
        chain.pitch = pitch;
    }
    chain.dst = call.dst;
    chain.chunks = 2;
    chain.most = pitch / Chain::CHUNK;
    return true;
}

// Whether the instruction waits as the first of a chain; what has waited is carried out.
inline bool WaitsInChain(const ascendc_cpu::VectorEntry &entry, const RowsOfChunks &call,
                         const ascendc_cpu::VectorShape &shape)
{
    ascendc_cpu::DeferredCopies &deferred = ascendc_cpu::Core().deferred;
    const bool canWait = shape.mask[0] == FULL_MASK && shape.tailLanes == 0 && entry.rows != nullptr;
    if (canWait && FoldTile(deferred.chain, entry, call)) {
        return true;
    }
    ascendc_cpu::SettleVector();
    return canWait && deferred.allowed && !deferred.vectorForbidden && BeginChain(deferred.chain, entry, call);
}

// Exp of just the rows that a waiting Sub has reached: both wait as one.
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
    chain.kind = Chain::Kind::TILE;
    chain.before = Chain::Before::EXP;
    chain.entry = nullptr;
    chain.src = chain.dst;
    return true;
}

// Whether the sums of just the rows that a fold of exponentials leaves wait with it: a store of the tile may follow.
inline bool SumsWait(const LocalTensor<float> &dst, const LocalTensor<float> &src, int32_t repeats)
{
    ascendc_cpu::VectorChain &chain = ascendc_cpu::Core().deferred.chain;
    if (!chain.HoldsExp() || chain.sums != nullptr) {
        return false;
    }
    const ascendc_cpu::StickyState &sticky = ascendc_cpu::Core().sticky;
    const uint64_t rows = chain.rows;
    if (src.Address() != chain.dst || static_cast<uint32_t>(repeats) != rows || sticky.mask[0] != FULL_MASK ||
        sticky.counterMode || dst.GetPhyAddr() % sizeof(float) != 0 || !HasRoom(dst, rows) ||
        Overlap(dst.Address(), rows, chain.src, rows * chain.pitch)) {
        return false;
    }
    chain.sums = dst.Address();
    return true;
}

// Whether Muls of a tile where it stands waits; its operands have been checked.
inline bool ScaleWaits(const ascendc_cpu::VectorEntry &entry, float *dst, const void *src, const void *scalar,
                       uint64_t elements)
{
    using Chain = ascendc_cpu::VectorChain;
    ascendc_cpu::DeferredCopies &deferred = ascendc_cpu::Core().deferred;
    if (dst != src || elements % Chain::CHUNK != 0 || elements == 0 || !deferred.allowed || deferred.vectorForbidden ||
        &entry != &EntryOf(ascendc_cpu::VectorOp::MULS, ascendc_cpu::VectorType::FLOAT)) {
        return false;
    }
    Chain &chain = deferred.chain;
    chain.kind = Chain::Kind::TILE;
    chain.before = Chain::Before::SCALE;
    chain.entry = nullptr;
    chain.src = dst;
    chain.rows = 1;
    chain.pitch = static_cast<uint32_t>(elements);
    memcpy(&chain.scalar, scalar, sizeof(chain.scalar));
    return true;
}

ASCENDC_CPU_END
#endif
