// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Reductions inside a repeat. Maxima and minima do not depend on the order. Sums are the binary tree over neighbouring
// lanes, ((0 + 1) + (2 + 3)) + ..., the same in every instruction set, in float also for half.
#include "elementwise_ops.h"

namespace ascendc_cpu {

namespace {

// The numbers of AscendC::ReduceOrder.
enum class Order : uint8_t { VALUE_INDEX, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX };

// NEUTRAL is what a lane outside the mask counts as.
struct MaxReduce {
    static constexpr float NEUTRAL = -__builtin_inff();
    static bool IsBetter(float value, float best)
    {
        return value > best || (value != value && best == best);
    }
    static F32 Combine(F32 a, F32 b)
    {
        return MaxOf(a, b);
    }
};
struct MinReduce {
    static constexpr float NEUTRAL = __builtin_inff();
    static bool IsBetter(float value, float best)
    {
        return value < best || (value != value && best == best);
    }
    static F32 Combine(F32 a, F32 b)
    {
        return MinOf(a, b);
    }
};
struct SumReduce {
    static constexpr float NEUTRAL = -0.0f; // x + -0 is x, also for x = -0
    static F32 Combine(F32 a, F32 b)
    {
        return a + b;
    }
};

// Every lane becomes the result of all lanes.
template <typename Reduce, int STEP = LANES / 2>
inline F32 FoldLanes(F32 value)
{
    if constexpr (STEP == 0) {
        return value;
    } else {
        return FoldLanes<Reduce, STEP / 2>(Reduce::Combine(value, Rotated<STEP>(value)));
    }
}

// Pairs of neighbouring lanes, those of the second vector behind those of the first.
template <typename Reduce>
inline F32 CombinePairs(F32 first, F32 second)
{
    return Reduce::Combine(Alternate<0>(first, second), Alternate<1>(first, second));
}

// One vector that remains of several.
template <typename Reduce, int VECTORS>
inline F32 CombineVectors(F32 (&lanes)[VECTORS])
{
    for (int vectors = VECTORS; vectors > 1; vectors /= 2) {
        for (int i = 0; i < vectors / 2; i++) {
            if constexpr (std::is_same<Reduce, SumReduce>::value) {
                lanes[i] = CombinePairs<Reduce>(lanes[2 * i], lanes[2 * i + 1]);
            } else {
                lanes[i] = Reduce::Combine(lanes[i], lanes[i + vectors / 2]);
            }
        }
    }
    return lanes[0];
}

template <typename Reduce, int VECTORS>
inline float ReduceVectors(F32 (&lanes)[VECTORS])
{
    F32 last = CombineVectors<Reduce>(lanes);
    if constexpr (!std::is_same<Reduce, SumReduce>::value) {
        return FoldLanes<Reduce>(last)[0];
    }
    for (int left = LANES; left > 1; left /= 2) {
        last = CombinePairs<Reduce>(last, last);
    }
    return last[0];
}

inline void StoreElement(Half *dst, float value)
{
    Half lanes[LANES];
    Store(lanes, Splat<F32>(value));
    *dst = lanes[0];
}
inline void StoreElement(float *dst, float value)
{
    *dst = value;
}

template <typename T>
struct RepeatLanes {
    static constexpr uint32_t COUNT = REPEAT_BYTES / sizeof(T);
    static constexpr uint32_t PER_BLOCK = BLOCK_BYTES / sizeof(T);
    static constexpr uint32_t BLOCKS = REPEAT_BYTES / BLOCK_BYTES;
    static constexpr int VECTORS = COUNT / LANES;

    uint64_t mask[2];

