// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Positions of FlashAttentionScore's inputs, outputs and attributes (flash_attention_score_def.cpp).
#ifndef FA_OP_INDICES_H
#define FA_OP_INDICES_H

enum FaInput {
    FA_QUERY,
    FA_KEY,
    FA_VALUE,
    FA_REAL_SHIFT,
    FA_DROP_MASK,
    FA_PADDING_MASK,
    FA_ATTEN_MASK,
    FA_PREFIX,
    FA_ACTUAL_SEQ_QLEN,
    FA_ACTUAL_SEQ_KVLEN,
    FA_Q_START_IDX,
    FA_KV_START_IDX,
    FA_D_SCALE_Q,
    FA_D_SCALE_K,
    FA_D_SCALE_V,
    FA_QUERY_ROPE,
    FA_KEY_ROPE,
    FA_SINK,
    FA_INPUTS
};

enum FaOutput { FA_SOFTMAX_MAX, FA_SOFTMAX_SUM, FA_SOFTMAX_OUT, FA_ATTENTION_OUT, FA_OUTPUTS };

enum FaAttr {
    FA_ATTR_SCALE_VALUE,
    FA_ATTR_KEEP_PROB,
    FA_ATTR_PRE_TOKENS,
    FA_ATTR_NEXT_TOKENS,
    FA_ATTR_HEAD_NUM,
    FA_ATTR_INPUT_LAYOUT,
    FA_ATTR_INNER_PRECISE,
    FA_ATTR_SPARSE_MODE,
    FA_ATTR_PSE_TYPE,
    FA_ATTR_SEED,
    FA_ATTR_OFFSET,
    FA_ATTR_OUT_DTYPE,
    FA_ATTR_SOFTMAX_OUT_LAYOUT
};
#endif
