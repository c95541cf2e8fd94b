# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Packed sequences (layout TND): every sequence is a problem of its own, found by cumulative lengths.

Tensors are [1,N,T,D]; each function of attention.py, plain.py and gradient.py runs per segment, and its results are put
together here. Rows past the last length see nothing.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import torch

from .attention import ROW_STATE_COPIES, AttentionResult
from .gradient import GradientResult
from .shift import SlopeShift, TensorShift
from .visibility import UNLIMITED


@dataclass(frozen=True)
class Segment:
    """Sequence `index`: rows [q0, q0 + s1), keys [k0, k0 + s2); score_base: sum of S1 * S2 before it."""

    index: int
    q0: int
    s1: int
    k0: int
    s2: int
    score_base: int

    @property
    def rows(self):
        return slice(self.q0, self.q0 + self.s1)

    @property
    def keys(self):
        return slice(self.k0, self.k0 + self.s2)


def lengths_of(ends):
    """Lengths of a cumulative list without leading 0; a step back counts as a sequence without tokens."""
    return [max(end - begin, 0) for begin, end in pairwise([0, *ends])]


def segments_of(query_ends, key_ends, tokens):
    """Segments of cumulative lists, and one without keys for the rows up to `tokens`."""
    result, q0, k0, base = [], 0, 0, 0
    for index, (s1, s2) in enumerate(zip(lengths_of(query_ends), lengths_of(key_ends), strict=True)):
        result.append(Segment(index, q0, s1, k0, s2, base))
        q0, k0, base = q0 + s1, k0 + s2, base + s1 * s2
    if tokens > q0:
        result.append(Segment(len(result), q0, tokens - q0, k0, 0, base))
    return result


def band_segment(sparse_mode, listed):
    """Index of the sequence that modes 7 (last one with queries) and 8 (first one) treat differently, else -1."""
    with_queries = [segment.index for segment in listed if segment.s1 > 0]
    if sparse_mode not in (7, 8) or not with_queries:
        return -1
    return with_queries[-1 if sparse_mode == 7 else 0]


def mode_of_segment(sparse_mode, next_tokens, is_band):
    """Sparse arguments of one sequence in modes 7 and 8: a window from the bottom right, or causal."""
    if is_band:
        return {"sparse_mode": 4, "pre_tokens": UNLIMITED, "next_tokens": next_tokens}
    return {"sparse_mode": 3 if sparse_mode == 7 else 2}


@dataclass(frozen=True)
class PackedShift:
    """values flat, sequence after sequence: [N1][S1][S2] (full) or [N1][1][S2]."""

    values: torch.Tensor
    full: bool
    before_scale: bool


def _shift_of(shift, values, segment, n1, is_band, sparse_mode, listed):
    """The shift of one sequence, with views of `values`."""
    if isinstance(shift, PackedShift):
        before = segment.score_base if shift.full else sum(x.s2 for x in listed[: segment.index])
        rows = segment.s1 if shift.full else 1
        part = values.flatten()[n1 * before : n1 * (before + rows * segment.s2)]
        return TensorShift(part.view(1, n1, rows, segment.s2), shift.before_scale)
    if isinstance(shift, SlopeShift):
        starts = {"q_start": 0, "kv_start": 0} if sparse_mode == 8 and not is_band else {}
        return replace(shift, values=values if values.dim() == 1 else values[segment.index], **starts)
    if isinstance(shift, TensorShift):
        return replace(shift, values=_mask_of(values, segment, listed))
    at = slice(segment.index, segment.index + 1) if values.shape[0] > 1 else slice(0, 1)
    return replace(shift, values=values[at])


def _mask_of(mask, segment, listed):
    """[max S1, max S2], the same for all sequences, [sum S1, sum S2], or [B,N1,max S1,max S2]; a dimension may be 1."""
    if mask.dim() == 4:
        own = mask[segment.index :][:1] if mask.shape[0] > 1 else mask
        rows, keys = (slice(None) if mask.shape[dim] == 1 else slice(0, length) for dim, length in
                      ((2, segment.s1), (3, segment.s2)))  # fmt: skip
        return own[:, :, rows, keys]
    largest = [max((getattr(x, name) for x in listed), default=0) for name in ("s1", "s2")]
    local = all(size in (1, whole) for size, whole in zip(mask.shape, largest, strict=True))
    first = (0, 0) if local else (segment.q0, segment.k0)
    for dim, (begin, length) in enumerate(zip(first, (segment.s1, segment.s2), strict=True)):
        mask = mask if mask.shape[dim] == 1 else mask.narrow(dim, begin, length)
    return mask


