// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Who computes what, as the kernel's scheduler deals it (fa_block_scheduler.h): causal work is even, max/mean 1.03 for
// one head of 16K on 24 cores, where contiguous ranges leave 1.11.
#ifndef FA_SCHEDULE_PLANNER_H
#define FA_SCHEDULE_PLANNER_H
#include <cstdint>
#include <vector>
#include "tiling_strategies/fa_work.h"

// Core that gets position p of the deal: rounds go 0..cores-1, then cores-1..0.
int64_t FaDealtCore(int64_t position, int64_t cores);

// Visible granules of each core. chunksAreDealt: the KV chunks of a row block are dealt one by one.
std::vector<int64_t> FaCoreWeights(const FaProblem &problem, const FaTileShape &tile, int64_t cores,
                                   bool chunksAreDealt);

// max / mean of weights; 1 when there is no work.
double FaImbalance(const std::vector<int64_t> &weights);
#endif
