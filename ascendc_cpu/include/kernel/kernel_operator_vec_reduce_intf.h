// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Reductions of each repeat, under the names of CANN 8 and those of newer versions (ReduceRepeat, ReduceDataBlock,
// ReducePairElem). A lane outside the mask takes no part; a repeat or block without lanes leaves dst as it is.
// Sums are binary trees over neighbouring lanes, ((0+1)+(2+3))+..., in float, rounded to T once.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_REDUCE_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_REDUCE_INTF_H
#include "ascendc_cpu/vector_reduce.h"

ASCENDC_CPU_BEGIN

template <typename T, bool isSetMask = true>
__aicore__ inline void WholeReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[],
                                      const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride)
{
    WriteMask<isSetMask>(mask);
    RunWholeReduce<ReduceType::SUM>("WholeReduceSum", dst, src, repeatTime, {dstRepStride, srcBlkStride, srcRepStride},
                                    ReduceOrder::ORDER_ONLY_VALUE);
}

template <typename T, bool isSetMask = true>
__aicore__ inline void WholeReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t mask,
                                      const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride)
{
    WriteReduceMask<isSetMask>("WholeReduceSum", mask);
    RunWholeReduce<ReduceType::SUM>("WholeReduceSum", dst, src, repeatTime, {dstRepStride, srcBlkStride, srcRepStride},
                                    ReduceOrder::ORDER_ONLY_VALUE);
}

// The smallest index of several equal extremes; the first NaN if there is one. Indices count lanes of the repeat.
#define ASCENDC_CPU_WHOLE_REDUCE(name, type)                                                                           \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[],           \
                                const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,      \
                                const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX)        \
    {                                                                                                                  \
        WriteMask<isSetMask>(mask);                                                                                    \
        RunWholeReduce<type>(#name, dst, src, repeatTime, {dstRepStride, srcBlkStride, srcRepStride}, order);          \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t mask,              \
                                const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,      \
                                const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX)        \
    {                                                                                                                  \
        WriteReduceMask<isSetMask>(#name, mask);                                                                       \
        RunWholeReduce<type>(#name, dst, src, repeatTime, {dstRepStride, srcBlkStride, srcRepStride}, order);          \
    }

ASCENDC_CPU_WHOLE_REDUCE(WholeReduceMax, ReduceType::MAX)
ASCENDC_CPU_WHOLE_REDUCE(WholeReduceMin, ReduceType::MIN)
#undef ASCENDC_CPU_WHOLE_REDUCE

// Repeat before mask, unlike the reductions of a whole repeat.
#define ASCENDC_CPU_PART_REDUCE(name, run)                                                                             \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime,        \
                                const uint64_t mask[], const int32_t dstRepStride, const int32_t srcBlkStride,         \
                                const int32_t srcRepStride)                                                            \
    {                                                                                                                  \
        WriteMask<isSetMask>(mask);                                                                                    \
        run(#name, dst, src, repeatTime, {dstRepStride, srcBlkStride, srcRepStride});                                  \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime,        \
                                const int32_t mask, const int32_t dstRepStride, const int32_t srcBlkStride,            \
                                const int32_t srcRepStride)                                                            \
    {                                                                                                                  \
        WriteReduceMask<isSetMask>(#name, mask);                                                                       \
        run(#name, dst, src, repeatTime, {dstRepStride, srcBlkStride, srcRepStride});                                  \
    }

ASCENDC_CPU_PART_REDUCE(BlockReduceSum, RunBlockReduce<ReduceType::SUM>)
ASCENDC_CPU_PART_REDUCE(BlockReduceMax, RunBlockReduce<ReduceType::MAX>)
ASCENDC_CPU_PART_REDUCE(BlockReduceMin, RunBlockReduce<ReduceType::MIN>)
ASCENDC_CPU_PART_REDUCE(PairReduceSum, RunPairReduce)
#undef ASCENDC_CPU_PART_REDUCE

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
__aicore__ inline void ReduceRepeat(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint64_t mask[],
                                    const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                    const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX)
{
    static_assert(std::is_same<T, U>::value, "ReduceRepeat: dst and src must have the same element type");
    WriteMask<isSetMask>(mask);
    RunWholeReduce<reduceType>("ReduceRepeat", dst, src, repeatTime, {dstRepStride, srcBlkStride, srcRepStride}, order);
}

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
__aicore__ inline void ReduceRepeat(const LocalTensor<T> &dst, const LocalTensor<U> &src, const int32_t mask,
                                    const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                    const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX)
{
    static_assert(std::is_same<T, U>::value, "ReduceRepeat: dst and src must have the same element type");
    WriteReduceMask<isSetMask>("ReduceRepeat", mask);
    RunWholeReduce<reduceType>("ReduceRepeat", dst, src, repeatTime, {dstRepStride, srcBlkStride, srcRepStride}, order);
}

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
__aicore__ inline void ReduceDataBlock(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint64_t mask[],
                                       const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                       const int32_t srcRepStride)
{
    static_assert(std::is_same<T, U>::value, "ReduceDataBlock: dst and src must have the same element type");
    WriteMask<isSetMask>(mask);
    RunBlockReduce<reduceType>("ReduceDataBlock", dst, src, repeatTime, {dstRepStride, srcBlkStride, srcRepStride});
}

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
__aicore__ inline void ReduceDataBlock(const LocalTensor<T> &dst, const LocalTensor<U> &src, const int32_t mask,
                                       const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                       const int32_t srcRepStride)
{
    static_assert(std::is_same<T, U>::value, "ReduceDataBlock: dst and src must have the same element type");
    WriteReduceMask<isSetMask>("ReduceDataBlock", mask);
    RunBlockReduce<reduceType>("ReduceDataBlock", dst, src, repeatTime, {dstRepStride, srcBlkStride, srcRepStride});
}

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
__aicore__ inline void ReducePairElem(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint64_t mask[],
                                      const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride)
{
    static_assert(std::is_same<T, U>::value && reduceType == ReduceType::SUM,
                  "ReducePairElem: dst and src must have the same element type, reduceType must be SUM");
    WriteMask<isSetMask>(mask);
    RunPairReduce("ReducePairElem", dst, src, repeatTime, {dstRepStride, srcBlkStride, srcRepStride});
}

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
__aicore__ inline void ReducePairElem(const LocalTensor<T> &dst, const LocalTensor<U> &src, const int32_t mask,
                                      const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride)
{
    static_assert(std::is_same<T, U>::value && reduceType == ReduceType::SUM,
                  "ReducePairElem: dst and src must have the same element type, reduceType must be SUM");
    WriteReduceMask<isSetMask>("ReducePairElem", mask);
    RunPairReduce("ReducePairElem", dst, src, repeatTime, {dstRepStride, srcBlkStride, srcRepStride});
}

ASCENDC_CPU_END
#endif
