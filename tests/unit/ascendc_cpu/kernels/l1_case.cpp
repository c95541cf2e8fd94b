// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One copy into L1, its fields taken from the tiling data. The L1 image comes from and goes back to GM linearly.
#include "kernel_operator.h"

struct L1Case {
    uint32_t operation;
    uint32_t l1Bytes;
    uint32_t offset; // elements of T, in L1
    uint32_t fields[8];
    uint32_t reserved;
    uint64_t value;
};

enum L1Operation : uint32_t { ND2NZ, LOAD, STORE, FILL, LOAD_FRACTALS };

using namespace AscendC;
using T = DTYPE_X;

extern "C" __global__ __aicore__ void l1_case(GM_ADDR src, GM_ADDR dst, GM_ADDR image, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    REGISTER_TILING_DEFAULT(L1Case);
    GET_TILING_DATA(c, tiling);
    GlobalTensor<T> in;
    GlobalTensor<T> out;
    GlobalTensor<T> l1Image;
    in.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(src));
    out.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(dst));
    l1Image.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(image));
    const uint32_t elements = c.l1Bytes / sizeof(T);
    LocalTensor<T> l1(TPosition::A1, 0, elements);
    DataCopy(l1, l1Image, elements);
    PipeBarrier<PIPE_ALL>();
    const uint32_t *f = c.fields;
    if (c.operation == ND2NZ) {
        DataCopy(l1[c.offset], in, Nd2NzParams(f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]));
    } else if (c.operation == LOAD) {
        DataCopy(l1[c.offset], in, DataCopyParams(f[0], f[1], f[2], f[3]));
    } else if (c.operation == STORE) {
        DataCopy(out, l1[c.offset], DataCopyParams(f[0], f[1], f[2], f[3]));
    } else if (c.operation == LOAD_FRACTALS) {
        LoadData(l1[c.offset], in, LoadData2DParams(f[0], f[1], f[2], 0, f[3], false, 0));
    } else {
        T value;
        for (uint32_t i = 0; i < sizeof(T); ++i) {
            reinterpret_cast<uint8_t *>(&value)[i] = static_cast<uint8_t>(c.value >> (8 * i));
        }
#if ORIG_DTYPE_X != DT_INT8
        InitConstValue(l1[c.offset], InitConstValueParams<T>(f[0], f[1], f[2], value));
#endif
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(l1Image, l1, elements);
}
