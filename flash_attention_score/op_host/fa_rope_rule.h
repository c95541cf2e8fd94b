// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Rotary parts of a call: query_rope and key_rope.
#ifndef FA_ROPE_RULE_H
#define FA_ROPE_RULE_H
#include <string>
#include "fa_problem_parser.h"

// Fills rope of a problem whose other fields are known.
FaRefusal ParseFaRope(const FaCall &call, FaProblem &problem);
#endif
