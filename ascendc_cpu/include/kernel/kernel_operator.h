// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The one header that kernel sources include.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_H
#define ASCENDC_CPU_KERNEL_OPERATOR_H
#include "kernel_macros.h"
#include "kernel_type.h"
#include "kernel_tensor.h"
#include "ascendc_cpu/trace.h"
#include "ascendc_cpu/isa_table.h"
#include "kernel_tpipe.h"
#include "kernel_operator_common_intf.h"
#include "kernel_operator_sys_var_intf.h"
#include "kernel_operator_data_copy_intf.h"
#include "kernel_operator_mm_intf.h"
#include "kernel_operator_fixpipe_intf.h"
#include "kernel_operator_vec_intf.h"
#include "kernel_allocator.h"
#include "kernel_entry.h"
#endif
