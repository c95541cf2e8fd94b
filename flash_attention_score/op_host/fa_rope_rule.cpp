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

// Rotary parts do not come with everything.
FaRefusal CheckCombination(const FaCall &call, const FaProblem &problem)
{
    if (!FaIsPacked(call)) {
        return FA_REFUSE(ROPE_LAYOUT, call.layout.c_str());
    }
    if (problem.dtype != ge::DT_BF16) {
        return FA_REFUSE(ROPE_QUERY_TYPE, FaTypeName(problem.dtype).c_str());
    }
    if (problem.shift.kind != FA_SHIFT_NONE) {
        return FA_REFUSE(ROPE_SHIFT, FaShapeText(call.inputs[FA_REAL_SHIFT].shape).c_str());
    }
    if (problem.dropout.given != 0 || call.keepProb != 1.0f) {
        return FA_REFUSE(ROPE_DROPOUT, problem.dropout.given != 0 ? "drop_mask" : "none",
                         static_cast<double>(call.keepProb));
    }
    return call.sparseMode == FA_PREFIX_COMPRESSED ? FA_REFUSE(ROPE_MODE, call.sparseMode) : FaRefusal();
}

FaRefusal CheckSide(const FaCall &call, const FaProblem &problem, const RopeSide &side)
{
    const FaTensor &rope = call.inputs[side.rope];
    const FaDims &tensor = call.inputs[side.tensor].shape;
    if (rope.dtype != problem.dtype) {
        return FA_REFUSE(ROPE_TYPE, side.name, FaTypeName(rope.dtype).c_str());
    }
    const bool fits = rope.shape.size() == tensor.size() && rope.shape[0] == tensor[0] && rope.shape[1] == tensor[1];
    if (!fits || rope.shape[2] <= 0 || rope.shape[2] > problem.d) {
        return FA_REFUSE(ROPE_SHAPE, side.name, side.tensorName, FaShapeText(tensor).c_str(), problem.d,
                         FaShapeText(rope.shape).c_str());
    }
    return FaRefusal();
}
} // namespace

FaRefusal ParseFaRope(const FaCall &call, FaProblem &problem)
{
    problem.rope = FaRopeParam{0, {0, 0, 0}, {0, 0, 0}};
    const bool query = FaIsGiven(call.inputs[FA_QUERY_ROPE]);
    const bool key = FaIsGiven(call.inputs[FA_KEY_ROPE]);
    if (!query && !key) {
        return FaRefusal();
    }
    if (query != key) {
        return FA_REFUSE(ROPE_ALONE, query ? "query_rope" : "key_rope");
    }
    FaRefusal refusal = CheckCombination(call, problem);
    for (const RopeSide &side : SIDES) {
        refusal = refusal ? refusal : CheckSide(call, problem, side);
    }
    if (refusal) {
        return refusal;
    }
    const int64_t dim = call.inputs[FA_QUERY_ROPE].shape[2];
    if (call.inputs[FA_KEY_ROPE].shape[2] != dim) {
        return FA_REFUSE(ROPE_DIMS, dim, call.inputs[FA_KEY_ROPE].shape[2]);
    }
    const int64_t both = (problem.d + L1_UNIT - 1) / L1_UNIT * L1_UNIT + (dim + L1_UNIT - 1) / L1_UNIT * L1_UNIT;
    if (both > FA_MAX_HEAD_DIM) {
        return FA_REFUSE(ROPE_L1, L1_UNIT, FA_MAX_HEAD_DIM, problem.d, dim);
    }
    problem.rope = FaRopeParam{dim, {0, dim, problem.n1 * dim}, {0, dim, problem.n2 * dim}};
    return FaRefusal();
}
