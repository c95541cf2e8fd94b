// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// C entry points of the mask rule, the segments and the planner for ctypes.
#include "../op_kernel/fa_block_ranks.h"
#include "fa_schedule_planner.h"

namespace {
struct ShimProblem {
    int64_t b;
    int64_t n1;
    int64_t n2;
    int64_t s1;
    int64_t s2;
    FaMaskRule rule;
    int64_t segments;
    int64_t listed;
    int64_t tokens;
    int64_t qTile;
    int64_t kvStack;
    const int64_t *queryEnds;
    const int64_t *keyEnds;
    const int64_t *prefixes;
};

FaProblem ProblemOf(const ShimProblem &shim)
{
    FaProblem problem = FaProblem();
    problem.b = shim.b;
    problem.n1 = shim.n1;
    problem.n2 = shim.n2;
    problem.s1 = shim.s1;
    problem.s2 = shim.s2;
    problem.rule = shim.rule;
    problem.sequences.segments = shim.segments;
    problem.sequences.listed = shim.listed;
    problem.sequences.tokens = shim.tokens;
    problem.queryEnds.assign(shim.queryEnds, shim.queryEnds + shim.listed);
    problem.keyEnds.assign(shim.keyEnds, shim.keyEnds + shim.listed);
    if (shim.rule.hasPrefix != 0) {
        problem.prefixes.assign(shim.prefixes, shim.prefixes + shim.b);
    }
    return problem;
}

FaTileShape TileOf(int64_t qTile, int64_t kvStack)
{
    FaTileShape tile = FaTileShape();
    tile.qTile = qTile;
    tile.kvStack = kvStack;
    return tile;
}
} // namespace

extern "C" {
int32_t ShimClassify(const FaMaskParam *mask, int64_t q0, int64_t q1, int64_t k0, int64_t k1)
{
    return static_cast<int32_t>(FaClassifyTile(*mask, q0, q1, k0, k1));
}

FaKeyRange ShimVisibleKeys(const FaMaskParam *mask, int64_t q0, int64_t q1, int64_t s2)
{
    return FaVisibleKeys(*mask, q0, q1, s2);
}

FaRowTiles ShimRowTiles(int64_t qTile, int64_t kvStack, int64_t group, int64_t s1, int64_t s2)
{
    return FaCutRows(TileOf(qTile, kvStack), group, s1, s2);
}

int64_t ShimBlockWeight(const FaSegment *segment, int64_t block)
{
    return FaBlockWeight(*segment, block);
}

int64_t ShimHeaviestBlock(const FaSegment *segment)
{
    return FaHeaviestBlock(*segment);
}

// order: room for every row block.
void ShimOrder(const FaSegment *segment, int64_t *order)
{
    FaBlockRanks ranks;
    ranks.Begin(*segment);
    for (int64_t rank = 0; rank < segment->tiles.rowBlocks; rank++) {
        order[rank] = ranks.BlockOf(rank);
    }
}

int64_t ShimDealtCore(int64_t position, int64_t cores)
{
    return FaDealtCore(position, cores);
}

// Room for shim->segments of both.
int64_t ShimSegments(const ShimProblem *shim, FaSegment *segments, int64_t *copies)
{
    const FaProblem problem = ProblemOf(*shim);
    FaProblemWalk walk = FaWalkProblem(problem);
    FaSegment segment;
    int64_t times = 0;
    int64_t count = 0;
    while (walk.Next(segment, times)) {
        segment.tiles = FaCutRows(TileOf(shim->qTile, shim->kvStack), problem.n1 / problem.n2, segment.s1, segment.s2);
        segments[count] = segment;
        copies[count] = times;
        count++;
    }
    return count;
}

// Room for `cores` weights; returns their imbalance.
double ShimCoreWeights(const ShimProblem *shim, int64_t cores, int64_t chunksAreDealt, int64_t *weights)
{
    const std::vector<int64_t> all =
        FaCoreWeights(ProblemOf(*shim), TileOf(shim->qTile, shim->kvStack), cores, chunksAreDealt != 0);
    for (size_t i = 0; i < all.size(); i++) {
        weights[i] = all[i];
    }
    return FaImbalance(all);
}
}
