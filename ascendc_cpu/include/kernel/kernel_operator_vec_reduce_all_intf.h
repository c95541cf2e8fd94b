// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// ReduceMax, ReduceMin, ReduceSum: one result for a whole tensor, composed of reductions of repeats as on the device.
// sharedTmpBuffer needs the room of the first step: a pair (MAX, MIN) or a value (SUM) per repeat. With calIndex the
// result is {value, index}, the index in the bits of T. Afterwards the mask register is in normal mode, all lanes.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_REDUCE_ALL_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_REDUCE_ALL_INTF_H
#include "kernel_operator_vec_reduce_intf.h"

ASCENDC_CPU_BEGIN

struct RepeatRange {
    int32_t repeats;
    int32_t srcRepStride;
    uint64_t mask[2];
};

// All repeats of a range in steps of at most 255; results contiguous in tmp. One element of T per result unit.
template <ReduceType type, typename T>
inline void ReduceEachRepeat(const char *api, const LocalTensor<T> &tmp, const LocalTensor<T> &src,
                             const RepeatRange &range)
{
    constexpr uint32_t UNIT = type == ReduceType::SUM ? 1 : 2;
    for (int32_t done = 0; done < range.repeats; done += MAX_REPEAT_TIMES) {
        const int32_t now = range.repeats - done < MAX_REPEAT_TIMES ? range.repeats - done : MAX_REPEAT_TIMES;
        const uint32_t skipped = static_cast<uint32_t>(done) * static_cast<uint32_t>(range.srcRepStride) *
                                 (ONE_BLK_SIZE / static_cast<uint32_t>(sizeof(T)));
        WriteMask<true>(range.mask);
        RunWholeReduce<type>(api, tmp[static_cast<uint32_t>(done) * UNIT], src[skipped], now,
                             {1, 1, range.srcRepStride}, ReduceOrder::ORDER_VALUE_INDEX);
    }
}

// The smallest index wins among equals, the first NaN over everything.
template <ReduceType type, typename T>
inline void PickExtreme(const LocalTensor<T> &dst, const LocalTensor<T> &pairs, int32_t repeats, bool calIndex)
{
    using Index = typename std::conditional<sizeof(T) == 2, uint16_t, uint32_t>::type;
    float best = static_cast<float>(pairs(0));
    int32_t bestRepeat = 0;
    for (int32_t repeat = 1; repeat < repeats && best == best; repeat++) {
        const float value = static_cast<float>(pairs(static_cast<uint32_t>(2 * repeat)));
        if (value != value || (type == ReduceType::MAX ? value > best : value < best)) {
            best = value;
            bestRepeat = repeat;
        }
    }
    const T value = pairs(static_cast<uint32_t>(2 * bestRepeat));
    const T lane = pairs(static_cast<uint32_t>(2 * bestRepeat + 1));
    dst(0) = value;
    if (calIndex) {
        Index index;
        memcpy(&index, &lane, sizeof(index));
        index = static_cast<Index>(index + static_cast<uint32_t>(bestRepeat) * LanesOf<T, T>());
        memcpy(&dst(1), &index, sizeof(index));
    }
}

template <typename T>
inline RepeatRange TailRange(uint32_t tailLanes)
{
    RepeatRange tail{tailLanes == 0 ? 0 : 1, DEFAULT_REPEAT_STRIDE, {0, 0}};
    FirstLanes(tailLanes, tail.mask);
    return tail;
}

// whole: full repeats; tail: at most one more after them.
template <ReduceType type, typename T>
inline void ReduceExtreme(const char *api, const LocalTensor<T> &dst, const LocalTensor<T> &src,
                          const LocalTensor<T> &tmp, const RepeatRange &whole, const RepeatRange &tail, bool calIndex)
{
    const int32_t repeats = whole.repeats + tail.repeats;
    if (repeats == 0) {
        return;
    }
    CheckVectorOperand(api, "dst", dst, calIndex ? 2 * sizeof(T) : sizeof(T), sizeof(T));
    CheckVectorOperand(api, "sharedTmpBuffer", tmp, 2ULL * static_cast<uint32_t>(repeats) * sizeof(T));
    ReduceEachRepeat<type>(api, tmp, src, whole);
    const uint32_t elements = static_cast<uint32_t>(whole.repeats) * LanesOf<T, T>();
    ReduceEachRepeat<type>(api, tmp[2 * static_cast<uint32_t>(whole.repeats)], src[elements], tail);
    ASCENDC_CPU_SYNC(PipeBarrier, PIPE_V, PIPE_V, 0);
    ASCENDC_CPU_TRACE(
        PIPE_V, api, ascendc_cpu::Read(tmp, ascendc_cpu::Region{2ULL * static_cast<uint32_t>(repeats) * sizeof(T)}),
        ascendc_cpu::Aligned(ascendc_cpu::Write(dst, ascendc_cpu::Region{calIndex ? 2 * sizeof(T) : sizeof(T)}),
                             sizeof(T)));
    PickExtreme<type>(dst, tmp, repeats, calIndex);
    LeaveCountForm();
}

