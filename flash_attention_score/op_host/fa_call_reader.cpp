// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_call_reader.h"

FaTensor FaReadInput(gert::TilingContext *context, size_t index)
{
    FaTensor tensor;
    const gert::StorageShape *shape = context->GetOptionalInputShape(index);
    const gert::CompileTimeTensorDesc *desc = context->GetOptionalInputDesc(index);
    if (shape != nullptr && desc != nullptr) {
        tensor.given = true;
        tensor.dtype = desc->GetDataType();
        tensor.shape = FaDimsOf(shape->GetOriginShape());
    }
    if (tensor.given && tensor.dtype == ge::DT_INT64) { // a list whose values the definition asks for
        const gert::Tensor *list = context->GetOptionalInputTensor(index);
        const int64_t *values = list == nullptr ? nullptr : list->GetData<int64_t>();
        tensor.hasValues = values != nullptr;
        if (values != nullptr) {
            tensor.values.assign(values, values + list->GetShapeSize());
        }
    }
    return tensor;
}

FaTensor FaReadOutput(gert::TilingContext *context, size_t index)
{
    FaTensor tensor;
    const gert::StorageShape *shape = context->GetOutputShape(index);
    if (shape != nullptr) {
        tensor.given = true;
        tensor.shape = FaDimsOf(shape->GetOriginShape());
    }
    return tensor;
}

// Packages older than the newest attribute list pass fewer attributes: what is missing keeps its default.
void FaReadAttributes(const gert::RuntimeAttrs *attrs, FaCall &call)
{
    const auto readInt = [attrs](size_t index, int64_t &value) {
        const int64_t *given = attrs->GetInt(index);
        value = given != nullptr ? *given : value;
    };
    const auto readFloat = [attrs](size_t index, float &value) {
        const float *given = attrs->GetFloat(index);
        value = given != nullptr ? *given : value;
    };
    const auto readString = [attrs](size_t index, std::string &value) {
        const char *given = attrs->GetStr(index);
        value = given != nullptr ? given : value;
    };
    readFloat(FA_ATTR_SCALE_VALUE, call.scale);
    readFloat(FA_ATTR_KEEP_PROB, call.keepProb);
    readInt(FA_ATTR_PRE_TOKENS, call.preTokens);
    readInt(FA_ATTR_NEXT_TOKENS, call.nextTokens);
    readInt(FA_ATTR_HEAD_NUM, call.headNum);
    readString(FA_ATTR_INPUT_LAYOUT, call.layout);
    readInt(FA_ATTR_SPARSE_MODE, call.sparseMode);
    readInt(FA_ATTR_PSE_TYPE, call.pseType);
    readInt(FA_ATTR_OUT_DTYPE, call.outDtype);
    readString(FA_ATTR_SOFTMAX_OUT_LAYOUT, call.softmaxOutLayout);
}

FaPlatform FaReadPlatform(gert::TilingContext *context)
{
    platform_ascendc::PlatformAscendC chip(context->GetPlatformInfo());
    FaPlatform platform = FaPlatform();
    platform.cores = chip.GetCoreNumAic();
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::L1, platform.l1Bytes);
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::UB, platform.ubBytes);
    platform.systemWorkspace = chip.GetLibApiWorkSpaceSize();
    return platform;
}
