// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fag_tile_plan.h"
#include "../../flash_attention_score/op_host/tiling_strategies/ub_l1_budget.h"

namespace {
constexpr int64_t RING_SLOTS = 2;       // tiles in flight between cube and vector cores
constexpr int64_t WORKSPACE_UNIT = 512; // alignment of a workspace buffer
constexpr int64_t ROW_UNIT = 16;        // rows of a cube block
constexpr int64_t LANES = 64;           // fp32 lanes of a vector repeat
constexpr int64_t MAX_ROUNDS = 32;      // barriers of all cores
constexpr int64_t MIN_CHUNK = 256;
constexpr int64_t CHUNK_UNIT = 128;
constexpr int64_t MAX_Q_TILE = 256;  // dK and dV leave L0C once per this many query rows
constexpr int64_t MAX_KV_TILE = 512; // dQ leaves L0C once per this many keys; 16 KiB of UB a pass
constexpr int64_t BOXES = 4;

int64_t Pieces(int64_t length, int64_t piece)
{
    return (length + piece - 1) / piece;
}

int64_t Append(int64_t bytes, int64_t *end)
{
    const int64_t offset = *end;
    *end += FaRoundUp(bytes, WORKSPACE_UNIT);
    return offset;
}

// Accumulators of dq, dk and dv stand right behind each other: they are cleared as one.
void LayOutAccumulators(const FaProblem &problem, FagWorkspace &workspace, int64_t *end)
{
    const int64_t rowBytes = FaRoundUp(problem.d, ROW_UNIT) * 4;
    const int64_t dqBytes = problem.b * problem.n1 * problem.s1 * rowBytes;
    const int64_t dkBytes = problem.b * problem.n2 * problem.s2 * rowBytes;
    const int64_t dvBytes = problem.b * problem.n2 * problem.s2 * FaRoundUp(problem.dv, ROW_UNIT) * 4;
    workspace.accBytes = dqBytes + dkBytes + dvBytes;
    workspace.dq = Append(workspace.accBytes, end);
    workspace.dk = workspace.dq + dqBytes;
    workspace.dv = workspace.dk + dkBytes;
}
} // namespace

FagPlan PlanFagTiles(const FaProblem &problem, const FaPlatform &platform)
{
    FagPlan plan = FagPlan();
    const int64_t longest = FaMax(problem.s1, problem.s2);
    plan.schedule.chunk = FaMax(MIN_CHUNK, FaRoundUp(Pieces(longest, MAX_ROUNDS), CHUNK_UNIT));
    plan.schedule.qChunks = Pieces(problem.s1, plan.schedule.chunk);
    plan.schedule.kvChunks = Pieces(problem.s2, plan.schedule.chunk);
    plan.schedule.rounds = FaMax(plan.schedule.qChunks, plan.schedule.kvChunks);
    plan.tile.qTile = FaMax(ROW_UNIT, FaMin(MAX_Q_TILE, FaRoundUp(problem.s1, ROW_UNIT)));
    plan.tile.kvTile = FaMax(LANES, FaMin(FaMin(MAX_KV_TILE, plan.schedule.chunk), FaRoundUp(problem.s2, LANES)));
    plan.tile.rowsPerPass = 8;
    plan.tile.l1Boxes = BOXES;
    const int64_t pairs = problem.b * problem.n2 * FaMax(1, plan.schedule.rounds);
    plan.blockDim = FaMax(1, FaMin(platform.cores, pairs));

    int64_t end = 0;
    FagWorkspace &workspace = plan.workspace;
    workspace.scoreRingBytes = FaRoundUp(RING_SLOTS * plan.tile.qTile * plan.tile.kvTile * 4, WORKSPACE_UNIT);
    workspace.scoreRing = Append(plan.blockDim * workspace.scoreRingBytes, &end);
    workspace.dpRing = Append(plan.blockDim * workspace.scoreRingBytes, &end);
    workspace.delta = Append(problem.b * problem.n1 * problem.s1 * 32, &end);
    LayOutAccumulators(problem, workspace, &end);
    plan.workspaceBytes = platform.systemWorkspace + static_cast<uint64_t>(end);
    return plan;
}

void FillFagTilingData(const FaProblem &problem, const FagPlan &plan, FlashAttentionScoreGradTilingData &data)
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
