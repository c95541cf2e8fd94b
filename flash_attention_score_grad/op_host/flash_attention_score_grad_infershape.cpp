// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A gradient has the shape and the data type of what it belongs to; those of absent inputs are empty.
#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "register/op_impl_registry.h"
#include "../../flash_attention_score/op_host/fa_reject.h"
#include "fag_op_indices.h"

namespace {
struct GradientOf {
    FagOutput output;
    FagInput input;
};

const GradientOf GRADIENTS[] = {
    {FAG_DQ, FAG_QUERY},           {FAG_DK, FAG_KEY},           {FAG_DV, FAG_VALUE},   {FAG_DPSE, FAG_PSE_SHIFT},
    {FAG_DQ_ROPE, FAG_QUERY_ROPE}, {FAG_DK_ROPE, FAG_KEY_ROPE}, {FAG_DSINK, FAG_SINK},
};

ge::graphStatus InferFagShape(gert::InferShapeContext *context)
{
    for (const GradientOf &gradient : GRADIENTS) {
        gert::Shape *output = context->GetOutputShape(gradient.output);
        const gert::Shape *input = context->GetOptionalInputShape(gradient.input);
        if (output == nullptr || (input == nullptr && gradient.input <= FAG_VALUE)) {
            return FA_REJECT(context, "query, key, value and the seven outputs are required");
        }
        if (input != nullptr) {
            *output = *input;
        } else {
            output->SetDimNum(1);
            output->SetDim(0, 0);
        }
    }
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferFagDataType(gert::InferDataTypeContext *context)
{
    const ge::DataType query = context->GetInputDataType(FAG_QUERY);
    const ge::DataType shift = context->GetOptionalInputDataType(FAG_PSE_SHIFT);
    for (const GradientOf &gradient : GRADIENTS) {
        (void)context->SetOutputDataType(gradient.output, query);
    }
    (void)context->SetOutputDataType(FAG_DPSE, shift == ge::DT_UNDEFINED ? query : shift);
    (void)context->SetOutputDataType(FAG_DSINK, ge::DT_FLOAT);
    return ge::GRAPH_SUCCESS;
}
} // namespace

IMPL_OP_INFERSHAPE(FlashAttentionScoreGrad).InferShape(InferFagShape).InferDataType(InferFagDataType);
