// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What a vector core reads and writes: bytes without a value, past an end, of no buffer, at a wrong address. y = x + 1.
#include "twin.h"

enum Scenario : uint32_t {
    NEVER_UB,
    NEVER_TAIL,
    NEVER_GM,
    NEVER_LANES,
    NEVER_ATOMIC,
    NEVER_RESULT,
    OUT_READ,
    OUT_WRITE,
    OUT_GM_READ,
    OUT_GM_WRITE,
    NO_BUFFER,
    NOT_INITIALISED,
    NO_TENSOR,
    MISALIGNED_READ,
    MISALIGNED_WRITE,
    MISALIGNED_LOAD,
    WRONG_MEMORY,
    OVERWRITTEN,
    SELECT_SCRATCH,
};

__aicore__ inline void NeverUb(Vectors &t, bool wrong)
{
    t.Load();
    if (!wrong) {
        Duplicate(t.b, 1.0f, COUNT);
    }
    PipeBarrier<PIPE_V>();
    Add(t.c, t.a, t.b, COUNT); // line: NEVER_UB
    t.Store(t.c);
}

__aicore__ inline void NeverTail(Vectors &t, bool wrong)
{
    DataCopy(t.a, t.x, wrong ? COUNT - 8 : COUNT);
    Pass<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, COUNT); // line: NEVER_TAIL
    t.Store(t.b);
}

__aicore__ inline void NeverGm(Vectors &t, bool wrong)
{
    if (wrong) {
        DataCopy(t.a, t.y, COUNT); // line: NEVER_GM
    } else {
        DataCopy(t.a, t.x, COUNT);
    }
    Pass<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, COUNT);
    t.Store(t.b);
}

// 40 of the 64 lanes of each repeat are written; the others keep what they had.
__aicore__ inline void NeverLanes(Vectors &t, bool wrong)
{
    t.Load();
    if (!wrong) {
        Adds(t.b, t.a, 1.0f, COUNT);
        PipeBarrier<PIPE_V>();
    }
    Adds(t.b, t.a, 1.0f, 40, COUNT / 64, {1, 1, 8, 8});
    Pass<HardEvent::V_MTE3>();
    DataCopy(t.y, t.b, COUNT); // line: NEVER_LANES
}

__aicore__ inline void NeverAtomic(Vectors &t, bool wrong)
{
    t.Load();
    Duplicate(t.b, 1.0f, COUNT);
    if (!wrong) {
        t.Store(t.b);
    }
    SetAtomicAdd<float>();
    DataCopy(t.y, t.a, COUNT); // line: NEVER_ATOMIC
    SetAtomicNone();
}

// A sum is one float of a block of 32 B.
__aicore__ inline void NeverResult(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    t.Store(t.b);
    WholeReduceSum(t.c, t.a, 1, 1, 1, 1, 8);
    PipeBarrier<PIPE_V>();
    Adds(t.c, t.c, 1.0f, 1);
    Pass<HardEvent::V_MTE3>();
    if (wrong) {
        DataCopy(t.y, t.c, 8); // line: NEVER_RESULT
    } else {
        DataCopyPad(t.y, t.c, DataCopyExtParams(1, sizeof(float), 0, 0, 0));
    }
}

__aicore__ inline void OutRead(Vectors &t, bool wrong)
{
    t.Load();
    DataCopy(t.b, t.x, COUNT);
    PipeBarrier<PIPE_ALL>();
    Adds(t.c, t.a[wrong ? 8 : 0], 1.0f, COUNT); // line: OUT_READ
    t.Store(t.c);
}

__aicore__ inline void OutWrite(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b[wrong ? 8 : 0], t.a, 1.0f, COUNT); // line: OUT_WRITE
    t.Store(wrong ? t.a : t.b);
}

__aicore__ inline void OutGmRead(Vectors &t, bool wrong)
{
    DataCopy(t.a, t.x[wrong ? 8 : 0], COUNT); // line: OUT_GM_READ
    Pass<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, COUNT);
    t.Store(t.b);
}

__aicore__ inline void OutGmWrite(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    Pass<HardEvent::V_MTE3>();
    DataCopy(t.y[wrong ? 8 : 0], t.b, COUNT); // line: OUT_GM_WRITE
}

// Bytes behind all buffers that InitBuffer has handed out.
__aicore__ inline void NoBuffer(Vectors &t, bool wrong)
{
    TBuf<TPosition::VECCALC> later;
    if (!wrong) {
        t.pipe.InitBuffer(later, BYTES);
    }
    LocalTensor<float> last = wrong ? t.d[COUNT] : later.Get<float>();
    t.Load();
    Adds(last, t.a, 1.0f, COUNT); // line: NO_BUFFER
    t.Store(wrong ? t.a : last);
}

