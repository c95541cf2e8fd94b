// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// All keys in one KV stack: the first softmax step is the last, nothing is rescaled.
#include <cinttypes>
#include "../fa_reject.h"
#include "tiling_strategy.h"

namespace {
std::string ShortSeqUnable(const FaProblem &problem)
{
    const int64_t kvStack = ChooseFaTile(problem).kvStack;
    return problem.s2 <= kvStack
               ? ""
               : FaFormat("S2 %" PRId64 " exceeds one stack of %" PRId64 " keys", problem.s2, kvStack);
}

std::string AlwaysFit(const FaProblem &, const FaPlatform &)
{
    return "";
}

FaPlan PlanShortSeq(const FaProblem &problem, const FaPlatform &platform)
{
    return PlanFaTiles(problem, platform, FA_KEY_SHORT_SEQ, false);
}
} // namespace

const TilingStrategy SHORT_SEQ_STRATEGY = {"short_seq", ShortSeqUnable, AlwaysFit, PlanShortSeq};
