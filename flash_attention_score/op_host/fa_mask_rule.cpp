// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Modes, with delta = S2 - S1 (key j, query i, visible <=> lo <= j - i <= hi):
//
//   sparse_mode              lo             hi             mask tensor
//   0 window from the top    -pre_tokens    next_tokens    any, AND
//   1 all                    unbounded      unbounded      any
//   2 left-up causal         unbounded      0              2048 x 2048, contents not needed
//   3 right-down causal      unbounded      delta          2048 x 2048, contents not needed
//   4 band from the bottom   delta - pre    delta + next   2048 x 2048, contents not needed
#include "fa_mask_rule.h"
#include "fa_shape_checks.h"

namespace {
constexpr int64_t COMPRESSED_MASK = 2048;

enum SparseMode { WINDOW, ALL, LEFT_UP_CAUSAL, RIGHT_DOWN_CAUSAL, BAND, FIRST_UNSUPPORTED_MODE, LAST_MODE = 8 };

// Keeps sums of limits and lengths far from overflow; larger than any length either way.
int64_t ClampLimit(int64_t limit)
{
    return FaMax(-FA_MASK_UNBOUNDED, FaMin(limit, FA_MASK_UNBOUNDED));
}

// A window must meet the score matrix. before/after: columns before and after the diagonal that starts at the top left.
std::string CheckWindow(const FaCall &call, const FaProblem &problem)
{
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

std::string ParseRule(const FaCall &call, FaProblem &problem)
{
    const int64_t pre = ClampLimit(call.preTokens);
    const int64_t next = ClampLimit(call.nextTokens);
    FaMaskRule &rule = problem.rule;
    rule = FaMaskRule{-FA_MASK_UNBOUNDED, FA_MASK_UNBOUNDED, 0, 0, -1, 0, 0};
    bool windowed = false;
    switch (call.sparseMode) {
    case WINDOW:
        rule.lo = -pre;
        rule.hi = next;
        windowed = true;
        break;
    case ALL:
        break;
    case LEFT_UP_CAUSAL:
        rule.hi = 0;
        break;
    case RIGHT_DOWN_CAUSAL:
        rule.hi = 0;
        rule.hiFromBottom = 1;
        break;
    case BAND:
        rule.lo = -pre;
        rule.hi = next;
        rule.loFromBottom = 1;
        rule.hiFromBottom = 1;
        windowed = true;
        break;
    default:
        return call.sparseMode >= FIRST_UNSUPPORTED_MODE && call.sparseMode <= LAST_MODE
                   ? FaFormat("sparse_mode %" PRId64 " is not supported yet; allowed: 0, 1, 2, 3, 4", call.sparseMode)
                   : FaFormat("sparse_mode must be 0, 1, 2, 3 or 4, got %" PRId64, call.sparseMode);
    }
    problem.mask = FaMaskOfSegment(rule, 0, problem.s1, problem.s2, 0);
    const bool empty = problem.s1 == 0 || problem.s2 == 0;
    return empty || !windowed ? "" : CheckWindow(call, problem);
}

// Modes 2, 3 and 4 are arithmetic: their tensor is accepted for the sake of callers that must pass it elsewhere.
std::string CheckCompressedMask(const FaCall &call)
{
    const FaDims &shape = call.inputs[FA_ATTEN_MASK].shape;
    const size_t rank = shape.size();
    const bool square = rank >= 2 && shape[rank - 2] == COMPRESSED_MASK && shape[rank - 1] == COMPRESSED_MASK;
    if (square && (rank == 2 || (rank == 4 && shape[0] == 1 && shape[1] == 1))) {
        return "";
    }
    return FaFormat("atten_mask must be [2048, 2048] or absent for sparse_mode %" PRId64 ", got %s", call.sparseMode,
                    FaShapeText(shape).c_str());
}

std::string ParseFullMask(const FaCall &call, FaProblem &problem)
{
    const FaDims &shape = call.inputs[FA_ATTEN_MASK].shape;
    if (shape.size() != 2 && shape.size() != 4) {
        return FaFormat("atten_mask must have 2 or 4 dimensions, got %s", FaShapeText(shape).c_str());
    }
    const int64_t full[] = {problem.b, problem.n1, problem.s1, problem.s2};
    const size_t first = 4 - shape.size();
    int64_t dims[] = {1, 1, 1, 1};
    for (size_t i = first; i < 4; i++) {
        dims[i] = shape[i - first];
        if (dims[i] == 1 || dims[i] == full[i]) {
            continue;
        }
        if (shape.size() == 2) {
            return FaFormat("a 2-D atten_mask is [S1, S2] = [%" PRId64 ", %" PRId64
                            "] (a dimension may be 1), got %s; pass a mask per batch as [B, 1, 1, S2]",
                            problem.s1, problem.s2, FaShapeText(shape).c_str());
        }
        return FaFormat("atten_mask must be [B, N1, S1, S2] = [%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64
                        "] (a dimension may be 1), got %s",
                        full[0], full[1], full[2], full[3], FaShapeText(shape).c_str());
    }
    problem.maskTensor.b = dims[0] == 1 ? 0 : dims[1] * dims[2] * dims[3];
    problem.maskTensor.n = dims[1] == 1 ? 0 : dims[2] * dims[3];
    problem.maskTensor.s1 = dims[2] == 1 ? 0 : dims[3];
    problem.maskTensor.s2 = dims[3] == 1 ? 0 : 1;
    problem.hasMaskTensor = true;
    return "";
}
} // namespace

std::string ParseFaMask(const FaCall &call, FaProblem &problem)
{
    problem.hasMaskTensor = false;
    problem.maskTensor = FaMaskTensorStrides{0, 0, 0, 0};
    const std::string refusal = ParseRule(call, problem);
    const FaTensor &tensor = call.inputs[FA_ATTEN_MASK];
    if (!refusal.empty() || !tensor.given) {
        return refusal;
    }
    if (tensor.dtype != ge::DT_BOOL && tensor.dtype != ge::DT_UINT8) {
        return FaFormat("atten_mask must be bool or uint8 (nonzero = masked out), got data type %d%s",
                        static_cast<int>(tensor.dtype),
                        tensor.dtype == ge::DT_FLOAT || tensor.dtype == ge::DT_FLOAT16 || tensor.dtype == ge::DT_BF16
                            ? "; an additive float mask is not supported yet"
                            : "");
    }
    return call.sparseMode >= LEFT_UP_CAUSAL ? CheckCompressedMask(call) : ParseFullMask(call, problem);
}
