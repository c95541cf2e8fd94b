// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Cast from DTYPE_Y to DTYPE_X.
#include "kernel_operator.h"
#include "vector_case.h"

class VectorCast : public VectorCaseBase {
public:
    __aicore__ inline void Run()
    {
        using T = DTYPE_X;
        using U = DTYPE_Y;
        const LocalTensor<T> dst = Operand<T>(0);
        const LocalTensor<U> src = Operand<U>(1);
        const RoundMode mode = static_cast<RoundMode>(c.mode);
        VECTOR_CASE_MASKED(Cast, (T, U), unary, dst, src, mode)
        else
        {
            Cast(dst, src, mode, c.count);
        }
    }
};

VECTOR_CASE_ENTRY(vector_cast, VectorCast)
