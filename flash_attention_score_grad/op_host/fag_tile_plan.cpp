// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fag_tile_plan.h"
#include "../op_kernel/fag_chunks.h"
#include "../../flash_attention_score/op_host/tiling_strategies/fa_work.h"
#include "../../flash_attention_score/op_host/tiling_strategies/ub_l1_budget.h"

namespace {
constexpr int64_t RING_SLOTS = 2;       // tiles in flight between cube and vector cores
constexpr int64_t WORKSPACE_UNIT = 512; // alignment of a workspace buffer
constexpr int64_t ROW_UNIT = 16;        // rows of a cube block
constexpr int64_t LANES = 64;           // fp32 lanes of a vector repeat
constexpr int64_t BOXES = 4;

int64_t Append(int64_t bytes, int64_t *end)
{
    const int64_t offset = *end;
    *end += FaRoundUp(bytes, WORKSPACE_UNIT);
    return offset;
}

FagRowSpace RowSpaceOf(const FaProblem &problem)
{
    if (problem.sequences.tokens > 0 || problem.sequences.listed > 0) {
        return FagRowSpace{1, problem.sequences.tokens, problem.sequences.keyTokens};
    }
    return FagRowSpace{problem.b, problem.s1, problem.s2};
}

struct FagWork {
    FagSchedule schedule;
    int64_t units; // pairs that a core could take at the same time, were all of them visible
};

FagWork AddUpWork(const FaProblem &problem)
{
    FagWork work = {{FAG_MIN_CHUNK, 0}, 0};
    FaProblemWalk walk = FaWalkProblem(problem);
    FaSegment segment;
    int64_t copies = 0;
    while (walk.Next(segment, copies)) {
        const FagChunks chunks = FagChunksOf(segment.s1, segment.s2);
        work.schedule.chunk = FaMax(work.schedule.chunk, chunks.chunk);
        work.schedule.rounds = FaMax(work.schedule.rounds, chunks.rounds);
        work.units += copies * problem.n2 * chunks.rounds;
    }
    return work;
}

// Accumulators of dq, dk and dv stand right behind each other: they are cleared as one.
void LayOutAccumulators(const FaProblem &problem, const FagRowSpace &rows, FagWorkspace &workspace, int64_t *end)
{
    const int64_t rowBytes = FaRoundUp(problem.d, ROW_UNIT) * 4;
    const int64_t keyRows = rows.batches * problem.n2 * rows.keys;
    const int64_t dqBytes = rows.batches * problem.n1 * rows.queries * rowBytes;
    const int64_t dkBytes = keyRows * rowBytes;
    const int64_t dvBytes = keyRows * FaRoundUp(problem.dv, ROW_UNIT) * 4;
    workspace.accBytes = dqBytes + dkBytes + dvBytes;
    workspace.dq = Append(workspace.accBytes, end);
    workspace.dk = workspace.dq + dqBytes;
    workspace.dv = workspace.dk + dkBytes;
}
} // namespace

FagPlan PlanFagTiles(const FaProblem &problem, const FaPlatform &platform)
{
    FagPlan plan = FagPlan();
    const FagWork work = AddUpWork(problem);
    plan.rows = RowSpaceOf(problem);
    plan.schedule = work.schedule;
    plan.tile.qTile = FaMax(ROW_UNIT, FaMin(FAG_MAX_Q_TILE, FaRoundUp(problem.s1, ROW_UNIT)));
    plan.tile.kvTile = FaMax(LANES, FaMin(FaMin(FAG_MAX_KV_TILE, plan.schedule.chunk), FaRoundUp(problem.s2, LANES)));
    plan.tile.rowsPerPass = 8;
    plan.tile.l1Boxes = BOXES;
    plan.blockDim = FaMax(1, FaMin(platform.cores, work.units));

    int64_t end = 0;
    FagWorkspace &workspace = plan.workspace;
    workspace.scoreRingBytes = FaRoundUp(RING_SLOTS * plan.tile.qTile * plan.tile.kvTile * 4, WORKSPACE_UNIT);
    workspace.scoreRing = Append(plan.blockDim * workspace.scoreRingBytes, &end);
    workspace.dpRing = Append(plan.blockDim * workspace.scoreRingBytes, &end);
    workspace.delta = Append(plan.rows.batches * problem.n1 * plan.rows.queries * 32, &end);
    LayOutAccumulators(problem, plan.rows, workspace, &end);
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
    data.rule = problem.rule;
    data.sequences = problem.sequences;
    data.rows = plan.rows;
    data.tile = plan.tile;
    data.schedule = plan.schedule;
    data.workspace = plan.workspace;
    data.scale = problem.scale;
    data.hasMaskTensor = problem.hasMaskTensor ? 1 : 0;
    data.storesDsink = problem.hasSink ? 1 : 0;
    data.reserved = 0;
}
