// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// TPipe, TBuf and TQue, good and bad, with scalar accesses only.
#include "kernel_operator.h"

using namespace AscendC;

struct QueueTiling {
    uint32_t scenario;
    uint32_t rounds;
};

constexpr uint32_t TILE_BYTES = 64;
using InputQueue = TQue<TPosition::VECIN, 2>;

// Producer runs two tensors ahead of the consumer; out gets the order in which values come back.
__aicore__ inline void RunDoubleBuffer(TPipe &pipe, __gm__ int64_t *out, uint32_t rounds)
{
    InputQueue queue;
    pipe.InitBuffer(queue, 2, TILE_BYTES);
    for (uint32_t i = 0; i < rounds + 2; i++) {
        if (i >= 2) {
            LocalTensor<int64_t> tensor = queue.DeQue<int64_t>();
            out[i - 2] = tensor.GetValue(0) * 1000 + tensor.GetValue(TILE_BYTES / 8 - 1);
            queue.FreeTensor(tensor);
        }
        if (i < rounds) {
            LocalTensor<int64_t> tensor = queue.AllocTensor<int64_t>();
            tensor.SetValue(0, i);
            tensor.SetValue(TILE_BYTES / 8 - 1, tensor.GetPhyAddr() / TILE_BYTES);
            queue.EnQue(tensor);
        }
    }
}

__aicore__ inline void RunState(TPipe &pipe, __gm__ int64_t *out)
{
    InputQueue queue;
    pipe.InitBuffer(queue, 2, 40); // rounded up to 64
    LocalTensor<float> first = queue.AllocTensor<float>();
    out[0] = first.GetSize();
    out[1] = queue.HasTensorInQue();
    queue.EnQue(first);
    out[2] = queue.GetTensorCountInQue();
    out[3] = queue.VacantInQue();
    out[4] = queue.HasIdleBuffer();
    LocalTensor<float> second = queue.AllocTensor<float>();
    out[5] = queue.HasIdleBuffer();
    queue.EnQue(second);
    out[6] = queue.VacantInQue();
    out[7] = second.GetPhyAddr() - first.GetPhyAddr();
    LocalTensor<float> again = queue.DeQue<float>();
    out[8] = again.GetPhyAddr() == first.GetPhyAddr();
    queue.FreeTensor(again);
    again = queue.DeQue<float>();
    queue.FreeTensor(again);
    queue.FreeAllEvent();
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 100);
    out[9] = buffer.Get<half>().GetSize();
    out[10] = buffer.GetWithOffset<half>(16, 32).GetPhyAddr();
    pipe.Reset();
    pipe.InitBuffer(buffer, 192 * 1024);
    out[11] = buffer.Get<float>().GetPhyAddr();
}

__aicore__ inline void RunEvents(TPipe &pipe, __gm__ int64_t *out)
{
    out[0] = pipe.AllocEventID<HardEvent::MTE2_V>();
    out[1] = pipe.FetchEventID<HardEvent::MTE2_V>();
    out[2] = pipe.FetchEventID(HardEvent::MTE2_V);
    out[3] = pipe.AllocEventID<HardEvent::MTE2_V>();
    pipe.ReleaseEventID<HardEvent::MTE2_V>(0);
    out[4] = pipe.AllocEventID<HardEvent::MTE2_V>();
    out[5] = pipe.AllocEventID<HardEvent::V_MTE2>();
    out[6] = GetTPipePtr() == &pipe;
    for (int i = 0; i < 9; i++) {
        pipe.AllocEventID<HardEvent::V_S>();
    }
}

__aicore__ inline void RunBad(TPipe &pipe, uint32_t scenario)
{
    InputQueue queue;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(queue, 2, TILE_BYTES);
    LocalTensor<float> tensor = queue.AllocTensor<float>();
    switch (scenario) {
    case 10:
        pipe.InitBuffer(buffer, 192 * 1024 - 2 * TILE_BYTES + 1);
        return;
    case 11:
        queue.AllocTensor<float>();
        queue.AllocTensor<float>();
        return;
    case 12:
        queue.DeQue<float>();
        return;
    case 13:
        queue.FreeTensor(tensor);
        queue.FreeTensor(tensor);
        return;
    case 14: {
        TQue<TPosition::VECOUT, 1> shallow;
        pipe.InitBuffer(shallow, 2, TILE_BYTES);
        shallow.EnQue(shallow.AllocTensor<float>());
        shallow.EnQue(shallow.AllocTensor<float>());
        return;
    }
    case 15:
        for (int i = 0; i < 63; i++) {
            pipe.InitBuffer(buffer, 32);
        }
        return;
    case 16:
        pipe.InitBuffer(buffer, 64);
        buffer.GetWithOffset<float>(9, 32);
        return;
    case 17:
        pipe.InitBuffer(buffer, 64);
        buffer.GetWithOffset<float>(1, 4);
        return;
    case 18:
        pipe.InitBuffer(buffer, 0);
        return;
    case 19:
        pipe.InitBuffer(buffer, 192 * 1024 - 2 * TILE_BYTES);
        buffer.Get<float>().SetValue(48 * 1024 - 2 * TILE_BYTES / 4, 1.0f);
        return;
    default:
        queue.EnQue(tensor);
        queue.FreeTensor(tensor);
    }
}

extern "C" __global__ __aicore__ void queue_scenarios(GM_ADDR out, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(QueueTiling);
    GET_TILING_DATA(data, tiling);
    TPipe pipe;
    auto *values = reinterpret_cast<__gm__ int64_t *>(out);
    switch (data.scenario) {
    case 0:
        return RunDoubleBuffer(pipe, values, data.rounds);
    case 1:
        return RunState(pipe, values);
    case 2:
        return RunEvents(pipe, values);
    default:
        return RunBad(pipe, data.scenario);
    }
}
