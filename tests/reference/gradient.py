# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Gradients of attention: in float64 by autograd of the reference, and by plain unfused formulas at the precision that
the operator documents. Symbols as in attention.py; dy is the gradient of out, [B,N1,S1,Dv].
"""

from dataclasses import dataclass, replace

import torch

from . import plain
from .attention import CHUNK_ELEMENTS, attend_rows, times_values
from .problem import Problem, row_chunks, sizes_of


@dataclass(frozen=True)
class GradientResult:
    """dq [B,N1,S1,D], dk [B,N2,S2,D], dv [B,N2,S2,Dv]; dpse in the shape of the shift's values and dsink [N1], None
    without them. magnitudes: for each of these the sums of absolute terms, the scale of its rounding errors, dq, dk and
    dv as the largest one of a row, [B,N1,S1], [B,N2,S2], [B,N2,S2]; 0 where nothing is visible.
    largest_max: the largest |max| of a row that sees a key."""

    dq: torch.Tensor
    dk: torch.Tensor
    dv: torch.Tensor
    magnitudes: tuple
    largest_max: float = 0.0
    dpse: torch.Tensor | None = None
    dsink: torch.Tensor | None = None


NAMES = ("dq", "dk", "dv", "dpse", "dsink")  # in the order of magnitudes


class Sums:
    """Accumulates the gradients and magnitudes of chunks."""

    def __init__(self, q, k, v, problem, dtype):
        self.problem, self.sizes = problem, sizes_of(q, k)
        self.dq, self.dk, self.dv = (torch.zeros(x.shape, dtype=dtype) for x in (q, k, v))
        self.dshift = torch.zeros(self.sizes, dtype=dtype) if problem.shift is not None else None
        self.dsink = torch.zeros(self.sizes[1], dtype=dtype) if problem.sink is not None else None

    def add(self, batch, at, dq, dk, dv, dshift, dsink):
        self.dq[batch, :, at] += dq
        self.dk[batch] += dk
        self.dv[batch] += dv
        if dshift is not None:
            self.dshift[batch, :, at] += dshift
        if dsink is not None:
            self.dsink += dsink

    def dpse(self):
        """The gradient of the scores' shift, summed up to the shape of its values."""
        if self.dshift is None:
            return None
        shift = self.problem.shift
        values = shift.values.detach().to(self.dshift.dtype).requires_grad_()
        total = torch.zeros_like(values)
        for batch in range(self.sizes[0] if self.dshift.numel() else 0):
            rows = shift.rows(values, self.sizes, batch, slice(0, self.sizes[2]))
            total += torch.autograd.grad(rows, values, self.dshift[batch])[0]
        return total


def _absolute_terms(q, k, v, dy, out, sink, terms, row_max, row_sum, problem):
    """Sums of absolute terms of one chunk: of dq [N1,R,D], dk [N2,S2,D], dv [N2,S2,Dv], shift [N1,R,S2], sink [N1]."""
    n2 = k.shape[0]
    scores = problem.scores(q, k, terms.shift).masked_fill(~terms.visible, float("-inf"))
    p = torch.exp(scores - row_max[..., None]) / row_sum[..., None]
    kept = 1.0 if terms.keep is None else terms.keep / problem.keep_prob
    dp = (dy.abs().reshape(n2, -1, dy.shape[2]) @ v.abs().mT).view(p.shape)
    delta = (dy * out).abs().sum(2)
    ds = p * (kept * dp + delta[..., None])

    def times_queries(weights, x):
        return weights.reshape(n2, -1, k.shape[1]).mT @ x.abs().reshape(n2, -1, x.shape[2])

    scaled = ds * abs(problem.scale)
    dshift = None if terms.shift is None else scaled if problem.shift.before_scale else ds
    dsink = None if sink is None else (torch.exp(sink[:, None] - row_max) / row_sum * delta).sum(1)
    return times_values(scaled, k.abs()), times_queries(scaled, q), times_queries(p * kept, dy), dshift, dsink


