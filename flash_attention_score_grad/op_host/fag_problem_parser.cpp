// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fag_problem_parser.h"
#include "../../flash_attention_score/op_host/fa_layouts.h"

namespace {
FaRefusal CheckTensor(const FaTensor &tensor, const char *name, ge::DataType type, const FaDims &shape)
{
    if (!tensor.given) {
        return FA_REFUSE(REQUIRED, name);
    }
    if (tensor.dtype != type) {
        return FA_REFUSE(SAVED_TYPE, name, FaTypeName(type).c_str(), FaTypeName(tensor.dtype).c_str());
    }
    if (tensor.shape != shape) {
        return FA_REFUSE(SAVED_SHAPE, name, FaShapeText(shape).c_str(), FaShapeText(tensor.shape).c_str());
    }
    return FaRefusal();
}

int64_t CountElements(const FaDims &shape)
{
    int64_t count = 1;
    for (const int64_t dim : shape) {
        count *= dim;
    }
    return count;
}

int64_t CountWanted(const FagCall &call, FagOutput output)
{
    return call.gradients[output].given ? CountElements(call.gradients[output].shape) : 0;
}

struct GradientOf {
    FagOutput output;
    const char *name;
    FaInput input;
    bool required;
};

const GradientOf GRADIENTS[] = {
    {FAG_DQ, "dq", FA_QUERY, true},
    {FAG_DK, "dk", FA_KEY, true},
    {FAG_DV, "dv", FA_VALUE, true},
    {FAG_DPSE, "dpse", FA_REAL_SHIFT, false},
    {FAG_DQ_ROPE, "dq_rope", FA_QUERY_ROPE, false},
    {FAG_DK_ROPE, "dk_rope", FA_KEY_ROPE, false},
    {FAG_DSINK, "dsink", FA_SINK, false},
};

// A gradient has the shape of its input.
FaRefusal CheckGradients(const FagCall &call)
{
    for (const GradientOf &gradient : GRADIENTS) {
        const FaTensor &output = call.gradients[gradient.output];
        const FaTensor &input = call.forward.inputs[gradient.input];
        if (!output.given || (!gradient.required && CountElements(output.shape) == 0)) {
            continue;
        }
        if (!input.given) {
            return FA_REFUSE(GRADIENT_ALONE, gradient.name, FaShapeText(output.shape).c_str());
        }
        if (output.shape != input.shape) {
            return FA_REFUSE(GRADIENT_SHAPE, gradient.name, FaShapeText(input.shape).c_str(),
                             FaShapeText(output.shape).c_str());
        }
    }
    return FaRefusal();
}
} // namespace

FaRefusal ParseFagProblem(const FagCall &call, FaProblem &problem, FagResults &results)
{
    FaRefusal refusal = ParseFaProblem(call.forward, problem);
    if (refusal) {
        return refusal;
    }
    const FaDims attention = FaAttentionShape(call.forward, problem);
    const FaDims statistics = FaStatisticsShape(*problem.layout, call.forward.inputs[FA_QUERY].shape, problem.n1);
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
        if (refusal) {
            return refusal;
        }
    }
    refusal = FaCheckNoScale(call.scales[0], "d_scale_dy");
    refusal = refusal ? refusal : FaCheckNoScale(call.scales[1], "d_scale_o");
    if (refusal) {
        return refusal;
    }
    results.shiftElems = CountWanted(call, FAG_DPSE);
    results.queryRope = CountWanted(call, FAG_DQ_ROPE) > 0;
    results.keyRope = CountWanted(call, FAG_DK_ROPE) > 0;
    results.sink = CountWanted(call, FAG_DSINK) > 0;
    return CheckGradients(call);
}
