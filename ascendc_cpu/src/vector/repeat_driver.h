// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Walks the repeats of an instruction and hands runs of consecutive active lanes to a kernel.
#ifndef ASCENDC_CPU_SRC_VECTOR_REPEAT_DRIVER_H
#define ASCENDC_CPU_SRC_VECTOR_REPEAT_DRIVER_H
#include "ascendc_cpu/isa_vector.h"
#include "simd.h"

namespace ascendc_cpu {

// Lane count when the mask is exactly the first lanes, else NOT_A_PREFIX.
constexpr uint32_t NOT_A_PREFIX = ~0u;

inline uint32_t PrefixLanes(const uint64_t mask[2])
{
    const uint64_t low = mask[0];
    const uint64_t high = mask[1];
    const uint64_t word = low == ~0ULL ? high : low; // the one with the first zero
    if ((word & (word + 1)) != 0 || (low != ~0ULL && high != 0)) {
        return NOT_A_PREFIX;
    }
    const uint32_t ones = word == ~0ULL ? 64 : static_cast<uint32_t>(__builtin_ctzll(~word));
    return low == ~0ULL ? 64 + ones : ones;
}

template <typename T>
inline T *Advance(T *base, uint64_t blocks)
{
    using Byte = typename std::conditional<std::is_const<T>::value, const uint8_t, uint8_t>::type;
    return reinterpret_cast<T *>(reinterpret_cast<Byte *>(base) + blocks * BLOCK_BYTES);
}

constexpr uint32_t Smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// A Kernel has the types Dst, Src0, Src1 (elements), USES_SRC1 (whether src1 is a tensor), and
//   Row(dst, src0, src1, count, stream): count consecutive lanes, the first being lane `stream` of the whole call;
//   RowOfBlock(dst, src0, block, count, stream): the same with src1 repeating one block of 32 B (only if USES_SRC1).
template <typename Kernel>
class RepeatDriver {
public:
    using Dst = typename Kernel::Dst;
    using Src0 = typename Kernel::Src0;
    using Src1 = typename Kernel::Src1;
    static constexpr uint32_t WIDEST = sizeof(Dst) > sizeof(Src0) ? sizeof(Dst) : sizeof(Src0);
    static constexpr uint32_t REPEAT_LANES = REPEAT_BYTES / WIDEST;

    RepeatDriver(const Kernel &kernel, Dst *dst, const Src0 *src0, const Src1 *src1, const VectorShape &shape)
        : kernel(kernel), dst(dst), src0(src0), src1(src1), shape(shape)
    {
    }

    void Run() const
    {
        const uint32_t lanes = PrefixLanes(shape.mask);
        if (lanes == REPEAT_LANES && IsContiguous()) {
            RunRow(kernel, dst, src0, src1, shape.repeats * REPEAT_LANES + shape.tailLanes, 0);
            return;
        }
        RunRepeats(0, shape.repeats, lanes, shape.mask);
        if (shape.tailLanes != 0) {
            const uint64_t low = shape.tailLanes >= 64 ? ~0ULL : (1ULL << shape.tailLanes) - 1;
            const uint64_t high = shape.tailLanes > 64 ? (1ULL << (shape.tailLanes - 64)) - 1 : 0;
            const uint64_t mask[2] = {low, high};
            RunRepeats(shape.repeats, shape.repeats + 1, shape.tailLanes, mask);
        }
    }

private:
    // Out of line: only rows of a whole repeat are worth a body of their own.
    static __attribute__((noinline)) void RunRow(const Kernel &kernel, Dst *d, const Src0 *a, const Src1 *b,
                                                 uint32_t count, uint32_t stream)
    {
        kernel.Row(d, a, b, count, stream);
    }
    template <typename T>
    static constexpr bool HasWholeStride(VectorStride stride)
    {
        return stride.block == 1 && stride.repeat * BLOCK_BYTES == REPEAT_LANES * sizeof(T);
    }
    bool IsContiguous() const
    {
        return HasWholeStride<Dst>(shape.dst) && HasWholeStride<Src0>(shape.src0) &&
               (!Kernel::USES_SRC1 || HasWholeStride<Src1>(shape.src1));
    }
    // The lanes of a repeat follow each other in memory (a single block always does).
    template <typename T>
    static bool IsRow(VectorStride stride, uint32_t lanes)
    {
        return stride.block == 1 || lanes * sizeof(T) <= BLOCK_BYTES;
    }

