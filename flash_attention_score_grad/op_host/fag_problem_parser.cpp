// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fag_problem_parser.h"
#include "../../flash_attention_score/op_host/fa_shape_checks.h"

namespace {
constexpr int64_t STATISTICS = 8; // equal copies of a row's max or sum

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

// Query's shape with the head dim of value.
FaDims AttentionShape(const FaCall &forward, const FaProblem &problem)
{
    FaDims shape = forward.inputs[FA_QUERY].shape;
    shape.back() = shape.back() / problem.d * problem.dv;
    return shape;
}
} // namespace

std::string ParseFagProblem(const FagCall &call, FaProblem &problem)
{
    std::string refusal = ParseFaProblem(call.forward, problem);
    if (!refusal.empty()) {
        return refusal;
    }
    const FaDims attention = AttentionShape(call.forward, problem);
    const FaDims statistics = {problem.b, problem.n1, problem.s1, STATISTICS};
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
