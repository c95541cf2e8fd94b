# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Windows and slopes of flash-attn as the operator takes them."""

import torch

from ascend_flash_attention._layouts import MAX_TOKENS
from ascend_flash_attention._lists import integers

_DENSE, _RIGHT_DOWN_CAUSAL, _RIGHT_DOWN_WINDOW = 1, 3, 4  # sparse_mode
_SLOPES = 2  # pse_type
_NO_LIMIT = -1  # of a window


def limits_of(causal: bool, window_size) -> tuple[int, int]:
    """(left, right) of the window, -1 for no limit."""
    limits = integers("window_size", window_size)
    if limits is None or len(limits) != 2 or min(limits) < _NO_LIMIT:
        raise ValueError(f"window_size must be two numbers of keys, -1 for no limit, got {window_size}")
    return limits[0], 0 if causal else limits[1]


def sparsity(left: int, right: int, has_pairs: bool) -> dict:
    """sparse_mode and window. has_pairs: there are queries and keys; without them the window does not matter."""
    if not has_pairs or (left == _NO_LIMIT and right == _NO_LIMIT):
        return {"sparse_mode": _DENSE}
    if left == _NO_LIMIT and right == 0:
        return {"sparse_mode": _RIGHT_DOWN_CAUSAL}
    tokens = [MAX_TOKENS if size == _NO_LIMIT else size for size in (left, right)]
    return {"sparse_mode": _RIGHT_DOWN_WINDOW, "pre_tokens": tokens[0], "next_tokens": tokens[1]}


def slope_options(alibi_slopes, shifts: set) -> dict:
    """alibi: minus slope * |i + seqlen_k - seqlen_q - j|. shifts: seqlen_k - seqlen_q of the sequences."""
    if alibi_slopes is None:
        return {}
    if alibi_slopes.dtype != torch.float32:
        raise ValueError(f"alibi_slopes must be torch.float32, got {alibi_slopes.dtype}")
    if len(shifts) > 1:
        raise ValueError(
            f"alibi_slopes need one difference of seqlen_k and seqlen_q in all sequences, got {sorted(shifts)}"
        )
    return {"pse": alibi_slopes, "pse_type": _SLOPES, "q_start_idx": [*shifts] or [0], "kv_start_idx": [0]}
