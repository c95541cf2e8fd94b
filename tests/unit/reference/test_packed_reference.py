# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Packed sequences in the reference: each sequence alone, with its own pieces cut out by hand, gives the same."""

import itertools

import pytest
import torch

from tests.reference.attention import FLT_MAX, attention
from tests.reference.gradient import attention_grad
from tests.reference.packed import (
    PackedShift,
    band_segment,
    packed_attention,
    packed_gradient,
    row_state_from_memory,
    segments_of,
)
from tests.reference.shift import AlibiShift, SlopeShift, TensorShift

N1, N2, D, DV = 4, 2, 3, 2
LENGTHS = [(3, 4), (0, 2), (5, 0), (2, 6), (4, 3)]  # S1, S2
TAIL = 2
Q_ENDS, K_ENDS = (3, 3, 8, 10, 14), (4, 6, 6, 12, 15)
STARTS = [(0, 0), (3, 4), (3, 6), (8, 6), (10, 12)]


def draw(rng, *shape):
    return torch.randn(shape, generator=rng, dtype=torch.float64)


def tensors(rng):
    return draw(rng, 1, N1, 14 + TAIL, D), draw(rng, 1, N2, 16, D), draw(rng, 1, N2, 16, DV)


def cut(q, k, v, index):
    (q0, k0), (s1, s2) = STARTS[index], LENGTHS[index]
    return q[:, :, q0 : q0 + s1], k[:, :, k0 : k0 + s2], v[:, :, k0 : k0 + s2]


def assert_each(result, inputs, problem_of):
    """problem_of(index) -> problem of that sequence alone."""
    for index, ((q0, _), (s1, _)) in enumerate(zip(STARTS, LENGTHS, strict=True)):
        alone = attention(*cut(*inputs, index), scale=0.3, **problem_of(index))
        for name in ("out", "softmax_max", "softmax_sum"):
            got, want = getattr(result, name)[:, :, q0 : q0 + s1], getattr(alone, name)
            torch.testing.assert_close(got, want, rtol=1e-13, atol=1e-14, msg=f"{name} of {index}")
    assert (result.out[:, :, 14:] == 0).all()
    assert (result.softmax_max[:, :, 14:] == -FLT_MAX).all() and (result.softmax_sum[:, :, 14:] == FLT_MAX).all()


def run(inputs, **problem):
    return packed_attention(attention, (Q_ENDS, K_ENDS), *inputs, scale=0.3, **problem)


@pytest.mark.parametrize("mode", [0, 1, 2, 3, 4])
def test_modes_hold_in_each_sequence(rng, mode):
    inputs = tensors(rng)
    sparse = {"sparse_mode": mode, "pre_tokens": 2, "next_tokens": 1}
    assert_each(run(inputs, **sparse), inputs, lambda index: sparse)


def test_prefix_of_each_sequence(rng):
    inputs, prefix = tensors(rng), (1, 2, 0, 5, 0)
    result = run(inputs, sparse_mode=6, prefix=prefix)
    assert_each(result, inputs, lambda index: {"sparse_mode": 6, "prefix": (prefix[index],)})


def test_modes_of_a_split_packed_call(rng):
    """7: the last sequence with queries is a window from the bottom right, 8: the first one; the others are causal."""
    listed = segments_of(Q_ENDS, K_ENDS, 14)
    assert band_segment(7, listed) == 4 and band_segment(8, listed) == 0 and band_segment(3, listed) == -1
    assert band_segment(8, segments_of((0, 2), (3, 5), 2)) == 1
    inputs = tensors(rng)

    def mask(index, rule):
        s1, s2 = LENGTHS[index]
        return {"mask": torch.tensor([[not rule(i, j, s1, s2) for j in range(s2)] for i in range(s1)]).view(s1, s2)}

    def bottom(i, j, s1, s2):
        return j <= i + s2 - s1

    result = run(inputs, sparse_mode=7, pre_tokens=9, next_tokens=-1)
    assert_each(result, inputs, lambda x: mask(x, bottom if x < 4 else lambda i, j, s1, s2: j <= i + s2 - s1 - 1))
    result = run(inputs, sparse_mode=8, pre_tokens=9, next_tokens=1)
    assert_each(
        result, inputs, lambda x: mask(x, (lambda i, j, s1, s2: j <= i) if x else lambda i, j, s1, s2: j <= i + 2)
    )


