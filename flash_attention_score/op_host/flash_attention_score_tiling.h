// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// From a problem to everything that the kernel is told.
#ifndef FLASH_ATTENTION_SCORE_TILING_H
#define FLASH_ATTENTION_SCORE_TILING_H
#include "../op_kernel/flash_attention_score_tiling_data.h"
#include "fa_problem_parser.h"
#include "tiling_strategies/tiling_strategy.h"

// Assigns every field of data.
void FillFaTilingData(const FaProblem &problem, const FaPlan &plan, FlashAttentionScoreTilingData &data);
#endif
