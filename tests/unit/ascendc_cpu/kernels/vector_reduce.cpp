// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Reductions of repeats and of whole tensors. blockStrides[1], repeatStrides[1] are the source's, repeatStrides[0]
// dst's.
#include "kernel_operator.h"
#include "vector_case.h"

using T = DTYPE_X;

class VectorReduce : public VectorCaseBase {
public:
    __aicore__ inline void Run()
    {
        dst = Operand<T>(0);
        src = Operand<T>(1);
        work = Operand<T>(3);
        repeats = static_cast<int32_t>(c.repeats);
        lanes = static_cast<int32_t>(c.mask[0]);
        dstStride = static_cast<int32_t>(c.repeatStrides[0]);
        blockStride = static_cast<int32_t>(c.blockStrides[1]);
        repeatStride = static_cast<int32_t>(c.repeatStrides[1]);
        order = static_cast<ReduceOrder>(c.mode);
        if (c.operation < 10) {
            RunRepeats();
        } else if (c.operation < 20) {
            RunNewNames();
        } else {
            RunWhole();
        }
    }

private:
    __aicore__ inline void RunRepeats()
    {
#define WHOLE(number, name, ...)                                                                                       \
    case number:                                                                                                       \
        if (c.form == MASK_BITS) {                                                                                     \
            name(dst, src, c.mask, repeats, dstStride, blockStride, repeatStride __VA_ARGS__);                         \
        } else if (c.isSetMask != 0) {                                                                                 \
            name(dst, src, lanes, repeats, dstStride, blockStride, repeatStride __VA_ARGS__);                          \
        } else {                                                                                                       \
            name<T, false>(dst, src, static_cast<int32_t>(MASK_PLACEHOLDER), repeats, dstStride, blockStride,          \
                           repeatStride __VA_ARGS__);                                                                  \
        }                                                                                                              \
        break;
#define PART(number, name)                                                                                             \
    case number:                                                                                                       \
        if (c.form == MASK_BITS) {                                                                                     \
            name(dst, src, repeats, c.mask, dstStride, blockStride, repeatStride);                                     \
        } else if (c.isSetMask != 0) {                                                                                 \
            name(dst, src, repeats, lanes, dstStride, blockStride, repeatStride);                                      \
        } else {                                                                                                       \
            name<T, false>(dst, src, repeats, static_cast<int32_t>(MASK_PLACEHOLDER), dstStride, blockStride,          \
                           repeatStride);                                                                              \
        }                                                                                                              \
        break;
        switch (c.operation) {
            WHOLE(0, WholeReduceSum)
            WHOLE(1, WholeReduceMax, , order)
            WHOLE(2, WholeReduceMin, , order)
            PART(3, BlockReduceSum)
            PART(4, BlockReduceMax)
            PART(5, BlockReduceMin)
            PART(6, PairReduceSum)
        }
    }
    __aicore__ inline void RunNewNames()
    {
#define NEWER(number, name, type, ...)                                                                                 \
    case number:                                                                                                       \
        if (c.form == MASK_BITS) {                                                                                     \
            name<ReduceType::type>(dst, src, c.mask, repeats, dstStride, blockStride, repeatStride __VA_ARGS__);       \
        } else {                                                                                                       \
            name<ReduceType::type>(dst, src, lanes, repeats, dstStride, blockStride, repeatStride __VA_ARGS__);        \
        }                                                                                                              \
        break;
        switch (c.operation - 10) {
            NEWER(0, ReduceRepeat, SUM, , order)
            NEWER(1, ReduceRepeat, MAX, , order)
            NEWER(2, ReduceRepeat, MIN, , order)
            NEWER(3, ReduceDataBlock, SUM)
            NEWER(4, ReduceDataBlock, MAX)
            NEWER(5, ReduceDataBlock, MIN)
            NEWER(6, ReducePairElem, SUM)
        }
    }
    __aicore__ inline void RunWhole()
    {
        const int32_t count = static_cast<int32_t>(c.count);
        const bool calIndex = c.mode != 0;
#define TENSOR(number, name, ...)                                                                                      \
    case number:                                                                                                       \
        if (c.form == MASK_BITS) {                                                                                     \
            name(dst, src, work, c.mask, repeats, repeatStride __VA_ARGS__);                                           \
        } else if (c.form == MASK_LANES) {                                                                             \
            name(dst, src, work, lanes, repeats, repeatStride __VA_ARGS__);                                            \
        } else {                                                                                                       \
            name(dst, src, work, count __VA_ARGS__);                                                                   \
        }                                                                                                              \
        break;
        switch (c.operation - 20) {
            TENSOR(0, ReduceSum)
            TENSOR(1, ReduceMax, , calIndex)
            TENSOR(2, ReduceMin, , calIndex)
        }
    }

    LocalTensor<T> dst;
    LocalTensor<T> src;
    LocalTensor<T> work;
    ReduceOrder order;
    int32_t repeats;
    int32_t lanes;
    int32_t dstStride;
    int32_t blockStride;
    int32_t repeatStride;
};

VECTOR_CASE_ENTRY(vector_reduce, VectorReduce)
