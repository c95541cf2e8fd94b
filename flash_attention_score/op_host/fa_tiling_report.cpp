// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_tiling_report.h"
#include <cstring>
#include "fa_reject.h"
#include "fa_schedule_planner.h"
#include "tiling_strategies/ub_l1_budget.h"

namespace {
std::string Quoted(const std::string &text)
{
    std::string quoted = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') {
            quoted += '\\';
        }
        if (static_cast<unsigned char>(c) < 0x20) {
            quoted += FaFormat("\\u%04x", static_cast<unsigned>(c));
        } else {
            quoted += c;
        }
    }
    return quoted + "\"";
}

template <typename T>
std::string Number(T value)
{
    return std::to_string(value);
}

std::string Field(const char *name, const std::string &value)
{
    return Quoted(name) + ": " + value;
}

ge::DataType TypeOf(const char *name)
{
    if (strcmp(name, "float32") == 0) {
        return ge::DT_FLOAT;
    }
    if (strcmp(name, "float16") == 0) {
        return ge::DT_FLOAT16;
    }
    return strcmp(name, "bfloat16") == 0 ? ge::DT_BF16 : ge::DT_UNDEFINED;
}

void SetInput(FaTensor &tensor, ge::DataType type, const int64_t *shape, int64_t rank)
{
    tensor.given = true;
    tensor.dtype = type;
    tensor.shape.assign(shape, shape + rank);
}

void SetList(FaTensor &tensor, const int64_t *values, int64_t count)
{
    if (values == nullptr) {
        return;
    }
    SetInput(tensor, ge::DT_INT64, &count, 1);
    tensor.hasValues = true;
    tensor.values.assign(values, values + count);
}

FaCall CallOf(const FaExplainRequest &request)
{
    FaCall call;
    const ge::DataType type = TypeOf(request.dtype);
    SetInput(call.inputs[FA_QUERY], type, request.query, request.rank);
    SetInput(call.inputs[FA_KEY], type, request.key, request.rank);
    SetInput(call.inputs[FA_VALUE], type, request.value, request.rank);
    if (request.attenMaskRank > 0) {
        SetInput(call.inputs[FA_ATTEN_MASK], ge::DT_BOOL, request.attenMask, request.attenMaskRank);
    }
    SetList(call.inputs[FA_ACTUAL_SEQ_QLEN], request.queryEnds, request.queryEndCount);
    SetList(call.inputs[FA_ACTUAL_SEQ_KVLEN], request.keyEnds, request.keyEndCount);
    SetList(call.inputs[FA_PREFIX], request.prefix, request.prefixCount);
    call.headNum = request.headNum;
    call.layout = request.layout;
    call.sparseMode = request.sparseMode;
    call.preTokens = request.preTokens;
    call.nextTokens = request.nextTokens;
    return call;
}

std::string ExplainJson(const FaExplainRequest &request)
{
    FaProblem problem = FaProblem();
    FaTilingReport report = FaTilingReport();
    std::string refusal = CheckFaPlatform(request.platform);
    if (refusal.empty()) {
        refusal = ParseFaProblem(CallOf(request), problem).text;
    }
    if (refusal.empty()) {
        refusal = ParseFaTuning(request.tuning, problem.tuning);
    }
    if (refusal.empty()) {
        refusal = ExplainFaTiling(problem, request.platform, report);
    }
    return refusal.empty() ? FaReportJson(report) : "{" + Field("error", Quoted(refusal)) + "}";
}

size_t WriteText(const std::string &text, char *buffer, size_t capacity)
{
    if (text.size() < capacity) {
        memcpy(buffer, text.c_str(), text.size() + 1);
    }
    return text.size();
}
} // namespace

