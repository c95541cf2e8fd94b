// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Features of the interface that a kernel does not compute yet: one table for each direction.
#ifndef FA_NOT_YET_H
#define FA_NOT_YET_H
#include <cstddef>
#include <string>
#include "fa_problem_parser.h"

struct FaFeature {
    const char *name;
    bool (*isUsed)(const FaProblem &problem);
};

// Features by the place that they have in a parsed problem.
bool FaUsesPackedSequences(const FaProblem &problem);
bool FaUsesPrefix(const FaProblem &problem);
bool FaUsesShiftTensor(const FaProblem &problem);
bool FaUsesPackedShift(const FaProblem &problem);
bool FaUsesAlibiShift(const FaProblem &problem);
bool FaUsesSlopes(const FaProblem &problem);
bool FaUsesDropout(const FaProblem &problem);
bool FaUsesRope(const FaProblem &problem);
bool FaUsesSink(const FaProblem &problem);

// "<feature> is not supported yet" of the first feature that the problem uses; empty: none.
std::string FaRefuseFeatures(const FaFeature *features, size_t count, const FaProblem &problem);

// The forward kernel's.
std::string FaRefuseNotYet(const FaProblem &problem);
#endif