// A TBuf that InitBuffer has not seen.
__aicore__ inline void NotInitialised(Vectors &t, bool wrong)
{
    TBuf<TPosition::VECCALC> late;
    if (!wrong) {
        t.pipe.InitBuffer(late, BYTES);
    }
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    LocalTensor<float> tensor = late.Get<float>(); // line: NOT_INITIALISED
    Adds(tensor, t.a, 1.0f, 8);                    // line: NOT_INITIALISED
    t.Store(t.b);
}

// A tensor that no buffer has given.
__aicore__ inline void NoTensor(Vectors &t, bool wrong)
{
    LocalTensor<float> tensor;
    if (!wrong) {
        tensor = t.c;
    }
    t.Load();
    Adds(tensor, t.a, 1.0f, COUNT); // line: NO_TENSOR
    t.Store(wrong ? t.a : tensor);
}

__aicore__ inline void MisalignedRead(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    PipeBarrier<PIPE_V>();
    Adds(t.c, t.a[wrong ? 4 : 8], 1.0f, COUNT / 2); // line: MISALIGNED_READ
    t.Store(t.b);
}

__aicore__ inline void MisalignedWrite(Vectors &t, bool wrong)
{
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    Adds(t.c[wrong ? 4 : 8], t.a, 1.0f, COUNT / 2); // line: MISALIGNED_WRITE
    t.Store(t.b);
}

__aicore__ inline void MisalignedLoad(Vectors &t, bool wrong)
{
    DataCopy(t.c[wrong ? 5 : 8], t.x, COUNT / 2); // line: MISALIGNED_LOAD
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    t.Store(t.b);
}

// A vector core has no L1.
__aicore__ inline void WrongMemory(Vectors &t, bool wrong)
{
    TBuf<TPosition::A1> l1;
    t.pipe.InitBuffer(l1, BYTES);
    t.Load();
    Adds(t.b, t.a, 1.0f, COUNT);
    Adds(wrong ? l1.Get<float>() : t.c, t.a, 1.0f, COUNT); // line: WRONG_MEMORY
    t.Store(t.b);
}

__aicore__ inline void Overwritten(Vectors &t, bool wrong)
{
    t.Load();
    if (!wrong) {
        Adds(t.b, t.a, 1.0f, COUNT);
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(t.a, t.x, COUNT); // line: OVERWRITTEN
    PipeBarrier<PIPE_ALL>();
    Adds(t.c, t.a, 1.0f, COUNT);
    t.Store(t.c);
}

// Select in this mode writes 8 KiB at 184 KiB.
__aicore__ inline void SelectScratch(Vectors &t, bool wrong)
{
    constexpr uint32_t scratch = 184 * 1024;
    TBuf<TPosition::VECCALC> bitsBuf;
    TBuf<TPosition::VECCALC> rest;
    t.pipe.InitBuffer(bitsBuf, 32);
    t.pipe.InitBuffer(rest, scratch - 4 * BYTES - 32 + (wrong ? 64 : 0));
    LocalTensor<uint16_t> bits = bitsBuf.Get<uint16_t>();
    t.Load();
    Duplicate(bits, (uint16_t)0xFFFF, COUNT / 16);
    Adds(t.b, t.a, 1.0f, COUNT);
    PipeBarrier<PIPE_V>();
    Select(t.c, bitsBuf.Get<uint8_t>(), t.b, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, COUNT); // line: SELECT_SCRATCH
    t.Store(t.c);
}

extern "C" __global__ __aicore__ void memory_vector(GM_ADDR x, GM_ADDR y, uint32_t scenario, uint32_t wrong)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    Vectors t(x, y);
    switch (scenario) {
    case NEVER_UB:
        return NeverUb(t, wrong);
    case NEVER_TAIL:
        return NeverTail(t, wrong);
    case NEVER_GM:
        return NeverGm(t, wrong);
    case NEVER_LANES:
        return NeverLanes(t, wrong);
    case NEVER_ATOMIC:
        return NeverAtomic(t, wrong);
    case NEVER_RESULT:
        return NeverResult(t, wrong);
    case OUT_READ:
        return OutRead(t, wrong);
    case OUT_WRITE:
        return OutWrite(t, wrong);
    case OUT_GM_READ:
        return OutGmRead(t, wrong);
    case OUT_GM_WRITE:
        return OutGmWrite(t, wrong);
    case NO_BUFFER:
        return NoBuffer(t, wrong);
    case NOT_INITIALISED:
        return NotInitialised(t, wrong);
    case NO_TENSOR:
        return NoTensor(t, wrong);
    case MISALIGNED_READ:
        return MisalignedRead(t, wrong);
    case MISALIGNED_WRITE:
        return MisalignedWrite(t, wrong);
    case MISALIGNED_LOAD:
        return MisalignedLoad(t, wrong);
    case WRONG_MEMORY:
        return WrongMemory(t, wrong);
    case OVERWRITTEN:
        return Overwritten(t, wrong);
    case SELECT_SCRATCH:
        return SelectScratch(t, wrong);
    default:
        return;
    }
}
