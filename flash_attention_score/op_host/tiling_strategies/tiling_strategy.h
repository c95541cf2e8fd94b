// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A strategy says why it cannot take a problem, or why it would not pay. All strategies share tile shapes, KV chunks
// and arithmetic (fa_tile_plan.h): the same row gives the same bits whichever is chosen.
#ifndef FA_TILING_STRATEGY_H
#define FA_TILING_STRATEGY_H
#include <string>
#include <vector>
#include "fa_tile_plan.h"

struct TilingStrategy {
    const char *name;
    FaTilingKey key;
    std::string (*unable)(const FaProblem &problem, const FaWork &work);  // empty: can take the problem
    std::string (*unfit)(const FaWork &work, const FaPlatform &platform); // empty: should take it
};

extern const TilingStrategy SHORT_SEQ_STRATEGY;
extern const TilingStrategy LONG_SEQ_STRATEGY;
extern const TilingStrategy DEFAULT_STRATEGY;

struct FaStrategyRefusal {
    std::string strategy;
    std::string reason;
};

struct FaChoice {
    const TilingStrategy *strategy; // null only when a forced strategy is unknown or unable; the last refusal says why
    std::vector<FaStrategyRefusal> refusals;
};

// First strategy of the list that applies, most specific first, or the one that problem.tuning names if it is able.
FaChoice ChooseTilingStrategy(const FaProblem &problem, const FaWork &work, const FaPlatform &platform);

// Empty: there is a strategy of this name.
std::string CheckStrategyName(const std::string &name);

// Empty text: choice and plan are filled; else why problem.tuning cannot be followed.
std::string PlanFaProblem(const FaProblem &problem, const FaPlatform &platform, FaChoice &choice, FaPlan &plan);
#endif
