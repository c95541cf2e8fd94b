// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Few rows, many keys: the KV chunks of a row block are dealt to the cores, which merge them after a barrier.
#include <cinttypes>
#include "../fa_reject.h"
#include "tiling_strategy.h"

namespace {
std::string LongSeqUnable(const FaProblem &problem)
{
    return ChooseKvChunk(problem) > 0
               ? ""
               : FaFormat("the keys of a row are not split for G * S1 = %" PRId64 " rows and S2 %" PRId64,
                          problem.n1 / problem.n2 * problem.s1, problem.s2);
}

std::string LongSeqUnfit(const FaProblem &problem, const FaPlatform &platform)
{
    const int64_t units = CountFaUnits(problem);
    return units < platform.cores
               ? ""
               : FaFormat("%" PRId64 " row blocks keep %" PRId64 " cores busy", units, platform.cores);
}

FaPlan PlanLongSeq(const FaProblem &problem, const FaPlatform &platform)
{
    return PlanFaTiles(problem, platform, FA_KEY_LONG_SEQ, true);
}
} // namespace

const TilingStrategy LONG_SEQ_STRATEGY = {"long_seq", LongSeqUnable, LongSeqUnfit, PlanLongSeq};
