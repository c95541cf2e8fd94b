# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What kernels of others have that ours do not: headers of the standard library, names in the global namespace."""

import numpy as np

KERNEL = """
#ifdef NEVER
#include <no_such_header_of_a_device>
#endif
#include <algorithm>
#include <array>
#include <tuple>
#include "kernel_operator.h"

__forceinline__ __aicore__ uint32_t Side()
{
    return g_coreType == AscendC::AIV ? 1 : 2;
}

extern "C" __global__ __aicore__ void foreign(uint64_t syncAddress, GM_ADDR out)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    AscendC::SetSyncBaseAddr(syncAddress);
    std::array<uint32_t, 3> numbers = {3, 9, 4};
    AscendC::DataCopyPadExtParams<bfloat16_t> zero(true, 0, 0, 0);
    AscendC::DataCopyPadExtParams<float> braces{false, 1, 2, {}};
    AscendC::GlobalTensor<float> result;
    result.SetGlobalBuffer((__gm__ float *)out);
    result.SetValue(0, *std::max_element(numbers.begin(), numbers.end()) + Side() + std::get<0>(std::make_tuple(5)));
    result.SetValue(1, static_cast<float>(zero.paddingValue) + braces.paddingValue + braces.rightPadding);
    AscendC::DataCacheCleanAndInvalid<float, AscendC::CacheLine::ENTIRE_DATA_CACHE>(result);
}
"""

TWO_ENTRIES = """
#include "kernel_operator.h"
#define ENTRY __global__ __aicore__

__aicore__ inline void Store(GM_ADDR out, float value)
{
    if ASCEND_IS_AIV {
        AscendC::GlobalTensor<float> result;
        result.SetGlobalBuffer((__gm__ float *)out);
        if (AscendC::GetSubBlockIdx() == 0) {
            result.SetValue(0, value);
        }
    }
}

extern "C" ENTRY void first(GM_ADDR out)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    Store(out, 1);
}

extern "C" __global__ __aicore__ void second(GM_ADDR out)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    Store(out, 2);
}
"""


def test_two_entries_in_one_file(compile_kernel):
    for entry, value in (("first", 1), ("second", 2)):
        out = np.zeros(16, np.float32)
        compile_kernel(TWO_ENTRIES, entry).launch(1, out)
        assert out[0] == value


def test_standard_headers_and_global_names(compile_kernel):
    module = compile_kernel(KERNEL, "foreign")
    for check in (False, True):
        out = np.full(16, -1, np.float32)
        report = module.launch(1, np.uint64(0), out, check=check)
        assert not (check and report.findings), str(report)
        assert out[:2].tolist() == [9 + 1 + 5, 2]
