// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Positions of FlashAttentionScoreGrad's inputs and outputs (flash_attention_score_grad_def.cpp). Attributes: FaAttr.
#ifndef FAG_OP_INDICES_H
#define FAG_OP_INDICES_H

enum FagInput {
    FAG_QUERY,
    FAG_KEY,
    FAG_VALUE,
    FAG_DY,
    FAG_PSE_SHIFT,
    FAG_DROP_MASK,
    FAG_PADDING_MASK,
    FAG_ATTEN_MASK,
    FAG_SOFTMAX_MAX,
    FAG_SOFTMAX_SUM,
    FAG_SOFTMAX_IN,
    FAG_ATTENTION_IN,
    FAG_PREFIX,
    FAG_ACTUAL_SEQ_QLEN,
    FAG_ACTUAL_SEQ_KVLEN,
    FAG_Q_START_IDX,
    FAG_KV_START_IDX,
    FAG_D_SCALE_Q,
    FAG_D_SCALE_K,
    FAG_D_SCALE_V,
    FAG_D_SCALE_DY,
    FAG_D_SCALE_O,
    FAG_QUERY_ROPE,
    FAG_KEY_ROPE,
    FAG_SINK
};

enum FagOutput { FAG_DQ, FAG_DK, FAG_DV, FAG_DPSE, FAG_DQ_ROPE, FAG_DK_ROPE, FAG_DSINK, FAG_OUTPUTS };
#endif
