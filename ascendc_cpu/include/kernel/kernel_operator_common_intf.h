// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What every kernel needs besides copies and arithmetic.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_COMMON_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_COMMON_INTF_H
#include "kernel_common.h"
#include "kernel_operator_block_sync_intf.h"
#include "kernel_operator_cache_intf.h"
#include "kernel_operator_set_atomic_intf.h"
#endif
