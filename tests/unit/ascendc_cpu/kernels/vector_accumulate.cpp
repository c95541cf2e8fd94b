// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// MulAddDst and Axpy: DTYPE_X is the destination, DTYPE_Y the source.
#include "kernel_operator.h"
#include "vector_case.h"

using T = DTYPE_X;
using U = DTYPE_Y;

class VectorAccumulate : public VectorCaseBase {
public:
    __aicore__ inline void Run()
    {
        const LocalTensor<T> dst = Operand<T>(0);
        const LocalTensor<U> src0 = Operand<U>(1);
        const LocalTensor<U> src1 = Operand<U>(2);
        const U scalar = ElementOfBits<U>(c.scalar);
        const int32_t count = static_cast<int32_t>(c.count);
        if (c.operation == 0) {
            VECTOR_CASE_MASKED(MulAddDst, (T, U), binary, dst, src0, src1)
            else
            {
                MulAddDst(dst, src0, src1, count);
            }
        } else {
            VECTOR_CASE_MASKED(Axpy, (T, U), unary, dst, src0, scalar)
            else
            {
                Axpy(dst, src0, scalar, count);
            }
        }
    }
};

VECTOR_CASE_ENTRY(vector_accumulate, VectorAccumulate)
