// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_schedule_planner.h"
#include "../op_kernel/fa_block_ranks.h"

namespace {
// Adds the weights of a segment whose first position is `position`; returns the position after it. The chunks of a row
// block are `pieces` positions.
int64_t AddSegment(const FaSegment &segment, int64_t heads, int64_t pieces, int64_t position,
                   std::vector<int64_t> &weights)
{
    const int64_t cores = static_cast<int64_t>(weights.size());
    const int64_t period = 2 * cores; // heads after which the deal repeats
    const int64_t distinct = FaMin(heads, period);
    FaBlockRanks ranks;
    ranks.Begin(segment);
    for (int64_t rank = 0; rank < segment.tiles.rowBlocks; rank++) {
        const int64_t block = ranks.BlockOf(rank);
        for (int64_t piece = 0; piece < distinct * pieces; piece++) {
            const int64_t head = piece / pieces;
            const int64_t times = heads / period + (head < heads % period ? 1 : 0);
            const int64_t weight =
                pieces > 1 ? FaGranules(FaKeysOfBlock(segment, block, piece % pieces)) : FaBlockWeight(segment, block);
            weights[static_cast<size_t>(FaDealtCore(position + piece, cores))] += times * weight;
        }
        position += heads * pieces;
    }
    return position;
}
} // namespace

int64_t FaDealtCore(int64_t position, int64_t cores)
{
    const int64_t place = position % cores;
    return position / cores % 2 == 0 ? place : cores - 1 - place;
}

std::vector<int64_t> FaCoreWeights(const FaProblem &problem, const FaTileShape &tile, int64_t cores,
                                   bool chunksAreDealt)
{
    std::vector<int64_t> weights(static_cast<size_t>(cores), 0);
    FaProblemWalk walk = FaWalkProblem(problem);
    FaSegment segment;
    int64_t copies = 0;
    int64_t position = 0;
    while (walk.Next(segment, copies)) {
        segment.tiles = FaCutRows(tile, problem.n1 / problem.n2, segment.s1, segment.s2);
        position = AddSegment(segment, copies * (problem.n1 / segment.tiles.headsPerTile),
                              chunksAreDealt ? segment.tiles.kvChunks : 1, position, weights);
    }
    return weights;
}

double FaImbalance(const std::vector<int64_t> &weights)
{
    int64_t most = 0;
    int64_t sum = 0;
    for (int64_t weight : weights) {
        most = FaMax(most, weight);
        sum += weight;
    }
    return sum == 0 ? 1.0 : static_cast<double>(most) * static_cast<double>(weights.size()) / static_cast<double>(sum);
}
