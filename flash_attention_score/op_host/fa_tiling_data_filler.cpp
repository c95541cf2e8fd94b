// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "flash_attention_score_tiling.h"

void FillFaTilingData(const FaProblem &problem, const FaPlan &plan, FlashAttentionScoreTilingData &data)
{
    data.b = problem.b;
    data.n1 = problem.n1;
    data.n2 = problem.n2;
    data.s1 = problem.s1;
    data.s2 = problem.s2;
    data.d = problem.d;
    data.dv = problem.dv;
    data.query = problem.query;
    data.key = problem.key;
    data.value = problem.value;
    data.out = problem.out;
    data.maskTensor = problem.maskTensor;
    data.tile = plan.tile;
    data.workspace = plan.workspace;
    data.scale = problem.scale;
    data.hasMaskTensor = problem.hasMaskTensor ? 1 : 0;
    data.rule = problem.rule;
    data.sequences = problem.sequences;
    data.shift = problem.shift;
    data.dropout = problem.dropout;
    data.rope = problem.rope;
    data.hasSink = problem.hasSink ? 1 : 0;
    data.reserved = 0;
}
