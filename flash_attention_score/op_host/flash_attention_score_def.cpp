// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The interface of FlashAttentionScore: CANN's names, order and spelling, newest list (older lists are prefixes of it).
#include "fa_op_def.h"

namespace ops {

class FlashAttentionScore : public FaOpDef {
public:
    explicit FlashAttentionScore(const char *name) : FaOpDef(name)
    {
        Tensor("query", REQUIRED, QueryTypes());
        Tensor("key", REQUIRED, QueryTypes());
        Tensor("value", REQUIRED, QueryTypes());
        Tensor("real_shift", OPTIONAL, ShiftTypes());
        Tensor("drop_mask", OPTIONAL, Same(ge::DT_UINT8));
        Tensor("padding_mask", OPTIONAL, QueryTypes());
        Tensor("atten_mask", OPTIONAL, MaskTypes());
        HostList("prefix");
        HostList("actual_seq_qlen");
        HostList("actual_seq_kvlen");
        HostList("q_start_idx");
        HostList("kv_start_idx");
        Tensor("d_scale_q", OPTIONAL, Same(ge::DT_FLOAT));
        Tensor("d_scale_k", OPTIONAL, Same(ge::DT_FLOAT));
        Tensor("d_scale_v", OPTIONAL, Same(ge::DT_FLOAT));
        Tensor("query_rope", OPTIONAL, QueryTypes());
        Tensor("key_rope", OPTIONAL, QueryTypes());
        Tensor("sink", OPTIONAL, Same(ge::DT_FLOAT));

        Result("softmax_max", Same(ge::DT_FLOAT));
        Result("softmax_sum", Same(ge::DT_FLOAT));
        Result("softmax_out", QueryTypes());
        Result("attention_out", QueryTypes());

        Attributes("softmax_out_layout");
        Targets();
    }
};

OP_ADD(FlashAttentionScore);
} // namespace ops
