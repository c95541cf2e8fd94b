// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// All keys in one KV stack: the first softmax step is the last, nothing is rescaled.
#include "tiling_strategy.h"
#include "../fa_reject.h"

namespace {
std::string ShortSeqRefusal(const FaProblem &problem)
{
    const int64_t kvStack = ChooseFaTile(problem).kvStack;
    return problem.s2 <= kvStack ? ""
                                 : FaFormat("S2 %lld exceeds one stack of %lld keys",
                                            static_cast<long long>(problem.s2), static_cast<long long>(kvStack));
}

FaPlan PlanShortSeq(const FaProblem &problem, const FaPlatform &platform)
{
    return DEFAULT_STRATEGY.plan(problem, platform);
}
} // namespace

const TilingStrategy SHORT_SEQ_STRATEGY = {"short_seq", ShortSeqRefusal, PlanShortSeq};
