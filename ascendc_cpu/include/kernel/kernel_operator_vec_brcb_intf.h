// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_BRCB_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_BRCB_INTF_H
#include "kernel_struct_brcb.h"
#include "ascendc_cpu/vector_call.h"

ASCENDC_CPU_BEGIN

// Each repeat takes 8 elements and fills 8 blocks of 32 B, block j with element j. src and dst must not overlap.
template <typename T>
__aicore__ inline void Brcb(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                            ascendc_cpu::FieldValue<uint8_t> repeatTime, const BrcbRepeatParams &repeatParams)
{
    ASCENDC_CPU_REQUIRE(T, "Brcb", (half, bfloat16_t, int16_t, uint16_t, float, int32_t, uint32_t));
    constexpr uint32_t ELEMENTS = 8;
    if (repeatTime == 0) {
        return;
    }
    if (ASCENDC_CPU_UNLIKELY(repeatParams.dstBlkStride == 0)) {
        ascendc_cpu::Fail("Brcb", "dstBlkStride is 0, allowed 1 or more");
    }
    const uint64_t dstBytes =
        ((repeatTime - 1ULL) * repeatParams.dstRepStride + (ELEMENTS - 1ULL) * repeatParams.dstBlkStride + 1) *
        ONE_BLK_SIZE;
    const uint64_t srcBytes = static_cast<uint64_t>(repeatTime) * ELEMENTS * sizeof(T);
    CheckVectorOperand("Brcb", "dst", dst, dstBytes);
    CheckVectorOperand("Brcb", "src", src, srcBytes);
    if (ASCENDC_CPU_UNLIKELY(dst.GetPhyAddr() == src.GetPhyAddr())) {
        ascendc_cpu::Fail("Brcb", "dst and src are the same address, %llu",
                          static_cast<unsigned long long>(dst.GetPhyAddr()));
    }
    ASCENDC_CPU_TRACE(
        PIPE_V, "Brcb",
        ascendc_cpu::Write(dst, ascendc_cpu::Region{ONE_BLK_SIZE,
                                                    {ELEMENTS, repeatParams.dstBlkStride * ONE_BLK_SIZE},
                                                    {repeatTime, repeatParams.dstRepStride * ONE_BLK_SIZE}}),
        ascendc_cpu::Read(src, ascendc_cpu::Region{srcBytes}));
    ascendc_cpu::g_isa->vector.brcb[sizeof(T) == 4](dst.Address(), src.Address(), repeatTime, repeatParams.dstBlkStride,
                                                    repeatParams.dstRepStride);
}

ASCENDC_CPU_END
#endif
