// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// All keys in one KV stack: the first softmax step is the last, nothing is rescaled.
#include <cinttypes>
#include "../fa_reject.h"
#include "tiling_strategy.h"

namespace {
std::string ShortSeqUnable(const FaProblem &, const FaWork &work)
{
    const int64_t kvStack = work.tile.kvStack;
    return work.mostKeys <= kvStack
               ? ""
               : FaFormat("S2 %" PRId64 " exceeds one stack of %" PRId64 " keys", work.mostKeys, kvStack);
}

std::string AlwaysFit(const FaWork &, const FaPlatform &)
{
    return "";
}
} // namespace

const TilingStrategy SHORT_SEQ_STRATEGY = {"short_seq", FA_KEY_SHORT_SEQ, ShortSeqUnable, AlwaysFit};
