# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""npu_flash_attention: torch_npu's arguments and seven results, with defaults that follow from the inputs."""

import math

import torch

from ascend_flash_attention._arguments import checked
from ascend_flash_attention._call import attend
from ascend_flash_attention._layouts import FOLDED_LAYOUTS, HEAD_AXIS, MAX_HEAD_DIM, MAX_TOKENS, resolve_layout


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


def _default_scale(query, query_rope, heads: int, layout: str) -> float:
    if heads <= 0:
        raise ValueError(f"head_num must be > 0, got {heads}")
    head_dim = query.shape[-1] // heads if layout in FOLDED_LAYOUTS else query.shape[-1]
    if query_rope is not None:
        head_dim += query_rope.shape[-1]
    if isinstance(head_dim, torch.Tensor):  # a size while torch.jit traces, whose power has the precision of float32
        head_dim = int(head_dim)
    return head_dim**-0.5 if head_dim else 1.0


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
    prefix=None,
    actual_seq_qlen=None,
    actual_seq_kvlen=None,
    pse_type: int = 1,
    sink: torch.Tensor | None = None,
    query_rope: torch.Tensor | None = None,
    key_rope: torch.Tensor | None = None,
    q_start_idx=None,
    kv_start_idx=None,
    softmax_layout: str = "",
    dropout_mask: torch.Tensor | None = None,
    seed: int = 0,
    offset: int = 0,
):
    """Exact attention softmax(mask(scale * Q K^T)) V without the score matrix in memory.

    Args:
        query: float32, float16 or bfloat16. [B, N1, S1, D] (BNSD, the default of 4-D inputs), [B, S1, N1, D] (BSND),
            [B, S1, N1*D] (BSH, the default of 3-D inputs), [S1, B, N1*D] (SBH) or [T1, N1, D] (TND, sequences packed
            one after the other). Any strides.
        key: same with N2 heads and length S2; N1 is a multiple of N2, query head n uses key head n // (N1 // N2).
        value: as key, its head dim Dv is 1..D; D is 1..768.
        head_num: N1. 4-D and TND inputs have it in their shape. Others need it, unless `scale` is 1/sqrt(D) for a D
            above 1 that divides the last dimension.
        input_layout: one of the names above.
        atten_mask: bool or uint8, nonzero = masked out, [B, N1, S1, S2] or [S1, S2]; every dimension may be 1.
            [2048, 2048] with sparse_mode 2, 3, 4, 7, 8 and [3072, 2048] with 6, where it is not needed. Or float, of
            query's dtype or float32: added to the scores after scaling, and to a pse of pse_type 0. TND: without a pse,
            [max S1, max S2] or [B, N1, max S1, max S2].
        scale: factor of the scores; None means 1/sqrt(D), with D that of query and query_rope together.
        keep_prob: in (0, 1]; below 1, weights are dropped at random and the others divided by it. The same ones are
            dropped in the gradient. torch.manual_seed decides which, or seed and offset.
        pre_tokens, next_tokens: window of sparse_mode 0, 4, 7 and 8 in keys before and after the diagonal, honoured
            without a mask tensor as well.
        sparse_mode: 0 window from the top left, 1 everything, 2 causal from the top left, 3 causal from the bottom
            right, 4 window from the bottom right, 5 and 6 causal from the bottom right or before `prefix` (5: and the
            mask), 7 and 8 TND whose last or first sequence has a window, the others modes 3 and 2.
        pse: added to the scores, of query's dtype: before scaling with pse_type 1, after it with 0. [B, N1, S1, S2],
            B and S1 may be 1; [B, N1, 1024, S2] is the last 1024 rows of a bias that depends on j - i alone. With
            pse_type 2 and 3 float32 slopes [N1] or [B, N1]: minus slope * distance, or its square root, with distance
            |j + kv_start - i - q_start|.
        padding_mask: must be None.
        inner_precise: accepted and without effect: rows that see no key are always 0.
        prefix: of sparse_mode 5 and 6, one integer a batch.
        actual_seq_qlen, actual_seq_kvlen: TND: cumulative ends of the sequences, without a leading 0. Like all lists
            here a list, tuple, 1-D array or int32 or int64 tensor; a tensor is read on the host.
        sink: float32 [N1], a logit of each head that takes part in the softmax and has no value.
        query_rope, key_rope: TND: [T1, N1, Dr] and [T2, N2, Dr], further channels of query and key.
        q_start_idx, kv_start_idx: q_start and kv_start of the slopes, lists of one integer.
        softmax_layout: "TND": softmax_max and softmax_sum of TND token by token; "": sequence by sequence, in each
            [N1, S1, 8].
        dropout_mask: uint8, bits of the weights to keep, lowest first, instead of drawn ones.
        seed, offset: of the dropout bits; both 0: drawn.

    Returns:
        Tuple of 7: attention_out (query's layout, head dim Dv), softmax_max and softmax_sum (float32 [B, N1, S1, 8] or
        [T1, N1, 8], eight equal copies), an empty tensor, seed and offset of the dropout (0 without; 0-D tensors in
        compiled code and of fake tensors), number of scores. A row that sees no key has output 0, max -FLT_MAX and sum
        +FLT_MAX.

    attention_out is differentiable with respect to query, key, value, pse, slopes, a float atten_mask, sink and the
    rope parts; its gradient is computed from the inputs and the three results, without a tensor of S1 x S2
    elements. Differentiating twice is not supported.

    Raises:
        ValueError: a wrong argument; the text names it, what was given and what is allowed.
        TypeError: an argument of a wrong type.

    Source: torch_npu.npu_fusion_attention and the FlashAttentionScore operator of CANN. Unlike there, `sparse_mode`
    and the windows act without a mask tensor too, and float masks are added.
    """
    layout = resolve_layout(query.shape, input_layout)
    heads = _resolve_head_num(query, head_num, layout, scale)
    if scale is None:
        scale = _default_scale(query, query_rope, heads, layout)
    return attend(
        query, key, value, heads, layout, pse=pse, pse_type=pse_type, padding_mask=padding_mask, atten_mask=atten_mask,
        prefix=prefix, actual_seq_qlen=actual_seq_qlen, actual_seq_kvlen=actual_seq_kvlen, q_start_idx=q_start_idx,
        kv_start_idx=kv_start_idx, query_rope=query_rope, key_rope=key_rope, sink=sink, scale=scale,
        keep_prob=keep_prob, pre_tokens=pre_tokens, next_tokens=next_tokens, inner_precise=inner_precise,
        sparse_mode=sparse_mode, softmax_layout=softmax_layout, dropout_mask=dropout_mask, seed=seed, offset=offset,
    )  # fmt: skip
