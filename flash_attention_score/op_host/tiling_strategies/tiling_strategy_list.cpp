// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "tiling_strategy.h"

namespace {
// The last one takes every problem.
const TilingStrategy *const STRATEGIES[] = {&SHORT_SEQ_STRATEGY, &LONG_SEQ_STRATEGY, &DEFAULT_STRATEGY};

FaChoice ForceStrategy(const FaProblem &problem, const FaWork &work, const std::string &name)
{
    FaChoice choice = FaChoice();
    std::string reason = CheckStrategyName(name);
    for (const TilingStrategy *candidate : STRATEGIES) {
        if (name == candidate->name) {
            choice.strategy = candidate;
            reason = candidate->unable(problem, work);
        }
    }
    if (!reason.empty()) {
        choice.strategy = nullptr;
        choice.refusals.push_back(FaStrategyRefusal{name, reason});
    }
    return choice;
}
} // namespace

std::string CheckStrategyName(const std::string &name)
{
    std::string names;
    for (const TilingStrategy *candidate : STRATEGIES) {
        if (name == candidate->name) {
            return "";
        }
        names += (names.empty() ? "" : ", ") + std::string(candidate->name);
    }
    return "there is no such strategy; allowed: " + names;
}

FaChoice ChooseTilingStrategy(const FaProblem &problem, const FaWork &work, const FaPlatform &platform)
{
    if (!problem.tuning.strategy.empty()) {
        return ForceStrategy(problem, work, problem.tuning.strategy);
    }
    FaChoice choice = FaChoice();
    for (const TilingStrategy *candidate : STRATEGIES) {
        choice.strategy = candidate;
        std::string reason = candidate->unable(problem, work);
        if (reason.empty()) {
            reason = candidate->unfit(work, platform);
        }
        if (reason.empty()) {
            break;
        }
        choice.refusals.push_back(FaStrategyRefusal{candidate->name, reason});
    }
    return choice;
}

std::string PlanFaProblem(const FaProblem &problem, const FaPlatform &platform, FaChoice &choice, FaPlan &plan)
{
    const std::string refusal = CheckFaTile(problem);
    if (!refusal.empty()) {
        return refusal;
    }
    const FaWork work = FaAddUpWork(problem);
    choice = ChooseTilingStrategy(problem, work, platform);
    if (choice.strategy == nullptr) {
        const FaStrategyRefusal &last = choice.refusals.back();
        return "strategy " + last.strategy + " is refused: " + last.reason;
    }
    plan = PlanFaTiles(problem, work, platform, choice.strategy->key);
    return "";
}
