// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_TRANSPOSE_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_TRANSPOSE_INTF_H
#include "ascendc_cpu/vector_call.h"

ASCENDC_CPU_BEGIN

// A block of 16 x 16 elements, row after row.
template <typename T>
__aicore__ inline void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src)
{
    ASCENDC_CPU_REQUIRE(T, "Transpose", (half, int16_t, uint16_t));
    constexpr uint32_t BYTES = 16 * 16 * sizeof(T);
    CheckVectorOperand("Transpose", "dst", dst, BYTES);
    CheckVectorOperand("Transpose", "src", src, BYTES);
    ASCENDC_CPU_TRACE(PIPE_V, "Transpose", ascendc_cpu::Write(dst, ascendc_cpu::Region{BYTES}),
                      ascendc_cpu::Read(src, ascendc_cpu::Region{BYTES}));
    ascendc_cpu::g_isa->vector.transpose(dst.Address(), src.Address());
}

ASCENDC_CPU_END
#endif
