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

// All rows of a check have the same holes, which are filled once it is known which row it is.
#define UNFILLED(id) FaRefusal(#id, FA_TEXT_##id)

// What a mode asks of the tokens themselves, and of every sequence.
FaRefusal CheckTokens(const Tokens &tokens)
{
    switch (tokens.mode) {
    case FA_WINDOW:
        if (tokens.next < 0) {
            return UNFILLED(PACKED_NEXT);
        }
        return tokens.pre < 0 && tokens.next < -tokens.pre ? UNFILLED(PACKED_EMPTY) : FaRefusal();
    case FA_BAND:
        if (tokens.pre < 0) {
            return UNFILLED(PACKED_PRE);
        }
        return tokens.next < 0 && tokens.pre < -tokens.next ? UNFILLED(PACKED_EMPTY) : FaRefusal();
    case FA_RIGHT_DOWN_CAUSAL_BAND:
        return tokens.next > 0 ? UNFILLED(BAND_NEXT) : FaRefusal();
    default:
        return FaRefusal();
    }
}

// Modes 7 and 8 continue one attention that was cut in parts: its sequences must fit together. Elsewhere a row may see
// no key.
FaRefusal CheckSequence(const Tokens &tokens, const FaLengths &lengths, bool isBand)
{
    if (tokens.mode == FA_RIGHT_DOWN_CAUSAL_BAND && lengths.s1 > lengths.s2) {
        return UNFILLED(BAND_SEQUENCES);
    }
    if (isBand && lengths.s1 - tokens.next > lengths.s2) {
        return UNFILLED(BAND_LENGTHS);
    }
    return isBand && tokens.pre < lengths.s2 ? UNFILLED(BAND_PRE) : FaRefusal();
}
} // namespace

FaRefusal CheckFaWindow(const FaCall &call, const FaProblem &problem)
{
    const bool windowed = call.sparseMode == FA_WINDOW || call.sparseMode == FA_BAND;
    if (!windowed || problem.s1 == 0 || problem.s2 == 0) {
        return FaRefusal();
    }
    // Columns before and after the diagonal that starts at the top left.
    const int64_t before = -problem.mask.lo;
    const int64_t after = problem.mask.hi;
    FaRefusal refusal;
    if (before < 0 && after < 0) {
        refusal = UNFILLED(WINDOW_NEGATIVE);
    } else if ((before < 0 && after < -before) || (after < 0 && -after > before)) {
        refusal = UNFILLED(WINDOW_EMPTY);
    } else if (before < 0 && -before >= problem.s2) {
        refusal = UNFILLED(WINDOW_RIGHT);
    } else if (after < 0 && -after >= problem.s1) {
        refusal = UNFILLED(WINDOW_BELOW);
    }
    if (refusal) {
        refusal.text = FaFormat(refusal.text.c_str(), call.preTokens, call.nextTokens, call.sparseMode, problem.s1,
                                problem.s2, before, after);
    }
    return refusal;
}

FaRefusal CheckFaPackedWindow(const FaCall &call, const FaProblem &problem)
{
    const Tokens tokens = {call.sparseMode, FaClampTokens(call.preTokens), FaClampTokens(call.nextTokens)};
    FaRefusal refusal = CheckTokens(tokens);
    if (refusal) {
        refusal.text = FaFormat(refusal.text.c_str(), call.preTokens, call.nextTokens, call.sparseMode);
        return refusal;
    }
    for (int64_t i = 0; i < problem.b && !refusal; i++) {
        const FaLengths lengths = FaLengthsOf(problem, i);
        if (lengths.s1 == 0 || lengths.s2 == 0) {
            continue;
        }
        refusal = CheckSequence(tokens, lengths, i == problem.rule.bandSegment);
        if (refusal) {
            refusal.text = FaFormat(refusal.text.c_str(), call.preTokens, call.nextTokens, call.sparseMode, lengths.s1,
                                    lengths.s2, i);
        }
    }
    return refusal;
}
