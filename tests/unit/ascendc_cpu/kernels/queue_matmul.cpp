// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// c = a b^T of one 32 x 32 x 32 tile, every hand-over through a queue of the cube side; then a copy through one queue
// that binds VECIN to VECOUT. Also the event ids that TPipe keeps for itself on an AIC.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t SIZE = 32;
constexpr uint16_t C0 = 16;

class QueueMatmul {
public:
    __aicore__ inline void Run(__gm__ half *a, __gm__ half *b, __gm__ float *c)
    {
        pipe.InitBuffer(queueA1, 1, SIZE * SIZE * sizeof(half));
        pipe.InitBuffer(queueB1, 2, SIZE * SIZE * sizeof(half));
        pipe.InitBuffer(queueA2, 1, SIZE * SIZE * sizeof(half));
        pipe.InitBuffer(queueB2, 1, SIZE * SIZE * sizeof(half));
        pipe.InitBuffer(queueC, 1, SIZE * SIZE * sizeof(float));
        Load(queueA1, a);
        Load(queueB1, b);
        SplitA();
        SplitB();
        Multiply();
        Store(c);
    }
    __aicore__ inline void ReportIds(__gm__ int32_t *ids)
    {
        ids[0] = pipe.AllocEventID<HardEvent::M_MTE1>();
        pipe.ReleaseEventID<HardEvent::M_MTE1>(static_cast<TEventID>(ids[0]));
        ids[1] = pipe.FetchEventID<HardEvent::MTE1_M>();
        pipe.Destroy();
        ids[2] = pipe.FetchEventID<HardEvent::M_MTE1>();
    }

private:
    template <typename Queue>
    __aicore__ inline void Load(Queue &queue, __gm__ half *source)
    {
        GlobalTensor<half> global;
        global.SetGlobalBuffer(source);
        LocalTensor<half> tile = queue.template AllocTensor<half>();
        DataCopy(tile, global, Nd2NzParams(1, SIZE, SIZE, 0, SIZE, SIZE, 1, 0));
        queue.EnQue(tile);
    }
    __aicore__ inline void SplitA()
    {
        LocalTensor<half> tile = queueA1.DeQue<half>();
        LocalTensor<half> fractals = queueA2.AllocTensor<half>();
        for (uint16_t i = 0; i < SIZE / 16; i++) {
            LoadData2DParams params;
            params.startIndex = i;
            params.repeatTimes = SIZE / C0;
            params.srcStride = SIZE / 16;
            LoadData(fractals[i * 16 * SIZE], tile, params);
        }
        queueA2.EnQue(fractals);
        queueA1.FreeTensor(tile);
    }
    __aicore__ inline void SplitB()
    {
        LocalTensor<half> tile = queueB1.DeQue<half>();
        LocalTensor<half> fractals = queueB2.AllocTensor<half>();
        LoadData2DParams params;
        params.repeatTimes = SIZE / 16 * SIZE / C0;
        params.srcStride = 1;
        LoadData(fractals, tile, params);
        queueB2.EnQue(fractals);
        queueB1.FreeTensor(tile);
    }
    __aicore__ inline void Multiply()
    {
        LocalTensor<half> a = queueA2.DeQue<half>();
        LocalTensor<half> b = queueB2.DeQue<half>();
        LocalTensor<float> c = queueC.AllocTensor<float>();
        MmadParams params;
        params.m = SIZE;
        params.n = SIZE;
        params.k = SIZE;
        Mmad(c, a, b, params);
        queueC.EnQue(c);
        queueA2.FreeTensor(a);
        queueB2.FreeTensor(b);
    }
    __aicore__ inline void Store(__gm__ float *target)
    {
        GlobalTensor<float> global;
        global.SetGlobalBuffer(target);
        LocalTensor<float> c = queueC.DeQue<float>();
        FixpipeParamsV220 params;
        params.nSize = SIZE;
        params.mSize = SIZE;
        params.srcStride = SIZE;
        params.dstStride = SIZE;
        Fixpipe(global, c, params);
        queueC.FreeTensor(c);
    }

    TPipe pipe;
    TQue<TPosition::A1, 1> queueA1;
    TQue<TPosition::B1, 1> queueB1;
    TQue<TPosition::A2, 1> queueA2;
    TQue<TPosition::B2, 1> queueB2;
    TQue<TPosition::CO1, 1> queueC;
};

// Each AIV takes half of the rows, in two pieces.
__aicore__ inline void CopyThrough(__gm__ half *source, __gm__ half *target)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    constexpr uint32_t PIECE = SIZE * SIZE / 4;
    pipe.InitBuffer(queue, 2, PIECE * sizeof(half));
    GlobalTensor<half> from;
    GlobalTensor<half> to;
    from.SetGlobalBuffer(source);
    to.SetGlobalBuffer(target);
    for (uint32_t i = 0; i < 2; i++) {
        const uint64_t offset = (GetSubBlockIdx() * 2 + i) * PIECE;
        LocalTensor<half> tensor = queue.AllocTensor<half>();
        DataCopy(tensor, from[offset], PIECE);
        queue.EnQue<TPosition::GM, TPosition::VECIN>(tensor);
        tensor = queue.DeQue<TPosition::GM, TPosition::VECIN, half>();
        queue.EnQue<TPosition::VECOUT, TPosition::GM>(tensor);
        tensor = queue.DeQue<TPosition::VECOUT, TPosition::GM, half>();
        DataCopy(to[offset], tensor, PIECE);
        queue.FreeTensor(tensor);
    }
}

extern "C" __global__ __aicore__ void queue_matmul(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR copyOfA, GM_ADDR ids)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC {
        QueueMatmul op;
        op.Run(reinterpret_cast<__gm__ half *>(a), reinterpret_cast<__gm__ half *>(b),
               reinterpret_cast<__gm__ float *>(c));
        op.ReportIds(reinterpret_cast<__gm__ int32_t *>(ids));
    } else {
        CopyThrough(reinterpret_cast<__gm__ half *>(a), reinterpret_cast<__gm__ half *>(copyOfA));
    }
}