std::string ExplainFaTiling(const FaProblem &problem, const FaPlatform &platform, FaTilingReport &report)
{
    FaChoice choice = FaChoice();
    FaPlan plan = FaPlan();
    const std::string refusal = PlanFaProblem(problem, platform, choice, plan);
    if (!refusal.empty()) {
        return refusal;
    }
    const FaWork work = FaAddUpWork(problem);
    const FaUbNeeds needs = FaUbNeedsOf(problem, plan.tile.qTile);

    report.blockSizeQ = plan.tile.qTile;
    report.blockSizeKv = plan.tile.kvStack;
    report.numBlocksQ = work.rowBlocks;
    report.numBlocksKv = FaCeilDiv(work.mostKeys, plan.tile.kvStack);
    report.useDoubleBuffer = plan.tile.l1Boxes >= 2;
    report.strategy = choice.strategy->name;
    report.refusals = choice.refusals;
    report.l1Used =
        FaL1Resident(FaL1Row{needs.elementBytes, FaHeadDimInL1(problem), plan.tile.qTile, plan.tile.kvStack}) +
        plan.tile.l1Boxes * plan.tile.boxBytes;
    report.l1Bytes = FA_L1_BYTES;
    report.ubUsed = FaUbUsed(needs, {plan.tile.accInUb != 0, plan.tile.sliceRows, plan.tile.rowsPerPass});
    report.ubBytes = FA_UB_BYTES;
    report.kvChunk = work.most.kvChunk;
    report.kvChunks = work.most.kvChunks;
    report.headsPerTile = work.most.headsPerTile;
    report.accInUb = plan.tile.accInUb;
    report.blockDim = plan.blockDim;
    report.tilingKey = plan.tilingKey;
    report.workspaceBytes = plan.workspaceBytes;
    report.coreWeights = FaCoreWeights(problem, plan.tile, plan.blockDim, plan.chunksAreDealt);
    report.imbalance = FaImbalance(report.coreWeights);
    return "";
}

std::string FaReportJson(const FaTilingReport &report)
{
    std::string refusals;
    for (const FaStrategyRefusal &refusal : report.refusals) {
        refusals += (refusals.empty() ? "{" : ", {") + Field("strategy", Quoted(refusal.strategy)) + ", " +
                    Field("reason", Quoted(refusal.reason)) + "}";
    }
    std::string weights;
    for (int64_t weight : report.coreWeights) {
        weights += (weights.empty() ? "" : ", ") + Number(weight);
    }
    const std::string fields[] = {
        Field("block_size_q", Number(report.blockSizeQ)),
        Field("block_size_kv", Number(report.blockSizeKv)),
        Field("num_blocks_q", Number(report.numBlocksQ)),
        Field("num_blocks_kv", Number(report.numBlocksKv)),
        Field("use_double_buffer", report.useDoubleBuffer ? "true" : "false"),
        Field("strategy", Quoted(report.strategy)),
        Field("refusals", "[" + refusals + "]"),
        Field("l1_used", Number(report.l1Used)),
        Field("l1_bytes", Number(report.l1Bytes)),
        Field("ub_used", Number(report.ubUsed)),
        Field("ub_bytes", Number(report.ubBytes)),
        Field("kv_chunk", Number(report.kvChunk)),
        Field("kv_chunks", Number(report.kvChunks)),
        Field("heads_per_tile", Number(report.headsPerTile)),
        Field("acc_in_ub", report.accInUb != 0 ? "true" : "false"),
        Field("block_dim", Number(report.blockDim)),
        Field("tiling_key", Number(report.tilingKey)),
        Field("workspace_bytes", Number(report.workspaceBytes)),
        Field("core_weights", "[" + weights + "]"),
        Field("imbalance", FaFormat("%.6f", report.imbalance)),
    };
    std::string json;
    for (const std::string &field : fields) {
        json += (json.empty() ? "{" : ", ") + field;
    }
    return json + "}";
}

size_t FlashAttentionScoreExplainTiling(const FaExplainRequest *request, char *json, size_t capacity)
{
    return WriteText(ExplainJson(*request), json, capacity);
}

size_t FlashAttentionScoreCheckTuning(const char *tuning, char *refusal, size_t capacity)
{
    FaTuning parsed = FaTuning();
    std::string text = ParseFaTuning(tuning, parsed);
    if (text.empty() && !parsed.strategy.empty()) {
        const std::string unknown = CheckStrategyName(parsed.strategy);
        text = unknown.empty() ? "" : "strategy " + parsed.strategy + " is refused: " + unknown;
    }
    return WriteText(text, refusal, capacity);
}
