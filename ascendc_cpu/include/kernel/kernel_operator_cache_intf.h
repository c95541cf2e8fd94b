// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The scalar unit's data cache. Here scalar and DMA accesses meet in the same memory, so only the hook is left.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_CACHE_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_CACHE_INTF_H
#include "ascendc_cpu/trace.h"
#include "kernel_tensor.h"

ASCENDC_CPU_BEGIN

template <typename T, CacheLine entireType, DcciDst dcciDst>
__aicore__ inline void DataCacheCleanAndInvalid([[maybe_unused]] const GlobalTensor<T> &tensor)
{
    ASCENDC_CPU_TRACE_FLAGS(ascendc_cpu::CACHE_CLEAN);
    if constexpr (entireType == CacheLine::SINGLE_CACHE_LINE) {
        ASCENDC_CPU_TRACE(PIPE_S, "DataCacheCleanAndInvalid",
                          ascendc_cpu::Element(ascendc_cpu::AccessKind::TOUCH, tensor, 0));
    } else {
        ASCENDC_CPU_TRACE(PIPE_S, "DataCacheCleanAndInvalid", ascendc_cpu::Read(tensor, ascendc_cpu::Region{}));
    }
}

template <typename T, CacheLine entireType>
__aicore__ inline void DataCacheCleanAndInvalid(const GlobalTensor<T> &tensor)
{
    DataCacheCleanAndInvalid<T, entireType, DcciDst::CACHELINE_OUT>(tensor);
}

template <typename T, CacheLine entireType, DcciDst dcciDst>
__aicore__ inline void DataCacheCleanAndInvalid(const LocalTensor<T> &)
{
}

ASCENDC_CPU_END
#endif
