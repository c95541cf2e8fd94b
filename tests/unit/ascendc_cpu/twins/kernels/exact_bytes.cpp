// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Instructions that touch some bytes of a range and not those between: a mistake where `wrong` touches the others.
// y = x + 1.
#include "twin.h"

enum Scenario : uint32_t {
    LOADED_BLOCKS,
    LAST_REPEAT,
    STORED_ROWS,
    UNPADDED_BYTES,
    REPEATED_BLOCK,
};

constexpr uint32_t BLOCK = 8; // floats of 32 B

// Even blocks arrive with flag 0, odd ones with flag 1. V computes the even ones between the two waits.
__aicore__ inline void LoadedBlocks(Vectors &t, bool wrong)
{
    DataCopyParams everyOther(COUNT / BLOCK / 2, 1, 1, 1);
    DataCopy(t.a, t.x, everyOther);
    SetFlag<HardEvent::MTE2_V>(0);
    DataCopy(t.a[BLOCK], t.x[BLOCK], everyOther);
    SetFlag<HardEvent::MTE2_V>(1);
    UnaryRepeatParams apart(2, 2, 16, 16);
    uint32_t first = wrong ? BLOCK : 0;
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(t.b[first], t.a[first], 1.0f, 64, COUNT / 128, apart); // line: LOADED_BLOCKS
    WaitFlag<HardEvent::MTE2_V>(1);
    Adds(t.b[BLOCK - first], t.a[BLOCK - first], 1.0f, 64, COUNT / 128, apart);
    t.Store(t.b);
}

// The buffers end inside the last repeat: lanes behind the end have to be off.
__aicore__ inline void LastRepeat(Vectors &t, bool wrong)
{
    constexpr uint32_t lanes = 40;
    constexpr uint32_t most = COUNT - 64 + lanes;
    TBuf<TPosition::VECCALC> shortBuf;
    t.pipe.InitBuffer(shortBuf, most * sizeof(float));
    LocalTensor<float> part = shortBuf.Get<float>();
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    Adds(part, t.a, 1.0f, 64, COUNT / 64 - 1, {1, 1, 8, 8});
    Adds(part[COUNT - 64], t.a[COUNT - 64], 1.0f, wrong ? lanes + 8 : lanes, 1, {1, 1, 8, 8}); // line: LAST_REPEAT
    t.Store(t.b);
}

// A store of every other block leaves the blocks between to the other store.
__aicore__ inline void StoredRows(Vectors &t, bool wrong)
{
    DataCopyParams everyOther(COUNT / BLOCK / 2, 1, 1, 1);
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    PipeBarrier<PIPE_ALL>();
    DataCopy(t.y, t.b, everyOther);
    uint32_t first = wrong ? 0 : BLOCK;
    DataCopy(t.y[first], t.b[first], everyOther); // line: STORED_ROWS
}

// A store of 20 B beside another of the bytes that follow it.
__aicore__ inline void UnpaddedBytes(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    Adds(t.c, t.a, 1.0f, BLOCK);
    t.Store(t.b);
    DataCopyPad(t.d, t.x[5], DataCopyExtParams(1, 3 * sizeof(float), 0, 0, 0), DataCopyPadExtParams<float>());
    PipeBarrier<PIPE_ALL>();
    Adds(t.d, t.d, 1.0f, 3);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(t.y, t.c, DataCopyExtParams(1, 5 * sizeof(float), 0, 0, 0));
    DataCopyPad(t.y[wrong ? 4 : 5], t.d, DataCopyExtParams(1, 3 * sizeof(float), 0, 0, 0)); // line: UNPADDED_BYTES
    PipeBarrier<PIPE_ALL>();
}

// A source repeat stride of 0 reads one repeat again and again: only that one needs a value.
__aicore__ inline void RepeatedBlock(Vectors &t, bool wrong)
{
    t.Load();
    Duplicate(t.c, 1.0f, 64);
    PipeBarrier<PIPE_V>();
    uint8_t stride = wrong ? 8 : 0;
    Add(t.b, t.a, t.c, 64, COUNT / 64, {1, 1, 1, 8, 8, stride}); // line: REPEATED_BLOCK
    t.Store(t.b);
}

extern "C" __global__ __aicore__ void exact_bytes(GM_ADDR x, GM_ADDR y, uint32_t scenario, uint32_t wrong)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    Vectors t(x, y);
    switch (scenario) {
    case LOADED_BLOCKS:
        return LoadedBlocks(t, wrong);
    case LAST_REPEAT:
        return LastRepeat(t, wrong);
    case STORED_ROWS:
        return StoredRows(t, wrong);
    case UNPADDED_BYTES:
        return UnpaddedBytes(t, wrong);
    case REPEATED_BLOCK:
        return RepeatedBlock(t, wrong);
    default:
        return;
    }
}
