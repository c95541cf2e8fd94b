// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Compare, CompareScalar, Compares, GetCmpMask, SetCmpMask and Select.
#include "kernel_operator.h"
#include "vector_case.h"

using T = DTYPE_X;

enum SelectOperation : uint32_t {
    COMPARE,
    COMPARE_SCALAR,
    COMPARES,
    COMPARE_REGISTER, // then GetCmpMask
    SELECT_TENSOR,
    SELECT_SCALAR,
    SELECT_REGISTER // after SetCmpMask
};

class VectorSelect : public VectorCaseBase {
public:
    __aicore__ inline void Run()
    {
        src0 = Operand<T>(1);
        src1 = Operand<T>(2);
        scalar = ElementOfBits<T>(c.scalar);
        repeats = static_cast<uint8_t>(c.repeats);
        if (c.operation <= COMPARES) {
            RunCompare();
        } else {
#if ORIG_DTYPE_X != DT_INT32
            if (c.operation == COMPARE_REGISTER) {
                RunRegisterCompare();
            } else {
                RunSelect();
            }
#endif
        }
    }

private:
    __aicore__ inline void RunCompare()
    {
        const LocalTensor<uint8_t> dst = Operand<uint8_t>(0);
        const CMPMODE mode = static_cast<CMPMODE>(c.mode);
#define COMPARE_SCALAR_FORMS(name)                                                                                     \
    if (c.form == MASK_BITS) {                                                                                         \
        name(dst, src0, scalar, mode, c.mask, repeats, unary);                                                         \
    } else if (c.form == MASK_LANES) {                                                                                 \
        name(dst, src0, scalar, mode, c.mask[0], repeats, unary);                                                      \
    } else {                                                                                                           \
        name(dst, src0, scalar, mode, c.count);                                                                        \
    }
        if (c.operation == COMPARE_SCALAR) {
            COMPARE_SCALAR_FORMS(CompareScalar)
        } else if (c.operation == COMPARES) {
            COMPARE_SCALAR_FORMS(Compares)
        } else if (c.form == MASK_BITS) {
            Compare(dst, src0, src1, mode, c.mask, repeats, binary);
        } else if (c.form == MASK_LANES) {
            Compare(dst, src0, src1, mode, c.mask[0], repeats, binary);
        } else {
            Compare(dst, src0, src1, mode, c.count);
        }
    }
#if ORIG_DTYPE_X != DT_INT32
    __aicore__ inline void RunRegisterCompare()
    {
        const CMPMODE mode = static_cast<CMPMODE>(c.mode);
        if (c.form == MASK_BITS) {
            Compare(src0, src1, mode, c.mask, binary);
        } else if (c.isSetMask != 0) {
            Compare(src0, src1, mode, c.mask[0], binary);
        } else {
            Compare<T, false>(src0, src1, mode, MASK_PLACEHOLDER, binary);
        }
        PipeBarrier<PIPE_V>();
        GetCmpMask(Operand<uint8_t>(0));
    }
    __aicore__ inline void RunSelect()
    {
        const LocalTensor<T> dst = Operand<T>(0);
        const LocalTensor<uint8_t> bits = Operand<uint8_t>(3);
        const SELMODE mode = static_cast<SELMODE>(c.mode);
        if (c.operation == SELECT_REGISTER) {
            SetCmpMask(bits);
            PipeBarrier<PIPE_V>();
            Select<T, SELMODE::VSEL_CMPMASK_SPR>(dst, src0, src1, repeats, binary);
        } else if (c.operation == SELECT_SCALAR) {
            if (c.form == MASK_BITS) {
                Select(dst, bits, src0, scalar, mode, c.mask, repeats, binary);
            } else if (c.form == MASK_LANES) {
                Select(dst, bits, src0, scalar, mode, c.mask[0], repeats, binary);
            } else {
                Select(dst, bits, src0, scalar, mode, c.count);
            }
        } else if (c.form == MASK_BITS) {
            Select(dst, bits, src0, src1, mode, c.mask, repeats, binary);
        } else if (c.form == MASK_LANES) {
            Select(dst, bits, src0, src1, mode, c.mask[0], repeats, binary);
        } else {
            Select(dst, bits, src0, src1, mode, c.count);
        }
    }
#endif

    LocalTensor<T> src0;
    LocalTensor<T> src1;
    T scalar;
    uint8_t repeats;
};

VECTOR_CASE_ENTRY(vector_select, VectorSelect)
