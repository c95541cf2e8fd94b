// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include "register/op_impl_registry.h"

namespace {

ge::graphStatus InferShape(gert::InferShapeContext *context)
{
    const gert::Shape *x1 = context->GetInputShape(0);
    const int64_t *blocks = context->GetAttrs()->GetInt(0);
    const char *caseName = context->GetAttrs()->GetStr(2);
    if (x1 == nullptr || blocks == nullptr || context->GetOutputShape(2) != nullptr) {
        return ge::GRAPH_FAILED;
    }
    *context->GetOutputShape(0) = *x1;
    gert::Shape *total = context->GetOutputShape(1);
    total->SetDimNum(1);
    total->SetDim(0, strcmp(caseName, "open shape") == 0 ? -1 : *blocks);
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferDataType(gert::InferDataTypeContext *context)
{
    if (context->GetInputDataType(99) != ge::DT_UNDEFINED) {
        return ge::GRAPH_FAILED;
    }
    context->SetOutputDataType(0, context->GetInputDataType(0));
    return context->SetOutputDataType(1, ge::DT_FLOAT);
}

} // namespace

IMPL_OP_INFERSHAPE(AddScaled).InferShape(InferShape).InferDataType(InferDataType);
