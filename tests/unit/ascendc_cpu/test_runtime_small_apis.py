# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Calls that have little or no effect on a CPU: they compile, run and change nothing else."""

import numpy as np
import pytest

import ascendc_cpu

VECTOR_SIDE = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void small_vector_apis(GM_ADDR out, GM_ADDR numbers)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    GlobalTensor<float> gm;
    GlobalTensor<int64_t> gmNumbers;
    gm.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(out));
    gmNumbers.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t *>(numbers));
    const int64_t begin = GetSystemCycle();
    LocalTensor<float> two(TPosition::VECCALC, 0, 64);
    Duplicate(two, 2.0f, 64);
    PipeBarrier<PIPE_ALL>();
    SetSysWorkspace(out);
    SetAtomicAdd<float>();
    DataCopy(gm, two, 64);
    DisableDmaAtomic();
    DataCopy(gm[64], two, 64);
    PipeBarrier<PIPE_ALL>();
    DataSyncBarrier<MemDsbT::ALL>();
    DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(gm);
    gmNumbers.SetValue(0, GetSystemCycle() - begin);
    gmNumbers.SetValue(1, GetTaskRatio());
}
"""
CUBE_SIDE = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void small_cube_apis(GM_ADDR numbers, int64_t rounds)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    SetHF32TransMode(true);
    SetMMLayoutTransform(true);
    SetMMRowMajor();
    SetMMColumnMajor();
    SetHF32Mode(rounds != 0);
    GlobalTensor<int64_t> gmNumbers;
    gmNumbers.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t *>(numbers));
    gmNumbers.SetValue(0, 1);
}
"""


def test_vector_side(compile_kernel):
    out = np.full(128, 1, np.float32)
    numbers = np.full(2, -1, np.int64)
    compile_kernel(VECTOR_SIDE, "small_vector_apis").launch(1, out, numbers)
    np.testing.assert_array_equal(out, [3] * 64 + [2] * 64)  # added, then stored
    assert numbers[0] >= 0
    assert numbers[1] == 1


def test_cube_side(compile_kernel):
    kernel = compile_kernel(CUBE_SIDE, "small_cube_apis")
    numbers = np.zeros(1, np.int64)
    with pytest.raises(ascendc_cpu.KernelError, match="HF32 rounding is not supported"):
        kernel.launch(1, numbers, 1)
    assert numbers[0] == 0
    kernel.launch(1, numbers, 0)
    assert numbers[0] == 1
