// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Who am I, and the workspace address.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_SYS_VAR_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_SYS_VAR_INTF_H
#include "ascendc_cpu/cross_core.h"
#include "kernel_type.h"

ASCENDC_CPU_BEGIN

// AIC: the group. AIV: group * AIVs in a group + index in the group.
__aicore__ inline int64_t GetBlockIdx()
{
    const ascendc_cpu::CoreState &core = ascendc_cpu::Core();
    return static_cast<int64_t>(core.block) * core.subBlockNum + core.subBlock;
}

// blockDim of the launch, on AIC and AIV.
__aicore__ inline int64_t GetBlockNum()
{
    return ascendc_cpu::Core().blockNum;
}

__aicore__ inline int64_t GetSubBlockIdx()
{
    return ascendc_cpu::Core().subBlock;
}

// AIC: 1. AIV: AIVs in a group.
__aicore__ inline int64_t GetSubBlockNum()
{
    return ascendc_cpu::Core().subBlockNum;
}

__aicore__ inline int64_t GetTaskRatio()
{
    return ascendc_cpu::Core().subBlockNum;
}

// GetTaskRatio in CANN 8.1's spelling
__aicore__ inline int64_t GetTaskRation()
{
    return GetTaskRatio();
}

// 50 MHz counter
__aicore__ inline int64_t GetSystemCycle()
{
    return ascendc_cpu::SystemCycle();
}

// The workspace that a kernel is given is the user's part already; calling this twice is harmless, as on the device.
__aicore__ inline GM_ADDR GetUserWorkspace(GM_ADDR workspace)
{
    return workspace;
}

// The device records the system part's address, which nothing here reads.
__aicore__ inline void SetSysWorkspace(GM_ADDR)
{
}

ASCENDC_CPU_END

// The group's index on AIC and AIV alike.
#define block_idx (static_cast<int64_t>(ascendc_cpu::Core().block))
#endif
