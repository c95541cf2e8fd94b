// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One copy between GM and UB, its fields taken from the tiling data. What is in UB comes from and goes to GM linearly.
#include "kernel_operator.h"

struct CopyCase {
    uint32_t operation;
    uint32_t ubBytes;
    uint32_t blockCount;
    uint32_t blockLen;
    uint32_t srcStride;
    uint32_t dstStride;
    uint32_t isPad;
    uint32_t leftPadding;
    uint32_t rightPadding;
    uint32_t setPad;
    uint64_t padValue;
    uint64_t stickyValue;
    uint32_t srcOffset; // elements, of GM for stores
    uint32_t repeats;   // of atomic stores
};

enum CopyOperation : uint32_t {
    LOAD,
    STORE,
    LOCAL,
    LOAD_COUNT,
    STORE_COUNT,
    PAD_LOAD,
    PAD_STORE,
    PAD_LOAD_OLD,
    PAD_STORE_OLD,
    ATOMIC_ADD,
    ATOMIC_MAX,
    ATOMIC_MIN
};

using namespace AscendC;
using T = DTYPE_X;

class CopyCaseKernel {
public:
    __aicore__ inline void Init(GM_ADDR src, GM_ADDR dst, GM_ADDR image, const CopyCase &copyCase)
    {
        c = copyCase;
        in.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(src));
        out.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(dst));
        ubImage.SetGlobalBuffer(reinterpret_cast<__gm__ uint8_t *>(image));
        ub = LocalTensor<uint8_t>(TPosition::VECIN, 0, c.ubBytes);
        params = DataCopyParams(c.blockCount, c.blockLen, c.srcStride, c.dstStride);
        ext = DataCopyExtParams(c.blockCount, c.blockLen, c.srcStride, c.dstStride, 0);
    }

    __aicore__ inline void Process()
    {
        DataCopy(ub, ubImage, c.ubBytes);
        PipeBarrier<PIPE_ALL>();
        if (c.setPad != 0) {
            SetPadValue(Bits(c.stickyValue));
        }
        Run();
        PipeBarrier<PIPE_ALL>();
        DataCopy(ubImage, ub, c.ubBytes);
    }

private:
    static __aicore__ inline T Bits(uint64_t bits)
    {
        T value;
        uint8_t *to = reinterpret_cast<uint8_t *>(&value);
        for (uint32_t i = 0; i < sizeof(T); ++i) {
            to[i] = static_cast<uint8_t>(bits >> (8 * i));
        }
        return value;
    }

    __aicore__ inline void Run()
    {
        LocalTensor<T> local = ub.ReinterpretCast<T>();
        DataCopyPadExtParams<T> pad(c.isPad != 0, c.leftPadding, c.rightPadding, Bits(c.padValue));
        DataCopyPadParams oldPad(c.isPad != 0, c.leftPadding, c.rightPadding, c.padValue);
        switch (c.operation) {
        case LOAD:
            return DataCopy(local, in[c.srcOffset], params);
        case STORE:
            return DataCopy(out[c.srcOffset], local, params);
        case LOCAL:
            return DataCopy(local[c.ubBytes / 2 / sizeof(T)], local, params);
        case LOAD_COUNT:
            return DataCopy(local, in[c.srcOffset], c.blockLen);
        case STORE_COUNT:
            return DataCopy(out[c.srcOffset], local, c.blockLen);
        case PAD_LOAD:
            return DataCopyPad(local, in[c.srcOffset], ext, pad);
        case PAD_STORE:
            return DataCopyPad(out[c.srcOffset], local, ext);
        case PAD_LOAD_OLD:
            return DataCopyPad(local, in[c.srcOffset], params, oldPad);
        case PAD_STORE_OLD:
            return DataCopyPad(out[c.srcOffset], local, params);
        default:
            return Atomic(local);
        }
    }

    __aicore__ inline void Atomic(const LocalTensor<T> &local)
    {
#if ORIG_DTYPE_X == DT_FLOAT || ORIG_DTYPE_X == DT_FLOAT16 || ORIG_DTYPE_X == DT_BF16 || ORIG_DTYPE_X == DT_INT8 ||    \
    ORIG_DTYPE_X == DT_INT16 || ORIG_DTYPE_X == DT_INT32
        if (c.operation == ATOMIC_ADD) {
            SetAtomicAdd<T>();
        } else if (c.operation == ATOMIC_MAX) {
            SetAtomicMax<T>();
        } else {
            SetAtomicMin<T>();
        }
        for (uint32_t i = 0; i < c.repeats; ++i) {
            DataCopyPad(out[c.srcOffset], local, ext);
        }
        SetAtomicNone();
#endif
    }

    CopyCase c;
    GlobalTensor<T> in;
    GlobalTensor<T> out;
    GlobalTensor<uint8_t> ubImage;
    LocalTensor<uint8_t> ub;
    DataCopyParams params;
    DataCopyExtParams ext;
};

extern "C" __global__ __aicore__ void copy_case(GM_ADDR src, GM_ADDR dst, GM_ADDR image, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(CopyCase);
    GET_TILING_DATA(copyCase, tiling);
    CopyCaseKernel kernel;
    kernel.Init(src, dst, image + GetBlockIdx() * copyCase.ubBytes, copyCase);
    kernel.Process();
}