    bool IsActive(uint32_t lane) const
    {
        return ((mask[lane / 64] >> (lane % 64)) & 1) != 0;
    }
    // The active lanes as floats, neutral ones elsewhere; inactive source lanes are not read.
    void Gather(const T *src, VectorStride stride, float neutral, float (&lanes)[COUNT]) const
    {
        for (uint32_t lane = 0; lane < COUNT; lane++) {
            lanes[lane] = neutral;
            if (IsActive(lane)) {
                const T *element =
                    Advance(src, static_cast<uint64_t>(lane / PER_BLOCK) * stride.block) + lane % PER_BLOCK;
                lanes[lane] = LoadFirst(element, 1)[0];
            }
        }
    }
    template <typename Reduce>
    float Value(const float (&lanes)[COUNT]) const
    {
        F32 vectors[VECTORS];
        memcpy(vectors, lanes, sizeof(vectors));
        return ReduceVectors<Reduce>(vectors);
    }
};

// dst of one repeat for MAX and MIN with an index: the first lane with the extreme value.
template <typename T, typename Reduce>
void StoreWithIndex(uint8_t *dst, const RepeatLanes<T> &repeat, const float (&lanes)[RepeatLanes<T>::COUNT],
                    Order order)
{
    using Index = typename std::conditional<sizeof(T) == 2, uint16_t, uint32_t>::type;
    uint32_t best = RepeatLanes<T>::COUNT;
    for (uint32_t lane = 0; lane < RepeatLanes<T>::COUNT; lane++) {
        if (repeat.IsActive(lane) && (best == RepeatLanes<T>::COUNT || Reduce::IsBetter(lanes[lane], lanes[best]))) {
            best = lane;
        }
    }
    if (order == Order::ONLY_INDEX) {
        memcpy(dst, &best, sizeof(best));
        return;
    }
    const Index index = static_cast<Index>(best);
    T value;
    StoreElement(&value, lanes[best]);
    const bool valueFirst = order == Order::VALUE_INDEX;
    memcpy(dst + (valueFirst ? 0 : sizeof(T)), &value, sizeof(T));
    memcpy(dst + (valueFirst ? sizeof(T) : 0), &index, sizeof(index));
}

// A prefix of contiguous lanes, value only.
template <typename T, typename Reduce>
inline float ReduceRow(const T *src, uint32_t count)
{
    constexpr int VECTORS = RepeatLanes<T>::VECTORS;
    F32 vectors[VECTORS];
    for (int i = 0; i < VECTORS; i++) {
        const uint32_t first = static_cast<uint32_t>(i) * LANES;
        if (first + LANES <= count) {
            vectors[i] = Load(src + first);
        } else {
            const uint32_t left = count > first ? count - first : 0;
            const I32 isActive = LaneNumbers() < static_cast<int32_t>(left);
            vectors[i] = isActive ? LoadFirst(src + Smaller(first, count), left) : Splat<F32>(Reduce::NEUTRAL);
        }
    }
    return ReduceVectors<Reduce>(vectors);
}

// Calls body(src, dst, mask) for every repeat, the tail included.
template <typename T, typename Body>
inline void EachReduced(void *dst, const void *src, uint32_t dstBytes, const VectorShape &shape, const Body &body)
{
    const uint64_t count = static_cast<uint64_t>(shape.repeats) + (shape.tailLanes != 0);
    for (uint64_t repeat = 0; repeat < count; repeat++) {
        RepeatLanes<T> lanes{{shape.mask[0], shape.mask[1]}};
        if (repeat == shape.repeats) {
            lanes.mask[0] = shape.tailLanes >= 64 ? ~0ULL : (1ULL << shape.tailLanes) - 1;
            lanes.mask[1] = shape.tailLanes > 64 ? (1ULL << (shape.tailLanes - 64)) - 1 : 0;
        }
        body(Advance(static_cast<const T *>(src), repeat * shape.src0.repeat),
             static_cast<uint8_t *>(dst) + repeat * dstBytes, lanes);
    }
}

// Rows of 64 lanes to one value each, as many at once as a vector has lanes.
template <typename Reduce>
void ReduceWholeRows(float *dst, const float *src, uint32_t count, uint64_t pitch)
{
    constexpr int VECTORS = RepeatLanes<float>::VECTORS;
    for (uint32_t first = 0; first < count; first += LANES) {
        F32 rows[LANES];
        for (uint32_t i = 0; i < LANES; i++) {
            F32 vectors[VECTORS];
            const float *row = src + Smaller(first + i, count - 1) * pitch;
            for (int j = 0; j < VECTORS; j++) {
                vectors[j] = Load(row + j * LANES);
            }
            rows[i] = CombineVectors<Reduce>(vectors);
        }
        for (int left = LANES; left > 1; left /= 2) {
            for (int i = 0; i < left / 2; i++) {
                rows[i] = CombinePairs<Reduce>(rows[2 * i], rows[2 * i + 1]);
            }
        }
        StoreFirst(dst + first, rows[0], Smaller(LANES, count - first));
    }
}

// Whether results can be stored after many rows have been read.
inline bool AreApart(const float *dst, const float *src, uint32_t count, uint64_t pitch)
{
    return dst + count <= src || src + (count - 1) * pitch + RepeatLanes<float>::COUNT <= dst;
}

template <typename T, typename Reduce>
void WholeReduce(void *dst, const void *src, uint8_t order, uint32_t dstBytes, const VectorShape &shape)
{
    constexpr uint32_t COUNT = RepeatLanes<T>::COUNT;
    constexpr bool IS_SUM = std::is_same<Reduce, SumReduce>::value;
    const bool onlyValue = IS_SUM || static_cast<Order>(order) == Order::ONLY_VALUE;
    const uint32_t prefix = PrefixLanes(shape.mask);
    if (onlyValue && prefix != NOT_A_PREFIX && shape.src0.block == 1 && shape.tailLanes == 0) {
        const T *row = static_cast<const T *>(src);
        uint8_t *out = static_cast<uint8_t *>(dst);
        if constexpr (std::is_same<T, float>::value) {
            const uint64_t pitch = shape.src0.repeat * (BLOCK_BYTES / sizeof(float));
            float *values = static_cast<float *>(dst);
            if (prefix == COUNT && dstBytes == sizeof(float) && AreApart(values, row, shape.repeats, pitch)) {
                ReduceWholeRows<Reduce>(values, row, shape.repeats, pitch);
                return;
            }
        }
        for (uint32_t repeat = 0; repeat < shape.repeats; repeat++) {
            // a whole repeat is worth a body of its own
            const float value = prefix == COUNT ? ReduceRow<T, Reduce>(row, COUNT) : ReduceRow<T, Reduce>(row, prefix);
            StoreElement(reinterpret_cast<T *>(out), value);
            row = Advance(row, shape.src0.repeat);
            out += dstBytes;
        }
        return;
    }
    EachReduced<T>(dst, src, dstBytes, shape, [&](const T *row, uint8_t *out, const RepeatLanes<T> &repeat) {
        float values[COUNT];
        repeat.Gather(row, shape.src0, Reduce::NEUTRAL, values);
        if (onlyValue) {
            StoreElement(reinterpret_cast<T *>(out), repeat.template Value<Reduce>(values));
            return;
        }
        if constexpr (!IS_SUM) {
            StoreWithIndex<T, Reduce>(out, repeat, values, static_cast<Order>(order));
        }
    });
}

// One value per block with an active lane; the slots of the others stay.
template <typename T, typename Reduce>
void BlockReduce(void *dst, const void *src, uint8_t, uint32_t dstBytes, const VectorShape &shape)
{
    using Lanes = RepeatLanes<T>;
    EachReduced<T>(dst, src, dstBytes, shape, [&](const T *row, uint8_t *out, const Lanes &repeat) {
        float values[Lanes::COUNT];
        repeat.Gather(row, shape.src0, Reduce::NEUTRAL, values);
        for (uint32_t block = 0; block < Lanes::BLOCKS; block++) {
            constexpr int VECTORS = static_cast<int>(Lanes::PER_BLOCK) > LANES ? Lanes::PER_BLOCK / LANES : 1;
            const uint32_t first = block * Lanes::PER_BLOCK;
            const uint64_t active = repeat.mask[first / 64] >> (first % 64) & ((1ULL << Lanes::PER_BLOCK) - 1);
            if (active == 0) {
                continue;
            }
            F32 lanes[VECTORS];
            for (F32 &vector : lanes) {
                vector = Splat<F32>(Reduce::NEUTRAL);
            }
            memcpy(lanes, values + first, Lanes::PER_BLOCK * sizeof(float));
            StoreElement(reinterpret_cast<T *>(out) + block, ReduceVectors<Reduce>(lanes));
        }
    });
}

// Lane pairs (0, 1), (2, 3), ...; a pair without an active lane leaves its slot.
template <typename T>
void PairReduceSum(void *dst, const void *src, uint8_t, uint32_t dstBytes, const VectorShape &shape)
{
    using Lanes = RepeatLanes<T>;
    EachReduced<T>(dst, src, dstBytes, shape, [&](const T *row, uint8_t *out, const Lanes &repeat) {
        float values[Lanes::COUNT];
        repeat.Gather(row, shape.src0, SumReduce::NEUTRAL, values);
        for (uint32_t lane = 0; lane < Lanes::COUNT; lane += 2) {
            if (repeat.IsActive(lane) || repeat.IsActive(lane + 1)) {
                StoreElement(reinterpret_cast<T *>(out) + lane / 2, values[lane] + values[lane + 1]);
            }
        }
    });
}

template <typename Reduce>
void FillReduce(VectorIsa &isa, ReduceOp op)
{
    isa.wholeReduce[static_cast<int>(op)][0] = WholeReduce<Half, Reduce>;
    isa.wholeReduce[static_cast<int>(op)][1] = WholeReduce<float, Reduce>;
    isa.blockReduce[static_cast<int>(op)][0] = BlockReduce<Half, Reduce>;
    isa.blockReduce[static_cast<int>(op)][1] = BlockReduce<float, Reduce>;
}

} // namespace

void FillReduceEntries(VectorIsa &isa)
{
    FillReduce<MaxReduce>(isa, ReduceOp::MAX);
    FillReduce<MinReduce>(isa, ReduceOp::MIN);
    FillReduce<SumReduce>(isa, ReduceOp::SUM);
    isa.pairReduceSum[0] = PairReduceSum<Half>;
    isa.pairReduceSum[1] = PairReduceSum<float>;
}

} // namespace ascendc_cpu
