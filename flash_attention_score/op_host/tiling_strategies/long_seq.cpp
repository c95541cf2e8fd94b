// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Few rows, many keys: the KV chunks of a row would be spread over the cores.
#include "tiling_strategy.h"
#include "../fa_reject.h"
#include "ub_l1_budget.h"

namespace {
constexpr int64_t MAX_ROWS = 128; // query rows that share a key head

// Keys of a chunk, a function of the segment alone so that bits do not depend on who computes it.
int64_t ChunkKeys(int64_t rows, int64_t s2)
{
    return FaRoundUp(FaMax(512, FaMax(8 * rows, s2 / 64)), 512);
}

std::string LongSeqRefusal(const FaProblem &problem)
{
    const int64_t rows = problem.n1 / problem.n2 * problem.s1;
    if (rows > MAX_ROWS) {
        return FaFormat("G * S1 = %lld exceeds %lld rows", static_cast<long long>(rows),
                        static_cast<long long>(MAX_ROWS));
    }
    const int64_t chunk = ChunkKeys(rows, problem.s2);
    if (problem.s2 <= chunk) {
        return FaFormat("S2 %lld is not longer than one chunk of %lld keys", static_cast<long long>(problem.s2),
                        static_cast<long long>(chunk));
    }
    return "KV split is not implemented yet";
}

FaPlan PlanLongSeq(const FaProblem &problem, const FaPlatform &platform)
{
    return DEFAULT_STRATEGY.plan(problem, platform);
}
} // namespace

const TilingStrategy LONG_SEQ_STRATEGY = {"long_seq", LongSeqRefusal, PlanLongSeq};
