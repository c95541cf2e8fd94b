// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Reductions inside a repeat: common path of WholeReduce*, BlockReduce*, PairReduceSum.
#ifndef ASCENDC_CPU_VECTOR_REDUCE_H
#define ASCENDC_CPU_VECTOR_REDUCE_H
#include "chain_vector.h"

ASCENDC_CPU_BEGIN

enum class ReduceOrder : uint8_t { ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };
enum class ReduceType { NONE = -1, SUM, MAX, MIN };

constexpr ascendc_cpu::ReduceOp ReduceOpOf(ReduceType type)
{
    return type == ReduceType::MAX   ? ascendc_cpu::ReduceOp::MAX
           : type == ReduceType::MIN ? ascendc_cpu::ReduceOp::MIN
                                     : ascendc_cpu::ReduceOp::SUM;
}

struct ReduceStrides {
    int32_t dstRepStride; // in results of one repeat
    int32_t srcBlkStride; // in blocks of 32 B
    int32_t srcRepStride;
};

// What one repeat leaves in dst.
struct ReduceResult {
    uint32_t bytes;
    uint32_t alignment;
    uint32_t unitBytes; // dstRepStride counts these
};

inline void CheckReduceFields(const char *api, int32_t repeatTime, const ReduceStrides &strides)
{
    const auto isStride = [](int32_t value) { return value >= 0 && value <= 65535; };
    if (ASCENDC_CPU_UNLIKELY(repeatTime < 0 || repeatTime > MAX_REPEAT_TIMES)) {
        ascendc_cpu::Fail(api, "repeatTime is %d, allowed 0..%d", repeatTime, MAX_REPEAT_TIMES);
    }
    if (ASCENDC_CPU_UNLIKELY(!isStride(strides.dstRepStride) || !isStride(strides.srcBlkStride) ||
                             !isStride(strides.srcRepStride))) {
        ascendc_cpu::Fail(api, "dstRepStride, srcBlkStride, srcRepStride are %d, %d, %d, allowed 0..65535",
                          strides.dstRepStride, strides.srcBlkStride, strides.srcRepStride);
    }
}

// The mask register has been written.
template <typename T>
inline void RunReduce(const char *api, ascendc_cpu::ReduceFunction reduce, const LocalTensor<T> &dst,
                      const LocalTensor<T> &src, int32_t repeatTime, const ReduceStrides &strides, ReduceOrder order,
                      const ReduceResult &result)
{
    static_assert(IsOneOf<T, half, float>(), "reductions: the element type must be half or float");
    CheckReduceFields(api, repeatTime, strides);
    VectorCall<LanesOf<T, T>()> call(static_cast<uint32_t>(repeatTime));
    if (call.isEmpty) {
        return;
    }
    call.shape.src0 = {static_cast<uint16_t>(strides.srcBlkStride), static_cast<uint16_t>(strides.srcRepStride)};
    const uint32_t dstBytes = static_cast<uint32_t>(strides.dstRepStride) * result.unitBytes;
    const uint64_t results = call.shape.repeats + (call.shape.tailLanes != 0);
    CheckVectorOperand(api, "dst", dst, (results - 1) * dstBytes + result.bytes, result.alignment);
    CheckVectorOperand(api, "src", src, call.template Extent<T>(call.shape.src0));
    ASCENDC_CPU_TRACE(
        PIPE_V, api,
        ascendc_cpu::Aligned(ascendc_cpu::Write(dst, ascendc_cpu::Region{result.bytes, {results, dstBytes}}),
                             result.alignment),
        ascendc_cpu::Read(src, ASCENDC_CPU_VECTOR_REGION(call.shape.src0, call.shape)));
    reduce(dst.Address(), src.Address(), static_cast<uint8_t>(order), dstBytes, call.shape);
}

// MAX and MIN give a value and an index as wide as the element; the index alone is always 32 bits.
template <typename T, ReduceType type>
inline ReduceResult WholeResult(ReduceOrder order)
{
    constexpr uint32_t SIZE = sizeof(T);
    if (type == ReduceType::SUM || order == ReduceOrder::ORDER_ONLY_VALUE) {
        return {SIZE, SIZE, SIZE};
    }
    return order == ReduceOrder::ORDER_ONLY_INDEX ? ReduceResult{4, 4, 4} : ReduceResult{2 * SIZE, 2 * SIZE, 2 * SIZE};
}

template <ReduceType type, typename T>
inline void RunWholeReduce(const char *api, const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t repeatTime,
                           const ReduceStrides &strides, ReduceOrder order)
{
    if (ASCENDC_CPU_UNLIKELY(order > ReduceOrder::ORDER_ONLY_INDEX)) {
        ascendc_cpu::Fail(api, "order is %u, allowed are the four values of ReduceOrder", static_cast<uint32_t>(order));
    }
    if constexpr (type == ReduceType::SUM && std::is_same<T, float>::value) {
        const bool isDense = strides.dstRepStride == 1 && strides.srcBlkStride == 1 && strides.srcRepStride == 8;
        if (isDense && SumsWait(dst, src, repeatTime)) {
            return;
        }
    }
    RunReduce(api,
              ascendc_cpu::g_isa->vector.wholeReduce[static_cast<int>(ReduceOpOf(type))][std::is_same<T, float>::value],
              dst, src, repeatTime, strides, order, WholeResult<T, type>(order));
}

// 8 values a repeat, one per block of 32 B.
template <ReduceType type, typename T>
inline void RunBlockReduce(const char *api, const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t repeatTime,
                           const ReduceStrides &strides)
{
    constexpr uint32_t BYTES = 8 * sizeof(T);
    RunReduce(api,
              ascendc_cpu::g_isa->vector.blockReduce[static_cast<int>(ReduceOpOf(type))][std::is_same<T, float>::value],
              dst, src, repeatTime, strides, ReduceOrder::ORDER_ONLY_VALUE, {BYTES, BYTES, BYTES});
}

// Sums of neighbours: half as many values as lanes.
template <typename T>
inline void RunPairReduce(const char *api, const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t repeatTime,
                          const ReduceStrides &strides)
{
    constexpr uint32_t BYTES = ONE_REPEAT_BYTE_SIZE / 2;
    RunReduce(api, ascendc_cpu::g_isa->vector.pairReduceSum[std::is_same<T, float>::value], dst, src, repeatTime,
              strides, ReduceOrder::ORDER_ONLY_VALUE, {BYTES, ONE_BLK_SIZE, BYTES});
}

// Reductions take their number of lanes as int32_t.
template <bool isSetMask>
inline void WriteReduceMask(const char *api, int32_t mask)
{
    if (isSetMask && ASCENDC_CPU_UNLIKELY(mask < 0)) {
        ascendc_cpu::Fail(api, "mask is %d, allowed 0 or more", mask);
    }
    WriteMask<isSetMask>(api, static_cast<uint64_t>(mask));
}

ASCENDC_CPU_END
#endif
