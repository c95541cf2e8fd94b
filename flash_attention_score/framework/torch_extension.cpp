// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The operators of torch.ops.ascend_flash_attention. They return tensors only: an int result of a custom operator
// becomes a constant under torch.compile.
#include <string>
#include <torch/library.h>

namespace {
// What the forward and the gradient have in common. torch_autograd.cpp hands these arguments on by position.
constexpr const char *OPTIONS =
    "int head_num, str input_layout, *, Tensor? pse=None, Tensor? drop_mask=None, Tensor? padding_mask=None, "
    "Tensor? atten_mask=None, int[]? prefix=None, int[]? actual_seq_qlen=None, int[]? actual_seq_kvlen=None, "
    "int[]? q_start_idx=None, int[]? kv_start_idx=None, Tensor? query_rope=None, Tensor? key_rope=None, "
    "Tensor? sink=None, Tensor? rng_state=None, float scale=1.0, float keep_prob=1.0, int pre_tokens=2147483647, int "
    "next_tokens=2147483647, "
    "int inner_precise=0, int sparse_mode=0, int pse_type=1, str softmax_layout=\"\"";
} // namespace

TORCH_LIBRARY(ascend_flash_attention, library)
{
    const std::string options = OPTIONS;
    library.def(("flash_attention_score(Tensor query, Tensor key, Tensor value, " + options +
                 ") -> (Tensor attention_out, Tensor softmax_max, Tensor softmax_sum)")
                    .c_str());
    library.def(("flash_attention_score_grad(Tensor query, Tensor key, Tensor value, Tensor dy, Tensor attention_in, "
                 "Tensor softmax_max, Tensor softmax_sum, " +
                 options +
                 ", bool pse_grad=False) -> (Tensor dq, Tensor dk, Tensor dv, Tensor dpse, Tensor dq_rope, "
                 "Tensor dk_rope, Tensor dsink)")
                    .c_str());
    library.def("dropout_rng_state(Tensor query) -> Tensor", {at::Tag::nondeterministic_seeded});
}
