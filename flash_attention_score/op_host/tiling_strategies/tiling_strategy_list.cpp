// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "tiling_strategy.h"

namespace {
const TilingStrategy *const STRATEGIES[] = {&SHORT_SEQ_STRATEGY, &LONG_SEQ_STRATEGY, &DEFAULT_STRATEGY};
} // namespace

FaChoice ChooseTilingStrategy(const FaProblem &problem)
{
    FaChoice choice;
    for (const TilingStrategy *candidate : STRATEGIES) {
        choice.strategy = candidate;
        const std::string reason = candidate->refusal(problem);
        if (reason.empty()) {
            break;
        }
        choice.refusals.push_back(FaRefusal{candidate->name, reason});
    }
    return choice;
}
