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
const struct {
    FaInput input;
    const char *name;
} SCALES[] = {{FA_D_SCALE_Q, "d_scale_q"}, {FA_D_SCALE_K, "d_scale_k"}, {FA_D_SCALE_V, "d_scale_v"}};

FaRefusal ParseInputs(const FaCall &call, FaProblem &problem)
{
    static const char *const NAMES[] = {"query", "key", "value"};
    for (int i = FA_QUERY; i <= FA_VALUE; i++) {
        if (!call.inputs[i].given) {
            return FA_REFUSE(REQUIRED, NAMES[i]);
        }
    }
    const FaTensor &padding = call.inputs[FA_PADDING_MASK];
    if (FaIsGiven(padding)) {
        return FA_REFUSE(PADDING_MASK, FaShapeText(padding.shape).c_str());
    }
    for (const auto &scale : SCALES) {
        const FaRefusal refusal = FaCheckNoScale(call.inputs[scale.input], scale.name);
        if (refusal) {
            return refusal;
        }
    }
    const ge::DataType type = call.inputs[FA_QUERY].dtype;
    problem.dtype = type;
    if (type != ge::DT_FLOAT && type != ge::DT_FLOAT16 && type != ge::DT_BF16) {
        return FA_REFUSE(QUERY_TYPE, FaTypeName(type).c_str());
    }
    for (int i = FA_KEY; i <= FA_VALUE; i++) {
        if (call.inputs[i].dtype != type) {
            return FA_REFUSE(ONE_TYPE, FaTypeName(type).c_str(), FaTypeName(call.inputs[i].dtype).c_str(), NAMES[i]);
        }
    }
    return FaRefusal();
}

FaRefusal ParseAttributes(const FaCall &call, FaProblem &problem)
{
    problem.scale = call.scale;
    const FaRefusal refusal = FaCheckHeadNum(call.headNum);
    if (refusal) {
        return refusal;
    }
    if (call.outDtype != 0) {
        return FA_REFUSE(OUT_DTYPE, call.outDtype);
    }
    if (!call.softmaxOutLayout.empty() && !FaIsPacked(call)) {
        return FA_REFUSE(SOFTMAX_LAYOUT_PACKED, call.softmaxOutLayout.c_str());
    }
    if (!call.softmaxOutLayout.empty() && call.softmaxOutLayout != "same_as_input") {
        return FA_REFUSE(SOFTMAX_LAYOUT, call.softmaxOutLayout.c_str());
    }
    return FaRefusal();
}

// Lengths of the sequences; dense layouts have none.
FaRefusal ParseSequences(const FaCall &call, FaProblem &problem)
{
    problem.queryEnds.clear();
    problem.keyEnds.clear();
    if (FaIsPacked(call)) {
        const FaRefusal refusal = ParseFaPackedLists(call, problem);
        problem.sequences.statsLikeInput = call.softmaxOutLayout.empty() ? 0 : 1;
        return refusal;
    }
    const bool query = FaIsGiven(call.inputs[FA_ACTUAL_SEQ_QLEN]);
    if (query || FaIsGiven(call.inputs[FA_ACTUAL_SEQ_KVLEN])) {
        return FA_REFUSE(LIST_OUTSIDE_TND, query ? "actual_seq_qlen" : "actual_seq_kvlen", call.layout.c_str());
    }
    return FaRefusal();
}

FaRefusal ParseSink(const FaCall &call, FaProblem &problem)
{
    const FaTensor &sink = call.inputs[FA_SINK];
    problem.hasSink = FaIsGiven(sink);
    if (!problem.hasSink || (sink.dtype == ge::DT_FLOAT && sink.shape == FaDims{problem.n1})) {
        return FaRefusal();
    }
    return FA_REFUSE(SINK, problem.n1, FaTypeName(sink.dtype).c_str(), FaShapeText(sink.shape).c_str());
}

FaRefusal CheckOutput(const FaTensor &output, const char *name, const FaDims &expected)
{
    if (!output.given || output.shape == expected) {
        return FaRefusal();
    }
    return FA_REFUSE(OUTPUT_SHAPE, name, FaShapeText(expected).c_str(), FaShapeText(output.shape).c_str());
}

// Outputs come from the caller: a smaller one than the kernel writes must not get through.
FaRefusal CheckOutputs(const FaCall &call, FaProblem &problem)
{
    const FaDims statistics = FaStatisticsShape(*problem.layout, call.inputs[FA_QUERY].shape, problem.n1);
    FaRefusal refusal = CheckOutput(call.outputs[FA_ATTENTION_OUT], "attention_out", FaAttentionShape(call, problem));
    if (!refusal) {
        refusal = CheckOutput(call.outputs[FA_SOFTMAX_MAX], "softmax_max", statistics);
    }
    return refusal ? refusal : CheckOutput(call.outputs[FA_SOFTMAX_SUM], "softmax_sum", statistics);
}

using Step = FaRefusal (*)(const FaCall &call, FaProblem &problem);

// Later steps use what earlier ones have filled.
const Step STEPS[] = {FindFaLayout, ParseInputs,    ParseAttributes, ParseFaLayout, ParseSequences, ParseFaMask,
                      ParseFaShift, ParseFaDropout, ParseFaRope,     ParseSink,     CheckOutputs};
} // namespace

FaRefusal FaCheckNoScale(const FaTensor &scale, const char *name)
{
    return FaIsGiven(scale) ? FA_REFUSE(D_SCALE, name, FaShapeText(scale.shape).c_str()) : FaRefusal();
}

FaRefusal ParseFaProblem(const FaCall &call, FaProblem &problem)
{
    for (Step step : STEPS) {
        const FaRefusal refusal = step(call, problem);
        if (refusal) {
            return refusal;
        }
    }
    return FaRefusal();
}
