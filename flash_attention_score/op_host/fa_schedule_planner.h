// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Who computes what. Row blocks are weighted in visible key granules, sorted, and dealt to the cores in a snake, so
// that causal work is even (max/mean 1.03 for one head of 16K on 24 cores, where contiguous ranges leave 1.11).
#ifndef FA_SCHEDULE_PLANNER_H
#define FA_SCHEDULE_PLANNER_H
#include <cstddef>
#include <cstdint>
#include <vector>
#include "../op_kernel/fa_mask_param.h"

constexpr int64_t FA_WEIGHT_GRANULE = 128; // keys; the kernel's scheduler counts the same

// The row blocks of one head, or of one pack of heads whose rows share tiles. Their weights rise to one maximum and
// fall off after it (within one granule when qTile is 64), so that the kernel finds the sorted order by walking
// outwards from the heaviest.
struct FaRowBlocks {
    FaMaskParam mask;
    int64_t s1;
    int64_t s2;
    int64_t qTile;
    int64_t headsPerTile;
};

// How row blocks reach the cores: each of `heads` sequences (batches times heads or packs), each in `chunks` pieces of
// `chunkKeys` keys; position = (rank * heads + head) * chunks + chunk.
struct FaDeal {
    int64_t heads;
    int64_t chunks;
    int64_t chunkKeys; // read only when chunks > 1
    int64_t cores;
};

int64_t FaCountRowBlocks(const FaRowBlocks &rows);

// Visible granules of a row block.
int64_t FaRowBlockWeight(const FaRowBlocks &rows, int64_t block);

// Lowest of the heaviest row blocks.
int64_t FaHeaviestBlock(const FaRowBlocks &rows);

// All row blocks by falling weight: from the heaviest outwards, the heavier neighbour first, the lower one on a tie.
std::vector<int64_t> FaOrderRowBlocks(const FaRowBlocks &rows);

// Core that gets position p of the deal: rounds go 0..cores-1, then cores-1..0.
int64_t FaDealtCore(int64_t position, int64_t cores);

// Visible granules of each core.
std::vector<int64_t> FaCoreWeights(const FaRowBlocks &rows, const FaDeal &deal);

// max / mean of weights; 1 when there is no work.
double FaImbalance(const std::vector<int64_t> &weights);
#endif
