// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The positional shift of a call: real_shift (pse), pse_type and the start indices.
#ifndef FA_SHIFT_RULE_H
#define FA_SHIFT_RULE_H
#include <string>
#include "fa_problem_parser.h"

// Fills shift of a problem whose dimensions and mask rule are known.
FaRefusal ParseFaShift(const FaCall &call, FaProblem &problem);
#endif
