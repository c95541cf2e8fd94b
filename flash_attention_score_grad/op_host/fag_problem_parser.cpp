// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fag_problem_parser.h"
#include "../../flash_attention_score/op_host/fa_layouts.h"
#include "../../flash_attention_score/op_host/fa_packed_lists.h"

namespace {
std::string CheckTensor(const FaTensor &tensor, const char *name, ge::DataType type, const FaDims &shape)
{
    if (!tensor.given) {
        return FaFormat("%s is required", name);
    }
    if (tensor.dtype != type) {
        return FaFormat("%s must have data type %d, got %d", name, static_cast<int>(type),
                        static_cast<int>(tensor.dtype));
    }
    if (tensor.shape != shape) {
        return FaFormat("%s must be %s, got %s", name, FaShapeText(shape).c_str(), FaShapeText(tensor.shape).c_str());
    }
    return "";
}

// The forward call. A packed pse may have one dimension here.
FaCall ForwardOf(const FagCall &call)
{
    FaCall forward = call.forward;
    FaDims &shift = forward.inputs[FA_REAL_SHIFT].shape;
    if (FaIsPacked(forward) && shift.size() == 1 && shift[0] != 0 && call.forward.pseType <= 1) {
        shift.push_back(1);
    }
    return forward;
}
} // namespace

std::string ParseFagProblem(const FagCall &call, FaProblem &problem)
{
    const FaLayoutAxes *layout = nullptr;
    std::string refusal = FindFaLayout(call.forward.layout, &layout);
    if (refusal.empty()) {
        refusal = ParseFaProblem(ForwardOf(call), problem);
    }
    if (!refusal.empty()) {
        return refusal;
    }
    const FaDims attention = FaAttentionShape(call.forward, *layout, problem);
    const FaDims statistics = FaStatisticsShape(call.forward, *layout, problem);
    const struct {
        const FaTensor &tensor;
        const char *name;
        ge::DataType type;
        const FaDims &shape;
    } inputs[] = {
        {call.dy, "dy", problem.dtype, attention},
        {call.attentionIn, "attention_in", problem.dtype, attention},
        {call.softmaxMax, "softmax_max", ge::DT_FLOAT, statistics},
        {call.softmaxSum, "softmax_sum", ge::DT_FLOAT, statistics},
    };
    for (const auto &input : inputs) {
        refusal = CheckTensor(input.tensor, input.name, input.type, input.shape);
        if (!refusal.empty()) {
            return refusal;
        }
    }
    if (call.scales[0].given || call.scales[1].given) {
        return "d_scale_dy and d_scale_o must not be given: they belong to 8-bit inputs, which are not supported";
    }
    static const char *const NAMES[] = {"dq", "dk", "dv"};
    for (int i = 0; i < 3; i++) {
        const FaDims &expected = call.forward.inputs[FA_QUERY + i].shape;
        if (call.gradients[i].given && call.gradients[i].shape != expected) {
            return FaFormat("%s must be %s, got %s", NAMES[i], FaShapeText(expected).c_str(),
                            FaShapeText(call.gradients[i].shape).c_str());
        }
    }
    return "";
}