    // lanes: the prefix that mask is, or NOT_A_PREFIX.
    void RunRepeats(uint32_t begin, uint32_t end, uint32_t lanes, const uint64_t mask[2]) const
    {
        const bool isRow = lanes != NOT_A_PREFIX && IsRow<Dst>(shape.dst, lanes) && IsRow<Src0>(shape.src0, lanes);
        if (isRow && (!Kernel::USES_SRC1 || IsRow<Src1>(shape.src1, lanes))) {
            EachRepeat(begin, end, [&](Dst *d, const Src0 *a, const Src1 *b, uint32_t stream) {
                if (lanes == REPEAT_LANES) {
                    kernel.Row(d, a, b, REPEAT_LANES, stream); // constant: unrolled
                } else {
                    RunRow(kernel, d, a, b, lanes, stream);
                }
            });
            return;
        }
        if constexpr (Kernel::USES_SRC1) {
            if (isRow && shape.src1.block == 0) {
                EachRepeat(begin, end, [&](Dst *d, const Src0 *a, const Src1 *b, uint32_t stream) {
                    if (lanes == REPEAT_LANES) {
                        kernel.RowOfBlock(d, a, b, REPEAT_LANES, stream);
                    } else {
                        kernel.RowOfBlock(d, a, b, lanes, stream);
                    }
                });
                return;
            }
        }
        EachRepeat(begin, end,
                   [&](Dst *d, const Src0 *a, const Src1 *b, uint32_t stream) { RunLanes(d, a, b, stream, mask); });
    }

    template <typename Body>
    void EachRepeat(uint32_t begin, uint32_t end, const Body &body) const
    {
        for (uint64_t repeat = begin; repeat < end; repeat++) {
            body(Advance(dst, repeat * shape.dst.repeat), Advance(src0, repeat * shape.src0.repeat),
                 Kernel::USES_SRC1 ? Advance(src1, repeat * shape.src1.repeat) : src1,
                 static_cast<uint32_t>(repeat) * REPEAT_LANES);
        }
    }

    template <typename T>
    static T *LaneAddress(T *base, uint32_t lane, VectorStride stride)
    {
        constexpr uint32_t PER_BLOCK = BLOCK_BYTES / sizeof(T);
        return Advance(base, static_cast<uint64_t>(lane / PER_BLOCK) * stride.block) + lane % PER_BLOCK;
    }

    // Any mask, any block stride: runs of set bits inside the blocks of the widest operand.
    void RunLanes(Dst *d, const Src0 *a, const Src1 *b, uint32_t stream, const uint64_t mask[2]) const
    {
        constexpr uint32_t RUN_LANES = BLOCK_BYTES / WIDEST;
        uint32_t lane = 0;
        while (lane < REPEAT_LANES) {
            const uint64_t word = mask[lane / 64] >> (lane % 64);
            if ((word & 1) == 0) {
                lane = word == 0 ? (lane / 64 + 1) * 64 : lane + static_cast<uint32_t>(__builtin_ctzll(word));
                continue;
            }
            const uint32_t ones = ~word == 0 ? 64 : static_cast<uint32_t>(__builtin_ctzll(~word));
            const uint32_t count = Smaller(ones, RUN_LANES - lane % RUN_LANES);
            RunRow(kernel, LaneAddress(d, lane, shape.dst), LaneAddress(a, lane, shape.src0),
                   Kernel::USES_SRC1 ? LaneAddress(b, lane, shape.src1) : b, count, stream + lane);
            lane += count;
        }
    }

    const Kernel &kernel;
    Dst *dst;
    const Src0 *src0;
    const Src1 *src1;
    const VectorShape &shape;
};

template <typename Kernel>
inline void DriveRepeats(const Kernel &kernel, void *dst, const void *src0, const void *src1, const VectorShape &shape)
{
    using Driver = RepeatDriver<Kernel>;
    Driver(kernel, static_cast<typename Kernel::Dst *>(dst), static_cast<const typename Kernel::Src0 *>(src0),
           static_cast<const typename Kernel::Src1 *>(src1), shape)
        .Run();
}

} // namespace ascendc_cpu
#endif
