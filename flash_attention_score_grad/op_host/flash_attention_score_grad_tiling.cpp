// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "register/op_impl_registry.h"
#include "../../flash_attention_score/op_host/fa_call_reader.h"
#include "../../flash_attention_score/op_host/fa_reject.h"
#include "fag_op_indices.h"
#include "fag_problem_parser.h"
#include "fag_tile_plan.h"

static_assert(sizeof(FlashAttentionScoreGradTilingData) % 8 == 0, "tiling data is copied in 8-byte words");

namespace {
constexpr size_t MAX_TILING_BYTES = 2048;
constexpr uint64_t TILING_KEY = 0;
static_assert(sizeof(FlashAttentionScoreGradTilingData) <= MAX_TILING_BYTES, "tiling data exceeds what is registered");

struct FagCompileInfo {};

struct SameInput {
    FaInput forward;
    FagInput gradient;
};

const SameInput SAME_INPUTS[] = {
    {FA_QUERY, FAG_QUERY},
    {FA_KEY, FAG_KEY},
    {FA_VALUE, FAG_VALUE},
    {FA_REAL_SHIFT, FAG_PSE_SHIFT},
    {FA_DROP_MASK, FAG_DROP_MASK},
    {FA_PADDING_MASK, FAG_PADDING_MASK},
    {FA_ATTEN_MASK, FAG_ATTEN_MASK},
    {FA_PREFIX, FAG_PREFIX},
    {FA_ACTUAL_SEQ_QLEN, FAG_ACTUAL_SEQ_QLEN},
    {FA_ACTUAL_SEQ_KVLEN, FAG_ACTUAL_SEQ_KVLEN},
    {FA_Q_START_IDX, FAG_Q_START_IDX},
    {FA_KV_START_IDX, FAG_KV_START_IDX},
    {FA_D_SCALE_Q, FAG_D_SCALE_Q},
    {FA_D_SCALE_K, FAG_D_SCALE_K},
    {FA_D_SCALE_V, FAG_D_SCALE_V},
    {FA_QUERY_ROPE, FAG_QUERY_ROPE},
    {FA_KEY_ROPE, FAG_KEY_ROPE},
    {FA_SINK, FAG_SINK},
};

void ReadTensors(gert::TilingContext *context, FagCall &call)
{
    for (const SameInput &input : SAME_INPUTS) {
        call.forward.inputs[input.forward] = FaReadInput(context, input.gradient);
    }
    call.dy = FaReadInput(context, FAG_DY);
    call.softmaxMax = FaReadInput(context, FAG_SOFTMAX_MAX);
    call.softmaxSum = FaReadInput(context, FAG_SOFTMAX_SUM);
    call.attentionIn = FaReadInput(context, FAG_ATTENTION_IN);
    call.scales[0] = FaReadInput(context, FAG_D_SCALE_DY);
    call.scales[1] = FaReadInput(context, FAG_D_SCALE_O);
    for (int i = FAG_DQ; i < FAG_OUTPUTS; i++) {
        call.gradients[i] = FaReadOutput(context, static_cast<size_t>(i));
    }
}

ge::graphStatus TilingFag(gert::TilingContext *context)
{
    const gert::RuntimeAttrs *attrs = context->GetAttrs();
    if (attrs == nullptr || context->GetPlatformInfo() == nullptr) {
        return FA_REJECT(context, "attributes and platform information are required");
    }
    FagCall call;
    ReadTensors(context, call);
    FaReadAttributes(attrs, call.forward);
    const FaPlatform platform = FaReadPlatform(context);

    FaProblem problem = FaProblem();
    FagResults results = FagResults();
    std::string refusal = CheckFaPlatform(platform);
    if (refusal.empty()) {
        refusal = ParseFagProblem(call, problem, results).text;
    }
    if (!refusal.empty()) {
        return FA_REJECT(context, "%s", refusal.c_str());
    }
    const FagPlan plan = PlanFagTiles(problem, results, platform);

    auto *data = context->GetTilingData<FlashAttentionScoreGradTilingData>();
    size_t *workspaces = context->GetWorkspaceSizes(1);
    if (data == nullptr || workspaces == nullptr) {
        return FA_REJECT(context, "no room for %zu bytes of tiling data and one workspace size", sizeof(*data));
    }
    *data = FagTilingData(problem, plan);
    workspaces[0] = plan.workspaceBytes;
    (void)context->SetTilingKey(TILING_KEY);
    (void)context->SetBlockDim(static_cast<uint32_t>(plan.blockDim));
    (void)context->SetScheduleMode(FA_START_TOGETHER);
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus ParseNothing(gert::TilingParseContext *)
{
    return ge::GRAPH_SUCCESS;
}
} // namespace

IMPL_OP_OPTILING(FlashAttentionScoreGrad)
    .Tiling(TilingFag, MAX_TILING_BYTES)
    .TilingInputsDataDependency({FAG_PREFIX, FAG_ACTUAL_SEQ_QLEN, FAG_ACTUAL_SEQ_KVLEN, FAG_Q_START_IDX,
                                 FAG_KV_START_IDX})
    .TilingParse<FagCompileInfo>(ParseNothing);
