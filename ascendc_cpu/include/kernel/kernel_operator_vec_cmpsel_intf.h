// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_CMPSEL_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_CMPSEL_INTF_H
#include "kernel_operator_vec_cmp_intf.h"
#include "kernel_operator_vec_sel_intf.h"
#endif
