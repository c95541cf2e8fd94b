// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// GatherMask: the elements whose pattern bit is 1, packed into dst.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_GATHER_MASK_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_GATHER_MASK_INTF_H
#include "kernel_struct_gather.h"
#include "ascendc_cpu/vector_call.h"

ASCENDC_CPU_BEGIN

enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 = 1 };
constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::VERSION_V2;

// Fields of the call that do not depend on the kind of pattern. In counter mode (reduceMode) a repeat looks at `mask`
// elements, block after block, also beyond 256 B.
template <typename T>
inline ascendc_cpu::GatherMaskCall GatherCallOf(const LocalTensor<T> &src0, bool reduceMode, uint32_t mask,
                                                const GatherMaskParams &params)
{
    static_assert(IsOneOf<T, half, bfloat16_t, int16_t, uint16_t, float, int32_t, uint32_t>(),
                  "GatherMask: the element type must be one of half, bfloat16_t, int16_t, uint16_t, float, int32_t, "
                  "uint32_t");
    ascendc_cpu::GatherMaskCall call{};
    call.src = src0.Address();
    call.lanes = reduceMode ? mask : LanesOf<T, T>();
    call.repeats = call.lanes == 0 ? 0 : params.repeatTimes;
    call.srcStride = {params.src0BlockStride, params.src0RepeatStride};
    return call;
}

// patternRun: bytes that a repeat reads of `pattern`, 0 when the pattern is not a tensor
template <typename T, typename U>
inline uint64_t RunGatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                              [[maybe_unused]] const LocalTensor<U> &pattern, [[maybe_unused]] uint64_t patternRun,
                              ascendc_cpu::GatherMaskCall &call)
{
    if (call.repeats == 0) {
        return 0;
    }
    const uint64_t blocks = (static_cast<uint64_t>(call.lanes) * sizeof(T) + ONE_BLK_SIZE - 1) / ONE_BLK_SIZE;
    const uint64_t lastBlock = (call.repeats - 1ULL) * call.srcStride.repeat + (blocks - 1) * call.srcStride.block;
    CheckVectorOperand("GatherMask", "src0", src0, (lastBlock + 1) * ONE_BLK_SIZE);
    const auto gather = ascendc_cpu::g_isa->vector.gatherMask[sizeof(T) == 4];
    const uint64_t kept = gather(call); // dst is null: only counts
    CheckVectorOperand("GatherMask", "dst", dst, kept * sizeof(T));
    ASCENDC_CPU_TRACE(
        PIPE_V, "GatherMask", ascendc_cpu::Write(dst, ascendc_cpu::Region{kept * sizeof(T)}),
        ascendc_cpu::Read(
            src0, ascendc_cpu::Region{blocks * ONE_BLK_SIZE, {call.repeats, call.srcStride.repeat * ONE_BLK_SIZE}}),
        ascendc_cpu::Read(pattern, ascendc_cpu::Region{patternRun, {call.repeats, call.patternBytes}}));
    call.dst = dst.Address();
    gather(call);
    LeaveCountForm();
    return kept;
}

// src1Pattern: bits of the selection, consumed continuously inside a repeat, src1RepeatStride blocks from one to the
// next.
template <typename T, typename U, GatherMaskMode mode = defaultGatherMaskMode>
__aicore__ inline void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                                  const LocalTensor<U> &src1Pattern, const bool reduceMode, const uint32_t mask,
                                  const GatherMaskParams &gatherMaskParams, uint64_t &rsvdCnt)
{
    static_assert(IsOneOf<U, uint16_t, uint32_t>() && sizeof(U) == sizeof(T),
                  "GatherMask: src1Pattern must be uint16_t for 2-byte elements, uint32_t for 4-byte elements");
    ascendc_cpu::GatherMaskCall call = GatherCallOf(src0, reduceMode, mask, gatherMaskParams);
    call.pattern = reinterpret_cast<const uint8_t *>(src1Pattern.Address());
    call.patternBytes = gatherMaskParams.src1RepeatStride * ONE_BLK_SIZE;
    call.patternBits = call.lanes;
    const uint64_t patternRun = (call.lanes + 7ULL) / 8;
    if (call.repeats != 0) {
        CheckVectorOperand("GatherMask", "src1Pattern", src1Pattern,
                           (call.repeats - 1ULL) * call.patternBytes + patternRun);
    }
    rsvdCnt = RunGatherMask(dst, src0, src1Pattern, patternRun, call);
}

// src1Pattern 1, 2: even, odd lanes; 3..6: the first to fourth of every four lanes; 7: all.
template <typename T, GatherMaskMode mode = defaultGatherMaskMode>
__aicore__ inline void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const uint8_t src1Pattern,
                                  const bool reduceMode, const uint32_t mask, const GatherMaskParams &gatherMaskParams,
                                  uint64_t &rsvdCnt)
{
    static constexpr uint8_t PATTERNS[8] = {0, 0x55, 0xaa, 0x11, 0x22, 0x44, 0x88, 0xff};
    if (ASCENDC_CPU_UNLIKELY(src1Pattern < 1 || src1Pattern > 7)) {
        ascendc_cpu::Fail("GatherMask", "src1Pattern is %u, allowed 1..7", src1Pattern);
    }
    ascendc_cpu::GatherMaskCall call = GatherCallOf(src0, reduceMode, mask, gatherMaskParams);
    call.pattern = &PATTERNS[src1Pattern];
    call.patternBits = 8;
    rsvdCnt = RunGatherMask(dst, src0, src0, 0, call);
}

ASCENDC_CPU_END
#endif
