// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "tiling_strategy.h"

namespace {
// The last one takes every problem.
const TilingStrategy *const STRATEGIES[] = {&SHORT_SEQ_STRATEGY, &LONG_SEQ_STRATEGY, &DEFAULT_STRATEGY};

FaChoice ForceStrategy(const FaProblem &problem, const std::string &name)
{
    FaChoice choice = FaChoice();
    std::string names;
    for (const TilingStrategy *candidate : STRATEGIES) {
        names += (names.empty() ? "" : ", ") + std::string(candidate->name);
        if (name != candidate->name) {
            continue;
        }
        const std::string reason = candidate->unable(problem);
        if (reason.empty()) {
            choice.strategy = candidate;
        } else {
            choice.refusals.push_back(FaRefusal{name, reason});
        }
        return choice;
    }
    choice.refusals.push_back(FaRefusal{name, "there is no such strategy; allowed: " + names});
    return choice;
}
} // namespace

FaChoice ChooseTilingStrategy(const FaProblem &problem, const FaPlatform &platform, const char *forced)
{
    if (forced != nullptr && forced[0] != '\0') {
        return ForceStrategy(problem, forced);
    }
    FaChoice choice = FaChoice();
    for (const TilingStrategy *candidate : STRATEGIES) {
        choice.strategy = candidate;
        std::string reason = candidate->unable(problem);
        if (reason.empty()) {
            reason = candidate->unfit(problem, platform);
        }
        if (reason.empty()) {
            break;
        }
        choice.refusals.push_back(FaRefusal{candidate->name, reason});
    }
    return choice;
}
