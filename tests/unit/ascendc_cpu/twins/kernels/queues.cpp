// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Queue buffers used out of turn. y = x + 1, x arriving through a queue.
#include "twin.h"

enum Scenario : uint32_t {
    FREED_READ,
    FREED_WRITE,
    NEVER_ALLOCATED,
    WHILE_ENQUEUED,
    FREED_TWICE,
    OTHER_QUEUE,
    FREED_WHILE_ENQUEUED,
    ENQUEUED_TWICE,
    LEAKED,
};

struct Queues : Vectors {
    TQue<TPosition::VECIN, 1> in, spare;
    TQue<TPosition::VECOUT, 1> out;

    __aicore__ inline Queues(GM_ADDR x, GM_ADDR y) : Vectors(x, y)
    {
        pipe.InitBuffer(in, 1, BYTES);
        pipe.InitBuffer(spare, 1, BYTES);
        pipe.InitBuffer(out, 1, BYTES);
    }

    // x in a tensor of `in`, enqueued
    __aicore__ inline LocalTensor<float> Enqueue()
    {
        LocalTensor<float> tensor = in.AllocTensor<float>();
        DataCopy(tensor, x, COUNT);
        in.EnQue(tensor);
        return tensor;
    }
};

__aicore__ inline void FreedRead(Queues &t, bool wrong)
{
    t.Enqueue();
    LocalTensor<float> tensor = t.in.DeQue<float>();
    if (wrong) {
        t.in.FreeTensor(tensor);
    }
    Adds(t.b, tensor, 1.0f, COUNT); // line: FREED_READ
    if (!wrong) {
        t.in.FreeTensor(tensor);
    }
    t.Store(t.b);
}

__aicore__ inline void FreedWrite(Queues &t, bool wrong)
{
    t.Load();
    LocalTensor<float> tensor = t.out.AllocTensor<float>();
    Adds(tensor, t.a, 1.0f, COUNT);
    t.out.EnQue(tensor);
    tensor = t.out.DeQue<float>();
    DataCopy(t.y, tensor, COUNT);
    PipeBarrier<PIPE_ALL>();
    if (wrong) {
        t.out.FreeTensor(tensor);
    }
    Duplicate(tensor, 0.0f, COUNT); // line: FREED_WRITE
    if (!wrong) {
        t.out.FreeTensor(tensor);
    }
}

// The buffer of a queue is the tensor's only between AllocTensor and FreeTensor.
__aicore__ inline void NeverAllocated(Queues &t, bool wrong)
{
    LocalTensor<float> tensor = t.d[COUNT]; // the bytes of `in`
    if (!wrong) {
        tensor = t.in.AllocTensor<float>();
    }
    t.Load();
    Adds(tensor, t.a, 1.0f, COUNT); // line: NEVER_ALLOCATED
    t.Store(wrong ? t.a : tensor);
    if (!wrong) {
        t.in.FreeTensor(tensor);
    }
}

__aicore__ inline void WhileEnqueued(Queues &t, bool wrong)
{
    LocalTensor<float> tensor = t.Enqueue();
    PipeBarrier<PIPE_ALL>();
    if (!wrong) {
        tensor = t.in.DeQue<float>();
    }
    Adds(t.b, tensor, 1.0f, COUNT); // line: WHILE_ENQUEUED
    if (wrong) {
        tensor = t.in.DeQue<float>();
    }
    t.in.FreeTensor(tensor);
    t.Store(t.b);
}

__aicore__ inline void FreedTwice(Queues &t, bool wrong)
{
    t.Enqueue();
    LocalTensor<float> tensor = t.in.DeQue<float>();
    Adds(t.b, tensor, 1.0f, COUNT);
    t.in.FreeTensor(tensor);
    if (wrong) {
        t.in.FreeTensor(tensor); // line: FREED_TWICE
    }
    t.Store(t.b);
}

__aicore__ inline void OtherQueue(Queues &t, bool wrong)
{
    t.Enqueue();
    LocalTensor<float> tensor = t.in.DeQue<float>();
    Adds(t.b, tensor, 1.0f, COUNT);
    if (wrong) {
        t.spare.FreeTensor(tensor); // line: OTHER_QUEUE
    } else {
        t.in.FreeTensor(tensor);
    }
    t.Store(t.b);
}

__aicore__ inline void FreedWhileEnqueued(Queues &t, bool wrong)
{
    LocalTensor<float> tensor = t.Enqueue();
    if (!wrong) {
        tensor = t.in.DeQue<float>();
        Adds(t.b, tensor, 1.0f, COUNT);
    }
    t.in.FreeTensor(tensor); // line: FREED_WHILE_ENQUEUED
    t.Store(wrong ? t.a : t.b);
}

__aicore__ inline void EnqueuedTwice(Queues &t, bool wrong)
{
    LocalTensor<float> tensor = t.Enqueue();
    if (wrong) {
        t.in.EnQue(tensor); // line: ENQUEUED_TWICE
    }
    tensor = t.in.DeQue<float>();
    Adds(t.b, tensor, 1.0f, COUNT);
    t.in.FreeTensor(tensor);
    t.Store(t.b);
}

__aicore__ inline void Leaked(Queues &t, bool wrong)
{
    t.Enqueue();
    LocalTensor<float> tensor = t.in.DeQue<float>();
    Adds(t.b, tensor, 1.0f, COUNT);
    if (!wrong) {
        t.in.FreeTensor(tensor);
    }
    t.Store(t.b);
}

extern "C" __global__ __aicore__ void queues(GM_ADDR x, GM_ADDR y, uint32_t scenario, uint32_t wrong)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    Queues t(x, y);
    switch (scenario) {
    case FREED_READ:
        return FreedRead(t, wrong);
    case FREED_WRITE:
        return FreedWrite(t, wrong);
    case NEVER_ALLOCATED:
        return NeverAllocated(t, wrong);
    case WHILE_ENQUEUED:
        return WhileEnqueued(t, wrong);
    case FREED_TWICE:
        return FreedTwice(t, wrong);
    case OTHER_QUEUE:
        return OtherQueue(t, wrong);
    case FREED_WHILE_ENQUEUED:
        return FreedWhileEnqueued(t, wrong);
    case ENQUEUED_TWICE:
        return EnqueuedTwice(t, wrong);
    case LEAKED:
        return Leaked(t, wrong);
    default:
        return;
    }
}
