// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// `case_name` makes the tiling misbehave in the ways that the tests look for.
#include <cstring>
#include <stdexcept>
#include "add_scaled_tiling_data.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "toolchain/slog.h"

namespace {

enum InputIndex : size_t { X1, X2, BIAS, SHIFTS };
enum AttrIndex : size_t { BLOCKS, SCALE_VALUE, CASE_NAME, WEIGHTS };

struct AddScaledCompileInfo {
    uint32_t cores;
};

struct TooLarge {
    char bytes[2049];
};

ge::graphStatus Parse(gert::TilingParseContext *context)
{
    platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    context->GetCompiledInfo<AddScaledCompileInfo>()->cores = platform.GetCoreNumAiv();
    return ge::GRAPH_SUCCESS;
}

int64_t SumOf(const int64_t *values, size_t count)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum;
}

void FillPlatform(const gert::TilingContext *context, AddScaledTilingData &plan)
{
    platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    uint64_t bytes = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, bytes);
    plan.ubBytes = static_cast<int64_t>(bytes);
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::L1, bytes);
    plan.l1Bytes = static_cast<int64_t>(bytes);
    plan.aicNum = platform.GetCoreNumAic();
    plan.aivNum = platform.GetCoreNumAiv();
    plan.compileInfoCores = context->GetCompileInfo<AddScaledCompileInfo>()->cores;
}

void FillInputs(const gert::TilingContext *context, AddScaledTilingData &plan)
{
    const gert::RuntimeAttrs *attrs = context->GetAttrs();
    const gert::StorageShape *bias = context->GetOptionalInputShape(BIAS);
    const gert::Tensor *biasTensor = context->GetOptionalInputTensor(BIAS);
    const gert::Tensor *shifts = context->GetOptionalInputTensor(SHIFTS);
    plan.elements = context->GetInputShape(X1)->GetOriginShape().GetShapeSize();
    plan.biasElements = bias != nullptr ? bias->GetStorageShape().GetShapeSize() : 0;
    plan.biasIsReadableOnHost = biasTensor != nullptr && biasTensor->GetData<float>() != nullptr ? 1 : 0;
    plan.shift = shifts != nullptr ? SumOf(shifts->GetData<int64_t>(), static_cast<size_t>(shifts->GetShapeSize())) : 0;
    plan.shiftNum = shifts != nullptr ? shifts->GetShapeSize() : 0;
    plan.inputNum = static_cast<int64_t>(context->GetComputeNodeInputNum());
    plan.lastInputDim = context->GetInputShape(context->GetComputeNodeInputNum() - 1)->GetOriginShape().GetDim(0);
    const gert::TypedContinuousVector<int64_t> *weights = attrs->GetListInt(WEIGHTS);
    plan.weightSum = SumOf(weights->GetData(), weights->GetSize());
    plan.scale = *attrs->GetFloat(SCALE_VALUE);
}

ge::graphStatus Misbehave(gert::TilingContext *context, const char *caseName)
{
    if (strcmp(caseName, "reject") == 0) {
        DlogRecord(OP, DLOG_ERROR, "%s: blocks %d are too many", context->GetNodeName(), 7);
        return ge::GRAPH_FAILED;
    }
    if (strcmp(caseName, "silent") == 0) {
        DlogRecord(OP, DLOG_INFO, "not an error");
        return ge::GRAPH_FAILED;
    }
    if (strcmp(caseName, "throw") == 0) {
        throw std::runtime_error("thrown by the tiling");
    }
    if (strcmp(caseName, "too large") == 0) {
        return context->GetTilingData<TooLarge>() == nullptr ? ge::GRAPH_PARAM_INVALID : ge::GRAPH_SUCCESS;
    }
    if (strcmp(caseName, "wrong attribute type") == 0) {
        const gert::RuntimeAttrs *attrs = context->GetAttrs();
        const bool refused = attrs->GetInt(SCALE_VALUE) == nullptr && attrs->GetBool(99) == nullptr;
        return refused ? ge::GRAPH_PARAM_INVALID : ge::GRAPH_SUCCESS;
    }
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus Tiling(gert::TilingContext *context)
{
    const char *caseName = context->GetAttrs()->GetStr(CASE_NAME);
    const ge::graphStatus status = Misbehave(context, caseName);
    if (status != ge::GRAPH_SUCCESS) {
        return status;
    }
    AddScaledTilingData *plan = context->GetTilingData<AddScaledTilingData>();
    size_t *workspace = context->GetWorkspaceSizes(1);
    if (plan == nullptr || workspace == nullptr || context->GetWorkspaceSizes(2) != nullptr) {
        return ge::GRAPH_FAILED;
    }
    FillInputs(context, *plan);
    FillPlatform(context, *plan);
    platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    workspace[0] = platform.GetLibApiWorkSpaceSize() + static_cast<size_t>(plan->elements) * sizeof(float);
    if (strcmp(caseName, "no block dim") != 0) {
        context->SetBlockDim(static_cast<uint32_t>(*context->GetAttrs()->GetInt(BLOCKS)));
    }
    context->SetScheduleMode(strcmp(caseName, "together") == 0 ? 1 : 0);
    context->SetTilingKey(strcmp(caseName, "unknown key") == 0 ? 77 : 0);
    return ge::GRAPH_SUCCESS;
}

} // namespace

IMPL_OP_OPTILING(AddScaled).Tiling(Tiling).TilingParse<AddScaledCompileInfo>(Parse).TilingInputsDataDependency(
    {SHIFTS});
