// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One vector instruction whose operands lie in one buffer, the destination `offset` floats behind the source.
#include "kernel_operator.h"

using namespace AscendC;

enum Form : uint32_t { MASKED, COUNTED, FIRST_SOURCE, SECOND_SOURCE, NARROWING, WIDENING, ACCUMULATING, COPY };

constexpr uint32_t FLOATS = 2048;

extern "C" __global__ __aicore__ void check_operands(GM_ADDR out, uint32_t form, uint32_t offset, uint32_t repeats,
                                                     uint32_t dstRepeat, uint32_t srcRepeat, uint32_t dstBlock)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, FLOATS * sizeof(float));
    LocalTensor<float> src = buffer.Get<float>();
    LocalTensor<float> dst = src[offset];
    LocalTensor<half> narrowSrc = src.ReinterpretCast<half>();
    const uint8_t times = static_cast<uint8_t>(repeats);
    const uint8_t to = static_cast<uint8_t>(dstRepeat);
    const uint8_t from = static_cast<uint8_t>(srcRepeat);
    const uint8_t block = static_cast<uint8_t>(dstBlock);
    Duplicate(src, 1.0f, FLOATS);
    PipeBarrier<PIPE_V>();
    if (form == MASKED) {
        Adds(dst, src, 1.0f, 64, times, {block, 1, to, from});
    } else if (form == COUNTED) {
        Adds(dst, src, 1.0f, static_cast<int32_t>(repeats * 64));
    } else if (form == FIRST_SOURCE) {
        Add(dst, dst, src, 64, times, {block, 1, 1, to, to, from});
    } else if (form == SECOND_SOURCE) {
        Add(dst, src, dst, 64, times, {block, 1, 1, to, from, to});
    } else if (form == NARROWING) {
        Cast(dst.ReinterpretCast<half>(), src, RoundMode::CAST_RINT, 64, times, {block, 1, to, from});
    } else if (form == WIDENING) {
        Cast(dst, narrowSrc, RoundMode::CAST_NONE, 64, times, {block, 1, to, from});
    } else if (form == ACCUMULATING) {
        Axpy(dst, src, 2.0f, 64, times, {block, 1, to, from});
    } else {
        Copy(dst, src, 64, times, CopyRepeatParams());
    }
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> output;
    output.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(out));
    DataCopy(output, src, FLOATS);
}
