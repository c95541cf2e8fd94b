# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""flash_attn_func and flash_attn_varlen_func of the flash-attn package, version 2, on the operator.

In both, causal and windows count from the bottom right: query i stands at key i + seqlen_k - seqlen_q. A query that
sees nothing has output 0 and softmax_lse -inf. Results are always deterministic.
"""

import torch

from ascend_flash_attention._arguments import checked
from ascend_flash_attention._call import attend
from ascend_flash_attention._flash_attn_rules import limits_of, slope_options, sparsity
from ascend_flash_attention._lists import integers, lengths
from ascend_flash_attention.ops import npu_flash_attention


def _keep_prob(dropout_p: float, softcap: float) -> float:
    if softcap != 0:
        raise ValueError(f"softcap must be 0, got {softcap}: capped scores are not supported")
    if not 0 <= dropout_p < 1:
        raise ValueError(f"dropout_p must be in [0, 1), got {dropout_p}")
    return 1.0 - dropout_p


def _check_ranks(q, k, v, shape: str, rank: int) -> None:
    for name, tensor in (("q", q), ("k", k), ("v", v)):
        if tensor.dim() != rank or tensor.shape[-1] == 0:
            raise ValueError(f"{name} must be {shape}, got {list(tensor.shape)}")


def _lse(softmax_max, softmax_sum):
    """Logarithm of the sum of exponentials, from eight equal copies each in the last dimension."""
    row_max, row_sum = softmax_max[..., 0], softmax_sum[..., 0]
    sees_nothing = row_sum == torch.finfo(torch.float32).max
    return (row_max + row_sum.log()).masked_fill(sees_nothing, float("-inf"))


@checked
def flash_attn_func(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    dropout_p: float = 0.0,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size=(-1, -1),
    softcap: float = 0.0,
    alibi_slopes: torch.Tensor | None = None,
    deterministic: bool = False,
    return_attn_probs: bool = False,
):
    """Attention of [batch, seqlen_q, nheads, headdim] over [batch, seqlen_k, nheads_k, headdim].

    Args:
        q, k, v: float32, float16 or bfloat16; nheads is a multiple of nheads_k.
        dropout_p: in [0, 1).
        softmax_scale: None means 1/sqrt(headdim).
        causal: query i sees keys up to i + seqlen_k - seqlen_q.
        window_size: (left, right): with s = seqlen_k - seqlen_q, keys i + s - left to i + s + right; -1 is no limit.
        softcap: must be 0.
        alibi_slopes: float32 [nheads] or [batch, nheads].
        deterministic: accepted; results do not depend on it.
        return_attn_probs: return (out, softmax_lse, None), softmax_lse float32 [batch, nheads, seqlen_q]. The third,
            the dropped weights, is not made.

    Returns:
        out [batch, seqlen_q, nheads, headdim of v].

    Raises:
        ValueError: a wrong argument; the text names it.

    Source: flash_attn_func of flash-attn 2.
    """
    keep_prob = _keep_prob(dropout_p, softcap)
    _check_ranks(q, k, v, "[batch, seqlen, nheads, headdim]", 4)
    rows, keys = q.shape[1], k.shape[1]
    limits = limits_of(causal, window_size)
    out, row_max, row_sum, *_ = npu_flash_attention(
        q, k, v, q.shape[2], "BSND", scale=softmax_scale, keep_prob=keep_prob,
        **sparsity(*limits, rows > 0 and keys > 0), **slope_options(alibi_slopes, {keys - rows}),
    )  # fmt: skip
    return (out, _lse(row_max, row_sum), None) if return_attn_probs else out


def _ends(name: str, cu_seqlens, longest_name: str, longest: int, tokens_of: str, tokens: int) -> list[int]:
    """Ends of the sequences, without the leading 0."""
    starts = integers(name, cu_seqlens)
    if not starts or starts[0] != 0:
        raise ValueError(f"{name} must be cumulative lengths of sequences with a leading 0, got {starts}")
    if any(end < begin for begin, end in zip(starts, starts[1:], strict=False)):
        raise ValueError(f"{name} must not decrease, got {starts}")
    if starts[-1] > tokens:
        raise ValueError(f"{name} must end at {tokens_of}'s {tokens} tokens or before, got {starts}")
    given = max([0, *lengths(starts[1:])])
    if given > longest:
        raise ValueError(f"{longest_name} must be at least the longest sequence of {name}, {given}, got {longest}")
    return starts[1:]


@checked
def flash_attn_varlen_func(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    cu_seqlens_q,
    cu_seqlens_k,
    max_seqlen_q: int,
    max_seqlen_k: int,
    dropout_p: float = 0.0,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size=(-1, -1),
    softcap: float = 0.0,
    alibi_slopes: torch.Tensor | None = None,
    deterministic: bool = False,
    return_attn_probs: bool = False,
    block_table=None,
):
    """flash_attn_func for sequences packed one after the other: q [total_q, nheads, headdim], k and v [total_k, ...].

    Args:
        cu_seqlens_q, cu_seqlens_k: int32 or int64 [batch + 1] (or lists): 0 and the ends of the sequences, which may be
            empty. Rows of q past the last end give 0.
        max_seqlen_q, max_seqlen_k: at least the longest sequence.
        alibi_slopes: float32 [nheads] or [batch, nheads]; seqlen_k - seqlen_q must be the same in all sequences.
        block_table: must be None; paged keys are not supported.
        Others: see flash_attn_func. softmax_lse is [nheads, total_q].

    Returns:
        out [total_q, nheads, headdim of v].

    Raises:
        ValueError: a wrong argument; the text names it.

    Source: flash_attn_varlen_func of flash-attn 2.
    """
    keep_prob = _keep_prob(dropout_p, softcap)
    _check_ranks(q, k, v, "[total, nheads, headdim]", 3)
    if block_table is not None:
        raise ValueError("block_table must be None: paged keys and values are not supported")
    ends_q = _ends("cu_seqlens_q", cu_seqlens_q, "max_seqlen_q", max_seqlen_q, "q", q.shape[0])
    ends_k = _ends("cu_seqlens_k", cu_seqlens_k, "max_seqlen_k", max_seqlen_k, "k", k.shape[0])
    if len(ends_q) != len(ends_k):
        raise ValueError(
            f"cu_seqlens_q and cu_seqlens_k must have one length, got {len(ends_q) + 1} and {len(ends_k) + 1}"
        )
    pairs = [(rows, keys) for rows, keys in zip(lengths(ends_q), lengths(ends_k), strict=True) if rows and keys]
    scale = softmax_scale if softmax_scale is not None else q.shape[-1] ** -0.5
    out, row_max, row_sum, *_ = attend(
        q, k, v, q.shape[1], "TND", scale=scale, keep_prob=keep_prob, actual_seq_qlen=ends_q,
        actual_seq_kvlen=ends_k, may_be_lengths=False, softmax_layout="TND",
        **sparsity(*limits_of(causal, window_size), bool(pairs)),
        **slope_options(alibi_slopes, {keys - rows for rows, keys in pairs}),
    )  # fmt: skip
    return (out, _lse(row_max, row_sum).t(), None) if return_attn_probs else out
