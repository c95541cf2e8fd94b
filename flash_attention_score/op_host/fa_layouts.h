// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Which dimension of query, key and value holds which axis, for every input_layout.
#ifndef FA_LAYOUTS_H
#define FA_LAYOUTS_H
#include <string>
#include "fa_problem_parser.h"
#include "fa_shape_checks.h"

constexpr int64_t FA_MAX_HEAD_DIM = 768;

// -1: the layout has no such dimension of its own.
struct FaLayoutAxes {
    const char *name;
    size_t rank;
    int b; // -1: packed (TND), the lists tell where a sequence begins
    size_t s;
    int n; // -1: heads are folded into the last dimension
};

FaRefusal FindFaLayout(const FaCall &call, FaProblem &problem);

// Dimensions and strides of query, key, value and attention_out. The lengths of TND come from its lists instead.
FaRefusal ParseFaLayout(const FaCall &call, FaProblem &problem);

// Shape of attention_out: query's with the head dim of value.
FaDims FaAttentionShape(const FaCall &call, const FaProblem &problem);

// Shape of softmax_max and softmax_sum.
FaDims FaStatisticsShape(const FaCall &call, const FaProblem &problem);
#endif
