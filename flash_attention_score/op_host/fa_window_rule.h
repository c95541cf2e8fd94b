// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Which pre_tokens and next_tokens are refused.
#ifndef FA_WINDOW_RULE_H
#define FA_WINDOW_RULE_H
#include <cstdint>
#include <string>
#include "fa_problem_parser.h"

// Keeps sums of limits and lengths far from overflow; larger than any length either way.
inline int64_t FaClampTokens(int64_t tokens)
{
    return FaMax(-FA_MASK_UNBOUNDED, FaMin(tokens, FA_MASK_UNBOUNDED));
}

// Dense layouts, modes 0 and 4: the window must meet the score matrix. problem.mask is known.
FaRefusal CheckFaWindow(const FaCall &call, const FaProblem &problem);

// TND, all modes. A sequence without queries or without keys has no window to check.
FaRefusal CheckFaPackedWindow(const FaCall &call, const FaProblem &problem);
#endif
