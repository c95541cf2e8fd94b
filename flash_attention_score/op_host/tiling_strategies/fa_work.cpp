// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_work.h"
#include "fa_tile_plan.h"

namespace {
void Widen(FaRowTiles &most, const FaRowTiles &tiles)
{
    most.headsPerTile = FaMax(most.headsPerTile, tiles.headsPerTile);
    most.qTile = FaMax(most.qTile, tiles.qTile);
    most.rowBlocks = FaMax(most.rowBlocks, tiles.rowBlocks);
    most.kvChunk = FaMax(most.kvChunk, tiles.kvChunk);
    most.kvChunks = FaMax(most.kvChunks, tiles.kvChunks);
}
} // namespace

FaProblemWalk FaWalkProblem(const FaProblem &problem)
{
    FaProblemWalk walk;
    walk.Init(problem, FaProblemLists{&problem});
    return walk;
}

FaWork FaAddUpWork(const FaProblem &problem)
{
    FaWork work = FaWork();
    work.tile = ChooseFaTile(problem);
    work.most = FaRowTiles{1, FA_ROW_UNIT, 0, 0, 1};
    FaProblemWalk walk = FaWalkProblem(problem);
    FaSegment segment;
    int64_t copies = 0;
    while (walk.Next(segment, copies)) {
        const FaRowTiles tiles = FaCutRows(work.tile, problem.n1 / problem.n2, segment.s1, segment.s2);
        const int64_t units = copies * (problem.n1 / tiles.headsPerTile) * tiles.rowBlocks;
        Widen(work.most, tiles);
        work.rowBlocks += tiles.rowBlocks;
        work.units += units;
        work.pieces += units * tiles.kvChunks;
        work.keysOfUnits += static_cast<double>(units) * static_cast<double>(segment.s2);
        work.mostKeys = FaMax(work.mostKeys, segment.s2);
        if (units > 0 && tiles.kvChunks > 1) {
            work.partialRows += units * tiles.kvChunks * tiles.qTile;
            work.mostSplit = FaMax(work.mostSplit, segment.s2);
        }
    }
    work.tile.qTile = work.most.qTile;
    ChooseFaPasses(problem, &work.tile);
    work.tile.boxBytes = FaBoxBytes(FaElementBytes(problem), work.tile.qTile, problem.d);
    work.tile.splitsKeys = work.mostSplit > 0 ? 1 : 0;
    return work;
}
