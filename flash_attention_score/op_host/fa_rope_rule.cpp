// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_rope_rule.h"
#include "fa_layouts.h"
#include "fa_mask_rule.h"
#include "fa_packed_lists.h"
#include "fa_shape_checks.h"

namespace {
constexpr int64_t L1_UNIT = 16; // columns of a block in L1

struct RopeSide {
    FaInput rope;
    const char *name;
    FaInput tensor;
    const char *tensorName;
};

const RopeSide SIDES[] = {{FA_QUERY_ROPE, "query_rope", FA_QUERY, "query"}, {FA_KEY_ROPE, "key_rope", FA_KEY, "key"}};

// Why rotary parts cannot come with the rest of the call; null: they can.
const char *CombinationProblem(const FaCall &call, const FaProblem &problem)
{
    if (!FaIsPacked(call)) {
        return "input_layout TND";
    }
    if (problem.dtype != ge::DT_BF16) {
        return "query, key and value of bfloat16";
    }
    if (problem.shift.kind != FA_SHIFT_NONE) {
        return "no real_shift (pse)";
    }
    if (problem.dropout.given != 0 || call.keepProb != 1.0f) {
        return "no dropout";
    }
    return call.sparseMode == FA_PREFIX_COMPRESSED ? "a sparse_mode other than 6" : nullptr;
}

std::string CheckSide(const FaCall &call, const FaProblem &problem, const RopeSide &side)
{
    const FaTensor &rope = call.inputs[side.rope];
    const FaDims &tensor = call.inputs[side.tensor].shape;
    if (rope.dtype != problem.dtype) {
        return FaFormat("%s must be bfloat16, got data type %d", side.name, static_cast<int>(rope.dtype));
    }
    const bool fits = rope.shape.size() == tensor.size() && rope.shape[0] == tensor[0] && rope.shape[1] == tensor[1];
    if (!fits || rope.shape[2] <= 0 || rope.shape[2] > problem.d) {
        return FaFormat("%s must have %s's shape %s with a last dimension of 1..%" PRId64 ", got %s", side.name,
                        side.tensorName, FaShapeText(tensor).c_str(), problem.d, FaShapeText(rope.shape).c_str());
    }
    return "";
}
} // namespace

std::string ParseFaRope(const FaCall &call, FaProblem &problem)
{
    problem.rope = FaRopeParam{0, {0, 0, 0}, {0, 0, 0}};
    const bool query = FaIsGiven(call.inputs[FA_QUERY_ROPE]);
    const bool key = FaIsGiven(call.inputs[FA_KEY_ROPE]);
    if (!query && !key) {
        return "";
    }
    if (query != key) {
        return FaFormat("query_rope and key_rope must be given both, got %s alone", query ? "query_rope" : "key_rope");
    }
    const char *needed = CombinationProblem(call, problem);
    if (needed != nullptr) {
        return FaFormat("query_rope and key_rope need %s", needed);
    }
    for (const RopeSide &side : SIDES) {
        const std::string refusal = CheckSide(call, problem, side);
        if (!refusal.empty()) {
            return refusal;
        }
    }
    const int64_t dim = call.inputs[FA_QUERY_ROPE].shape[2];
    if (call.inputs[FA_KEY_ROPE].shape[2] != dim) {
        return FaFormat("query_rope and key_rope must have one last dimension, got %" PRId64 " and %" PRId64, dim,
                        call.inputs[FA_KEY_ROPE].shape[2]);
    }
    const int64_t both = (problem.d + L1_UNIT - 1) / L1_UNIT * L1_UNIT + (dim + L1_UNIT - 1) / L1_UNIT * L1_UNIT;
    if (both > FA_MAX_HEAD_DIM) {
        return FaFormat("head dims of query and query_rope, each rounded up to %" PRId64 ", must be at most %" PRId64
                        " together, got %" PRId64 " and %" PRId64,
                        L1_UNIT, FA_MAX_HEAD_DIM, problem.d, dim);
    }
    problem.rope = FaRopeParam{dim, {0, dim, problem.n1 * dim}, {0, dim, problem.n2 * dim}};
    return "";
}
