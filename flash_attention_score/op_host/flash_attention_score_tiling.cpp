// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "flash_attention_score_tiling.h"
#include <cstdlib>
#include "exe_graph/runtime/tiling_context.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "fa_shape_checks.h"

static_assert(sizeof(FlashAttentionScoreTilingData) % 8 == 0, "tiling data is copied in 8-byte words");

void FillFaTilingData(const FaProblem &problem, const FaPlan &plan, FlashAttentionScoreTilingData &data)
{
    data.b = problem.b;
    data.n1 = problem.n1;
    data.n2 = problem.n2;
    data.s1 = problem.s1;
    data.s2 = problem.s2;
    data.d = problem.d;
    data.dv = problem.dv;
    data.query = problem.query;
    data.key = problem.key;
    data.value = problem.value;
    data.out = problem.out;
    data.maskTensor = problem.maskTensor;
    data.mask = problem.mask;
    data.tile = plan.tile;
    data.schedule = plan.schedule;
    data.workspace = plan.workspace;
    data.scale = problem.scale;
    data.hasMaskTensor = problem.hasMaskTensor ? 1 : 0;
}

namespace {
constexpr size_t MAX_TILING_BYTES = 2048;
constexpr uint32_t START_TOGETHER = 1; // schedule mode in which all cores may wait for each other
// Environment variable for tests and measurements: name of the strategy to take.
const char *const FORCED_STRATEGY = "FLASH_ATTENTION_SCORE_STRATEGY";
static_assert(sizeof(FlashAttentionScoreTilingData) <= MAX_TILING_BYTES, "tiling data exceeds what is registered");

struct FaCompileInfo {};

void ReadTensors(gert::TilingContext *context, FaCall &call)
{
    for (size_t i = 0; i < FA_INPUTS; i++) {
        const gert::StorageShape *shape = context->GetOptionalInputShape(i);
        const gert::CompileTimeTensorDesc *desc = context->GetOptionalInputDesc(i);
        if (shape != nullptr && desc != nullptr) {
            call.inputs[i].given = true;
            call.inputs[i].dtype = desc->GetDataType();
            call.inputs[i].shape = FaDimsOf(shape->GetOriginShape());
        }
    }
    for (size_t i = 0; i < FA_OUTPUTS; i++) {
        const gert::StorageShape *shape = context->GetOutputShape(i);
        if (shape != nullptr) {
            call.outputs[i].given = true;
            call.outputs[i].shape = FaDimsOf(shape->GetOriginShape());
        }
    }
}

// Packages older than the newest attribute list pass fewer attributes: what is missing keeps its default.
void ReadAttributes(const gert::RuntimeAttrs *attrs, FaCall &call)
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

FaPlatform ReadPlatform(gert::TilingContext *context)
{
    platform_ascendc::PlatformAscendC chip(context->GetPlatformInfo());
    FaPlatform platform = FaPlatform();
    platform.cores = chip.GetCoreNumAic();
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::L1, platform.l1Bytes);
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::UB, platform.ubBytes);
    platform.systemWorkspace = chip.GetLibApiWorkSpaceSize();
    return platform;
}

ge::graphStatus TilingFa(gert::TilingContext *context)
{
    const gert::RuntimeAttrs *attrs = context->GetAttrs();
    if (attrs == nullptr || context->GetPlatformInfo() == nullptr) {
        return FA_REJECT(context, "attributes and platform information are required");
    }
    FaCall call;
    ReadTensors(context, call);
    ReadAttributes(attrs, call);
    const FaPlatform platform = ReadPlatform(context);

    FaProblem problem = FaProblem();
    std::string refusal = CheckFaPlatform(platform);
    if (refusal.empty()) {
        refusal = ParseFaProblem(call, problem);
    }
    if (!refusal.empty()) {
        return FA_REJECT(context, "%s", refusal.c_str());
    }
    const FaChoice choice = ChooseTilingStrategy(problem, platform, getenv(FORCED_STRATEGY));
    if (choice.strategy == nullptr) {
        const FaRefusal &last = choice.refusals.back();
        return FA_REJECT(context, "%s=%s is refused: %s", FORCED_STRATEGY, last.strategy.c_str(), last.reason.c_str());
    }
    const FaPlan plan = choice.strategy->plan(problem, platform);

    auto *data = context->GetTilingData<FlashAttentionScoreTilingData>();
    size_t *workspaces = context->GetWorkspaceSizes(1);
    if (data == nullptr || workspaces == nullptr) {
        return FA_REJECT(context, "no room for %zu bytes of tiling data and one workspace size", sizeof(*data));
    }
    FillFaTilingData(problem, plan, *data);
    workspaces[0] = plan.workspaceBytes;
    (void)context->SetTilingKey(plan.tilingKey);
    (void)context->SetBlockDim(static_cast<uint32_t>(plan.blockDim));
    if (plan.startTogether) {
        (void)context->SetScheduleMode(START_TOGETHER);
    }
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus ParseNothing(gert::TilingParseContext *)
{
    return ge::GRAPH_SUCCESS;
}
} // namespace

IMPL_OP_OPTILING(FlashAttentionScore).Tiling(TilingFa, MAX_TILING_BYTES).TilingParse<FaCompileInfo>(ParseNothing);