def _problem_of(problem, values, segment, listed, n1):
    """Problem of one sequence as keyword arguments."""
    if segment.index >= len(listed):  # rows past the last length
        return {"scale": problem["scale"], "sink": problem.get("sink")}
    mode = problem.get("sparse_mode", 0)
    is_band = segment.index == band_segment(mode, listed)
    own = dict(problem)
    if mode in (7, 8):
        own.update({"pre_tokens": UNLIMITED, "next_tokens": UNLIMITED})
        own.update(mode_of_segment(mode, problem.get("next_tokens", UNLIMITED), is_band))
    if problem.get("prefix") is not None:
        own["prefix"] = (problem["prefix"][segment.index],)
    if problem.get("mask") is not None:
        own["mask"] = _mask_of(problem["mask"], segment, listed)
    if problem.get("shift") is not None:
        own["shift"] = _shift_of(problem["shift"], values, segment, n1, is_band, mode, listed)
    if problem.get("keep") is not None:
        scores = segment.s1 * segment.s2
        bits = problem["keep"][n1 * segment.score_base : n1 * (segment.score_base + scores)]
        own["keep"] = bits.view(1, n1, segment.s1, segment.s2)
    return own


def _parts(lists, q, problem, values):
    """(segment, its problem) of everything; lists: (query_ends, key_ends)."""
    segments = segments_of(*lists, q.shape[2])
    listed = segments[: len(lists[0])]
    return [(x, _problem_of(problem, values, x, listed, q.shape[1])) for x in segments]


def packed_attention(function, lists, q, k, v, **problem):
    """attention or plain_attention of sequences. keep: flat bits; shift: PackedShift, SlopeShift, AlibiShift or
    a TensorShift of the longest sequence."""
    shift = problem.get("shift")
    n1, tokens = q.shape[1:3]
    results = [
        function(q[:, :, x.rows], k[:, :, x.keys], v[:, :, x.keys], **own)
        for x, own in _parts(lists, q, problem, None if shift is None else shift.values)
    ]
    if not results:
        results = [function(q, k[:, :, :0], v[:, :, :0], scale=1.0)]
    joined = {name: torch.cat([getattr(r, name) for r in results], 2)
              for name in ("out", "softmax_max", "softmax_sum", "magnitude")}  # fmt: skip
    assert joined["out"].shape[1:3] == (n1, tokens)
    return AttentionResult(**joined)


def packed_gradient(function, lists, q, k, v, dy, **problem):
    """The same for attention_grad or plain_attention_grad; dpse has the shape of the shift's values."""
    shift = problem.get("shift")
    values = None if shift is None else shift.values.detach().double().requires_grad_()
    parts = _parts(lists, q, problem, values)
    zeros = function(q[:, :, :0], k[:, :, :0], v[:, :, :0], dy[:, :, :0], **{**problem, "shift": None, "keep": None})
    dtype = zeros.dq.dtype
    totals = [torch.zeros(x.shape, dtype=dtype) for x in (q, k, v)]
    absolute = [torch.zeros(x.shape[:3], dtype=torch.float64) for x in (q, k, v)]  # float32 would underflow to "unseen"
    dpse, pse_terms = (None if values is None else torch.zeros(values.shape, dtype=torch.float64) for _ in range(2))
    dsink, sink_terms = zeros.dsink, zeros.magnitudes[4] if zeros.magnitudes else None
    largest = 0.0
    for segment, own in parts:
        places = (segment.rows, segment.keys, segment.keys)
        view = own.get("shift")
        if view is not None:
            own["shift"] = replace(view, values=view.values.detach())
        r = function(*(x[:, :, at] for x, at in zip((q, k, v), places, strict=True)), dy[:, :, segment.rows], **own)
        largest = max(largest, r.largest_max)
        for i, at in enumerate(places):
            totals[i][:, :, at] = (r.dq, r.dk, r.dv)[i]
            if r.magnitudes:
                absolute[i][:, :, at] = r.magnitudes[i]
        if r.dpse is not None:
            dpse += _spread(view.values, values, r.dpse)
            pse_terms += _spread(view.values, values, r.magnitudes[3]) if r.magnitudes else 0
        if dsink is not None:
            dsink = dsink + r.dsink
            sink_terms = sink_terms + r.magnitudes[4] if r.magnitudes else None
    if dpse is not None:
        dpse = dpse.to(dtype if dtype == torch.float64 else shift.values.dtype)
    magnitudes = (*absolute, pse_terms, sink_terms) if zeros.magnitudes else ()
    return GradientResult(*totals, magnitudes, largest, dpse, dsink)


def _spread(part, values, gradient):
    """Gradient of `part`, a view of values, as one of values."""
    return torch.autograd.grad(part, values, gradient.double(), retain_graph=True)[0]


def row_state_from_memory(x, query_ends, like_input):
    """[1,N1,T,8] of softmax_max or sum [T,N1,8] as the operator stores it: sequence after sequence [N1][S1][8], or,
    like the input, row after row."""
    tokens, n1, _ = x.shape
    if like_input:
        return x.transpose(0, 1)[None]
    lengths = lengths_of(query_ends)
    parts = x.reshape(-1).split([length * n1 * ROW_STATE_COPIES for length in (*lengths, tokens - sum(lengths))])
    return torch.cat([part.view(n1, -1, ROW_STATE_COPIES) for part in parts], 1)[None]
