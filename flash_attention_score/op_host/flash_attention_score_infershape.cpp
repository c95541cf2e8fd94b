// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Output shapes of FlashAttentionScore for every layout. An unknown dimension (-1) or rank (-2) stays unknown.
#include <cctype>
#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "register/op_impl_registry.h"
#include "fa_layout_axes.h"
#include "fa_op_indices.h"

namespace {
constexpr int64_t UNKNOWN_DIM = -1;
constexpr int64_t UNKNOWN_RANK = -2;

void SetShape(gert::Shape *shape, const FaDims &dims)
{
    shape->SetDimNum(dims.size());
    size_t i = 0;
    for (int64_t dim : dims) {
        shape->SetDim(i++, dim);
    }
}

bool IsUnknownRank(const gert::Shape &shape)
{
    return shape.GetDimNum() == 1 && shape.GetDim(0) == UNKNOWN_RANK;
}

struct Outputs {
    gert::Shape *max;
    gert::Shape *sum;
    gert::Shape *out;
};

// Unknown when an input width is. Folded heads: N1 * Dv.
FaRefusal InferWidth(const FaLayoutAxes &layout, int64_t query, int64_t key, int64_t value, int64_t headNum,
                     int64_t &width)
{
    width = value;
    if (layout.n >= 0) {
        return FaRefusal();
    }
    width = UNKNOWN_DIM;
    if (query == UNKNOWN_DIM || key == UNKNOWN_DIM || value == UNKNOWN_DIM) {
        return FaRefusal();
    }
    FaHeads heads = FaHeads();
    const FaRefusal refusal = FaSplitHeads(layout.name, query, key, value, headNum, heads);
    width = headNum * heads.dv;
    return refusal;
}

std::string UpperCase(const char *text)
{
    std::string upper(text);
    for (char &c : upper) {
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    return upper;
}

FaRefusal InferOutputs(const gert::Shape &query, const gert::Shape &key, const gert::Shape &value, int64_t headNum,
                       const char *layoutText, const Outputs &outputs)
{
    const FaLayoutAxes *const layout = FaFindAxes(UpperCase(layoutText));
    if (layout == nullptr) {
        return FA_REFUSE(INPUT_LAYOUT, layoutText);
    }
    if (IsUnknownRank(query) || IsUnknownRank(key) || IsUnknownRank(value)) {
        SetShape(outputs.max, {UNKNOWN_RANK});
        SetShape(outputs.out, {UNKNOWN_RANK});
        return FaRefusal();
    }
    static const char *const NAMES[] = {"query", "key", "value"};
    const gert::Shape *const shapes[] = {&query, &key, &value};
    for (int i = FA_QUERY; i <= FA_VALUE; i++) {
        const FaRefusal refusal = FaCheckRank(NAMES[i], FaDimsOf(*shapes[i]), layout->rank, layout->name);
        if (refusal) {
            return refusal;
        }
    }
    const size_t last = layout->rank - 1;
    int64_t width = 0;
    const FaRefusal refusal =
        InferWidth(*layout, query.GetDim(last), key.GetDim(last), value.GetDim(last), headNum, width);
    SetShape(outputs.max, FaStatisticsShape(*layout, FaDimsOf(query), headNum));
    *outputs.out = query;
    outputs.out->SetDim(last, width);
    return refusal;
}

ge::graphStatus InferFaShape(gert::InferShapeContext *context)
{
    const gert::Shape *query = context->GetInputShape(FA_QUERY);
    const gert::Shape *key = context->GetInputShape(FA_KEY);
    const gert::Shape *value = context->GetInputShape(FA_VALUE);
    const Outputs outputs = {context->GetOutputShape(FA_SOFTMAX_MAX), context->GetOutputShape(FA_SOFTMAX_SUM),
                             context->GetOutputShape(FA_ATTENTION_OUT)};
    gert::Shape *softmaxOut = context->GetOutputShape(FA_SOFTMAX_OUT);
    const gert::RuntimeAttrs *attrs = context->GetAttrs();
    if (query == nullptr || key == nullptr || value == nullptr || attrs == nullptr || outputs.max == nullptr ||
        outputs.sum == nullptr || outputs.out == nullptr || softmaxOut == nullptr) {
        return FA_REJECT(context, "query, key, value and the four outputs are required");
    }
    const int64_t *headNum = attrs->GetInt(FA_ATTR_HEAD_NUM);
    const char *layoutText = attrs->GetStr(FA_ATTR_INPUT_LAYOUT);
    if (headNum == nullptr || layoutText == nullptr) {
        return FA_REJECT(context, "head_num and input_layout are required");
    }
    SetShape(softmaxOut, {0, 0, 0, 0}); // reserved, never written
    FaRefusal refusal = FaCheckHeadNum(*headNum);
    if (!refusal) {
        refusal = InferOutputs(*query, *key, *value, *headNum, layoutText, outputs);
    }
    if (refusal) {
        return FA_REJECT(context, "%s", refusal.text.c_str());
    }
    *outputs.sum = *outputs.max;
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferFaDataType(gert::InferDataTypeContext *context)
{
    const ge::DataType query = context->GetInputDataType(FA_QUERY);
    (void)context->SetOutputDataType(FA_SOFTMAX_MAX, ge::DT_FLOAT);
    (void)context->SetOutputDataType(FA_SOFTMAX_SUM, ge::DT_FLOAT);
    (void)context->SetOutputDataType(FA_SOFTMAX_OUT, query);
    (void)context->SetOutputDataType(FA_ATTENTION_OUT, query);
    return ge::GRAPH_SUCCESS;
}
} // namespace

IMPL_OP_INFERSHAPE(FlashAttentionScore).InferShape(InferFaShape).InferDataType(InferFaDataType);
