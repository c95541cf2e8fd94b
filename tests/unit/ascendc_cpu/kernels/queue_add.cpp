// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// z = x + y through double-buffered queues, in the shape that introductions to AscendC use.
#include "kernel_operator.h"

using namespace AscendC;

struct QueueAddTiling {
    uint32_t tileCount; // of each core
    uint32_t tileLength;
};

class QueueAdd {
public:
    __aicore__ inline QueueAdd()
    {
    }
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const QueueAddTiling &data)
    {
        tiling = data;
        const uint64_t share = static_cast<uint64_t>(data.tileCount) * data.tileLength;
        xGm.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(x) + share * GetBlockIdx(), share);
        yGm.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(y) + share * GetBlockIdx(), share);
        zGm.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(z) + share * GetBlockIdx(), share);
        pipe.InitBuffer(inQueueX, 2, data.tileLength * sizeof(half));
        pipe.InitBuffer(inQueueY, 2, data.tileLength * sizeof(half));
        pipe.InitBuffer(outQueueZ, 2, data.tileLength * sizeof(half));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t i = 0; i < tiling.tileCount; i++) {
            CopyIn(i);
            Compute();
            CopyOut(i);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t index)
    {
        LocalTensor<half> x = inQueueX.AllocTensor<half>();
        LocalTensor<half> y = inQueueY.AllocTensor<half>();
        DataCopy(x, xGm[index * tiling.tileLength], tiling.tileLength);
        DataCopy(y, yGm[index * tiling.tileLength], tiling.tileLength);
        inQueueX.EnQue(x);
        inQueueY.EnQue(y);
    }
    __aicore__ inline void Compute()
    {
        LocalTensor<half> x = inQueueX.DeQue<half>();
        LocalTensor<half> y = inQueueY.DeQue<half>();
        LocalTensor<half> z = outQueueZ.AllocTensor<half>();
        Add(z, x, y, static_cast<int32_t>(tiling.tileLength));
        outQueueZ.EnQue<half>(z);
        inQueueX.FreeTensor(x);
        inQueueY.FreeTensor(y);
    }
    __aicore__ inline void CopyOut(uint32_t index)
    {
        LocalTensor<half> z = outQueueZ.DeQue<half>();
        DataCopy(zGm[index * tiling.tileLength], z, tiling.tileLength);
        outQueueZ.FreeTensor(z);
    }

    QueueAddTiling tiling;
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> inQueueX, inQueueY;
    TQue<QuePosition::VECOUT, 2> outQueueZ;
    GlobalTensor<half> xGm, yGm, zGm;
};

extern "C" __global__ __aicore__ void queue_add(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(QueueAddTiling);
    GET_TILING_DATA(data, tiling);
    QueueAdd op;
    op.Init(x, y, z, data);
    op.Process();
}
