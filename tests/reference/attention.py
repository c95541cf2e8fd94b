# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Scaled dot product attention in float64, from the formulas; the judge of every other implementation here.

Symbols: B batch, N1 query heads, N2 key/value heads, G = N1 / N2, S1/S2 query/key length, D/Dv head dims,
i query row, j key. Tensors are BNSD; `to_layout` and `from_layout` convert. Packed sequences: packed.py.
Written for clarity: it imports nothing of the project and walks over batches and row chunks, so that S = 4096 and more
fits a small machine.
"""

from dataclasses import dataclass

import torch

from .problem import Problem, row_chunks, sizes_of

FLT_MAX = torch.finfo(torch.float32).max
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


def times_values(p, v):
    """p [N1,R,S2] v [N2,S2,Dv] -> [N1,R,Dv]"""
    return (p.reshape(v.shape[0], -1, v.shape[1]) @ v).view(*p.shape[:2], v.shape[2])


def _times_visible_values(p, v, visible):
    """The same for values that are not finite: a hidden value must not count, and 0 * NaN would."""
    values = v.repeat_interleave(p.shape[0] // v.shape[0], 0)
    return torch.where(visible[..., None], p[..., None] * values[:, None], 0.0).sum(dim=2)


def row_state(scores, visible, sink):
    """(weights relative to the maximum, max, sum) of scores [N1,R,S2]; hidden weights are 0."""
    sees = visible.any(dim=2)
    scores = scores.masked_fill(~visible, -FLT_MAX)
    row_max = torch.where(sees, scores.amax(dim=2), -FLT_MAX)
    if sink is not None:
        row_max = torch.maximum(row_max, sink[:, None])
    p = torch.exp(scores - row_max[..., None]).masked_fill(~visible, 0.0)
    row_sum = p.sum(dim=2)
    if sink is not None:
        return p, row_max, row_sum + torch.exp(sink[:, None] - row_max)
    return p, row_max, torch.where(sees, row_sum, FLT_MAX)


def attend_rows(q, k, v, terms, problem, sink=None):
    """One chunk of rows of a batch, all float64: q [N1,R,D], k [N2,S2,D], v [N2,S2,Dv] -> out, max, sum, magnitude."""
    visible = terms.visible
    p, row_max, row_sum = row_state(problem.scores(q, k, terms.shift), visible, sink)
    kept = p if terms.keep is None else p * terms.keep / problem.keep_prob
    finite = bool(v.isfinite().all())
    weighted = times_values(kept, v) if finite else _times_visible_values(kept, v, visible)
    magnitude = times_values(kept, v.nan_to_num(0.0, 0.0, 0.0).abs()).amax(dim=2) / row_sum
    return torch.where(visible.any(dim=2)[..., None], weighted / row_sum[..., None], 0.0), row_max, row_sum, magnitude


def blind_state(shape, sink, dtype):
    """(max, sum) [B,N1,S1] of rows that see no key: marks that make every weight 0, or all of it to the sink."""
    if sink is None:
        return torch.full(shape, -FLT_MAX, dtype=dtype), torch.full(shape, FLT_MAX, dtype=dtype)
    return sink.to(dtype)[:, None].expand(shape).clone(), torch.ones(shape, dtype=dtype)


def with_copies(x):
    return x[..., None].expand(*x.shape, ROW_STATE_COPIES)


def attention(q, k, v, **problem):
    """softmax(scale * q k^T + shift, hidden keys replaced by -FLT_MAX), dropped, times v, in float64.

    q [B,N1,S1,D], k [B,N2,S2,D], v [B,N2,S2,Dv] of any dtype; the rest: see Problem.
    A row that sees no key has out 0, max -FLT_MAX, sum FLT_MAX.
    """
    problem, sizes = Problem(**problem), sizes_of(q, k)
    dv = v.shape[3]
    out = torch.zeros(*sizes[:3], dv, dtype=torch.float64)
    row_max, row_sum = blind_state(sizes[:3], problem.sink, torch.float64)
    magnitude = torch.zeros(sizes[:3], dtype=torch.float64)
    sink = None if problem.sink is None else problem.sink.double()
    per_key = 1 if v.isfinite().all() else dv
    for batch, at in row_chunks(sizes, per_key, CHUNK_ELEMENTS):
        terms = problem.terms(sizes, batch, at, torch.float64)
        result = attend_rows(q[batch, :, at].double(), k[batch].double(), v[batch].double(), terms, problem, sink)
        for target, value in zip((out, row_max, row_sum, magnitude), result, strict=True):
            target[batch, :, at] = value
    return AttentionResult(out, with_copies(row_max), with_copies(row_sum), magnitude)


def to_layout(x, layout):
    """Contiguous copy of a BNSD tensor in another layout: BSH, SBH, BSND, BNSD, or TND if its B is 1."""
    b, n, s, d = x.shape
    if layout == "BNSD":
        return x.contiguous()
    if layout == "BSND":
        return x.permute(0, 2, 1, 3).contiguous()
    if layout == "BSH":
        return x.permute(0, 2, 1, 3).reshape(b, s, n * d).contiguous()
    if layout == "SBH":
        return x.permute(2, 0, 1, 3).reshape(s, b, n * d).contiguous()
    if layout == "TND" and b == 1:
        return x[0].transpose(0, 1).contiguous()
    raise ValueError(f"layout: got {layout!r} for B {b}, allowed BSH, SBH, BSND, BNSD, and TND for B 1")


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
    if layout == "TND":
        return x.transpose(0, 1)[None]
    raise ValueError(f"layout: got {layout!r}, allowed BSH, SBH, BSND, BNSD, TND")
