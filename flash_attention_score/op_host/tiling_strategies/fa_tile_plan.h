// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What all strategies plan alike: tile, KV chunks, workspace.
#ifndef FA_TILE_PLAN_H
#define FA_TILE_PLAN_H
#include <cstdint>
#include <string>
#include "../fa_problem_parser.h"
#include "fa_work.h"
#include "ub_l1_budget.h"

constexpr int64_t FA_WORKSPACE_UNIT = 512; // alignment of a buffer in the workspace

struct FaPlatform {
    int64_t cores; // AIC cores, each with two AIV
    uint64_t l1Bytes;
    uint64_t ubBytes;
    uint64_t systemWorkspace;
};

struct FaPlan {
    FaTileShape tile;
    FaWorkspace workspace;
    uint64_t workspaceBytes; // system part included
    int64_t blockDim;
    uint64_t tilingKey;
    bool chunksAreDealt; // the KV chunks of a row block go to different cores, which meet at a barrier
};

// Values of TILING_KEY_IS in the kernel.
enum FaTilingKey : uint64_t { FA_KEY_DEFAULT = 0, FA_KEY_SHORT_SEQ = 1, FA_KEY_LONG_SEQ = 2 };

// Empty: the memories of this platform hold the tiles of every problem.
std::string CheckFaPlatform(const FaPlatform &platform);

// Empty: the tile sizes that the caller has fixed fit the memories.
std::string CheckFaTile(const FaProblem &problem);

// Offset of the next buffer of `bytes` in a workspace that is `end` long so far.
int64_t FaAppendBuffer(int64_t bytes, int64_t *end);

int64_t FaElementBytes(const FaProblem &problem);

// Columns of Q that L1 holds, rotary part included.
int64_t FaHeadDimInL1(const FaProblem &problem);

// rows: of the largest tile of Q.
FaUbNeeds FaUbNeedsOf(const FaProblem &problem, int64_t rows);

// Tile of a problem before its segments are known: a function of data type, D, Dv and tuning.
FaTileShape ChooseFaTile(const FaProblem &problem);
// How UB is used by a tile whose rows are known.
void ChooseFaPasses(const FaProblem &problem, FaTileShape *tile);

FaPlan PlanFaTiles(const FaProblem &problem, const FaWork &work, const FaPlatform &platform, FaTilingKey key);
#endif
