// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A strategy says why it does not apply, or plans. All strategies share tile shapes and arithmetic: the same row gives
// the same bits whichever is chosen.
#ifndef FA_TILING_STRATEGY_H
#define FA_TILING_STRATEGY_H
#include <cstdint>
#include <string>
#include <vector>
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
};

struct TilingStrategy {
    const char *name;
    std::string (*refusal)(const FaProblem &problem); // empty: applies
    FaPlan (*plan)(const FaProblem &problem, const FaPlatform &platform);
};

extern const TilingStrategy SHORT_SEQ_STRATEGY;
extern const TilingStrategy LONG_SEQ_STRATEGY;
extern const TilingStrategy DEFAULT_STRATEGY;

struct FaRefusal {
    std::string strategy;
    std::string reason;
};

struct FaChoice {
    const TilingStrategy *strategy; // never null: the last one of the list takes every problem
    std::vector<FaRefusal> refusals;
};

// First strategy of the list that applies, most specific first.
FaChoice ChooseTilingStrategy(const FaProblem &problem);

// Empty: the memories of this platform hold the tiles of every problem.
std::string CheckFaPlatform(const FaPlatform &platform);

// Tile of a problem, a function of data type, D and Dv alone.
FaTileShape ChooseFaTile(const FaProblem &problem);

// Row blocks of one head (or of one pack of heads).
FaRowBlocks RowBlocksOf(const FaProblem &problem, const FaTileShape &tile);

// Independent sequences of row blocks: batches times heads, or packs of heads.
int64_t HeadUnitsOf(const FaProblem &problem, const FaTileShape &tile);
#endif
