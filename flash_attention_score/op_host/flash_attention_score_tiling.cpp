// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include "register/op_impl_registry.h"
#include "fa_call_reader.h"
#include "fa_reject.h"
#include "tiling_strategies/tiling_strategy.h"

static_assert(sizeof(FlashAttentionScoreTilingData) % 8 == 0, "tiling data is copied in 8-byte words");

namespace {
constexpr size_t MAX_TILING_BYTES = 2048;
static_assert(sizeof(FlashAttentionScoreTilingData) <= MAX_TILING_BYTES, "tiling data exceeds what is registered");

struct FaCompileInfo {};

void ReadTensors(gert::TilingContext *context, FaCall &call)
{
    for (size_t i = 0; i < FA_INPUTS; i++) {
        call.inputs[i] = FaReadInput(context, i);
    }
    for (size_t i = 0; i < FA_OUTPUTS; i++) {
        call.outputs[i] = FaReadOutput(context, i);
    }
}

ge::graphStatus TilingFa(gert::TilingContext *context)
{
    const gert::RuntimeAttrs *attrs = context->GetAttrs();
    if (attrs == nullptr || context->GetPlatformInfo() == nullptr) {
        return FA_REJECT(context, "attributes and platform information are required");
    }
    FaCall call;
    ReadTensors(context, call);
    FaReadAttributes(attrs, call);
    const FaPlatform platform = FaReadPlatform(context);

    FaProblem problem = FaProblem();
    std::string refusal = CheckFaPlatform(platform);
    if (refusal.empty()) {
        refusal = ParseFaProblem(call, problem).text;
    }
    if (!refusal.empty()) {
        return FA_REJECT(context, "%s", refusal.c_str());
    }
    const char *tuning = getenv(FA_TUNING_VARIABLE);
    FaChoice choice = FaChoice();
    FaPlan plan = FaPlan();
    refusal = ParseFaTuning(tuning, problem.tuning);
    if (refusal.empty()) {
        refusal = PlanFaProblem(problem, platform, choice, plan);
    }
    if (!refusal.empty()) {
        return FA_REJECT(context, "tuning %s (npu_set_flash_attention_tuning_params or %s): %s",
                         tuning != nullptr ? tuning : "none", FA_TUNING_VARIABLE, refusal.c_str());
    }

    auto *data = context->GetTilingData<FlashAttentionScoreTilingData>();
    size_t *workspaces = context->GetWorkspaceSizes(1);
    if (data == nullptr || workspaces == nullptr) {
        return FA_REJECT(context, "no room for %zu bytes of tiling data and one workspace size", sizeof(*data));
    }
    *data = FlashAttentionScoreTilingData{problem, plan.tile, plan.workspace};
    workspaces[0] = plan.workspaceBytes;
    (void)context->SetTilingKey(plan.tilingKey);
    (void)context->SetBlockDim(static_cast<uint32_t>(plan.blockDim));
    if (plan.chunksAreDealt) {
        (void)context->SetScheduleMode(FA_START_TOGETHER);
    }
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus ParseNothing(gert::TilingParseContext *)
{
    return ge::GRAPH_SUCCESS;
}
} // namespace

IMPL_OP_OPTILING(FlashAttentionScore)
    .Tiling(TilingFa, MAX_TILING_BYTES)
    .TilingInputsDataDependency({FA_PREFIX, FA_ACTUAL_SEQ_QLEN, FA_ACTUAL_SEQ_KVLEN, FA_Q_START_IDX, FA_KV_START_IDX})
    .TilingParse<FaCompileInfo>(ParseNothing);
