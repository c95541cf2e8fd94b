// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Which shapes atten_mask may have.
#ifndef FA_MASK_SHAPE_H
#define FA_MASK_SHAPE_H
#include <string>
#include "fa_problem_parser.h"

// Fills maskTensor, hasMaskTensor and sequences.maskPerToken.
FaRefusal ParseFaMaskTensor(const FaCall &call, FaProblem &problem);
#endif
