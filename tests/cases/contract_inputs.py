# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Random shifts, dropout masks, sinks and prefixes of a case, and the problem that the reference is asked."""

import torch

from tests.cases.case import ALIBI_ROWS
from tests.reference.packed import PackedShift, packed_attention, packed_gradient
from tests.reference.shift import AlibiShift, SlopeShift, TensorShift

STEEPEST_SLOPE = 0.3


def lengths(case):
    """(S1, S2) of every batch or sequence."""
    return case.sequences if case.is_packed else ((case.s1, case.s2),) * case.b


def make_pse(case, rng):
    """Normal values that move scores by about 2; slopes 0..STEEPEST_SLOPE; a table: a random function of i - j."""
    pse = case.pse
    if pse is None:
        return None
    if pse.is_slopes:
        return torch.rand(case.shape_of(pse.shape), generator=rng) * STEEPEST_SLOPE
    dtype = torch.float32 if pse.float32 else getattr(torch, case.dtype)
    std = 2.0 / case.scale if pse.type == 1 else 2.0
    if pse.is_alibi:
        by_distance = torch.randn((*case.shape_of(pse.shape[:2]), case.s2), generator=rng)
        i, j = torch.arange(case.s2)[-ALIBI_ROWS:, None], torch.arange(case.s2)[None]
        return (by_distance[:, :, (i - j).abs()] * std).to(dtype)
    if pse.is_packed:
        shape = (sum(case.n1 * (s1 if pse.shape == ("full",) else 1) * s2 for s1, s2 in case.sequences), 1)
    else:
        shape = case.shape_of(pse.shape)
    return (torch.randn(shape, generator=rng) * std).to(dtype)


def make_dropout(case, rng):
    """Flat bool of one bit a score."""
    if case.keep_prob == 1:
        return None
    return torch.rand(sum(case.n1 * s1 * s2 for s1, s2 in lengths(case)), generator=rng) < case.keep_prob


def make_sink(case, rng):
    return torch.randn(case.n1, generator=rng) * 3 if case.sink else None


def make_prefix(case, rng):
    """Between the keys that every query sees anyway (least) and all keys."""
    if case.prefix is None:
        return None
    least = [(max(0, s2 - s1), s2) for s1, s2 in lengths(case)]
    if case.prefix == "random":
        return tuple(int(torch.randint(low, high + 1, (), generator=rng)) for low, high in least)
    return tuple(high if case.prefix == "all" else low for low, high in least)


def _shift(case, pse):
    spec = case.pse
    if spec is None:
        return None
    if spec.is_slopes:
        return SlopeShift(pse, spec.type == 3, *spec.start)
    if spec.is_alibi:
        return AlibiShift(pse, spec.type == 1)
    if spec.is_packed:
        return PackedShift(pse, spec.shape == ("full",), spec.type == 1)
    return TensorShift(pse, spec.type == 1)


def _problem(case, inputs):
    keep = inputs.keep
    if keep is not None and not case.is_packed:
        keep = keep.view(case.b, case.n1, case.s1, case.s2)
    return {"scale": case.scale, "mask": inputs.mask, **case.sparse, "prefix": inputs.prefix, "sink": inputs.sink,
            "shift": _shift(case, inputs.pse), "keep": keep, "keep_prob": case.keep_prob}  # fmt: skip


def _tensors(inputs):
    """query, key, value; rotary parts are the end of the head dims."""
    if inputs.query_rope is None:
        return inputs.query, inputs.key, inputs.value
    query, key = (torch.cat(x, -1) for x in ((inputs.query, inputs.query_rope), (inputs.key, inputs.key_rope)))
    return query, key, inputs.value


def reference(function, case, inputs):
    """attention or plain_attention of a case. AttentionResult, for TND with one batch of all tokens."""
    if case.is_packed:
        return packed_attention(function, case.ends, *_tensors(inputs), **_problem(case, inputs))
    return function(*_tensors(inputs), **_problem(case, inputs))


def reference_gradient(function, case, inputs, dy):
    """attention_grad or plain_attention_grad of a case; dq and dk end with the gradients of the rotary parts."""
    if case.is_packed:
        return packed_gradient(function, case.ends, *_tensors(inputs), dy, **_problem(case, inputs))
    return function(*_tensors(inputs), dy, **_problem(case, inputs))
