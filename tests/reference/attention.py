# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Scaled dot product attention in float64, from the formulas; the judge of every other implementation here.

Symbols: B batch, N1 query heads, N2 key/value heads, G = N1 / N2, S1/S2 query/key length, D/Dv head dims,
i query row, j key. Tensors are BNSD; `to_layout` and `from_layout` convert.
Written for clarity: it imports nothing of the project and walks over heads and row chunks, so that S = 4096 and more
fits a small machine.
"""

from dataclasses import dataclass

import torch

FLT_MAX = torch.finfo(torch.float32).max
UNLIMITED = 2147483647  # default of pre_tokens and next_tokens
ROW_STATE_COPIES = 8  # softmax max and sum are stored as one 32-byte block of 8 equal floats a row
CHUNK_ELEMENTS = 1 << 21  # float64 elements of one chunk of scores: 16 MiB


@dataclass(frozen=True)
class AttentionResult:
    """out [B,N1,S1,Dv]; softmax_max, softmax_sum [B,N1,S1,8]; magnitude [B,N1,S1]: max over Dv of sum_j P_ij |V_jd|,
    the scale of rounding errors of a row of out."""

    out: torch.Tensor
    softmax_max: torch.Tensor
    softmax_sum: torch.Tensor
    magnitude: torch.Tensor


def visible_by_mode(i, j, s1, s2, sparse_mode=0, pre_tokens=UNLIMITED, next_tokens=UNLIMITED):
    """True where sparse_mode lets query i see key j. i and j are integer tensors that broadcast."""
    everything = (i == i) & (j == j)
    if sparse_mode == 0:  # band, origin in the top left corner
        return (j >= i - pre_tokens) & (j <= i + next_tokens)
    if sparse_mode == 1:  # all; only a mask tensor hides keys
        return everything
    if sparse_mode == 2:  # causal from the top left corner
        return everything & (j <= i)
    if sparse_mode == 3:  # causal to the bottom right corner: the last query sees every key
        return everything & (j <= i + s2 - s1)
    if sparse_mode == 4:  # band, origin in the bottom right corner
        return (j >= i + s2 - s1 - pre_tokens) & (j <= i + s2 - s1 + next_tokens)
    raise ValueError(f"sparse_mode: got {sparse_mode}, the reference knows 0 to 4")


def mask_to_4d(mask, b, n1, s1, s2):
    """View of a mask tensor as [B,N1,S1,S2]; every dimension may be 1 or full, 2-D means [S1,S2]."""
    if mask.dim() == 2:
        mask = mask[None, None]
    if mask.dim() != 4:
        raise ValueError(f"mask: got {mask.dim()} dimensions, allowed 2 or 4")
    return mask.expand(b, n1, s1, s2)


def attend_rows(q, k, v, visible, scale):
    """One chunk of rows of one head, all float64: q [R,D], k [S2,D], v [S2,Dv], visible [R,S2]."""
    scores = (q @ k.T * scale).masked_fill(~visible, -FLT_MAX)
    sees = visible.any(dim=1)
    row_max = torch.where(sees, scores.amax(dim=1), -FLT_MAX)
    p = torch.exp(scores - row_max[:, None]).masked_fill(~visible, 0.0)
    row_sum = torch.where(sees, p.sum(dim=1), FLT_MAX)
    if v.isfinite().all():
        weighted = p @ v
    else:  # a hidden value must not count, and 0 * NaN would
        weighted = torch.where(visible[:, :, None], p[:, :, None] * v[None], 0.0).sum(dim=1)
    magnitude = (p @ v.nan_to_num(0.0, 0.0, 0.0).abs()).amax(dim=1) / row_sum
    out = torch.where(sees[:, None], weighted / row_sum[:, None], 0.0)
    return out, row_max, row_sum, magnitude


def attention(q, k, v, *, scale, mask=None, sparse_mode=0, pre_tokens=UNLIMITED, next_tokens=UNLIMITED):
    """softmax(scale * q k^T, hidden keys replaced by -FLT_MAX) v in float64.

    q [B,N1,S1,D], k [B,N2,S2,D], v [B,N2,S2,Dv] of any dtype; mask: see mask_to_4d, nonzero hides a key.
    A row that sees no key has out 0, max -FLT_MAX, sum FLT_MAX.
    """
    b, n1, s1, _ = q.shape
    _, n2, s2, dv = v.shape
    if n1 % max(n2, 1):
        raise ValueError(f"query heads {n1} are not a multiple of key heads {n2}")
    hidden = None if mask is None else mask_to_4d(mask, b, n1, s1, s2)
    out = torch.zeros(b, n1, s1, dv, dtype=torch.float64)
    row_max = torch.full((b, n1, s1), -FLT_MAX, dtype=torch.float64)
    row_sum = torch.full((b, n1, s1), FLT_MAX, dtype=torch.float64)
    magnitude = torch.zeros(b, n1, s1, dtype=torch.float64)
    per_row = s2 if v.isfinite().all() else s2 * dv
    rows = max(1, CHUNK_ELEMENTS // max(per_row, 1))
    keys = torch.arange(s2)
    for ib in range(b):
        for head in range(n1 if s2 else 0):
            kv_head = head // (n1 // n2)
            k64, v64 = k[ib, kv_head].double(), v[ib, kv_head].double()
            for begin in range(0, s1, rows):
                at = slice(begin, min(begin + rows, s1))
                i = torch.arange(at.start, at.stop)[:, None]
                visible = visible_by_mode(i, keys[None], s1, s2, sparse_mode, pre_tokens, next_tokens)
                if hidden is not None:
                    visible = visible & (hidden[ib, head, at] == 0)
                result = attend_rows(q[ib, head, at].double(), k64, v64, visible, scale)
                for target, value in zip((out, row_max, row_sum, magnitude), result, strict=True):
                    target[ib, head, at] = value
    copies = (b, n1, s1, ROW_STATE_COPIES)
    return AttentionResult(out, row_max[..., None].expand(copies), row_sum[..., None].expand(copies), magnitude)


def to_layout(x, layout):
    """Contiguous copy of a BNSD tensor in another layout: BSH, SBH, BSND or BNSD."""
    b, n, s, d = x.shape
    if layout == "BNSD":
        return x.contiguous()
    if layout == "BSND":
        return x.permute(0, 2, 1, 3).contiguous()
    if layout == "BSH":
        return x.permute(0, 2, 1, 3).reshape(b, s, n * d)
    if layout == "SBH":
        return x.permute(2, 0, 1, 3).reshape(s, b, n * d)
    raise ValueError(f"layout: got {layout!r}, allowed BSH, SBH, BSND, BNSD")


def from_layout(x, layout, heads):
    """View of a tensor of some layout as BNSD. heads: N1 for query and out, N2 for key and value."""
    if layout == "BNSD":
        return x
    if layout == "BSND":
        return x.permute(0, 2, 1, 3)
    if layout == "BSH":
        return x.unflatten(2, (heads, x.shape[2] // heads)).permute(0, 2, 1, 3)
    if layout == "SBH":
        return x.unflatten(2, (heads, x.shape[2] // heads)).permute(1, 2, 0, 3)
    raise ValueError(f"layout: got {layout!r}, allowed BSH, SBH, BSND, BNSD")
