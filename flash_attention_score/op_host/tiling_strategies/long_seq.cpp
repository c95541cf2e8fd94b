// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Few rows, many keys: the KV chunks of a row block are dealt to the cores, which merge them after a barrier.
#include <cinttypes>
#include "../fa_reject.h"
#include "tiling_strategy.h"

namespace {
std::string LongSeqUnable(const FaProblem &problem, const FaWork &work)
{
    if (work.mostSplit > 0) {
        return "";
    }
    return problem.sequences.listed > 0
               ? FaFormat("the keys of a row are not split in any sequence up to S1 %" PRId64 " and S2 %" PRId64,
                          problem.s1, problem.s2)
               : FaFormat("the keys of a row are not split for G * S1 = %" PRId64 " rows and S2 %" PRId64,
                          problem.n1 / problem.n2 * problem.s1, problem.s2);
}

// Pays when the longest row block that can be split has more keys than an even share of all of them.
std::string LongSeqUnfit(const FaWork &work, const FaPlatform &platform)
{
    return static_cast<double>(work.mostSplit) * static_cast<double>(platform.cores) > work.keysOfUnits
               ? ""
               : FaFormat("%" PRId64 " row blocks keep %" PRId64 " cores busy", work.units, platform.cores);
}
} // namespace

const TilingStrategy LONG_SEQ_STRATEGY = {"long_seq", FA_KEY_LONG_SEQ, LongSeqUnable, LongSeqUnfit};
