// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Orders between the vector cores of two groups. y = x + 1.
#include "twin.h"

enum Scenario : uint32_t {
    SAME_BYTES,
    NO_ATOMIC,
    SKIPPED_SYNC,
    SYNC_BEFORE_STORE_ENDS,
    READ_BEFORE_WRITE,
};

// Each core stores a part of y; where wrong, the two parts have a block in common.
__aicore__ inline void SameBytes(Vectors &t, bool wrong)
{
    uint32_t from = GetBlockIdx() == 1 ? COUNT / 2 - (wrong ? 8 : 0) : 0;
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    Pass<HardEvent::V_MTE3>();
    DataCopy(t.y[from], t.b[from], GetBlockIdx() == 1 ? COUNT - from : COUNT / 2); // line: SAME_BYTES
}

// Both cores add a half to every element: in any order, but only as atomics.
__aicore__ inline void NoAtomic(Vectors &t, bool wrong)
{
    t.Load();
    Duplicate(t.b, 0.5f, COUNT);
    PipeBarrier<PIPE_ALL>();
    if (GetBlockIdx() == 0) {
        DataCopy(t.y, t.a, COUNT);
    }
    PipeBarrier<PIPE_ALL>();
    SyncAll();
    if (!wrong) {
        SetAtomicAdd<float>();
    }
    DataCopy(t.y, t.b, COUNT); // line: NO_ATOMIC
    if (!wrong) {
        SetAtomicNone();
    }
}

__aicore__ inline void SkippedSync(Vectors &t, bool wrong)
{
    if (!wrong || GetBlockIdx() == 0) {
        SyncAll(); // line: SKIPPED_SYNC
    }
    if (GetBlockIdx() == 0) {
        t.Load();
        Adds(t.b, t.a, 1.0f, COUNT);
        t.Store(t.b);
    }
}

// Core 1 brings what core 0 has stored, before or after both have met.
__aicore__ inline void SyncBeforeStoreEnds(Vectors &t, bool wrong)
{
    if (wrong) {
        SyncAll();
    }
    if (GetBlockIdx() == 0) {
        t.Load();
        Adds(t.b, t.a, 1.0f, COUNT);
        t.Store(t.b);
    }
    if (!wrong) {
        SyncAll();
    }
    if (GetBlockIdx() == 1) {
        DataCopy(t.c, t.y, COUNT);
        PipeBarrier<PIPE_ALL>();
        DataCopy(t.y, t.c, COUNT);
    }
}

// Core 1 reads y's first half, then core 0 stores it again.
__aicore__ inline void ReadBeforeWrite(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    PipeBarrier<PIPE_ALL>();
    if (GetBlockIdx() == 0) {
        DataCopy(t.y, t.b, COUNT);
    }
    PipeBarrier<PIPE_ALL>();
    SyncAll();
    if (GetBlockIdx() == 1) {
        DataCopy(t.c, t.y, COUNT);
        PipeBarrier<PIPE_ALL>();
    }
    if (!wrong) {
        SyncAll();
    }
    if (GetBlockIdx() == 0) {
        DataCopy(t.y, t.b, COUNT);
    }
}

extern "C" __global__ __aicore__ void order_cores(GM_ADDR x, GM_ADDR y, uint32_t scenario, uint32_t wrong)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    Vectors t(x, y);
    switch (scenario) {
    case SAME_BYTES:
        return SameBytes(t, wrong);
    case NO_ATOMIC:
        return NoAtomic(t, wrong);
    case SKIPPED_SYNC:
        return SkippedSync(t, wrong);
    case SYNC_BEFORE_STORE_ENDS:
        return SyncBeforeStoreEnds(t, wrong);
    case READ_BEFORE_WRITE:
        return ReadBeforeWrite(t, wrong);
    default:
        return;
    }
}
