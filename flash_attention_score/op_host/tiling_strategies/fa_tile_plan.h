// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What all strategies plan alike: tile, KV chunks, workspace.
#ifndef FA_TILE_PLAN_H
#define FA_TILE_PLAN_H
#include <cstdint>
#include <string>
#include "../fa_problem_parser.h"
#include "../fa_schedule_planner.h"

struct FaPlatform {
    int64_t cores; // AIC cores, each with two AIV
    uint64_t l1Bytes;
    uint64_t ubBytes;
    uint64_t systemWorkspace;
};

struct FaPlan {
    FaTileShape tile;
    FaSchedule schedule;
    FaWorkspace workspace;
    uint64_t workspaceBytes; // system part included
    int64_t blockDim;
    uint64_t tilingKey;
    bool startTogether; // the kernel synchronises all cores
    FaRowBlocks rows;
    FaDeal deal;
};

// Values of TILING_KEY_IS in the kernel.
enum FaTilingKey : uint64_t { FA_KEY_DEFAULT = 0, FA_KEY_SHORT_SEQ = 1, FA_KEY_LONG_SEQ = 2 };

// Empty: the memories of this platform hold the tiles of every problem.
std::string CheckFaPlatform(const FaPlatform &platform);

// Empty: the tile sizes that the caller has fixed fit the memories.
std::string CheckFaTile(const FaProblem &problem);

// Tile of a problem: a function of data type, D, Dv, G, S1 and tuning.
FaTileShape ChooseFaTile(const FaProblem &problem);

// Keys of a KV chunk, a function of G, S1, S2 and the stack alone, so that bits do not depend on who computes a chunk.
// 0: the keys of a row are not split.
int64_t ChooseKvChunk(const FaProblem &problem);

// Row blocks of all batches and heads, KV chunks not counted.
int64_t CountFaUnits(const FaProblem &problem);

// dealChunks: the chunks of a row block go to different cores.
FaPlan PlanFaTiles(const FaProblem &problem, const FaPlatform &platform, FaTilingKey key, bool dealChunks);
#endif
