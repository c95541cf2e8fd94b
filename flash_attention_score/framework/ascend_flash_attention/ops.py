# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The attention functions of torch_npu, with the same arguments and the same seven results."""

import math

import torch

from ascend_flash_attention._arguments import checked
from ascend_flash_attention._layouts import FOLDED_LAYOUTS, HEAD_AXIS, MAX_HEAD_DIM, MAX_TOKENS, resolve_layout
from ascend_flash_attention._library import flash_attention_score
from ascend_flash_attention._vendor_rules import vendor_sparse_mode


def _head_dim_of_scale(scale: float | None, width: int) -> int | None:
    """D for scale = 1/sqrt(D), when such a D above 1 divides the width. A scale of 1.0 means no scaling, not D = 1."""
    if scale is None or not math.isfinite(scale) or scale <= 0:
        return None
    head_dim = round(scale**-2) if scale**-2 <= MAX_HEAD_DIM + 0.5 else 0
    if head_dim < 2 or width % head_dim or abs(head_dim**-0.5 - scale) > 1e-6 * scale:
        return None
    return head_dim


def _resolve_head_num(query, head_num: int | None, layout: str, scale: float | None) -> int:
    if head_num is not None:
        return head_num
    if layout in HEAD_AXIS:
        return query.shape[HEAD_AXIS[layout]]
    head_dim = _head_dim_of_scale(scale, query.shape[-1])
    if head_dim is None:
        raise ValueError(
            f"head_num is needed for {layout} inputs (query {list(query.shape)}, scale {scale}): pass head_num, "
            "or scale=(embed_dim // num_heads) ** -0.5 from which it follows, or 4-D inputs [B, N, S, D]"
        )
    return query.shape[-1] // head_dim


def _seven_results(results, query, key, layout: str, head_num: int):
    """What torch_npu returns: three tensors, an empty reserved one, seed, offset and number of scores."""
    attention, softmax_max, softmax_sum = results
    if layout == "TND":
        numels = 0  # no dropout, nothing to number
    else:
        length = {"BSH": 1, "SBH": 0, "BSND": 1, "BNSD": 2}[layout]
        batch = query.shape[1 if layout == "SBH" else 0]
        numels = batch * head_num * query.shape[length] * key.shape[length]
    return attention, softmax_max, softmax_sum, query.new_empty(0), 0, 0, numels


