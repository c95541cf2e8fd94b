// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fag_tile_plan.h"
#include "../op_kernel/fag_chunks.h"
#include "../../flash_attention_score/op_host/tiling_strategies/fa_work.h"
#include "../../flash_attention_score/op_host/tiling_strategies/ub_l1_budget.h"

namespace {
constexpr int64_t BOXES = 4;

FagRowSpace RowSpaceOf(const FaProblem &problem)
{
    const FaSequences &packed = problem.sequences;
    if (packed.tokens > 0 || packed.keyTokens > 0 || packed.listed > 0) { // keys without any sequence have gradients
        return FagRowSpace{1, packed.tokens, packed.keyTokens};
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

// Whether a shift has an element for each score and its gradient leaves UB with dS, in the same type. The float32 tiles
// of long sequences leave no room for a scaled copy.
bool IsStoredWithDs(const FaProblem &problem, int64_t kvTile)
{
    const FaShiftParam &shift = problem.shift;
    const bool everyBatch = shift.b != 0 || problem.b == 1;
    const bool everyHead = shift.n != 0 || problem.n1 == 1;
    const bool everyScore = everyBatch && everyHead && shift.s1 != 0 && shift.s2 != 0;
    const bool strided = shift.place == FA_SHIFT_STRIDED && problem.sequences.listed == 0; // TND: some may be too short
    const bool complete = shift.place == FA_SHIFT_PACKED_FULL || (strided && everyScore);
    const bool sameType = (shift.isFloat != 0) == (problem.dtype == ge::DT_FLOAT);
    return complete && sameType && (problem.dtype != ge::DT_FLOAT || kvTile <= FAG_MIN_CHUNK);
}

// Both vector cores of a group may add to an element unless it belongs to one row, of one segment or of segments of
// equal lengths, where the same core takes the row of each.
FagShiftSums ShiftSumsOf(const FaProblem &problem, const FagResults &results, int64_t kvTile)
{
    if (IsStoredWithDs(problem, kvTile)) {
        return FagShiftSums{0, 1, results.shiftElems};
    }
    const FaShiftParam &shift = problem.shift;
    const bool alike = problem.sequences.listed == 0 || shift.b != 0;
    const bool ownRows = shift.place == FA_SHIFT_STRIDED && shift.s1 != 0 && alike;
    return FagShiftSums{results.shiftElems, shift.place == FA_SHIFT_PACKED_FULL || ownRows ? 1 : 2, 0};
}

// Accumulators stand right behind each other: they are cleared as one.
void LayOutAccumulators(const FaProblem &problem, const FagPlan &plan, FagWorkspace &workspace, int64_t *end)
{
    const int64_t queryRows = plan.rows.batches * problem.n1 * plan.rows.queries;
    const int64_t keyRows = plan.rows.batches * problem.n2 * plan.rows.keys;
    const struct {
        int64_t *offset;
        int64_t elems;
    } accumulators[] = {
        {&workspace.dq, queryRows * FaAlign(problem.d, FA_ROW_UNIT)},
        {&workspace.dk, keyRows * FaAlign(problem.d, FA_ROW_UNIT)},
        {&workspace.dv, keyRows * FaAlign(problem.dv, FA_ROW_UNIT)},
        {&workspace.dqRope, queryRows * FaAlign(problem.rope.d, FA_ROW_UNIT)},
        {&workspace.dkRope, keyRows * FaAlign(problem.rope.d, FA_ROW_UNIT)},
        {&workspace.dpse, plan.shiftSums.copies * FaAlign(plan.shiftSums.elems, FAG_SHIFT_UNIT)},
    };
    const int64_t start = *end;
    for (const auto &accumulator : accumulators) {
        *accumulator.offset = *end;
        *end += accumulator.elems * 4;
    }
    workspace.accBytes = *end - start;
    *end = FaAlign(*end, FA_WORKSPACE_UNIT);
}
} // namespace

FagPlan PlanFagTiles(const FaProblem &problem, const FagResults &results, const FaPlatform &platform)
{
    FagPlan plan = FagPlan();
    const FagWork work = AddUpWork(problem);
    plan.rows = RowSpaceOf(problem);
    plan.schedule = work.schedule;
    plan.results = results;
    plan.tile.qTile = FaMax(FA_ROW_UNIT, FaMin(FAG_MAX_Q_TILE, FaAlign(problem.s1, FA_ROW_UNIT)));
    plan.tile.kvTile =
        FaMax(FA_LANES, FaMin(FaMin(FAG_MAX_KV_TILE, plan.schedule.chunk), FaAlign(problem.s2, FA_LANES)));
    plan.shiftSums = ShiftSumsOf(problem, results, plan.tile.kvTile);
    plan.tile.rowsPerPass = 8;
    plan.tile.l1Boxes = BOXES;
    plan.blockDim = FaMax(1, FaMin(platform.cores, work.units));

    int64_t end = 0;
    FagWorkspace &workspace = plan.workspace;
    workspace.scoreRingBytes = FaAlign(FAG_RING_SLOTS * plan.tile.qTile * plan.tile.kvTile * 4, FA_WORKSPACE_UNIT);
    workspace.scoreRing = FaAppendBuffer(plan.blockDim * workspace.scoreRingBytes, &end);
    workspace.dpRing = FaAppendBuffer(plan.blockDim * workspace.scoreRingBytes, &end);
    workspace.delta = FaAppendBuffer(plan.rows.batches * problem.n1 * plan.rows.queries * 32, &end);
    LayOutAccumulators(problem, plan, workspace, &end);
    plan.workspaceBytes = platform.systemWorkspace + static_cast<uint64_t>(end);
    return plan;
}

FlashAttentionScoreGradTilingData FagTilingData(const FaProblem &problem, const FagPlan &plan)
{
    const FagResults &results = plan.results;
    return {problem,
            plan.shiftSums,
            plan.rows,
            plan.tile,
            plan.schedule,
            plan.workspace,
            results.sink ? 1 : 0,
            results.queryRope ? 1 : 0,
            results.keyRope ? 1 : 0,
            0};
}