@pytest.mark.parametrize("per_token", [False, True])
def test_mask_tensors(rng, per_token):
    inputs = tensors(rng)
    mask = torch.rand((14, 15) if per_token else (5, 6), generator=rng) < 0.4

    def own(index):
        (q0, k0), (s1, s2) = STARTS[index] if per_token else (0, 0), LENGTHS[index]
        return {"mask": mask[q0 : q0 + s1, k0 : k0 + s2]}

    assert_each(run(inputs, mask=mask), inputs, own)


@pytest.mark.parametrize("full", list(itertools.product([False, True], repeat=4)))
def test_mask_tensors_of_four_dimensions(rng, full):
    inputs = tensors(rng)
    shape = [size if is_full else 1 for size, is_full in zip((5, N1, 5, 6), full, strict=True)]
    mask = torch.rand(shape, generator=rng) < 0.4

    def own(index):
        s1, s2 = LENGTHS[index]
        return {"mask": mask.expand(5, N1, 5, 6)[index : index + 1, :, :s1, :s2]}

    assert_each(run(inputs, mask=mask), inputs, own)


def test_lists_that_step_back():
    """A step back is a sequence without tokens; the following one starts where the tokens before it end."""
    got = [(x.q0, x.s1, x.k0, x.s2, x.score_base) for x in segments_of((5, 3, 8), (2, 6, 4), 11)]
    assert got == [(0, 5, 0, 2, 0), (5, 0, 2, 4, 10), (5, 5, 6, 0, 10), (10, 1, 6, 0, 10)]


@pytest.mark.parametrize("full", [False, True])
def test_packed_shift(rng, full):
    inputs = tensors(rng)
    parts = [draw(rng, 1, N1, s1 if full else 1, s2) for s1, s2 in LENGTHS]
    shift = PackedShift(torch.cat([x.flatten() for x in parts]), full, True)
    assert_each(run(inputs, shift=shift), inputs, lambda index: {"shift": TensorShift(parts[index], True)})


@pytest.mark.parametrize("mode", [2, 8])
def test_slopes(rng, mode):
    """In mode 8 only the first sequence counts from the start indices."""
    inputs, slopes = tensors(rng), draw(rng, 5, N1)
    result = run(inputs, shift=SlopeShift(slopes, False, 2, 7), sparse_mode=mode, next_tokens=0)

    def own(index):
        starts = (2, 7) if mode == 2 or index == 0 else (0, 0)
        first = {"sparse_mode": 4, "next_tokens": 0} if mode == 8 and index == 0 else {"sparse_mode": 2}
        return first | {"shift": SlopeShift(slopes[index], False, *starts)}

    assert_each(result, inputs, own)


def test_dropout_bits_run_on(rng):
    inputs = tensors(rng)
    parts = [torch.rand(1, N1, s1, s2, generator=rng) < 0.6 for s1, s2 in LENGTHS]
    keep = torch.cat([x.flatten() for x in parts])
    assert_each(run(inputs, keep=keep, keep_prob=0.6), inputs, lambda i: {"keep": parts[i], "keep_prob": 0.6})


def test_sequences_past_the_lists_with_a_sink(rng):
    sink = draw(rng, N1)
    result = run(tensors(rng), sink=sink)
    assert result.softmax_max[0, :, 14:, 0].equal(sink[:, None].expand(N1, TAIL))
    assert (result.softmax_sum[:, :, 14:] == 1).all() and (result.out[:, :, 14:] == 0).all()


