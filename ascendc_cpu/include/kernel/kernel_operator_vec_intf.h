// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// All vector instructions.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_INTF_H
#include "kernel_operator_vec_unary_intf.h"
#include "kernel_operator_vec_binary_intf.h"
#include "kernel_operator_vec_binary_scalar_intf.h"
#include "kernel_operator_vec_ternary_scalar_intf.h"
#include "kernel_operator_vec_duplicate_intf.h"
#include "kernel_operator_vec_copy_intf.h"
#include "kernel_operator_vec_brcb_intf.h"
#include "kernel_operator_vec_vconv_intf.h"
#include "kernel_operator_vec_cmpsel_intf.h"
#include "kernel_operator_vec_reduce_intf.h"
#include "kernel_operator_vec_reduce_all_intf.h"
#include "kernel_operator_vec_createvecindex_intf.h"
#include "kernel_operator_vec_gather_intf.h"
#include "kernel_operator_vec_gather_mask_intf.h"
#include "kernel_operator_vec_transpose_intf.h"
#endif
