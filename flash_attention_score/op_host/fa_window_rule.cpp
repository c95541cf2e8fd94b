// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_window_rule.h"
#include "fa_mask_rule.h"
#include "fa_packed_lists.h"
#include "fa_shape_checks.h"

namespace {
struct Tokens {
    int64_t mode;
    int64_t pre;
    int64_t next;
};

// What a mode asks of the tokens themselves, and of every sequence. Null: nothing that is not there.
const char *TokensProblem(const Tokens &tokens)
{
    switch (tokens.mode) {
    case FA_WINDOW:
        if (tokens.next < 0) {
            return "next_tokens must not be negative";
        }
        return tokens.pre < 0 && tokens.next < -tokens.pre ? "the window is empty" : nullptr;
    case FA_BAND:
        if (tokens.pre < 0) {
            return "pre_tokens must not be negative";
        }
        return tokens.next < 0 && tokens.pre < -tokens.next ? "the window is empty" : nullptr;
    case FA_RIGHT_DOWN_CAUSAL_BAND:
        return tokens.next > 0 ? "next_tokens must not be positive" : nullptr;
    default:
        return nullptr;
    }
}

// Modes 7 and 8 continue one attention that was cut in parts: its sequences must fit together. Elsewhere a row may see
// no key.
const char *SequenceProblem(const Tokens &tokens, const FaLengths &lengths, bool isBand)
{
    if (tokens.mode == FA_RIGHT_DOWN_CAUSAL_BAND && lengths.s1 > lengths.s2) {
        return "S1 must not be larger than S2";
    }
    if (isBand && lengths.s1 - tokens.next > lengths.s2) {
        return "S1 - next_tokens must not be larger than S2";
    }
    return isBand && tokens.pre < lengths.s2 ? "pre_tokens must not be less than its S2" : nullptr;
}
} // namespace

std::string CheckFaWindow(const FaCall &call, const FaProblem &problem)
{
    const bool windowed = call.sparseMode == FA_WINDOW || call.sparseMode == FA_BAND;
    if (!windowed || problem.s1 == 0 || problem.s2 == 0) {
        return "";
    }
    // Columns before and after the diagonal that starts at the top left.
    const int64_t before = -problem.mask.lo;
    const int64_t after = problem.mask.hi;
    const char *problemText = nullptr;
    if (before < 0 && after < 0) {
        problemText = "both are negative";
    } else if (before < 0 && after < -before) {
        problemText = "the window is empty";
    } else if (before < 0 && -before >= problem.s2) {
        problemText = "the window lies right of every key";
    } else if (after < 0 && -after > before) {
        problemText = "the window is empty";
    } else if (after < 0 && -after >= problem.s1) {
        problemText = "the window lies below every query";
    }
    if (problemText == nullptr) {
        return "";
    }
    return FaFormat(
        "pre_tokens %" PRId64 " and next_tokens %" PRId64 " are refused for sparse_mode %" PRId64 ", S1 %" PRId64
        ", S2 %" PRId64 ": %s (%" PRId64 " keys before, %" PRId64 " after the diagonal from the top left)",
        call.preTokens, call.nextTokens, call.sparseMode, problem.s1, problem.s2, problemText, before, after);
}

std::string CheckFaPackedWindow(const FaCall &call, const FaProblem &problem)
{
    const Tokens tokens = {call.sparseMode, FaClampTokens(call.preTokens), FaClampTokens(call.nextTokens)};
    const char *problemText = TokensProblem(tokens);
    if (problemText != nullptr) {
        return FaFormat("pre_tokens %" PRId64 " and next_tokens %" PRId64 " are refused for sparse_mode %" PRId64
                        " of input_layout TND: %s",
                        call.preTokens, call.nextTokens, call.sparseMode, problemText);
    }
    for (int64_t i = 0; i < problem.b; i++) {
        const FaLengths lengths = FaLengthsOf(problem, i);
        problemText = lengths.s1 == 0 || lengths.s2 == 0
                          ? nullptr
                          : SequenceProblem(tokens, lengths, i == problem.rule.bandSegment);
        if (problemText != nullptr) {
            return FaFormat("sequence %" PRId64 " with S1 %" PRId64 " and S2 %" PRId64
                            " is refused for sparse_mode %" PRId64 " of input_layout TND, pre_tokens %" PRId64
                            ", next_tokens %" PRId64 ": %s",
                            i, lengths.s1, lengths.s2, call.sparseMode, call.preTokens, call.nextTokens, problemText);
        }
    }
    return "";
}
