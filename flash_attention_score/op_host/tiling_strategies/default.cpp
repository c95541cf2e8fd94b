// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Any problem: KV stacks stream past a resident Q tile, softmax is rescaled from stack to stack.
#include "tiling_strategy.h"
#include "../fa_reject.h"
#include "ub_l1_budget.h"

namespace {
constexpr int64_t RING_SLOTS = 3;       // stacks in flight between cube and vector cores
constexpr int64_t WORKSPACE_UNIT = 512; // alignment of a workspace buffer
constexpr uint64_t DEFAULT_KEY = 0;

int64_t ElementBytes(const FaProblem &problem)
{
    return problem.dtype == ge::DT_FLOAT ? 4 : 2;
}

FaWorkspace LayOutWorkspace(const FaProblem &problem, const FaTileShape &tile, int64_t cores, int64_t *bytes)
{
    const int64_t paddedDv = FaRoundUp(problem.dv, 16);
    FaWorkspace workspace = FaWorkspace();
    workspace.scoreRingBytes = FaRoundUp(RING_SLOTS * tile.qTile * tile.kvStack * 4, WORKSPACE_UNIT);
    workspace.pvRingBytes = FaRoundUp(RING_SLOTS * tile.qTile * paddedDv * 4, WORKSPACE_UNIT);
    workspace.accBytes = tile.accInUb != 0 ? 0 : FaRoundUp(tile.qTile * paddedDv * 4, WORKSPACE_UNIT);
    workspace.scoreRing = 0;
    workspace.pvRing = workspace.scoreRing + cores * workspace.scoreRingBytes;
    workspace.acc = workspace.pvRing + cores * workspace.pvRingBytes;
    workspace.partial = workspace.acc + cores * workspace.accBytes;
    *bytes = workspace.partial;
    return workspace;
}

std::string DefaultRefusal(const FaProblem &)
{
    return "";
}

FaPlan PlanDefault(const FaProblem &problem, const FaPlatform &platform)
{
    FaPlan plan = FaPlan();
    plan.tile = ChooseFaTile(problem);
    const FaRowBlocks rows = RowBlocksOf(problem, plan.tile);
    plan.schedule.rowBlocks = FaCountRowBlocks(rows);
    plan.schedule.heaviestBlock = FaHeaviestBlock(rows);
    plan.schedule.kvChunk = 0;
    plan.schedule.kvChunks = 1;
    const int64_t units = plan.schedule.rowBlocks * HeadUnitsOf(problem, plan.tile);
    plan.blockDim = FaMax(1, FaMin(platform.cores, units)); // a launch with nothing to do still has a core
    int64_t bytes = 0;
    plan.workspace = LayOutWorkspace(problem, plan.tile, plan.blockDim, &bytes);
    plan.workspaceBytes = platform.systemWorkspace + static_cast<uint64_t>(bytes);
    plan.tilingKey = DEFAULT_KEY;
    return plan;
}
} // namespace

const TilingStrategy DEFAULT_STRATEGY = {"default", DefaultRefusal, PlanDefault};

std::string CheckFaPlatform(const FaPlatform &platform)
{
    if (platform.cores <= 0) {
        return "the platform has no cube core";
    }
    if (platform.l1Bytes < static_cast<uint64_t>(FA_L1_BYTES) ||
        platform.ubBytes < static_cast<uint64_t>(FA_UB_BYTES)) {
        return FaFormat("a core needs %lld bytes of L1 and %lld of UB, this platform has %llu and %llu",
                        static_cast<long long>(FA_L1_BYTES), static_cast<long long>(FA_UB_BYTES),
                        static_cast<unsigned long long>(platform.l1Bytes),
                        static_cast<unsigned long long>(platform.ubBytes));
    }
    return "";
}

FaTileShape ChooseFaTile(const FaProblem &problem)
{
    const FaL1Row &row = FaL1RowOf(ElementBytes(problem), problem.d);
    FaTileShape tile = FaTileShape();
    tile.qTile = row.qTile;
    tile.kvStack = row.kvStack;
    tile.rowsPerPass = 8;
    tile.preload = 1;
    tile.l1Boxes = row.boxes;
    tile.accInUb = problem.dv <= FaMaxDvInUb(ElementBytes(problem)) ? 1 : 0;
    tile.headsPerTile = 1;
    return tile;
}

FaRowBlocks RowBlocksOf(const FaProblem &problem, const FaTileShape &tile)
{
    return FaRowBlocks{problem.mask, problem.s1, problem.s2, tile.qTile};
}

int64_t HeadUnitsOf(const FaProblem &problem, const FaTileShape &tile)
{
    return problem.b * problem.n1 / tile.headsPerTile;
}
