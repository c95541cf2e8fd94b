// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Gather and Gatherb between three buffers of UB: source, offsets and a destination that comes from GM too.
#include "kernel_operator.h"

using namespace AscendC;
using T = DTYPE_X;

enum Form : uint32_t { ELEMENT_COUNT, MASK_BITS, MASK_LANES, BLOCKS };

constexpr uint32_t BYTES = 8192;

extern "C" __global__ __aicore__ void vector_gather(GM_ADDR x, GM_ADDR offsets, GM_ADDR y, uint32_t form, uint32_t base,
                                                    uint32_t count, uint64_t low, uint64_t high, uint32_t repeats,
                                                    uint32_t block, uint32_t stride, uint32_t loaded, uint32_t dstStart)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 3 * BYTES);
    LocalTensor<uint8_t> ub = buffer.Get<uint8_t>();
    LocalTensor<T> src = ub.ReinterpretCast<T>();
    LocalTensor<uint32_t> from = ub[BYTES].ReinterpretCast<uint32_t>();
    LocalTensor<T> dst = ub[dstStart].ReinterpretCast<T>();
    GlobalTensor<T> xGm, yGm;
    GlobalTensor<uint32_t> offsetsGm;
    xGm.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(x));
    yGm.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(y));
    offsetsGm.SetGlobalBuffer(reinterpret_cast<__gm__ uint32_t *>(offsets));
    DataCopyPad(src, xGm, {1, loaded, 0, 0, 0}, DataCopyPadExtParams<T>());
    DataCopy(dst, yGm, BYTES / sizeof(T));
    DataCopy(from, offsetsGm, BYTES / sizeof(uint32_t));
    PipeBarrier<PIPE_ALL>();
    uint64_t mask[2] = {low, high};
    if (form == ELEMENT_COUNT) {
        Gather(dst, src, from, base, count);
    } else if (form == MASK_BITS) {
        Gather(dst, src, from, base, mask, repeats, stride);
    } else if (form == MASK_LANES) {
        Gather(dst, src, from, base, low, repeats, stride);
    } else {
        using Bits = typename Conditional<sizeof(T) == 4, uint32_t, uint16_t>::type;
        Gatherb(dst.template ReinterpretCast<Bits>(), src.template ReinterpretCast<Bits>(), from, repeats,
                GatherRepeatParams(block, stride));
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, dst, BYTES / sizeof(T));
    PipeBarrier<PIPE_ALL>();
}
