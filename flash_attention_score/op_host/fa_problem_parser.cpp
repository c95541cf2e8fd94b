// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_problem_parser.h"
#include "fa_dropout_rule.h"
#include "fa_layouts.h"
#include "fa_mask_rule.h"
#include "fa_packed_lists.h"
#include "fa_rope_rule.h"
#include "fa_shape_checks.h"
#include "fa_shift_rule.h"

namespace {
const char *const SAME_AS_INPUT = "same_as_input";

struct Reserved {
    FaInput input;
    const char *name;
    const char *reason;
};

// Inputs that the interface has and the operator has no use for.
const Reserved RESERVED[] = {
    {FA_PADDING_MASK, "padding_mask", "it is reserved; put padding into atten_mask, [B, 1, 1, S2]"},
    {FA_D_SCALE_Q, "d_scale_q", "it belongs to 8-bit inputs, which are not supported"},
    {FA_D_SCALE_K, "d_scale_k", "it belongs to 8-bit inputs, which are not supported"},
    {FA_D_SCALE_V, "d_scale_v", "it belongs to 8-bit inputs, which are not supported"},
};

std::string CheckInputs(const FaCall &call)
{
    static const char *const NAMES[] = {"query", "key", "value"};
    for (int i = FA_QUERY; i <= FA_VALUE; i++) {
        if (!call.inputs[i].given) {
            return FaFormat("%s is required", NAMES[i]);
        }
    }
    for (const Reserved &entry : RESERVED) {
        if (FaIsGiven(call.inputs[entry.input])) {
            return FaFormat("%s must not be given: %s", entry.name, entry.reason);
        }
    }
    const ge::DataType type = call.inputs[FA_QUERY].dtype;
    if (type != ge::DT_FLOAT && type != ge::DT_FLOAT16 && type != ge::DT_BF16) {
        return FaFormat("query must be float32, float16 or bfloat16, got data type %d", static_cast<int>(type));
    }
    for (int i = FA_KEY; i <= FA_VALUE; i++) {
        if (call.inputs[i].dtype != type) {
            return FaFormat("query, key and value must have one data type, got %d for query and %d for %s",
                            static_cast<int>(type), static_cast<int>(call.inputs[i].dtype), NAMES[i]);
        }
    }
    return "";
}

std::string CheckAttributes(const FaCall &call)
{
    const std::string refusal = FaCheckHeadNum(call.headNum);
    if (!refusal.empty()) {
        return refusal;
    }
    if (call.outDtype != 0) {
        return FaFormat("out_dtype must be 0 (that of query), got %" PRId64, call.outDtype);
    }
    if (!call.softmaxOutLayout.empty() && !FaIsPacked(call)) {
        return FaFormat("softmax_out_layout must be empty outside input_layout TND, got %s",
                        call.softmaxOutLayout.c_str());
    }
    if (!call.softmaxOutLayout.empty() && call.softmaxOutLayout != SAME_AS_INPUT) {
        return FaFormat("softmax_out_layout must be empty or %s, got %s", SAME_AS_INPUT, call.softmaxOutLayout.c_str());
    }
    return "";
}

// Lengths of the sequences; dense layouts have none.
std::string ParseSequences(const FaCall &call, FaProblem &problem)
{
    problem.queryEnds.clear();
    problem.keyEnds.clear();
    if (FaIsPacked(call)) {
        const std::string refusal = ParseFaPackedLists(call, problem);
        problem.sequences.statsLikeInput = call.softmaxOutLayout.empty() ? 0 : 1;
        return refusal;
    }
    const bool query = FaIsGiven(call.inputs[FA_ACTUAL_SEQ_QLEN]);
    if (query || FaIsGiven(call.inputs[FA_ACTUAL_SEQ_KVLEN])) {
        return FaFormat("%s belongs to input_layout TND, got %s", query ? "actual_seq_qlen" : "actual_seq_kvlen",
                        call.layout.c_str());
    }
    return "";
}

std::string ParseSink(const FaCall &call, FaProblem &problem)
{
    const FaTensor &sink = call.inputs[FA_SINK];
    problem.hasSink = FaIsGiven(sink);
    if (!problem.hasSink || (sink.dtype == ge::DT_FLOAT && sink.shape == FaDims{problem.n1})) {
        return "";
    }
    return FaFormat("sink must be float32 [N1] = [%" PRId64 "], got data type %d and %s", problem.n1,
                    static_cast<int>(sink.dtype), FaShapeText(sink.shape).c_str());
}

std::string CheckOutput(const FaTensor &output, const char *name, const FaDims &expected)
{
    if (!output.given || output.shape == expected) {
        return "";
    }
    return FaFormat("%s must be %s, got %s", name, FaShapeText(expected).c_str(), FaShapeText(output.shape).c_str());
}

// Outputs come from the caller: a smaller one than the kernel writes must not get through.
std::string CheckOutputs(const FaCall &call, const FaLayoutAxes &layout, const FaProblem &problem)
{
    const FaDims statistics = FaStatisticsShape(call, layout, problem);
    std::string refusal =
        CheckOutput(call.outputs[FA_ATTENTION_OUT], "attention_out", FaAttentionShape(call, layout, problem));
    if (refusal.empty()) {
        refusal = CheckOutput(call.outputs[FA_SOFTMAX_MAX], "softmax_max", statistics);
    }
    return !refusal.empty() ? refusal : CheckOutput(call.outputs[FA_SOFTMAX_SUM], "softmax_sum", statistics);
}

using Step = std::string (*)(const FaCall &call, FaProblem &problem);

// Later steps use what earlier ones have filled.
const Step STEPS[] = {ParseSequences, ParseFaMask, ParseFaShift, ParseFaDropout, ParseFaRope, ParseSink};
} // namespace

std::string ParseFaProblem(const FaCall &call, FaProblem &problem)
{
    const FaLayoutAxes *layout = nullptr;
    std::string refusal = FindFaLayout(call.layout, &layout);
    if (refusal.empty()) {
        refusal = CheckInputs(call);
    }
    if (refusal.empty()) {
        refusal = CheckAttributes(call);
    }
    if (refusal.empty()) {
        refusal = ParseFaLayout(call, *layout, problem);
    }
    problem.dtype = call.inputs[FA_QUERY].dtype;
    problem.scale = call.scale;
    for (Step step : STEPS) {
        if (!refusal.empty()) {
            return refusal;
        }
        refusal = step(call, problem);
    }
    return refusal.empty() ? CheckOutputs(call, *layout, problem) : refusal;
}