template <typename T>
inline void ReduceSumOf(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &tmp,
                        const RepeatRange &whole, const RepeatRange &tail)
{
    constexpr uint32_t LANES = LanesOf<T, T>();
    uint32_t left = static_cast<uint32_t>(whole.repeats + tail.repeats);
    if (left == 0) {
        return;
    }
    CheckVectorOperand("ReduceSum", "dst", dst, sizeof(T), sizeof(T));
    CheckVectorOperand("ReduceSum", "sharedTmpBuffer", tmp, static_cast<uint64_t>(left) * sizeof(T));
    ReduceEachRepeat<ReduceType::SUM>("ReduceSum", tmp, src, whole);
    ReduceEachRepeat<ReduceType::SUM>("ReduceSum", tmp[static_cast<uint32_t>(whole.repeats)],
                                      src[static_cast<uint32_t>(whole.repeats) * LANES], tail);
    while (left > 1) {
        ASCENDC_CPU_SYNC(PipeBarrier, PIPE_V, PIPE_V, 0); // as in the device's own composition
        const RepeatRange full{static_cast<int32_t>(left / LANES), DEFAULT_REPEAT_STRIDE, {FULL_MASK, FULL_MASK}};
        ReduceEachRepeat<ReduceType::SUM>("ReduceSum", tmp, tmp, full);
        ReduceEachRepeat<ReduceType::SUM>("ReduceSum", tmp[left / LANES], tmp[left / LANES * LANES],
                                          TailRange<T>(left % LANES));
        left = (left + LANES - 1) / LANES;
    }
    ASCENDC_CPU_SYNC(PipeBarrier, PIPE_V, PIPE_V, 0);
    ASCENDC_CPU_TRACE(PIPE_V, "ReduceSum", ascendc_cpu::Read(tmp, ascendc_cpu::Region{sizeof(T)}),
                      ascendc_cpu::Aligned(ascendc_cpu::Write(dst, ascendc_cpu::Region{sizeof(T)}), sizeof(T)));
    *dst.Address() = *tmp.Address();
    LeaveCountForm();
}

template <typename T>
inline RepeatRange WholeRange(uint32_t elements)
{
    return {static_cast<int32_t>(elements / LanesOf<T, T>()), DEFAULT_REPEAT_STRIDE, {FULL_MASK, FULL_MASK}};
}

inline RepeatRange MaskedRange(const char *api, const uint64_t mask[], int32_t repeatTime, int32_t srcRepStride)
{
    if (ASCENDC_CPU_UNLIKELY(repeatTime < 0)) {
        ascendc_cpu::Fail(api, "repeatTime is %d, allowed 0 or more", repeatTime);
    }
    const bool isEmpty = mask[0] == 0 && mask[1] == 0;
    return {isEmpty ? 0 : repeatTime, srcRepStride, {mask[0], mask[1]}};
}

#define ASCENDC_CPU_REDUCE_EXTREME(name, type)                                                                         \
    template <typename T>                                                                                              \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src,                                  \
                                const LocalTensor<T> &sharedTmpBuffer, const int32_t count, bool calIndex = 0)         \
    {                                                                                                                  \
        const uint32_t elements = CheckCount(#name, count);                                                            \
        ReduceExtreme<type>(#name, dst, src, sharedTmpBuffer, WholeRange<T>(elements),                                 \
                            TailRange<T>(elements % LanesOf<T, T>()), calIndex);                                       \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src,                                  \
                                const LocalTensor<T> &sharedTmpBuffer, const uint64_t mask[],                          \
                                const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = 0)               \
    {                                                                                                                  \
        ReduceExtreme<type>(#name, dst, src, sharedTmpBuffer, MaskedRange(#name, mask, repeatTime, srcRepStride),      \
                            TailRange<T>(0), calIndex);                                                                \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src,                                  \
                                const LocalTensor<T> &sharedTmpBuffer, const int32_t mask, const int32_t repeatTime,   \
                                const int32_t srcRepStride, bool calIndex = 0)                                         \
    {                                                                                                                  \
        uint64_t bits[2];                                                                                              \
        FirstLanes(CheckCount(#name, mask), bits);                                                                     \
        name(dst, src, sharedTmpBuffer, bits, repeatTime, srcRepStride, calIndex);                                     \
    }

ASCENDC_CPU_REDUCE_EXTREME(ReduceMax, ReduceType::MAX)
ASCENDC_CPU_REDUCE_EXTREME(ReduceMin, ReduceType::MIN)
#undef ASCENDC_CPU_REDUCE_EXTREME

// Sums of repeats, then sums of those, until one is left.
template <typename T, bool isSetMask = true>
__aicore__ inline void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                 const LocalTensor<T> &sharedTmpBuffer, const int32_t count)
{
    uint64_t elements = CheckCount("ReduceSum", count);
    if constexpr (!isSetMask) {
        const ascendc_cpu::StickyState &sticky = ascendc_cpu::Core().sticky;
        if (ASCENDC_CPU_UNLIKELY(!sticky.counterMode)) {
            ascendc_cpu::Fail("ReduceSum", "isSetMask = false needs counter mode (SetMaskCount)");
        }
        elements = sticky.mask[0];
        CheckVectorOperand("ReduceSum", "src", src, elements * sizeof(T));
        SetMaskNorm();
    }
    const uint32_t whole = static_cast<uint32_t>(elements);
    ReduceSumOf(dst, src, sharedTmpBuffer, WholeRange<T>(whole), TailRange<T>(whole % LanesOf<T, T>()));
}

template <typename T>
__aicore__ inline void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                 const LocalTensor<T> &sharedTmpBuffer, const uint64_t mask[], const int32_t repeatTime,
                                 const int32_t srcRepStride)
{
    ReduceSumOf(dst, src, sharedTmpBuffer, MaskedRange("ReduceSum", mask, repeatTime, srcRepStride), TailRange<T>(0));
}

template <typename T>
__aicore__ inline void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                 const LocalTensor<T> &sharedTmpBuffer, const int32_t mask, const int32_t repeatTime,
                                 const int32_t srcRepStride)
{
    uint64_t bits[2];
    FirstLanes(CheckCount("ReduceSum", mask), bits);
    ReduceSum(dst, src, sharedTmpBuffer, bits, repeatTime, srcRepStride);
}

ASCENDC_CPU_END
#endif
