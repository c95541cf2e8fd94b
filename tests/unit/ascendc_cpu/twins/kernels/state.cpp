// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Flags, registers, parameter fields, cache lines and arguments of a vector core. y = x + 1.
#include "twin.h"

enum Scenario : uint32_t {
    WAIT_UNSET,
    SET_LEFT,
    SET_TWICE,
    ATOMIC_LEFT,
    COUNTER_LEFT,
    FIELD_CAST,
    FIELD_CAST_OLD_STYLE,
    FIELD_CONVERTED,
    REPEAT_TOO_SMALL,
    SHARED_LINE,
    NOT_CLEANED,
    STALE_LINE,
    PART_OF_BLOCK,
    PAD_LENGTH,
    PAD_LEFT,
    CAST_MODE,
    COMPARE_COUNT,
    DST_BLOCK_STRIDE,
    OVERLAP,
    OVERLAP_NEXT,
};

__aicore__ inline void WaitUnset(Vectors &t, bool wrong)
{
    t.Load();
    if (!wrong) {
        SetFlag<HardEvent::MTE2_V>(5);
    }
    WaitFlag<HardEvent::MTE2_V>(5); // line: WAIT_UNSET
    Adds(t.b, t.a, 1.0f, COUNT);
    t.Store(t.b);
}

__aicore__ inline void SetLeft(Vectors &t, bool wrong)
{
    t.Load();
    SetFlag<HardEvent::MTE2_V>(5); // line: SET_LEFT
    if (!wrong) {
        WaitFlag<HardEvent::MTE2_V>(5);
    }
    Adds(t.b, t.a, 1.0f, COUNT);
    t.Store(t.b);
}

__aicore__ inline void SetTwice(Vectors &t, bool wrong)
{
    int32_t second = wrong ? 2 : 3;
    DataCopy(t.a, t.x, COUNT / 2);
    SetFlag<HardEvent::MTE2_V>(2);
    DataCopy(t.a[COUNT / 2], t.x[COUNT / 2], COUNT / 2);
    SetFlag<HardEvent::MTE2_V>(second); // line: SET_TWICE
    WaitFlag<HardEvent::MTE2_V>(2);
    WaitFlag<HardEvent::MTE2_V>(second);
    Adds(t.b, t.a, 1.0f, COUNT);
    t.Store(t.b);
}

__aicore__ inline void AtomicLeft(Vectors &t, bool wrong)
{
    t.Load();
    Duplicate(t.b, 1.0f, COUNT);
    t.Store(t.b);
    SetAtomicAdd<float>();
    DataCopy(t.y, t.a, COUNT);
    if (!wrong) {
        SetAtomicNone();
    }
}

__aicore__ inline void CounterLeft(Vectors &t, bool wrong)
{
    t.Load();
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(0, COUNT);
    Adds<float, false>(t.b, t.a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    if (!wrong) {
        SetMaskNorm();
        ResetMask();
    }
    t.Store(t.b);
}

// 65536 + 32 blocks in a 16 bit length are 32: the right number of blocks, from a wrong number.
template <typename MAKE>
__aicore__ inline void FieldTooSmall(Vectors &t, bool wrong, MAKE make)
{
    DataCopy(t.a, t.x, make(COUNT / 8 + (wrong ? 65536u : 0u)));
    Pass<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, COUNT);
    t.Store(t.b);
}

__aicore__ inline DataCopyParams Converted(uint32_t blocks)
{
    DataCopyParams rows;
    rows.blockLen = blocks; // line: FIELD_CONVERTED
    return rows;
}

__aicore__ inline DataCopyParams CastOldStyle(uint32_t blocks)
{
    return DataCopyParams(1, (uint16_t)blocks, 0, 0); // line: FIELD_CAST_OLD_STYLE
}

__aicore__ inline DataCopyParams CastNewStyle(uint32_t blocks)
{
    return DataCopyParams(1, static_cast<uint16_t>(blocks), 0, 0); // line: FIELD_CAST
}

__aicore__ inline void RepeatTooSmall(Vectors &t, bool wrong)
{
    uint32_t repeats = COUNT / 64 + (wrong ? 256 : 0);
    t.Load();
    Adds(t.b, t.a, 1.0f, 64, static_cast<uint8_t>(repeats), {1, 1, 8, 8}); // line: REPEAT_TOO_SMALL
    t.Store(t.b);
}

// Each of two cores stores a part of y; where wrong, the border is inside a line.
__aicore__ inline void SharedLine(Vectors &t, bool wrong)
{
    constexpr uint32_t half = COUNT / 2;
    uint32_t border = half - (wrong ? 4 : 0);
    bool second = GetBlockIdx() == 1;
    for (uint32_t i = second ? border : 0; i < (second ? COUNT : border); ++i) {
        t.y.SetValue(i, t.x.GetValue(i) + 1.0f); // line: SHARED_LINE
    }
    DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(t.y);
    PipeBarrier<PIPE_ALL>();
}

__aicore__ inline void NotCleaned(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    PipeBarrier<PIPE_ALL>();
    for (uint32_t i = 0; i < 8; ++i) {
        t.y.SetValue(i, t.x.GetValue(i));
    }
    if (!wrong) {
        DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(t.y);
    }
    Pass<HardEvent::S_MTE2>();
    DataCopy(t.c, t.y, 8); // line: NOT_CLEANED
    PipeBarrier<PIPE_ALL>();
    Adds(t.b, t.c, 1.0f, 8);
    t.Store(t.b);
}

