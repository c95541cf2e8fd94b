// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What a query may see: sparse_mode, window and mask tensor of a call.
#ifndef FA_MASK_RULE_H
#define FA_MASK_RULE_H
#include <string>
#include "fa_problem_parser.h"

// Fills mask, maskTensor and hasMaskTensor of a problem whose dimensions are known. Empty text: accepted.
std::string ParseFaMask(const FaCall &call, FaProblem &problem);
#endif
