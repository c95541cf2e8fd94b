// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// TransDataTo5HD between two buffers of UB; block i of source and destination stands at sixteenth i of its buffer.
#include "kernel_operator.h"

using namespace AscendC;
using T = DTYPE_X;

enum Form : uint32_t { ADDRESSES, TENSORS, IN_UB };

constexpr uint32_t BYTES = 16384;

extern "C" __global__ __aicore__ void vector_5hd(GM_ADDR x, GM_ADDR y, uint32_t form, uint32_t dstHigh,
                                                 uint32_t srcHigh, uint32_t repeats, uint32_t dstStride,
                                                 uint32_t srcStride, uint32_t loaded)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer, lists;
    pipe.InitBuffer(buffer, 2 * BYTES);
    pipe.InitBuffer(lists, 256);
    LocalTensor<uint8_t> ub = buffer.Get<uint8_t>();
    LocalTensor<uint64_t> to = lists.Get<uint64_t>();
    LocalTensor<uint64_t> from = to[NCHW_CONV_ADDR_LIST_SIZE];
    GlobalTensor<uint8_t> xGm, yGm;
    xGm.SetGlobalBuffer(reinterpret_cast<__gm__ uint8_t *>(x));
    yGm.SetGlobalBuffer(reinterpret_cast<__gm__ uint8_t *>(y));
    LocalTensor<T> dst[NCHW_CONV_ADDR_LIST_SIZE], src[NCHW_CONV_ADDR_LIST_SIZE];
    uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE], srcList[NCHW_CONV_ADDR_LIST_SIZE];
    for (uint32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; i++) {
        src[i] = ub[i * BYTES / 16].ReinterpretCast<T>();
        dst[i] = ub[BYTES + i * BYTES / 16].ReinterpretCast<T>();
        srcList[i] = src[i].GetPhyAddr();
        dstList[i] = dst[i].GetPhyAddr();
        to.SetValue(i, dstList[i]);
        from.SetValue(i, srcList[i]);
    }
    DataCopy(ub, xGm, loaded);
    DataCopy(ub[BYTES], yGm, BYTES);
    PipeBarrier<PIPE_ALL>();
    TransDataTo5HDParams params(dstHigh != 0, srcHigh != 0, repeats, dstStride, srcStride);
    if (form == ADDRESSES) {
        TransDataTo5HD<T>(dstList, srcList, params);
    } else if (form == TENSORS) {
        TransDataTo5HD<T>(dst, src, params);
    } else {
        TransDataTo5HD<T>(to, from, params);
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, ub[BYTES], BYTES);
    PipeBarrier<PIPE_ALL>();
}