@checked
def npu_flash_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    head_num: int | None = None,
    input_layout: str | None = None,
    *,
    atten_mask: torch.Tensor | None = None,
    scale: float | None = None,
    keep_prob: float = 1.0,
    pre_tokens: int = MAX_TOKENS,
    next_tokens: int = MAX_TOKENS,
    sparse_mode: int = 0,
    pse: torch.Tensor | None = None,
    padding_mask: torch.Tensor | None = None,
    inner_precise: int = 0,
    prefix: list[int] | None = None,
    actual_seq_qlen: list[int] | None = None,
    actual_seq_kvlen: list[int] | None = None,
    pse_type: int = 1,
    sink: torch.Tensor | None = None,
):
    """Exact attention softmax(mask(scale * Q K^T)) V without the score matrix in memory.

    Args:
        query: float32, float16 or bfloat16. [B, N1, S1, D] (BNSD, the default of 4-D inputs), [B, S1, N1, D] (BSND),
            [B, S1, N1*D] (BSH, the default of 3-D inputs) or [S1, B, N1*D] (SBH). Any strides.
        key: same with N2 heads and length S2; N1 is a multiple of N2, query head n uses key head n // (N1 // N2).
        value: as key, its head dim Dv is 1..D; D is 1..768.
        head_num: N1. 4-D inputs have it in their shape. 3-D inputs need it, unless `scale` is 1/sqrt(D) for a D above 1
            that divides the last dimension.
        input_layout: one of the names above.
        atten_mask: bool or uint8, nonzero = masked out, [B, N1, S1, S2] or [S1, S2]; every dimension may be 1.
            [2048, 2048] with sparse_mode 2, 3 and 4, where it is not needed.
        scale: factor of the scores; None means 1/sqrt(D).
        keep_prob: 1.0; dropout is not supported yet.
        pre_tokens, next_tokens: window of sparse_mode 0 and 4 in keys before and after the diagonal, honoured without
            a mask tensor as well.
        sparse_mode: 0 window from the top left, 1 everything, 2 causal from the top left, 3 causal from the bottom
            right, 4 window from the bottom right.
        pse, padding_mask, prefix, actual_seq_qlen, actual_seq_kvlen, pse_type, sink: not supported yet; refused when
            given.
        inner_precise: accepted and without effect: rows that see no key are always 0.

    Returns:
        Tuple of 7: attention_out (query's layout, head dim Dv), softmax_max and softmax_sum (float32 [B, N1, S1, 8],
        eight equal copies), an empty tensor, seed 0, offset 0, number of scores. A row that sees no key has output 0,
        max -FLT_MAX and sum +FLT_MAX.

    attention_out is differentiable with respect to query, key and value; its gradient is computed from the inputs, the
    three results and the mask, without a tensor of S1 x S2 elements. Differentiating twice is not supported.

    Raises:
        ValueError: a wrong argument; the text names it, what was given and what is allowed.
        TypeError: an argument of a wrong type.

    Source: torch_npu.npu_fusion_attention and the FlashAttentionScore operator of CANN. Unlike there, `sparse_mode`
    and the windows act without a mask tensor too.
    """
    layout = resolve_layout(query.shape, input_layout)
    heads = _resolve_head_num(query, head_num, layout, scale)
    if scale is None:
        if heads <= 0:
            raise ValueError(f"head_num must be > 0, got {heads}")
        head_dim = query.shape[-1] // heads if layout in FOLDED_LAYOUTS else query.shape[-1]
        scale = head_dim**-0.5 if head_dim else 1.0
    results = flash_attention_score(
        query,
        key,
        value,
        heads,
        layout,
        pse=pse,
        padding_mask=padding_mask,
        atten_mask=atten_mask,
        prefix=prefix,
        actual_seq_qlen=actual_seq_qlen,
        actual_seq_kvlen=actual_seq_kvlen,
        sink=sink,
        scale=scale,
        keep_prob=keep_prob,
        pre_tokens=pre_tokens,
        next_tokens=next_tokens,
        inner_precise=inner_precise,
        sparse_mode=sparse_mode,
        pse_type=pse_type,
    )
    return _seven_results(results, query, key, layout, heads)


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
    prefix: list[int] | None = None,
    actual_seq_qlen: list[int] | None = None,
    actual_seq_kvlen: list[int] | None = None,
    sparse_mode: int = 0,
    gen_mask_parallel: bool = True,
    sync: bool = False,
    softmax_layout: str = "",
    sink: torch.Tensor | None = None,
    dropout_mask: torch.Tensor | None = None,
    seed: int = 0,
    offset: int = 0,
):
    """torch_npu.npu_fusion_attention, argument for argument (its version 1).

    Without atten_mask the result is dense whatever sparse_mode, pre_tockens and next_tockens say, as in torch_npu; the
    first such call warns. `scale` defaults to 1.0. gen_mask_parallel, sync, seed and offset belong to dropout and have
    no effect without it. Shapes, results, derivative and errors: see npu_flash_attention.
    """
    layout = resolve_layout(query.shape, input_layout)
    sparse_mode = vendor_sparse_mode("npu_fusion_attention", atten_mask, sparse_mode, pre_tockens, next_tockens)
    results = flash_attention_score(
        query,
        key,
        value,
        head_num,
        layout,
        pse=pse,
        drop_mask=dropout_mask,
        padding_mask=padding_mask,
        atten_mask=atten_mask,
        prefix=prefix,
        actual_seq_qlen=actual_seq_qlen,
        actual_seq_kvlen=actual_seq_kvlen,
        sink=sink,
        scale=scale,
        keep_prob=keep_prob,
        pre_tokens=pre_tockens,
        next_tokens=next_tockens,
        inner_precise=inner_precise,
        sparse_mode=sparse_mode,
        softmax_layout=softmax_layout,
    )
    return _seven_results(results, query, key, layout, head_num)
