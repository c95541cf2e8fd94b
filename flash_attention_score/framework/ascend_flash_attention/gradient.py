# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The gradient of attention as functions of their own: three versions of torch_npu.npu_fusion_attention_grad."""

import torch

from ascend_flash_attention._arguments import checked
from ascend_flash_attention._call import attend_grad
from ascend_flash_attention._layouts import MAX_TOKENS, resolve_layout
from ascend_flash_attention._vendor_rules import vendor_sparsity


def _attend_grad(function, tensors, head_num, layout, sparse_mode, pre_tokens, next_tokens, prefix, **arguments):
    mask = arguments["atten_mask"]
    sparsity = vendor_sparsity(function, mask, sparse_mode, pre_tokens, next_tokens, prefix)
    return attend_grad(*tensors, head_num, resolve_layout(tensors[0].shape, layout), **sparsity, **arguments)


@checked
def npu_fusion_attention_grad(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    dy: torch.Tensor,
    head_num: int,
    input_layout: str,
    *,
    pse: torch.Tensor | None = None,
    padding_mask: torch.Tensor | None = None,
    atten_mask: torch.Tensor | None = None,
    softmax_max: torch.Tensor | None = None,
    softmax_sum: torch.Tensor | None = None,
    softmax_in: torch.Tensor | None = None,
    attention_in: torch.Tensor | None = None,
    scale_value: float = 1.0,
    keep_prob: float = 1.0,
    pre_tockens: int = MAX_TOKENS,
    next_tockens: int = MAX_TOKENS,
    inner_precise: int = 0,
    seed: int = 0,
    offset: int = 0,
    numels: int = 0,
    prefix=None,
    actual_seq_qlen=None,
    actual_seq_kvlen=None,
    sparse_mode: int = 0,
    gen_mask_parallel: bool = True,
    sync: bool = False,
    softmax_layout: str = "",
    sink: torch.Tensor | None = None,
):
    """torch_npu.npu_fusion_attention_grad, argument for argument (its version 1): the gradients of one attention call.

    Args:
        query, key, value, head_num, input_layout, pse, atten_mask, pre_tockens, next_tockens, sparse_mode, prefix,
            actual_seq_qlen, actual_seq_kvlen, softmax_layout, sink, keep_prob: as in the call of npu_fusion_attention
            that is differentiated; without atten_mask it is dense here too.
        dy: gradient of attention_out; its shape and data type.
        softmax_max, softmax_sum, attention_in: results 1, 2 and 0 of that call; required.
        softmax_in: result 3 of that call, which is empty, or None.
        scale_value: its `scale`.
        seed, offset, numels: results 4, 5 and 6 of that call; without effect if keep_prob is 1.
        gen_mask_parallel, sync: without effect.
        padding_mask: must be None.

    Returns:
        Tuple of 5: dq, dk, dv (shapes and data type of query, key and value; dk and dv are summed over the query heads
        of a key head; 0 where nothing is visible), dpse and dsink (shapes and data types of pse and sink, None without
        them). With a float atten_mask, dpse is the gradient of what is added to the scores.

    Raises:
        ValueError: a wrong argument; the text names it, what was given and what is allowed.
        TypeError: an argument of a wrong type.

    Source: torch_npu.npu_fusion_attention_grad and the FlashAttentionScoreGrad operator of CANN, which leaves dpse
    unwritten.
    """
    dq, dk, dv, dpse, _, _, dsink = _attend_grad(
        "npu_fusion_attention_grad", (query, key, value, dy), head_num, input_layout, sparse_mode, pre_tockens,
        next_tockens, prefix, pse=pse, padding_mask=padding_mask, atten_mask=atten_mask, softmax_max=softmax_max,
        softmax_sum=softmax_sum, softmax_in=softmax_in, attention_in=attention_in, scale=scale_value,
        keep_prob=keep_prob, inner_precise=inner_precise, seed=seed, offset=offset, numels=numels,
        actual_seq_qlen=actual_seq_qlen, actual_seq_kvlen=actual_seq_kvlen, softmax_layout=softmax_layout, sink=sink,
    )  # fmt: skip
    return dq, dk, dv, dpse, dsink


