// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Output shapes of FlashAttentionScore for every layout. An unknown dimension (-1) or rank (-2) stays unknown.
#include <cctype>
#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "register/op_impl_registry.h"
#include "fa_op_indices.h"
#include "fa_shape_checks.h"

namespace {
constexpr int64_t UNKNOWN_DIM = -1;
constexpr int64_t UNKNOWN_RANK = -2;
constexpr int64_t STATISTICS = 8; // equal copies of a row's max or sum, one 32-byte block

void SetShape(gert::Shape *shape, std::initializer_list<int64_t> dims)
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

// BSH and SBH: the width of attention_out is N1 * Dv, unknown when an input width is.
FaRefusal InferFolded(const gert::Shape &query, const gert::Shape &key, const gert::Shape &value, int64_t headNum,
                      const std::string &layout, const Outputs &outputs)
{
    const bool sbh = layout == "SBH";
    SetShape(outputs.max, {query.GetDim(sbh ? 1 : 0), headNum, query.GetDim(sbh ? 0 : 1), STATISTICS});
    SetShape(outputs.out, {query.GetDim(0), query.GetDim(1), UNKNOWN_DIM});
    if (query.GetDim(2) == UNKNOWN_DIM || key.GetDim(2) == UNKNOWN_DIM || value.GetDim(2) == UNKNOWN_DIM) {
        return FaRefusal();
    }
    FaHeads heads = FaHeads();
    const FaRefusal refusal =
        FaSplitHeads(layout.c_str(), query.GetDim(2), key.GetDim(2), value.GetDim(2), headNum, heads);
    outputs.out->SetDim(2, headNum * heads.dv);
    return refusal;
}

void InferSplit(const gert::Shape &query, const gert::Shape &value, const std::string &layout, const Outputs &outputs)
{
    *outputs.out = query;
    outputs.out->SetDim(query.GetDimNum() - 1, value.GetDim(value.GetDimNum() - 1));
    if (layout == "TND") {
        SetShape(outputs.max, {query.GetDim(0), query.GetDim(1), STATISTICS});
        return;
    }
    const bool bnsd = layout == "BNSD";
    SetShape(outputs.max, {query.GetDim(0), query.GetDim(bnsd ? 1 : 2), query.GetDim(bnsd ? 2 : 1), STATISTICS});
}

size_t LayoutRank(const std::string &layout)
{
    if (layout == "BSH" || layout == "SBH" || layout == "TND") {
        return 3;
    }
    return layout == "BSND" || layout == "BNSD" ? 4 : 0;
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
    const std::string layout = UpperCase(layoutText);
    const size_t rank = LayoutRank(layout);
    if (rank == 0) {
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
        const FaRefusal refusal = FaCheckRank(NAMES[i], FaDimsOf(*shapes[i]), rank, layout.c_str());
        if (refusal) {
            return refusal;
        }
    }
    if (layout == "BSH" || layout == "SBH") {
        return InferFolded(query, key, value, headNum, layout, outputs);
    }
    InferSplit(query, value, layout, outputs);
    return FaRefusal();
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
