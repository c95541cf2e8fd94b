# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The three versions of torch_npu.npu_fusion_attention, argument for argument.

Of all three: without atten_mask the result is dense whatever sparse_mode, windows and prefix say, as in torch_npu; the
first such call warns. `scale` defaults to 1.0. A non-zero seed or offset is used for dropout, as torch_npu documents.
gen_mask_parallel and sync say when torch_npu makes dropout bits, and have no effect. Shapes, derivative, float masks
and errors: see npu_flash_attention.
"""

import torch

from ascend_flash_attention._arguments import checked
from ascend_flash_attention._call import attend
from ascend_flash_attention._layouts import MAX_TOKENS, resolve_layout
from ascend_flash_attention._vendor_rules import vendor_sparsity


def _attend(function, query, key, value, head_num, layout, sparse_mode, pre_tokens, next_tokens, prefix, **arguments):
    mask = arguments["atten_mask"]
    sparsity = vendor_sparsity(function, mask, sparse_mode, pre_tokens, next_tokens, prefix)
    return attend(query, key, value, head_num, resolve_layout(query.shape, layout), **sparsity, **arguments)


@checked
def npu_fusion_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    head_num: int,
    input_layout: str,
    pse: torch.Tensor | None = None,
    padding_mask: torch.Tensor | None = None,
    atten_mask: torch.Tensor | None = None,
    scale: float = 1.0,
    keep_prob: float = 1.0,
    pre_tockens: int = MAX_TOKENS,
    next_tockens: int = MAX_TOKENS,
    inner_precise: int = 0,
    prefix=None,
    actual_seq_qlen=None,
    actual_seq_kvlen=None,
    sparse_mode: int = 0,
    gen_mask_parallel: bool = True,
    sync: bool = False,
    softmax_layout: str = "",
    sink: torch.Tensor | None = None,
    dropout_mask: torch.Tensor | None = None,
    seed: int = 0,
    offset: int = 0,
):
    """Version 1. Returns seven results: attention_out, softmax_max, softmax_sum, an empty tensor, seed, offset, numels.

    pse is added before scaling (pse_type 1).
    """
    return _attend(
        "npu_fusion_attention", query, key, value, head_num, input_layout, sparse_mode, pre_tockens, next_tockens,
        prefix, pse=pse, padding_mask=padding_mask, atten_mask=atten_mask, scale=scale, keep_prob=keep_prob,
        inner_precise=inner_precise, actual_seq_qlen=actual_seq_qlen, actual_seq_kvlen=actual_seq_kvlen,
        softmax_layout=softmax_layout, sink=sink, dropout_mask=dropout_mask, seed=seed, offset=offset,
    )  # fmt: skip


@checked
def npu_fusion_attention_v2(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    head_num: int,
    input_layout: str,
    *,
    pse: torch.Tensor | None = None,
    padding_mask: torch.Tensor | None = None,
    atten_mask: torch.Tensor | None = None,
    query_rope: torch.Tensor | None = None,
    key_rope: torch.Tensor | None = None,
    scale: float = 1.0,
    keep_prob: float = 1.0,
    pre_tokens: int = MAX_TOKENS,
    next_tokens: int = MAX_TOKENS,
    inner_precise: int = 0,
    prefix=None,
    actual_seq_qlen=None,
    actual_seq_kvlen=None,
    sparse_mode: int = 0,
    gen_mask_parallel: bool = True,
    sync: bool = False,
    pse_type: int = 1,
    q_start_idx=None,
    kv_start_idx=None,
    softmax_layout: str = "",
    sink: torch.Tensor | None = None,
    dropout_mask: torch.Tensor | None = None,
    seed: int = 0,
    offset: int = 0,
):
    """Version 2: with pse_type, start indices and rope parts. Returns what version 1 returns."""
    return _attend(
        "npu_fusion_attention_v2", query, key, value, head_num, input_layout, sparse_mode, pre_tokens, next_tokens,
        prefix, pse=pse, pse_type=pse_type, padding_mask=padding_mask, atten_mask=atten_mask, query_rope=query_rope,
        key_rope=key_rope, scale=scale, keep_prob=keep_prob, inner_precise=inner_precise,
        actual_seq_qlen=actual_seq_qlen, actual_seq_kvlen=actual_seq_kvlen, q_start_idx=q_start_idx,
        kv_start_idx=kv_start_idx, softmax_layout=softmax_layout, sink=sink, dropout_mask=dropout_mask, seed=seed,
        offset=offset,
    )  # fmt: skip


@checked
def npu_fusion_attention_v3(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    head_num: int,
    input_layout: str,
    pse: torch.Tensor | None = None,
    padding_mask: torch.Tensor | None = None,
    atten_mask: torch.Tensor | None = None,
    scale: float = 1.0,
    keep_prob: float = 1.0,
    pre_tockens: int = MAX_TOKENS,
    next_tockens: int = MAX_TOKENS,
    inner_precise: int = 0,
    prefix=None,
    actual_seq_qlen=None,
    actual_seq_kvlen=None,
    sparse_mode: int = 0,
    gen_mask_parallel: bool = True,
    sync: bool = False,
    softmax_layout: str = "",
    sink: torch.Tensor | None = None,
):
    """Version 3. Returns six tensors: attention_out, softmax_max, softmax_sum, an empty one, seed and offset, int64 [1]
    on the CPU."""
    *tensors, seed, offset, _ = _attend(
        "npu_fusion_attention_v3", query, key, value, head_num, input_layout, sparse_mode, pre_tockens, next_tockens,
        prefix, pse=pse, padding_mask=padding_mask, atten_mask=atten_mask, scale=scale, keep_prob=keep_prob,
        inner_precise=inner_precise, actual_seq_qlen=actual_seq_qlen, actual_seq_kvlen=actual_seq_kvlen,
        softmax_layout=softmax_layout, sink=sink,
    )  # fmt: skip
    return (*tensors, *(torch.as_tensor(number, dtype=torch.int64).reshape(1) for number in (seed, offset)))
