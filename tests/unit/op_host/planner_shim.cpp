// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// C entry points of the mask rule and the planner for ctypes.
#include "fa_schedule_planner.h"

extern "C" {
int32_t ShimClassify(const FaMaskParam *mask, int64_t q0, int64_t q1, int64_t k0, int64_t k1)
{
    return static_cast<int32_t>(FaClassifyTile(*mask, q0, q1, k0, k1));
}

FaKeyRange ShimVisibleKeys(const FaMaskParam *mask, int64_t q0, int64_t q1, int64_t s2)
{
    return FaVisibleKeys(*mask, q0, q1, s2);
}

int64_t ShimRowBlockWeight(const FaRowBlocks *rows, int64_t block)
{
    return FaRowBlockWeight(*rows, block);
}

int64_t ShimHeaviestBlock(const FaRowBlocks *rows)
{
    return FaHeaviestBlock(*rows);
}

int64_t ShimOrder(const FaRowBlocks *rows, int64_t *order)
{
    const std::vector<int64_t> blocks = FaOrderRowBlocks(*rows);
    for (size_t i = 0; i < blocks.size(); i++) {
        order[i] = blocks[i];
    }
    return static_cast<int64_t>(blocks.size());
}

int64_t ShimDealtCore(int64_t position, int64_t cores)
{
    return FaDealtCore(position, cores);
}

double ShimImbalance(const FaRowBlocks *rows, const FaDeal *deal)
{
    return FaImbalance(FaCoreWeights(*rows, *deal));
}
}
