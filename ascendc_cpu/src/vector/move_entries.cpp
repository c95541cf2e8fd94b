// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Instructions that move or create elements: Copy, Duplicate, CreateVecIndex, Brcb, Transpose, GatherMask.
#include "elementwise_ops.h"

namespace ascendc_cpu {

namespace {

// Lane number of the whole call plus the first value.
template <typename T>
struct CreateIndexKernel {
    using Dst = T;
    using Src0 = T;
    using Src1 = T;
    static constexpr bool USES_SRC1 = false;
    ComputedVec<T> first;

    explicit CreateIndexKernel(const void *src1) : first(SplatOf(static_cast<const T *>(src1)))
    {
    }

    void Row(T *dst, const T *, const T *, uint32_t count, uint32_t stream) const
    {
        for (uint32_t i = 0; i < count; i += LANES) {
            const I32 lane = LaneNumbers() + static_cast<int32_t>(stream + i);
            const ComputedVec<T> value = first + __builtin_convertvector(lane, ComputedVec<T>);
            if (count - i >= LANES) {
                Store(dst + i, value);
            } else {
                StoreFirst(dst + i, value, count - i);
            }
        }
    }
};

template <typename T>
void FillIndex(VectorIsa &isa, VectorType type)
{
    isa.elementwise[static_cast<int>(VectorOp::CREATE_INDEX)][static_cast<int>(type)] =
        ElementwiseEntry<CreateIndexKernel<T>>::VALUE;
}

template <typename T>
void Broadcast(void *dst, const void *src, uint32_t repeats, uint32_t dstBlockStride, uint32_t dstRepeatStride)
{
    constexpr uint32_t ELEMENTS = 8;
    constexpr uint32_t PER_BLOCK = BLOCK_BYTES / sizeof(T);
    for (uint32_t repeat = 0; repeat < repeats; repeat++) {
        uint8_t *out = static_cast<uint8_t *>(dst) + static_cast<uint64_t>(repeat) * dstRepeatStride * BLOCK_BYTES;
        for (uint32_t i = 0; i < ELEMENTS; i++) {
            T value;
            memcpy(&value, static_cast<const T *>(src) + repeat * ELEMENTS + i, sizeof(T));
            const Vec<T, PER_BLOCK> block = value - Vec<T, PER_BLOCK>{};
            memcpy(out + static_cast<uint64_t>(i) * dstBlockStride * BLOCK_BYTES, &block, BLOCK_BYTES);
        }
    }
}

void Transpose(void *dst, const void *src)
{
    constexpr uint32_t SIDE = 16;
    uint16_t in[SIDE][SIDE]; // dst may be src
    uint16_t out[SIDE][SIDE];
    memcpy(in, src, sizeof(in));
    for (uint32_t i = 0; i < SIDE; i++) {
        for (uint32_t j = 0; j < SIDE; j++) {
            out[j][i] = in[i][j];
        }
    }
    memcpy(dst, out, sizeof(out));
}

template <typename T>
uint64_t Gather(const GatherMaskCall &call)
{
    constexpr uint32_t PER_BLOCK = BLOCK_BYTES / sizeof(T);
    uint64_t kept = 0;
    for (uint32_t repeat = 0; repeat < call.repeats; repeat++) {
        const uint8_t *pattern = call.pattern + static_cast<uint64_t>(repeat) * call.patternBytes;
        const T *src = Advance(static_cast<const T *>(call.src), static_cast<uint64_t>(repeat) * call.srcStride.repeat);
        for (uint32_t lane = 0; lane < call.lanes; lane++) {
            const uint32_t bit = lane % call.patternBits;
            if (((pattern[bit / 8] >> (bit % 8)) & 1) == 0) {
                continue;
            }
            if (call.dst != nullptr) {
                const T *from = Advance(src, static_cast<uint64_t>(lane / PER_BLOCK) * call.srcStride.block);
                static_cast<T *>(call.dst)[kept] = from[lane % PER_BLOCK];
            }
            kept++;
        }
    }
    return kept;
}

} // namespace

void FillMoveEntries(VectorIsa &isa)
{
    Register<IdentityOp, Operands::ONE, uint16_t>(isa, VectorOp::COPY, VectorType::UINT16);
    Register<IdentityOp, Operands::ONE, uint32_t>(isa, VectorOp::COPY, VectorType::UINT32);
    Register<IdentityOp, Operands::FILL, uint16_t>(isa, VectorOp::DUPLICATE, VectorType::UINT16);
    Register<IdentityOp, Operands::FILL, uint32_t>(isa, VectorOp::DUPLICATE, VectorType::UINT32);
    FillIndex<Half>(isa, VectorType::HALF);
    FillIndex<float>(isa, VectorType::FLOAT);
    FillIndex<int16_t>(isa, VectorType::INT16);
    FillIndex<int32_t>(isa, VectorType::INT32);
    isa.brcb[0] = Broadcast<uint16_t>;
    isa.brcb[1] = Broadcast<uint32_t>;
    isa.transpose = Transpose;
    isa.gatherMask[0] = Gather<uint16_t>;
    isa.gatherMask[1] = Gather<uint32_t>;
}

} // namespace ascendc_cpu
