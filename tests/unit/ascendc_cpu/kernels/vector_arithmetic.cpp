// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Element-wise instructions of half and float.
#include "kernel_operator.h"
#include "vector_case.h"

static_assert(AscendC::DivCeil(0, 4) == 0 && AscendC::DivCeil(8, 4) == 2 && AscendC::DivCeil(9, 4) == 3,
              "DivCeil rounds a quotient up");

using T = DTYPE_X;

class VectorArithmetic : public VectorCaseBase {
public:
    __aicore__ inline void Run()
    {
        dst = Operand<T>(0);
        src0 = Operand<T>(1);
        src1 = Operand<T>(2);
        scalar = ElementOfBits<T>(c.scalar);
        switch (c.operation) {
#define CASE_BINARY(number, name)                                                                                      \
    case number:                                                                                                       \
        VECTOR_CASE_MASKED(name, (T), binary, dst, src0, src1)                                                         \
        else                                                                                                           \
        {                                                                                                              \
            name(dst, src0, src1, static_cast<int32_t>(c.count));                                                      \
        }                                                                                                              \
        break;
#define CASE_UNARY(number, name)                                                                                       \
    case number:                                                                                                       \
        VECTOR_CASE_MASKED(name, (T), unary, dst, src0)                                                                \
        else                                                                                                           \
        {                                                                                                              \
            name(dst, src0, static_cast<int32_t>(c.count));                                                            \
        }                                                                                                              \
        break;
#define CASE_SCALAR(number, name)                                                                                      \
    case number:                                                                                                       \
        VECTOR_CASE_MASKED(name, (T), unary, dst, src0, scalar)                                                        \
        else if (c.isSetMask == 0)                                                                                     \
        {                                                                                                              \
            name<T, false>(dst, src0, scalar, 1);                                                                      \
        }                                                                                                              \
        else                                                                                                           \
        {                                                                                                              \
            name(dst, src0, scalar, static_cast<int32_t>(c.count));                                                    \
        }                                                                                                              \
        break;
            CASE_BINARY(0, Add)
            CASE_BINARY(1, Sub)
            CASE_BINARY(2, Mul)
            CASE_BINARY(3, Max)
            CASE_BINARY(4, Min)
            CASE_SCALAR(5, Adds)
            CASE_SCALAR(6, Muls)
            CASE_SCALAR(7, Maxs)
            CASE_SCALAR(8, Mins)
#if ORIG_DTYPE_X == DT_FLOAT || ORIG_DTYPE_X == DT_FLOAT16
            CASE_BINARY(9, Div)
            CASE_UNARY(10, Exp)
            CASE_UNARY(11, Ln)
            CASE_UNARY(12, Abs)
            CASE_UNARY(13, Sqrt)
            CASE_UNARY(14, Rsqrt)
            CASE_UNARY(15, Reciprocal)
            CASE_SCALAR(17, LeakyRelu)
#endif
#if ORIG_DTYPE_X != DT_INT16
            CASE_UNARY(16, Relu)
#endif
        }
    }

private:
    LocalTensor<T> dst;
    LocalTensor<T> src0;
    LocalTensor<T> src1;
    T scalar;
};

VECTOR_CASE_ENTRY(vector_arithmetic, VectorArithmetic)
