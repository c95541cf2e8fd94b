// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Dropout of a call: drop_mask and keep_prob.
#ifndef FA_DROPOUT_RULE_H
#define FA_DROPOUT_RULE_H
#include <string>
#include "fa_problem_parser.h"

// Fills dropout of a problem whose dimensions are known.
FaRefusal ParseFaDropout(const FaCall &call, FaProblem &problem);
#endif