@checked
def npu_fusion_attention_grad_v2(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    dy: torch.Tensor,
    head_num: int,
    input_layout: str,
    *,
    pse: torch.Tensor | None = None,
    padding_mask: torch.Tensor | None = None,
    atten_mask: torch.Tensor | None = None,
    softmax_max: torch.Tensor | None = None,
    softmax_sum: torch.Tensor | None = None,
    softmax_in: torch.Tensor | None = None,
    attention_in: torch.Tensor | None = None,
    query_rope: torch.Tensor | None = None,
    key_rope: torch.Tensor | None = None,
    scale_value: float = 1.0,
    keep_prob: float = 1.0,
    pre_tokens: int = MAX_TOKENS,
    next_tokens: int = MAX_TOKENS,
    inner_precise: int = 0,
    seed: int = 0,
    offset: int = 0,
    numels: int = 0,
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
):
    """Version 2, of npu_fusion_attention_v2: dq, dk, dv, dpse, dq_rope, dk_rope, dsink, None for what is not given.
    dpse of slopes is their gradient."""
    return _attend_grad(
        "npu_fusion_attention_grad_v2", (query, key, value, dy), head_num, input_layout, sparse_mode, pre_tokens,
        next_tokens, prefix, pse=pse, pse_type=pse_type, padding_mask=padding_mask, atten_mask=atten_mask,
        softmax_max=softmax_max, softmax_sum=softmax_sum, softmax_in=softmax_in, attention_in=attention_in,
        query_rope=query_rope, key_rope=key_rope, scale=scale_value, keep_prob=keep_prob, inner_precise=inner_precise,
        seed=seed, offset=offset, numels=numels, actual_seq_qlen=actual_seq_qlen, actual_seq_kvlen=actual_seq_kvlen,
        q_start_idx=q_start_idx, kv_start_idx=kv_start_idx, softmax_layout=softmax_layout, sink=sink,
    )  # fmt: skip


@checked
def npu_fusion_attention_grad_v3(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    dy: torch.Tensor,
    head_num: int,
    input_layout: str,
    *,
    pse: torch.Tensor | None = None,
    padding_mask: torch.Tensor | None = None,
    atten_mask: torch.Tensor | None = None,
    softmax_max: torch.Tensor | None = None,
    softmax_sum: torch.Tensor | None = None,
    softmax_in: torch.Tensor | None = None,
    attention_in: torch.Tensor | None = None,
    scale_value: float = 1.0,
    keep_prob: float = 1.0,
    pre_tockens: int = MAX_TOKENS,
    next_tockens: int = MAX_TOKENS,
    inner_precise: int = 0,
    seed=None,
    offset=None,
    prefix=None,
    actual_seq_qlen=None,
    actual_seq_kvlen=None,
    sparse_mode: int = 0,
    gen_mask_parallel: bool = True,
    sync: bool = False,
    softmax_layout: str = "",
    sink: torch.Tensor | None = None,
):
    """Version 3, of npu_fusion_attention_v3: as version 1, with its seed and offset, tensors of one element."""
    if keep_prob != 1 and (seed is None or offset is None):
        raise ValueError(f"seed and offset of the forward are required for keep_prob {keep_prob}, got {seed}, {offset}")
    dq, dk, dv, dpse, _, _, dsink = _attend_grad(
        "npu_fusion_attention_grad_v3", (query, key, value, dy), head_num, input_layout, sparse_mode, pre_tockens,
        next_tockens, prefix, pse=pse, padding_mask=padding_mask, atten_mask=atten_mask, softmax_max=softmax_max,
        softmax_sum=softmax_sum, softmax_in=softmax_in, attention_in=attention_in, scale=scale_value,
        keep_prob=keep_prob, inner_precise=inner_precise, seed=seed, offset=offset,
        actual_seq_qlen=actual_seq_qlen, actual_seq_kvlen=actual_seq_kvlen, softmax_layout=softmax_layout, sink=sink,
    )  # fmt: skip
    return dq, dk, dv, dpse, dsink
