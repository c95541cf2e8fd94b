// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Sizes and strides of query, key, value and attention_out, for every input_layout.
#ifndef FA_LAYOUTS_H
#define FA_LAYOUTS_H
#include "fa_layout_axes.h"
#include "fa_problem_parser.h"

constexpr int64_t FA_MAX_HEAD_DIM = 768;

FaRefusal FindFaLayout(const FaCall &call, FaProblem &problem);

// Dimensions and strides of query, key, value and attention_out. The lengths of TND come from its lists instead.
FaRefusal ParseFaLayout(const FaCall &call, FaProblem &problem);

// Shape of attention_out: query's with the head dim of value.
FaDims FaAttentionShape(const FaCall &call, const FaProblem &problem);
#endif