// A scalar read brings a line of y into the cache; a store by DMA does not change it there.
__aicore__ inline void StaleLine(Vectors &t, bool wrong)
{
    t.Load();
    t.Store(t.a);
    float before = t.y.GetValue(0);
    Adds(t.b, t.a, 1.0f, COUNT);
    t.Store(t.b);
    if (!wrong) {
        DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(t.y);
    }
    float after = t.y.GetValue(0); // line: STALE_LINE
    t.c.SetValue(0, before + after);
}

__aicore__ inline void PartOfBlock(Vectors &t, bool wrong)
{
    t.Load();
    PipeBarrier<PIPE_ALL>();
    DataCopy(t.c, t.x, wrong ? COUNT - 3 : COUNT); // line: PART_OF_BLOCK
    Adds(t.b, t.a, 1.0f, COUNT);
    t.Store(t.b);
}

// The length of a block is in bytes, a multiple of the element's.
__aicore__ inline void PadLength(Vectors &t, bool wrong)
{
    DataCopyExtParams part(1, wrong ? 22 : 20, 0, 0, 0);
    DataCopyPad(t.c, t.x, part, DataCopyPadExtParams<float>(false, 0, 0, 0.0f)); // line: PAD_LENGTH
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    t.Store(t.b);
}

// Paddings are at most 32 B.
__aicore__ inline void PadLeft(Vectors &t, bool wrong)
{
    DataCopyExtParams part(1, 20, 0, 0, 0);
    DataCopyPad(t.c, t.x, part, DataCopyPadExtParams<float>(true, wrong ? 9 : 3, 0, 0.0f)); // line: PAD_LEFT
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    t.Store(t.b);
}

// float to bfloat16_t has no rounding mode of its own.
__aicore__ inline void CastMode(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    Cast(t.cBuf.Get<bfloat16_t>(), t.a, wrong ? RoundMode::CAST_NONE : RoundMode::CAST_RINT, COUNT); // line: CAST_MODE
    t.Store(t.b);
}

// The count form of Compare takes whole repeats of 256 B.
__aicore__ inline void CompareCount(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    PipeBarrier<PIPE_V>();
    LocalTensor<uint8_t> bits = t.cBuf.Get<uint8_t>();
    Compare(bits, t.a, t.b, CMPMODE::LT, wrong ? 72 : 64); // line: COMPARE_COUNT
    t.Store(t.b);
}

// Eight blocks of a repeat written to one place.
__aicore__ inline void DstBlockStride(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    UnaryRepeatParams strides(wrong ? 0 : 1, 1, 8, 8);
    Adds(t.c, t.a, 1.0f, 64, 1, strides); // line: DST_BLOCK_STRIDE
    t.Store(t.b);
}

// Source and destination of a repeat are the same bytes or have none in common.
__aicore__ inline void Overlap(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    PipeBarrier<PIPE_V>();
    Adds(t.a[wrong ? 8 : 0], t.a, 1.0f, 64, 1, {1, 1, 8, 8}); // line: OVERLAP
    t.Store(t.b);
}

// What repeat 0 writes is what repeat 1 reads.
__aicore__ inline void OverlapNext(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    PipeBarrier<PIPE_V>();
    Adds(t.a[wrong ? 64 : 128], t.a, 1.0f, 64, 2, {1, 1, 8, 8}); // line: OVERLAP_NEXT
    t.Store(t.b);
}

extern "C" __global__ __aicore__ void state(GM_ADDR x, GM_ADDR y, uint32_t scenario, uint32_t wrong)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    Vectors t(x, y);
    switch (scenario) {
    case WAIT_UNSET:
        return WaitUnset(t, wrong);
    case SET_LEFT:
        return SetLeft(t, wrong);
    case SET_TWICE:
        return SetTwice(t, wrong);
    case ATOMIC_LEFT:
        return AtomicLeft(t, wrong);
    case COUNTER_LEFT:
        return CounterLeft(t, wrong);
    case FIELD_CAST:
        return FieldTooSmall(t, wrong, CastNewStyle);
    case FIELD_CAST_OLD_STYLE:
        return FieldTooSmall(t, wrong, CastOldStyle);
    case FIELD_CONVERTED:
        return FieldTooSmall(t, wrong, Converted);
    case REPEAT_TOO_SMALL:
        return RepeatTooSmall(t, wrong);
    case SHARED_LINE:
        return SharedLine(t, wrong);
    case NOT_CLEANED:
        return NotCleaned(t, wrong);
    case STALE_LINE:
        return StaleLine(t, wrong);
    case PART_OF_BLOCK:
        return PartOfBlock(t, wrong);
    case PAD_LENGTH:
        return PadLength(t, wrong);
    case PAD_LEFT:
        return PadLeft(t, wrong);
    case CAST_MODE:
        return CastMode(t, wrong);
    case COMPARE_COUNT:
        return CompareCount(t, wrong);
    case DST_BLOCK_STRIDE:
        return DstBlockStride(t, wrong);
    case OVERLAP:
        return Overlap(t, wrong);
    case OVERLAP_NEXT:
        return OverlapNext(t, wrong);
    default:
        return;
    }
}
