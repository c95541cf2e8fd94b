// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_not_yet.h"
#include "fa_shape_checks.h"

namespace {
// Delete a line when the forward kernel computes the feature.
const FaFeature NOT_YET[] = {
    {"real_shift (pse)", FaUsesShiftTensor},
    {"packed real_shift (pse)", FaUsesPackedShift},
    {"alibi-compressed real_shift (pse)", FaUsesAlibiShift},
    {"slopes (pse_type 2 and 3)", FaUsesSlopes},
    {"drop_mask: dropout", FaUsesDropout},
    {"query_rope and key_rope", FaUsesRope},
    {"sink", FaUsesSink},
};
} // namespace

bool FaUsesPackedSequences(const FaProblem &problem)
{
    return problem.sequences.listed > 0 || problem.sequences.tokens > 0;
}

bool FaUsesPrefix(const FaProblem &problem)
{
    return problem.rule.hasPrefix != 0;
}

bool FaUsesShiftTensor(const FaProblem &problem)
{
    const int32_t kind = problem.shift.kind;
    return kind == FA_SHIFT_BEFORE_SCALE || kind == FA_SHIFT_AFTER_SCALE;
}

bool FaUsesPackedShift(const FaProblem &problem)
{
    return problem.shift.place == FA_SHIFT_PACKED_ROW || problem.shift.place == FA_SHIFT_PACKED_FULL;
}

bool FaUsesAlibiShift(const FaProblem &problem)
{
    return problem.shift.place == FA_SHIFT_ALIBI;
}

bool FaUsesSlopes(const FaProblem &problem)
{
    return problem.shift.kind == FA_SHIFT_SLOPE || problem.shift.kind == FA_SHIFT_SLOPE_SQRT;
}

bool FaUsesDropout(const FaProblem &problem)
{
    return problem.dropout.given != 0;
}

bool FaUsesRope(const FaProblem &problem)
{
    return problem.rope.d != 0;
}

bool FaUsesSink(const FaProblem &problem)
{
    return problem.hasSink;
}

std::string FaRefuseFeatures(const FaFeature *features, size_t count, const FaProblem &problem)
{
    for (size_t i = 0; i < count; i++) {
        if (features[i].isUsed(problem)) {
            return FaFormat("%s is not supported yet", features[i].name);
        }
    }
    return "";
}

std::string FaRefuseNotYet(const FaProblem &problem)
{
    return FaRefuseFeatures(NOT_YET, sizeof(NOT_YET) / sizeof(NOT_YET[0]), problem);
}
