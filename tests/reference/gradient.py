# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Gradients of attention: in float64 by autograd of the reference, and by plain unfused formulas at the precision that
the operator documents. Symbols as in attention.py; dy is the gradient of out, [B,N1,S1,Dv].
"""

from dataclasses import dataclass

import torch

from . import plain
from .attention import CHUNK_ELEMENTS, attend_rows, mask_to_4d, visible_by_mode


@dataclass(frozen=True)
class GradientResult:
    """dq [B,N1,S1,D], dk [B,N2,S2,D], dv [B,N2,S2,Dv]; magnitudes: for each of them the largest sum of absolute terms
    of a row, the scale of its rounding errors, [B,N1,S1], [B,N2,S2], [B,N2,S2]; 0 where nothing is visible.
    largest_max: the largest |max| of a row that sees a key."""

    dq: torch.Tensor
    dk: torch.Tensor
    dv: torch.Tensor
    magnitudes: tuple
    largest_max: float = 0.0


def _row_chunks(q, k, mask, sparse):
    """(batch, head, key head, rows, visible [R,S2]) for every head and chunk of rows."""
    b, n1, s1, _ = q.shape
    _, n2, s2, _ = k.shape
    hidden = None if mask is None else mask_to_4d(mask, b, n1, s1, s2)
    step = max(1, CHUNK_ELEMENTS // max(s2, 1))
    keys = torch.arange(s2)[None]
    for ib in range(b):
        for head in range(n1 if s2 else 0):
            for begin in range(0, s1, step):
                rows = slice(begin, min(begin + step, s1))
                visible = visible_by_mode(torch.arange(rows.start, rows.stop)[:, None], keys, s1, s2, **sparse)
                if hidden is not None:
                    visible = visible & (hidden[ib, head, rows] == 0)
                yield ib, head, head // (n1 // n2), rows, visible


def _magnitudes(q, k, v, dy, out, visible, row_max, row_sum, scale):
    """Sums of absolute terms of one chunk: of dq [R,D], dk [S2,D], dv [S2,Dv]."""
    p = torch.exp((q @ k.T * scale).masked_fill(~visible, float("-inf")) - row_max[:, None]) / row_sum[:, None]
    ds = p * (dy.abs() @ v.abs().T + (dy * out).abs().sum(1, keepdim=True)) * abs(scale)
    return ds @ k.abs(), ds.T @ q.abs(), p.T @ dy.abs()


def attention_grad(q, k, v, dy, *, scale, mask=None, **sparse):
    """Gradients of attention.attention's out, float64, by autograd of its rows."""
    sums, terms = ([torch.zeros(x.shape, dtype=torch.float64) for x in (q, k, v)] for _ in range(2))
    largest_max = 0.0
    for ib, head, kv_head, rows, visible in _row_chunks(q, k, mask, sparse):
        places = (ib, head, rows), (ib, kv_head), (ib, kv_head)
        leaves = [x[at].detach().double().requires_grad_() for x, at in zip((q, k, v), places, strict=True)]
        dy64 = dy[ib, head, rows].double()
        out, row_max, row_sum, _ = attend_rows(*leaves, visible, scale)
        grads = torch.autograd.grad(out, leaves, dy64)
        with torch.no_grad():
            absolute = _magnitudes(*leaves, dy64, out, visible, row_max, row_sum, scale)
            largest_max = max([largest_max, *row_max[visible.any(dim=1)].abs().tolist()])
        for i, at in enumerate(places):
            sums[i][at] += grads[i]
            terms[i][at] += absolute[i]
    return GradientResult(*sums, tuple(x.amax(-1) for x in terms), largest_max)


def plain_attention_grad(q, k, v, dy, *, scale, mask=None, **sparse):
    """Same arguments; results in q's dtype. Scores, softmax, dP and sums in float32; P, dS and out in the input dtype;
    out, max and sum are those of plain.plain_attention."""
    forward = plain.plain_attention(q, k, v, scale=scale, mask=mask, **sparse)
    dq, dk, dv = (torch.zeros(x.shape) for x in (q, k, v))
    delta = (dy.float() * forward.out.float()).sum(-1, keepdim=True)
    for ib, head, kv_head, rows, visible in _row_chunks(q, k, mask, sparse):
        q32, dy32 = q[ib, head, rows].float(), dy[ib, head, rows].float()
        k32, v32 = k[ib, kv_head].float(), v[ib, kv_head].float()
        scores = q32 @ k32.T * scale - forward.softmax_max[ib, head, rows, :1]
        p = (torch.exp(scores) / forward.softmax_sum[ib, head, rows, :1]).masked_fill(~visible, 0.0)
        ds = (p * (dy32 @ v32.T - delta[ib, head, rows])).to(q.dtype).float()
        dq[ib, head, rows] = ds @ k32 * scale
        dk[ib, kv_head] += ds.T @ q32 * scale
        dv[ib, kv_head] += p.to(q.dtype).float().T @ dy32
    return GradientResult(dq.to(q.dtype), dk.to(q.dtype), dv.to(q.dtype), ())
