// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Logic and shifts.
#include "kernel_operator.h"
#include "vector_case.h"

using T = DTYPE_X;

class VectorBits : public VectorCaseBase {
public:
    __aicore__ inline void Run()
    {
        const LocalTensor<T> dst = Operand<T>(0);
        const LocalTensor<T> src0 = Operand<T>(1);
        const T scalar = ElementOfBits<T>(c.scalar);
        const int32_t count = static_cast<int32_t>(c.count);
        if (c.operation == 0) {
            VECTOR_CASE_MASKED(ShiftLeft, (T), unary, dst, src0, scalar)
            else
            {
                ShiftLeft(dst, src0, scalar, count);
            }
        } else if (c.operation == 1) {
            ShiftRightForms(dst, src0, scalar);
        } else {
            Logic(dst, src0);
        }
    }

private:
    __aicore__ inline void ShiftRightForms(const LocalTensor<T> &dst, const LocalTensor<T> &src0, T scalar)
    {
        const uint8_t repeats = static_cast<uint8_t>(c.repeats);
        const bool rounds = c.mode != 0;
        if (c.form == MASK_BITS) {
            ShiftRight(dst, src0, scalar, c.mask, repeats, unary, rounds);
        } else if (c.form == MASK_LANES) {
            ShiftRight(dst, src0, scalar, c.mask[0], repeats, unary, rounds);
        } else {
            ShiftRight(dst, src0, scalar, static_cast<int32_t>(c.count));
        }
    }
    __aicore__ inline void Logic(const LocalTensor<T> &dst, const LocalTensor<T> &src0)
    {
#if ORIG_DTYPE_X == DT_INT16 || ORIG_DTYPE_X == DT_UINT16
        const LocalTensor<T> src1 = Operand<T>(2);
        const int32_t count = static_cast<int32_t>(c.count);
        if (c.operation == 2) {
            VECTOR_CASE_MASKED(And, (T), binary, dst, src0, src1)
            else
            {
                And(dst, src0, src1, count);
            }
        } else if (c.operation == 3) {
            VECTOR_CASE_MASKED(Or, (T), binary, dst, src0, src1)
            else
            {
                Or(dst, src0, src1, count);
            }
        } else {
            VECTOR_CASE_MASKED(Not, (T), unary, dst, src0)
            else
            {
                Not(dst, src0, count);
            }
        }
#endif
    }
};

VECTOR_CASE_ENTRY(vector_bits, VectorBits)
