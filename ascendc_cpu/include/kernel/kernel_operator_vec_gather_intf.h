// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Gather and Gatherb: elements, or blocks of 32 B, from where a tensor of byte offsets says.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_GATHER_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_GATHER_INTF_H
#include "kernel_struct_gather.h"
#include "ascendc_cpu/vector_call.h"

ASCENDC_CPU_BEGIN

// Units of `unit` bytes. visit(each) calls each(byte in dst, number of the offset) for all of them in order.
template <typename T, typename Visit>
inline void GatherUnits(const char *api, const LocalTensor<T> &dst, const LocalTensor<T> &src,
                        const LocalTensor<uint32_t> &offsets, uint32_t base, uint32_t unit, const Visit &visit)
{
    CheckVectorOperand(api, "src", src, 0);
    if (ASCENDC_CPU_UNLIKELY(dst.GetPhyAddr() == src.GetPhyAddr())) {
        ascendc_cpu::Fail(api, "src and dst are one tensor");
    }
    const auto sourceOf = [&](uint32_t number) {
        const uint64_t from = static_cast<uint64_t>(base) + offsets.Address()[number];
        if (ASCENDC_CPU_UNLIKELY(from % unit != 0 || from + unit > src.Room())) {
            ascendc_cpu::Fail(api, "offset %u leads to byte %llu of src, allowed are multiples of %u inside UB (%u)",
                              number, static_cast<unsigned long long>(from), unit, src.Room());
        }
        return from;
    };
    ascendc_cpu::AccessList accesses;
    visit([&](uint64_t, uint32_t number) {
        accesses.AddRead(src, sourceOf(number), unit);
        accesses.AddRead(offsets, number * sizeof(uint32_t), sizeof(uint32_t));
    });
    visit([&](uint64_t to, uint32_t) { accesses.AddWrite(dst, to, unit); });
    ASCENDC_CPU_TRACE_LIST(PIPE_V, api, accesses);
    visit([&](uint64_t to, uint32_t number) { // results may fall on offsets
        memcpy(reinterpret_cast<uint8_t *>(dst.Address()) + to,
               reinterpret_cast<const uint8_t *>(src.Address()) + sourceOf(number), unit);
    });
}

template <typename T>
using GatherCall = VectorCall<LanesOf<T, T>()>;

// Of each repeat the active lanes; every lane has an offset, active or not.
template <typename T>
inline void RunGather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &offsets,
                      uint32_t base, const GatherCall<T> &call, uint16_t dstRepeatStride)
{
    ASCENDC_CPU_REQUIRE(T, "Gather", (half, bfloat16_t, int16_t, uint16_t, float, int32_t, uint32_t));
    constexpr uint32_t LANES = LanesOf<T, T>();
    constexpr uint16_t OFFSET_BLOCKS = LANES * sizeof(uint32_t) / ONE_BLK_SIZE;
    if (call.isEmpty) {
        return;
    }
    const ascendc_cpu::VectorShape &shape = call.shape;
    CheckVectorOperand("Gather", "dst", dst, call.template Extent<T>({1, dstRepeatStride}));
    CheckVectorOperand("Gather", "srcOffset", offsets, call.template Extent<uint32_t>({1, OFFSET_BLOCKS}));
    GatherUnits("Gather", dst, src, offsets, base, sizeof(T), [&](const auto &each) {
        for (uint32_t repeat = 0; repeat < shape.repeats + (shape.tailLanes != 0); repeat++) {
            const uint32_t lanes = repeat == shape.repeats ? shape.tailLanes : LANES;
            for (uint32_t lane = 0; lane < lanes; lane++) {
                if (repeat == shape.repeats || (shape.mask[lane / 64] >> lane % 64 & 1) != 0) {
                    each(static_cast<uint64_t>(repeat) * dstRepeatStride * ONE_BLK_SIZE + lane * sizeof(T),
                         repeat * LANES + lane);
                }
            }
        }
    });
}

// dst[i] = the element at byte srcBaseAddr + srcOffset[i] of src.
template <typename T>
__aicore__ inline void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                              const LocalTensor<uint32_t> &srcOffset, const uint32_t srcBaseAddr, const uint32_t count)
{
    RunGather(dst, src, srcOffset, srcBaseAddr, GatherCall<T>::ForElements(count), DEFAULT_REPEAT_STRIDE);
    LeaveCountForm();
}

template <typename T>
__aicore__ inline void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                              const LocalTensor<uint32_t> &srcOffset, const uint32_t srcBaseAddr, const uint64_t mask[],
                              ascendc_cpu::FieldValue<uint8_t> repeatTime,
                              ascendc_cpu::FieldValue<uint16_t> dstRepStride)
{
    WriteMask<true>(mask);
    RunGather(dst, src, srcOffset, srcBaseAddr, GatherCall<T>(repeatTime), dstRepStride);
}

template <typename T>
__aicore__ inline void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                              const LocalTensor<uint32_t> &srcOffset, const uint32_t srcBaseAddr, const uint64_t mask,
                              ascendc_cpu::FieldValue<uint8_t> repeatTime,
                              ascendc_cpu::FieldValue<uint16_t> dstRepStride)
{
    WriteMask<true>("Gather", mask);
    RunGather(dst, src, srcOffset, srcBaseAddr, GatherCall<T>(repeatTime), dstRepStride);
}

// Blocks of 32 B, eight a repeat, from byte offset[i] of src. A block stride of 0 is 1.
template <typename T>
__aicore__ inline void Gatherb(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                               const LocalTensor<uint32_t> &offset, ascendc_cpu::FieldValue<uint8_t> repeatTime,
                               const GatherRepeatParams &repeatParams)
{
    ASCENDC_CPU_REQUIRE(T, "Gatherb", (uint16_t, uint32_t));
    constexpr uint32_t BLOCKS = ONE_REPEAT_BYTE_SIZE / ONE_BLK_SIZE;
    if (repeatTime == 0) {
        return;
    }
    const uint64_t block = (repeatParams.dstBlkStride == 0 ? 1ULL : repeatParams.dstBlkStride) * ONE_BLK_SIZE;
    const uint64_t stride = static_cast<uint64_t>(repeatParams.dstRepStride) * ONE_BLK_SIZE;
    CheckVectorOperand("Gatherb", "dst", dst, (repeatTime - 1) * stride + (BLOCKS - 1) * block + ONE_BLK_SIZE);
    CheckVectorOperand("Gatherb", "offset", offset, repeatTime * BLOCKS * sizeof(uint32_t));
    GatherUnits("Gatherb", dst, src, offset, 0, ONE_BLK_SIZE, [&](const auto &each) {
        for (uint32_t number = 0; number < repeatTime * BLOCKS; number++) {
            each(number / BLOCKS * stride + number % BLOCKS * block, number);
        }
    });
}

ASCENDC_CPU_END
#endif
