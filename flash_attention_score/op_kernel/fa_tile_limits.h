// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Sizes that the tiling and the kernels have to agree on.
#ifndef FA_TILE_LIMITS_H
#define FA_TILE_LIMITS_H
#include <cstdint>

constexpr uint32_t FA_UB_BYTES = 184 * 1024; // of 192 KiB: Select keeps scratch at the end
constexpr int32_t FA_BOX_BYTES = 32 * 1024;  // of K, V, P or Q in L0A or L0B, which hold two
constexpr int32_t FA_LANES = 64;             // fp32 lanes of one vector repeat
constexpr int32_t FA_AIV_ROWS = 64;          // rows of a tile that one AIV takes at most
constexpr int32_t FA_RING_SLOTS = 3;         // forward: stacks in flight between AIC and AIV
constexpr int32_t FAG_RING_SLOTS = 2;        // gradient: tiles in flight between AIC and AIV
constexpr int64_t FA_ALIBI_ROWS = 1024;      // rows of a shift table for any S1
#endif