@pytest.mark.parametrize("lists", [((), ()), ((0, 0), (0, 3))])
def test_nothing_listed(rng, lists):
    q, k, v = tensors(rng)
    result = packed_attention(attention, lists, q, k, v, scale=0.3)
    assert result.out.shape == (1, N1, 16, DV) and (result.out == 0).all() and (result.softmax_sum == FLT_MAX).all()


def test_gradients_of_each_sequence(rng):
    inputs, dy = tensors(rng), draw(rng, 1, N1, 16, DV)
    parts = [draw(rng, 1, N1, s1, s2) for s1, s2 in LENGTHS]
    bits = [torch.rand(1, N1, s1, s2, generator=rng) < 0.6 for s1, s2 in LENGTHS]
    sink = draw(rng, N1)
    packed = {"shift": PackedShift(torch.cat([x.flatten() for x in parts]), True, True),
              "keep": torch.cat([x.flatten() for x in bits])}  # fmt: skip
    common = {"scale": 0.3, "sparse_mode": 3, "keep_prob": 0.6, "sink": sink}
    result = packed_gradient(attention_grad, (Q_ENDS, K_ENDS), *inputs, dy, **common, **packed)
    dpse, dsink = [], torch.zeros(N1, dtype=torch.float64)
    for index, ((q0, k0), (s1, s2)) in enumerate(zip(STARTS, LENGTHS, strict=True)):
        own = {"shift": TensorShift(parts[index], True), "keep": bits[index]}
        alone = attention_grad(*cut(*inputs, index), dy[:, :, q0 : q0 + s1], **common, **own)
        torch.testing.assert_close(result.dq[:, :, q0 : q0 + s1], alone.dq)
        torch.testing.assert_close(result.dk[:, :, k0 : k0 + s2], alone.dk)
        torch.testing.assert_close(result.dv[:, :, k0 : k0 + s2], alone.dv)
        dpse.append(alone.dpse.flatten())
        dsink += alone.dsink
    torch.testing.assert_close(result.dpse, torch.cat(dpse))
    torch.testing.assert_close(result.dsink, dsink)
    assert (result.dq[:, :, 14:] == 0).all() and (result.dk[:, :, 15:] == 0).all()
    assert all(x is not None for x in result.magnitudes)


def test_gradients_of_tables_that_sequences_share(rng):
    """A compressed table for all sequences, and slopes: gradients are sums over sequences."""
    inputs, dy = tensors(rng), draw(rng, 1, N1, 16, DV)
    by_distance = draw(rng, 1, N1, 1100)
    i, j = torch.arange(1100)[:, None], torch.arange(1100)[None]
    lists = ((3, 3, 8, 12), (3, 3, 8, 12))
    for shift in (AlibiShift(by_distance[:, :, (i - j)[-1024:].abs()], False), SlopeShift(draw(rng, 4, N1), False)):
        result = packed_gradient(attention_grad, lists, *inputs, dy, scale=0.3, sparse_mode=2, shift=shift)
        step, direction = 1e-5, torch.randn(shift.values.shape, generator=rng, dtype=torch.float64)

        def value(factor, shift=shift, direction=direction):
            moved = type(shift)(shift.values + factor * direction, *list(vars(shift).values())[1:])
            out = packed_attention(attention, lists, *inputs, scale=0.3, sparse_mode=2, shift=moved).out
            return float((out * dy).sum())

        slope = (value(step) - value(-step)) / (2 * step)
        assert abs(slope - float((result.dpse * direction).sum())) < 1e-6


def test_row_state_in_memory():
    x = torch.arange(14.0 * N1)[:, None].expand(-1, 8).contiguous()
    first = x.view(14, N1, 8)
    got = row_state_from_memory(first, (3, 3, 8, 10), False)[0, :, :, 0]
    for index, (q0, s1) in enumerate([(0, 3), (3, 0), (3, 5), (8, 2), (10, 4)]):
        for n in range(N1):
            for i in range(s1):
                assert got[n, q0 + i] == q0 * N1 + n * s1 + i, index
    assert row_state_from_memory(first, (3, 3, 8, 10), True)[0, 2, 5, 0] == 5 * N1 + 2
