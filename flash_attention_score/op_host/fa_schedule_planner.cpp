// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_schedule_planner.h"

namespace {
FaKeyRange VisibleKeys(const FaRowBlocks &rows, int64_t block)
{
    if (rows.headsPerTile > 1) {
        return FaVisibleKeys(rows.mask, 0, rows.s1, rows.s2); // rows of several heads: nearly every query is among them
    }
    const int64_t q0 = block * rows.qTile;
    return FaVisibleKeys(rows.mask, q0, FaMin(q0 + rows.qTile, rows.s1), rows.s2);
}

int64_t Granules(int64_t begin, int64_t end)
{
    return begin >= end ? 0 : (end + FA_WEIGHT_GRANULE - 1) / FA_WEIGHT_GRANULE - begin / FA_WEIGHT_GRANULE;
}
} // namespace

int64_t FaCountRowBlocks(const FaRowBlocks &rows)
{
    return (rows.s1 * rows.headsPerTile + rows.qTile - 1) / rows.qTile;
}

int64_t FaRowBlockWeight(const FaRowBlocks &rows, int64_t block)
{
    const FaKeyRange keys = VisibleKeys(rows, block);
    return Granules(keys.begin, keys.end);
}

int64_t FaHeaviestBlock(const FaRowBlocks &rows)
{
    const int64_t blocks = FaCountRowBlocks(rows);
    const int64_t ceiling = Granules(0, rows.s2);
    int64_t heaviest = 0;
    int64_t most = -1;
    for (int64_t block = 0; block < blocks && most < ceiling; block++) {
        const int64_t weight = FaRowBlockWeight(rows, block);
        if (weight > most) {
            heaviest = block;
            most = weight;
        }
    }
    return heaviest;
}

std::vector<int64_t> FaOrderRowBlocks(const FaRowBlocks &rows)
{
    const int64_t blocks = FaCountRowBlocks(rows);
    std::vector<int64_t> order;
    int64_t lower = FaHeaviestBlock(rows);
    int64_t upper = lower + 1;
    while (static_cast<int64_t>(order.size()) < blocks) {
        const int64_t lowerWeight = lower < 0 ? -1 : FaRowBlockWeight(rows, lower);
        const int64_t upperWeight = upper >= blocks ? -1 : FaRowBlockWeight(rows, upper);
        order.push_back(lowerWeight >= upperWeight ? lower-- : upper++);
    }
    return order;
}

int64_t FaDealtCore(int64_t position, int64_t cores)
{
    const int64_t place = position % cores;
    return position / cores % 2 == 0 ? place : cores - 1 - place;
}

std::vector<int64_t> FaCoreWeights(const FaRowBlocks &rows, const FaDeal &deal)
{
    std::vector<int64_t> weights(static_cast<size_t>(deal.cores), 0);
    const int64_t period = 2 * deal.cores; // heads after which the deal repeats
    const int64_t distinct = FaMin(deal.heads, period);
    int64_t position = 0;
    for (int64_t block : FaOrderRowBlocks(rows)) {
        const FaKeyRange keys = VisibleKeys(rows, block);
        for (int64_t piece = 0; piece < distinct * deal.chunks; piece++) {
            const int64_t head = piece / deal.chunks;
            const int64_t times = deal.heads / period + (head < deal.heads % period ? 1 : 0);
            const int64_t first = deal.chunks > 1 ? piece % deal.chunks * deal.chunkKeys : 0;
            const int64_t last = deal.chunks > 1 ? first + deal.chunkKeys : rows.s2;
            weights[static_cast<size_t>(FaDealtCore(position + piece, deal.cores))] +=
                times * Granules(FaMax(keys.begin, first), FaMin(keys.end, last));
        }
        position += deal.heads * deal.chunks;
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
