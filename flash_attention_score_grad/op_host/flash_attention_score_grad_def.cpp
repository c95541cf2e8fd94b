// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The interface of FlashAttentionScoreGrad: CANN's names, order and spelling, newest list (older lists are prefixes).
#include "../../flash_attention_score/op_host/fa_op_def.h"

namespace ops {

class FlashAttentionScoreGrad : public FaOpDef {
public:
    explicit FlashAttentionScoreGrad(const char *name) : FaOpDef(name)
    {
        Tensor("query", REQUIRED, QueryTypes());
        Tensor("key", REQUIRED, QueryTypes());
        Tensor("value", REQUIRED, QueryTypes());
        Tensor("dy", REQUIRED, QueryTypes());
        Tensor("pse_shift", OPTIONAL, ShiftTypes());
        Tensor("drop_mask", OPTIONAL, Same(ge::DT_UINT8));
        Tensor("padding_mask", OPTIONAL, QueryTypes());
        Tensor("atten_mask", OPTIONAL, MaskTypes());
        Tensor("softmax_max", OPTIONAL, Same(ge::DT_FLOAT));
        Tensor("softmax_sum", OPTIONAL, Same(ge::DT_FLOAT));
        Tensor("softmax_in", OPTIONAL, QueryTypes());
        Tensor("attention_in", OPTIONAL, QueryTypes());
        HostList("prefix");
        HostList("actual_seq_qlen");
        HostList("actual_seq_kvlen");
        HostList("q_start_idx");
        HostList("kv_start_idx");
        Tensor("d_scale_q", OPTIONAL, Same(ge::DT_FLOAT));
        Tensor("d_scale_k", OPTIONAL, Same(ge::DT_FLOAT));
        Tensor("d_scale_v", OPTIONAL, Same(ge::DT_FLOAT));
        Tensor("d_scale_dy", OPTIONAL, Same(ge::DT_FLOAT));
        Tensor("d_scale_o", OPTIONAL, Same(ge::DT_FLOAT));
        Tensor("query_rope", OPTIONAL, QueryTypes());
        Tensor("key_rope", OPTIONAL, QueryTypes());
        Tensor("sink", OPTIONAL, Same(ge::DT_FLOAT));

        Result("dq", QueryTypes());
        Result("dk", QueryTypes());
        Result("dv", QueryTypes());
        Result("dpse", ShiftTypes(), OPTIONAL);
        Result("dq_rope", QueryTypes(), OPTIONAL);
        Result("dk_rope", QueryTypes(), OPTIONAL);
        Result("dsink", Same(ge::DT_FLOAT), OPTIONAL);

        Attributes("softmax_in_layout");
        Targets();
    }
};

OP_ADD(FlashAttentionScoreGrad);
} // namespace ops
