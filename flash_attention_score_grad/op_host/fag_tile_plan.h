// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Tiles, rounds and workspace of a gradient. Tiles and chunks follow from S1, S2 and the data type alone, so that the
// order of additions does not depend on batch, heads or cores.
#ifndef FAG_TILE_PLAN_H
#define FAG_TILE_PLAN_H
#include "../../flash_attention_score/op_host/tiling_strategies/fa_tile_plan.h"
#include "../op_kernel/flash_attention_score_grad_tiling_data.h"
#include "fag_problem_parser.h"

struct FagPlan {
    FagRowSpace rows;
    FagTileShape tile;
    FagSchedule schedule;
    FagShiftSums shiftSums;
    FagResults results;
    FagWorkspace workspace;
    uint64_t workspaceBytes; // system part included
    int64_t blockDim;
};

FagPlan PlanFagTiles(const FaProblem &problem, const FagResults &results, const FaPlatform &platform);

FlashAttentionScoreGradTilingData FagTilingData(const FaProblem &problem, const FagPlan &plan);
#endif
