// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Duplicate, Copy, Brcb, CreateVecIndex, GatherMask.
#include "kernel_operator.h"
#include "vector_case.h"

using T = DTYPE_X;

class VectorMove : public VectorCaseBase {
public:
    __aicore__ inline void Run()
    {
        dst = Operand<T>(0);
        src = Operand<T>(1);
        scalar = ElementOfBits<T>(c.scalar);
        repeats = static_cast<uint8_t>(c.repeats);
        if (c.operation == 0) {
            RunDuplicate();
        } else if (c.operation == 1) {
            const CopyRepeatParams params(c.blockStrides[0], c.blockStrides[1], c.repeatStrides[0], c.repeatStrides[1]);
            VECTOR_CASE_MASKED(Copy, (T), params, dst, src)
        } else if (c.operation == 2) {
            Brcb(dst, src, repeats, BrcbRepeatParams(c.blockStrides[0], c.repeatStrides[0]));
        } else if (c.operation == 3) {
            RunIndex();
        } else {
            RunGather();
        }
    }

private:
    __aicore__ inline void RunDuplicate()
    {
        const uint16_t blockStride = static_cast<uint16_t>(c.blockStrides[0]);
        const uint8_t repeatStride = static_cast<uint8_t>(c.repeatStrides[0]);
        if (c.form == MASK_BITS) {
            Duplicate(dst, scalar, c.mask, repeats, blockStride, repeatStride);
        } else if (c.form == MASK_LANES && c.isSetMask != 0) {
            Duplicate(dst, scalar, c.mask[0], repeats, blockStride, repeatStride);
        } else if (c.form == MASK_LANES) {
            Duplicate<T, false>(dst, scalar, MASK_PLACEHOLDER, repeats, blockStride, repeatStride);
        } else {
            Duplicate(dst, scalar, static_cast<int32_t>(c.count));
        }
    }
    __aicore__ inline void RunIndex()
    {
#if ORIG_DTYPE_X == DT_FLOAT || ORIG_DTYPE_X == DT_FLOAT16 || ORIG_DTYPE_X == DT_INT16 || ORIG_DTYPE_X == DT_INT32
        const uint16_t blockStride = static_cast<uint16_t>(c.blockStrides[0]);
        const uint8_t repeatStride = static_cast<uint8_t>(c.repeatStrides[0]);
        if (c.form == MASK_BITS) {
            CreateVecIndex(dst, scalar, c.mask, repeats, blockStride, repeatStride);
        } else if (c.form == MASK_LANES) {
            CreateVecIndex(dst, scalar, c.mask[0], repeats, blockStride, repeatStride);
        } else {
            CreateVecIndex(dst, scalar, c.count);
        }
#endif
    }
    // mode: the built-in pattern, or 0 for the tensor at offset 2. The number of kept elements goes to offset 3.
    __aicore__ inline void RunGather()
    {
        using Pattern = typename std::conditional<sizeof(T) == 2, uint16_t, uint32_t>::type;
        const GatherMaskParams params(static_cast<uint8_t>(c.blockStrides[1]), static_cast<uint16_t>(c.repeats),
                                      static_cast<uint16_t>(c.repeatStrides[1]),
                                      static_cast<uint8_t>(c.repeatStrides[2]));
        uint64_t kept = 0;
        const bool counts = c.count != 0;
        if (c.mode == 0) {
            GatherMask(dst, src, Operand<Pattern>(2), counts, c.count, params, kept);
        } else {
            GatherMask(dst, src, static_cast<uint8_t>(c.mode), counts, c.count, params, kept);
        }
        Operand<uint64_t>(3).SetValue(0, kept);
    }

    LocalTensor<T> dst;
    LocalTensor<T> src;
    T scalar;
    uint8_t repeats;
};

VECTOR_CASE_ENTRY(vector_move, VectorMove)
