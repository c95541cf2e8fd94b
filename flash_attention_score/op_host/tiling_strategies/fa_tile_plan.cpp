// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_tile_plan.h"
#include <cinttypes>
#include "../fa_reject.h"

namespace {
constexpr int64_t KV_UNIT = 128; // keys of a box

FaWorkspace LayOutWorkspace(const FaProblem &problem, const FaTileShape &tile, int64_t cores, int64_t partialRows,
                            int64_t *bytes)
{
    const int64_t rowBytes = FaAlign(problem.dv, FA_ROW_UNIT) * 4; // of O or PV in fp32
    FaWorkspace workspace = FaWorkspace();
    *bytes = 0;
    workspace.scoreRingBytes = FaAlign(FA_RING_SLOTS * tile.qTile * tile.kvStack * 4, FA_WORKSPACE_UNIT);
    workspace.pvRingBytes = FaAlign(FA_RING_SLOTS * tile.qTile * rowBytes, FA_WORKSPACE_UNIT);
    workspace.accBytes = tile.accInUb != 0 ? 0 : FaAlign(tile.qTile * rowBytes, FA_WORKSPACE_UNIT);
    workspace.scoreRing = FaAppendBuffer(cores * workspace.scoreRingBytes, bytes);
    workspace.pvRing = FaAppendBuffer(cores * workspace.pvRingBytes, bytes);
    workspace.acc = FaAppendBuffer(cores * workspace.accBytes, bytes);
    workspace.partialOut = FaAppendBuffer(partialRows * rowBytes, bytes);
    workspace.partialMax = FaAppendBuffer(partialRows * 4, bytes);
    workspace.partialSum = FaAppendBuffer(partialRows * 4, bytes);
    return workspace;
}

// The table's row, with what the caller has fixed of it.
FaL1Row TunedL1Row(const FaProblem &problem)
{
    FaL1Row row = FaL1RowOf(FaElementBytes(problem), FaHeadDimInL1(problem));
    row.qTile = problem.tuning.blockSizeQ > 0 ? problem.tuning.blockSizeQ : row.qTile;
    row.kvStack = problem.tuning.blockSizeKv > 0 ? problem.tuning.blockSizeKv : row.kvStack;
    return row;
}

bool FitsL1(const FaL1Row &row)
{
    return FaL1Boxes(row) >= FA_L1_MIN_BOXES;
}

// "size up to N", the largest value of `size` with which row fits; empty: none.
std::string LargestFit(FaL1Row row, int64_t FaL1Row::*size, int64_t step, const char *name)
{
    while (row.*size > 0 && !FitsL1(row)) {
        row.*size -= step;
    }
    return row.*size > 0 ? FaFormat("%s up to %" PRId64, name, row.*size) : "";
}
} // namespace

int64_t FaAppendBuffer(int64_t bytes, int64_t *end)
{
    const int64_t offset = *end;
    *end += FaAlign(bytes, FA_WORKSPACE_UNIT);
    return offset;
}

int64_t FaElementBytes(const FaProblem &problem)
{
    return problem.dtype == ge::DT_FLOAT ? 4 : 2;
}

int64_t FaHeadDimInL1(const FaProblem &problem)
{
    return FaAlign(problem.d, 16) + FaAlign(problem.rope.d, 16);
}

FaUbNeeds FaUbNeedsOf(const FaProblem &problem, int64_t rows)
{
    const int64_t bytes = FaElementBytes(problem);
    const bool floatTensor = problem.shift.isFloat != 0 && problem.shift.kind < FA_SHIFT_SLOPE;
    FaUbNeeds needs = FaUbNeeds();
    needs.elementBytes = bytes;
    needs.dv = FaAlign(problem.dv, 16);
    needs.rows = rows;
    needs.shift = problem.shift.kind != FA_SHIFT_NONE;
    needs.floatShift = needs.shift && floatTensor && bytes == 2;
    needs.maskTensor = problem.hasMaskTensor;
    needs.dropout = problem.dropout.given != 0;
    return needs;
}

std::string CheckFaPlatform(const FaPlatform &platform)
{
    if (platform.cores <= 0) {
        return "the platform has no cube core";
    }
    if (platform.l1Bytes < static_cast<uint64_t>(FA_L1_BYTES) || platform.ubBytes < FA_UB_BYTES) {
        return FaFormat("a core needs %" PRId64 " bytes of L1 and %" PRIu32 " of UB, this platform has %" PRIu64
                        " and %" PRIu64,
                        FA_L1_BYTES, FA_UB_BYTES, platform.l1Bytes, platform.ubBytes);
    }
    return "";
}

std::string CheckFaTile(const FaProblem &problem)
{
    const FaL1Row row = TunedL1Row(problem);
    if (FitsL1(row)) {
        return "";
    }
    const std::string queries = LargestFit(row, &FaL1Row::qTile, FA_ROW_UNIT, "block_size_q");
    const std::string keys = LargestFit(row, &FaL1Row::kvStack, KV_UNIT, "block_size_kv");
    return FaFormat(
        "block_size_q %" PRId64 " with block_size_kv %" PRId64 " needs %" PRId64 " bytes of L1 for Q and P of "
        "head dims up to %" PRId64 " in %" PRId64 " bytes an element, which leaves no room for two boxes of "
        "%" PRId32 " in %" PRId64 "; allowed: %s%s%s",
        row.qTile, row.kvStack, FaL1Resident(row), row.maxD, row.elementBytes, FA_BOX_BYTES, FA_L1_BYTES,
        queries.c_str(), queries.empty() || keys.empty() ? "" : " or ", keys.c_str());
}

FaTileShape ChooseFaTile(const FaProblem &problem)
{
    const FaL1Row row = TunedL1Row(problem);
    FaTileShape tile = FaTileShape();
    tile.qTile = row.qTile;
    tile.kvStack = row.kvStack;
    tile.preload = problem.tuning.preload > 0 ? problem.tuning.preload : 1;
    tile.l1Boxes = FaL1Boxes(row);
    return tile;
}

void ChooseFaPasses(const FaProblem &problem, FaTileShape *tile)
{
    const FaUbShape shape = FaChooseUbShape(FaUbNeedsOf(problem, tile->qTile));
    tile->rowsPerPass = shape.passRows;
    tile->accInUb = shape.accInUb ? 1 : 0;
    tile->sliceRows = shape.sliceRows;
}

FaPlan PlanFaTiles(const FaProblem &problem, const FaWork &work, const FaPlatform &platform, FaTilingKey key)
{
    FaPlan plan = FaPlan();
    plan.tilingKey = key;
    plan.tile = work.tile;
    plan.chunksAreDealt = key == FA_KEY_LONG_SEQ;
    const int64_t pieces = plan.chunksAreDealt ? work.pieces : work.units;
    plan.blockDim = FaMax(1, FaMin(platform.cores, pieces)); // nothing to do still takes a core
    int64_t bytes = 0;
    plan.workspace = LayOutWorkspace(problem, plan.tile, plan.blockDim, work.partialRows, &bytes);
    plan.workspaceBytes = platform.systemWorkspace + static_cast<uint64_t>(bytes);
    return plan;
}
