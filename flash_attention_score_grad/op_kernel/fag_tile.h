// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What AIC and AIV compute at once.
#ifndef FAG_TILE_H
#define FAG_TILE_H
#include "fag_buffers.h"

// Queries [block.q0, + block.rows) of one head against keys [k0, k0 + cols).
struct FagTile {
    FaRowBlock block;
    int64_t k0;
    int64_t cols;
    int32_t slot; // ring slot of S and dP
};
#endif
