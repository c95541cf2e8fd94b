// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What a query may see: sparse_mode, window, prefix and mask tensor of a call.
#ifndef FA_MASK_RULE_H
#define FA_MASK_RULE_H
#include <string>
#include "fa_problem_parser.h"

enum FaSparseMode {
    FA_WINDOW,
    FA_ALL,
    FA_LEFT_UP_CAUSAL,
    FA_RIGHT_DOWN_CAUSAL,
    FA_BAND,
    FA_PREFIX_MASKED,
    FA_PREFIX_COMPRESSED,
    FA_RIGHT_DOWN_CAUSAL_BAND,
    FA_LEFT_UP_CAUSAL_BAND,
    FA_SPARSE_MODES
};

// Fills rule, prefixes, mask, maskTensor and hasMaskTensor of a problem whose dimensions are known. Empty text:

FaRefusal ParseFaMask(const FaCall &call, FaProblem &problem);
#endif
