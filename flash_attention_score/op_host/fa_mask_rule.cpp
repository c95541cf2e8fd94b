// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Modes, with delta = S2 - S1 of a batch or sequence (key j, query i, visible <=> lo <= j - i <= hi or j < prefix):
//
//   sparse_mode               lo           hi                                           mask tensor
//   0 window from the top     -pre_tokens  next_tokens                                  any, AND
//   1 all                     unbounded    unbounded                                    any
//   2 left-up causal          unbounded    0                                            2048 x 2048, not needed
//   3 right-down causal       unbounded    delta                                        2048 x 2048, not needed
//   4 band from the bottom    delta - pre  delta + next                                 2048 x 2048, not needed
//   5 prefix                  unbounded    delta                                        any, AND
//   6 prefix, compressed      unbounded    delta                                        3072 x 2048, not needed
//   7 TND, right-down causal  unbounded    delta; last sequence with queries + next     2048 x 2048, not needed
//   8 TND, left-up causal     unbounded    0; first sequence with queries delta + next  2048 x 2048, not needed
#include "fa_mask_rule.h"
#include "fa_mask_shape.h"
#include "fa_packed_lists.h"
#include "fa_shape_checks.h"
#include "fa_window_rule.h"

namespace {
// First or last sequence that has queries, -1: none.
int64_t SequenceWithQueries(const FaProblem &problem, bool first)
{
    int64_t found = -1;
    for (int64_t i = 0; i < problem.b; i++) {
        if (FaLengthsOf(problem, i).s1 > 0 && (found < 0 || !first)) {
            found = i;
        }
    }
    return found;
}

FaRefusal CheckMode(const FaCall &call, bool packed)
{
    const int64_t mode = call.sparseMode;
    const bool onlyPacked = mode == FA_RIGHT_DOWN_CAUSAL_BAND || mode == FA_LEFT_UP_CAUSAL_BAND;
    if (mode >= 0 && mode < FA_SPARSE_MODES && (packed ? mode != FA_PREFIX_MASKED : !onlyPacked)) {
        return FaRefusal();
    }
    return FA_REFUSE(SPARSE_MODE, packed ? "0, 1, 2, 3, 4, 6, 7 or 8" : "0, 1, 2, 3, 4, 5 or 6", call.layout.c_str(),
                     mode);
}

enum class Limits { NONE, CAUSAL, TOKENS }; // all keys, up to the diagonal, from pre_tokens to next_tokens
enum class Band { NONE, FIRST, LAST };      // sequence with queries whose upper limit is next_tokens

// The table above.
const struct {
    Limits limits;
    bool loFromBottom;
    bool hiFromBottom;
    bool hasPrefix;
    Band band;
} MODES[FA_SPARSE_MODES] = {
    {Limits::TOKENS, false, false, false, Band::NONE},  // FA_WINDOW
    {Limits::NONE, false, false, false, Band::NONE},    // FA_ALL
    {Limits::CAUSAL, false, false, false, Band::NONE},  // FA_LEFT_UP_CAUSAL
    {Limits::CAUSAL, false, true, false, Band::NONE},   // FA_RIGHT_DOWN_CAUSAL
    {Limits::TOKENS, true, true, false, Band::NONE},    // FA_BAND
    {Limits::CAUSAL, false, true, true, Band::NONE},    // FA_PREFIX_MASKED
    {Limits::CAUSAL, false, true, true, Band::NONE},    // FA_PREFIX_COMPRESSED
    {Limits::CAUSAL, false, true, false, Band::LAST},   // FA_RIGHT_DOWN_CAUSAL_BAND
    {Limits::CAUSAL, false, false, false, Band::FIRST}, // FA_LEFT_UP_CAUSAL_BAND
};

FaMaskRule RuleOf(const FaCall &call, const FaProblem &problem)
{
    const auto &mode = MODES[call.sparseMode];
    const int64_t next = FaClampTokens(call.nextTokens);
    FaMaskRule rule = {-FA_MASK_UNBOUNDED, FA_MASK_UNBOUNDED, mode.loFromBottom, mode.hiFromBottom, -1, 0,
                       mode.hasPrefix};
    if (mode.limits == Limits::TOKENS) {
        rule.lo = -FaClampTokens(call.preTokens);
        rule.hi = next;
    } else if (mode.limits == Limits::CAUSAL) {
        rule.hi = 0;
    }
    if (mode.band != Band::NONE) {
        rule.bandSegment = SequenceWithQueries(problem, mode.band == Band::FIRST);
        rule.bandHi = next;
    }
    return rule;
}

// A prefix ends between the keys that every query sees anyway and the last key.
FaRefusal ParsePrefixes(const FaCall &call, FaProblem &problem)
{
    const FaRefusal refusal = FaReadList(call.inputs[FA_PREFIX], "prefix", problem.prefixes);
    if (refusal) {
        return refusal;
    }
    const int64_t given = static_cast<int64_t>(problem.prefixes.size());
    if (problem.rule.hasPrefix == 0) {
        return given == 0 ? FaRefusal() : FA_REFUSE(PREFIX_MODE, call.sparseMode);
    }
    if (given != problem.b) {
        return FA_REFUSE(PREFIX_COUNT, problem.b, given);
    }
    for (int64_t i = 0; i < given; i++) {
        const FaLengths lengths = FaLengthsOf(problem, i);
        const int64_t least = lengths.s1 == 0 ? 0 : FaMax(0, lengths.s2 - lengths.s1);
        const int64_t prefix = problem.prefixes[static_cast<size_t>(i)];
        if (prefix < least || prefix > lengths.s2) {
            return FA_REFUSE(PREFIX_RANGE, i, least, lengths.s2, prefix);
        }
    }
    return FaRefusal();
}
} // namespace

FaRefusal ParseFaMask(const FaCall &call, FaProblem &problem)
{
    const bool packed = FaIsPacked(call);
    FaRefusal refusal = CheckMode(call, packed);
    if (refusal) {
        return refusal;
    }
    problem.rule = RuleOf(call, problem);
    refusal = ParsePrefixes(call, problem);
    if (refusal) {
        return refusal;
    }
    problem.mask =
        FaMaskOfSegment(problem.rule, 0, problem.s1, problem.s2, problem.prefixes.empty() ? 0 : problem.prefixes[0]);
    refusal = packed ? CheckFaPackedWindow(call, problem) : CheckFaWindow(call, problem);
    return refusal ? refusal : ParseFaMaskTensor(call, problem);
}