def attention_grad(q, k, v, dy, **problem):
    """Gradients of attention.attention's out, float64, by autograd of its rows."""
    problem = Problem(**problem)
    gradients, absolute = (Sums(q, k, v, problem, torch.float64) for _ in range(2))
    largest_max = 0.0
    for batch, at in row_chunks(gradients.sizes, 1, CHUNK_ELEMENTS):
        terms = problem.terms(gradients.sizes, batch, at, torch.float64)
        if terms.shift is not None:
            terms = replace(terms, shift=terms.shift.detach().requires_grad_())
        sink = None if problem.sink is None else problem.sink.detach().double().requires_grad_()
        leaves = [x.detach().double().requires_grad_() for x in (q[batch, :, at], k[batch], v[batch])]
        dy64 = dy[batch, :, at].double()
        out, row_max, row_sum, _ = attend_rows(*leaves, terms, problem, sink)
        optional = (terms.shift, sink)
        given = [x for x in optional if x is not None]
        values = iter(torch.autograd.grad(out, leaves + given, dy64))
        gradients.add(batch, at, *(next(values) for _ in leaves),
                      *(None if x is None else next(values) for x in optional))  # fmt: skip
        with torch.no_grad():
            row_terms = _absolute_terms(*leaves, dy64, out, sink, terms, row_max, row_sum, problem)
            absolute.add(batch, at, *row_terms)
            seen = row_max[terms.visible.any(dim=2).expand(row_max.shape)]
            largest_max = max([largest_max, *seen.abs().tolist()])
    magnitudes = (*(x.amax(-1) for x in (absolute.dq, absolute.dk, absolute.dv)), _magnitude_of_pse(absolute),
                  absolute.dsink)  # fmt: skip
    return GradientResult(
        gradients.dq, gradients.dk, gradients.dv, magnitudes, largest_max, gradients.dpse(), gradients.dsink
    )


def _magnitude_of_pse(absolute):
    total = absolute.dpse()
    return None if total is None else total.abs()


def plain_attention_grad(q, k, v, dy, **problem):
    """Same arguments; results in q's dtype, dpse in that of the shift, dsink in float32. Scores, softmax, dP and sums
    in float32; P, dS and out in the input dtype; out, max and sum are those of plain.plain_attention."""
    forward = plain.plain_attention(q, k, v, **problem)
    problem = Problem(**problem)
    sums = Sums(q, k, v, problem, torch.float32)
    n2 = k.shape[1]
    for batch, at in row_chunks(sums.sizes, 1, CHUNK_ELEMENTS):
        terms = problem.terms(sums.sizes, batch, at, torch.float32)
        q32, dy32, out32 = (x[batch, :, at].float() for x in (q, dy, forward.out))
        k32, v32 = k[batch].float(), v[batch].float()
        row_max, row_sum = (x[batch, :, at, 0] for x in (forward.softmax_max, forward.softmax_sum))
        scores = problem.scores(q32, k32, terms.shift) - row_max[..., None]
        p = (torch.exp(scores) / row_sum[..., None]).masked_fill(~terms.visible, 0.0)
        kept = 1.0 if terms.keep is None else terms.keep / problem.keep_prob
        delta = (dy32 * out32).sum(2)
        dp = (dy32.reshape(n2, -1, dy32.shape[2]) @ v32.mT).view(p.shape)
        ds32 = p * (dp * kept - delta[..., None])
        ds = ds32.to(q.dtype).float()

        def times_queries(weights, x, keys=k.shape[2]):
            return weights.reshape(n2, -1, keys).mT @ x.reshape(n2, -1, x.shape[2])

        dshift = None if terms.shift is None else ds32 * (problem.scale if problem.shift.before_scale else 1.0)
        dsink = None if problem.sink is None else -(torch.exp(problem.sink[:, None] - row_max) / row_sum * delta).sum(1)
        sums.add(batch, at, times_values(ds, k32) * problem.scale, times_queries(ds, q32) * problem.scale,
                 times_queries((p * kept).to(q.dtype).float(), dy32), dshift, dsink)  # fmt: skip
    dpse = sums.dpse()
    return GradientResult(sums.dq.to(q.dtype), sums.dk.to(q.dtype), sums.dv.to(q.dtype), (), 0.0,
                          None if dpse is None else dpse.to(problem.shift.values.dtype), sums.dsink)  # fmt: skip
