// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Features of the interface that the gradient kernel does not compute yet.
#ifndef FAG_NOT_YET_H
#define FAG_NOT_YET_H
#include <string>
#include "../../flash_attention_score/op_host/fa_problem_parser.h"

std::string FagRefuseNotYet(const FaProblem &problem);
#endif
