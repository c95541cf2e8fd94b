# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Shifts, dropout, sinks, prefixes and rotary parts in the reference: against loops over single elements, torch's SDPA
where it has them, and finite differences."""

import itertools
import math

import pytest
import torch

from tests.reference.attention import FLT_MAX, attention
from tests.reference.dropout import pack_bits, unpack_bits
from tests.reference.gradient import attention_grad, plain_attention_grad
from tests.reference.plain import plain_attention
from tests.reference.shift import AlibiShift, SlopeShift, TensorShift
from tests.reference.tolerance import assert_attention, assert_gradients

B, N1, N2, S1, S2, D, DV = 2, 4, 2, 5, 6, 3, 2


def draw(rng, *shape):
    return torch.randn(shape, generator=rng, dtype=torch.float64)


def tensors(rng, s1=S1, s2=S2):
    return draw(rng, B, N1, s1, D), draw(rng, B, N2, s2, D), draw(rng, B, N2, s2, DV)


def loop(q, k, v, score, sees, keep=lambda *_: True, keep_prob=1.0, sink=None):
    """(out, max, sum) element by element; score(z, b, n, i, j) of the product z of a query and a key."""
    b, n1, s1, _ = q.shape
    n2, s2, dv = v.shape[1:]
    out, state = torch.zeros(b, n1, s1, dv, dtype=torch.float64), torch.zeros(b, n1, s1, 2, dtype=torch.float64)
    for at in itertools.product(range(b), range(n1), range(s1)):
        kv = at[1] // (n1 // n2)
        scores = {j: score(float(q[at] @ k[at[0], kv, j]), *at, j) for j in range(s2) if sees(*at, j)}
        logits = [*scores.values(), *([] if sink is None else [float(sink[at[1]])])]
        top = max(logits, default=-FLT_MAX)
        total = sum(math.exp(x - top) for x in logits) if logits else FLT_MAX
        state[at] = torch.tensor([top, total], dtype=torch.float64)
        for j, x in scores.items():
            if keep(*at, j):
                out[at] += math.exp(x - top) / total / keep_prob * v[at[0], kv, j]
    return out, state[..., 0], state[..., 1]


def assert_result(result, expected):
    for got, want in zip((result.out, result.softmax_max[..., 0], result.softmax_sum[..., 7]), expected, strict=True):
        torch.testing.assert_close(got, want, rtol=1e-11, atol=1e-12)


def everything(*_):
    return True


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("full", list(itertools.product([False, True], repeat=4)))
def test_shift_tensor_broadcast(rng, full, before):
    q, k, v = tensors(rng)
    shape = [size if is_full else 1 for size, is_full in zip((B, N1, S1, S2), full, strict=True)]
    values = draw(rng, *shape)
    whole = values.expand(B, N1, S1, S2)

    def score(z, *at):
        added = float(whole[at])
        return 0.3 * (z + added) if before else 0.3 * z + added

    result = attention(q, k, v, scale=0.3, shift=TensorShift(values, before))
    assert_result(result, loop(q, k, v, score, everything))


@pytest.mark.parametrize("root", [False, True])
@pytest.mark.parametrize("per_batch", [False, True])
@pytest.mark.parametrize("starts", [(0, 0), (2, 0), (0, 3), (-4, 7)])
def test_slopes(rng, root, per_batch, starts):
    q, k, v = tensors(rng)
    slopes = draw(rng, B, N1) if per_batch else draw(rng, N1)

    def score(z, b, n, i, j):
        distance = abs(j + starts[1] - i - starts[0])
        slope = float(slopes[b, n] if per_batch else slopes[n])
        return 0.3 * z - slope * (math.sqrt(distance) if root else distance)

    shift = SlopeShift(slopes, root, *starts)
    assert_result(attention(q, k, v, scale=0.3, shift=shift), loop(q, k, v, score, everything))


@pytest.mark.parametrize("s", [1024, 1025, 2100])
@pytest.mark.parametrize("batches", [1, 2])
def test_alibi_table_is_the_bias_it_was_cut_from(rng, s, batches):
    """The bias is a function of i - j; the table is its last 1024 rows."""
    by_distance = draw(rng, batches, 1, s)
    i, j = torch.arange(s)[:, None], torch.arange(s)[None]
    whole = by_distance[:, :, (i - j).abs()]
    shift = AlibiShift(whole[:, :, -1024:], False)
    below = j <= i
    for batch in range(2):
        rows = shift.rows(shift.values, (2, 1, s, s), batch, slice(0, s))
        assert rows[:, below].equal(whole[min(batch, batches - 1)][:, below])


def test_alibi_table_and_shorter_sequences(rng):
    by_distance, s = draw(rng, 1, 1, 2200), 2200
    i, j = torch.arange(s)[:, None], torch.arange(s)[None]
    shift = AlibiShift(by_distance[:, :, (i - j)[-1024:].abs()], False)
    for short in (1, 1023, 1024, 1025, 1500):
        rows = shift.rows(shift.values, (1, 1, short, short), 0, slice(0, short))
        below = (j <= i)[:short, :short]
        assert rows[:, below].equal(by_distance[0][:, (i - j)[:short, :short].abs()][:, below])


@pytest.mark.parametrize("mode", [5, 6])
def test_prefix_opens_the_first_keys(rng, mode):
    q, k, v = tensors(rng)
    mask = torch.rand(B, 1, S1, S2, generator=rng) < 0.3 if mode == 5 else None
    prefix = (1, 4)

    def sees(b, n, i, j):
        shown = mask is None or not mask[b, 0, i, j]
        return shown and (j <= i + S2 - S1 or j < prefix[b])

    result = attention(q, k, v, scale=0.3, sparse_mode=mode, prefix=prefix, mask=mask)
    assert_result(result, loop(q, k, v, lambda z, *_: 0.3 * z, sees))


@pytest.mark.parametrize("keep_prob", [0.1, 0.8, 1.0])
def test_dropout(rng, keep_prob):
    q, k, v = tensors(rng)
    keep = torch.rand(B, N1, S1, S2, generator=rng) < keep_prob
    result = attention(q, k, v, scale=0.3, keep=keep, keep_prob=keep_prob)
    assert_result(result, loop(q, k, v, lambda z, *_: 0.3 * z, everything, lambda *at: keep[at], keep_prob))


def test_bits_are_least_significant_first(rng):
    assert pack_bits(torch.tensor([1, 0, 0, 0, 0, 0, 0, 0, 0, 1]).bool()).tolist() == [1, 2]
    keep = torch.rand(77, generator=rng) < 0.5
    stream = pack_bits(keep)
    assert len(stream) == 10 and unpack_bits(stream, 77).equal(keep)


@pytest.mark.parametrize("values", [[0.0] * N1, [-FLT_MAX / 2, -3.0, 4.0, 90.0]])
def test_sink_takes_weight_and_gives_nothing(rng, values):
    q, k, v = tensors(rng, s1=7)
    sink = torch.tensor(values)
    result = attention(q, k, v, scale=0.3, sink=sink, sparse_mode=3)
    assert_result(result, loop(q, k, v, lambda z, *_: 0.3 * z, lambda b, n, i, j: j <= i - 1, sink=sink))
    assert (result.out[:, :, 0] == 0).all()
    assert result.softmax_max[0, :, 0, 0].tolist() == sink.double().tolist()


def test_sink_is_a_key_without_value(rng):
    q, k, v = tensors(rng)
    sink = draw(rng, N1).float()
    bias = torch.cat([torch.zeros(1, N1, 1, S2), sink.view(1, N1, 1, 1)], 3).double()
    longer = [torch.cat([x, torch.zeros(B, N2, 1, x.shape[3])], 2) for x in (k, v)]
    result = attention(q, k, v, scale=0.3, sink=sink)
    want = attention(q, *longer, scale=0.3, shift=TensorShift(bias, False))
    assert_result(result, (want.out, want.softmax_max[..., 0], want.softmax_sum[..., 0]))


def test_float_bias_against_torch(rng):
    q, k, v = tensors(rng)
    bias = draw(rng, 1, N1, S1, S2)
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, bias, scale=0.3, enable_gqa=True)
    result = attention(q, k, v, scale=0.3, shift=TensorShift(bias, False))
    torch.testing.assert_close(result.out, expected, rtol=1e-12, atol=1e-13)
    result = attention(q, k, v, scale=0.3, shift=TensorShift(bias / 0.3, True))
    torch.testing.assert_close(result.out, expected, rtol=1e-11, atol=1e-12)


def problems(rng):
    """Everything that can be asked for together, with something to differentiate in each."""
    keep = torch.rand(B, N1, S1, S2, generator=rng) < 0.7
    sink = draw(rng, N1)
    mask = torch.rand(B, 1, S1, S2, generator=rng) < 0.3
    mask[:, :, 2] = True
    return {
        "shift": {"shift": TensorShift(draw(rng, 1, N1, 1, S2), True), "mask": mask},
        "shift after scale": {"shift": TensorShift(draw(rng, B, 1, S1, 1), False)},
        "slopes": {"shift": SlopeShift(draw(rng, B, N1), True, 3, 0)},
        "dropout": {"keep": keep, "keep_prob": 0.7},
        "sink": {"sink": sink, "sparse_mode": 3, "mask": mask},
        "prefix": {"prefix": (2, 4), "sparse_mode": 6},
        "all": {"shift": TensorShift(draw(rng, B, N1, S1, S2), True), "keep": keep, "keep_prob": 0.7, "sink": sink,
                "prefix": (1, 3), "sparse_mode": 5, "mask": mask},
    }  # fmt: skip


NAMES = ("shift", "shift after scale", "slopes", "dropout", "sink", "prefix", "all")


@pytest.mark.parametrize("name", NAMES)
def test_gradients_against_finite_differences(rng, name):
    """Along one random direction through all inputs at once."""
    problem = problems(rng)[name]
    q, k, v = tensors(rng)
    dy = draw(rng, B, N1, S1, DV)
    shift, sink = problem.get("shift"), problem.get("sink")
    result = attention_grad(q, k, v, dy, scale=0.3, **problem)
    inputs = [q, k, v, *([shift.values] if shift else []), *([] if sink is None else [sink])]
    gradients = [g for g in (result.dq, result.dk, result.dv, result.dpse, result.dsink) if g is not None]
    directions = [torch.randn(x.shape, generator=rng, dtype=torch.float64) for x in inputs]

    def value(step):
        moved = iter([x + step * d for x, d in zip(inputs, directions, strict=True)])
        qkv = [next(moved) for _ in range(3)]
        changes = {"shift": type(shift)(next(moved), *list(vars(shift).values())[1:])} if shift else {}
        changes |= {} if sink is None else {"sink": next(moved)}
        return float((attention(*qkv, scale=0.3, **{**problem, **changes}).out * dy).sum())

    step = 1e-5
    slope = (value(step) - value(-step)) / (2 * step)
    expected = sum(float((g * d).sum()) for g, d in zip(gradients, directions, strict=True))
    assert math.isclose(slope, expected, rel_tol=1e-6, abs_tol=1e-8)


def test_sink_gradient_is_the_documented_formula(rng):
    q, k, v = tensors(rng)
    sink, dy = draw(rng, N1), draw(rng, B, N1, S1, DV)
    forward = attention(q, k, v, scale=0.3, sink=sink)
    delta = (forward.out * dy).sum(-1)
    weight = torch.exp(sink[:, None] - forward.softmax_max[..., 0]) / forward.softmax_sum[..., 0]
    expected = -(weight * delta).sum(dim=(0, 2))
    torch.testing.assert_close(attention_grad(q, k, v, dy, scale=0.3, sink=sink).dsink, expected)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("name", NAMES)
def test_plain_attention_passes_its_own_rule(rng, name, dtype):
    problem = problems(rng)[name]
    shift = problem.get("shift")
    if shift:
        pse_dtype = torch.float32 if isinstance(shift, SlopeShift) else dtype
        problem["shift"] = type(shift)(shift.values.to(pse_dtype), *list(vars(shift).values())[1:])
    if "sink" in problem:
        problem["sink"] = problem["sink"].float()
    q, k, v = (x.to(dtype) for x in tensors(rng))
    dy = draw(rng, B, N1, S1, DV).to(dtype)
    plain = plain_attention(q, k, v, scale=0.3, **problem)
    assert_attention(plain, attention(q, k, v, scale=0.3, **problem), plain)
    plain = plain_attention_grad(q, k, v, dy, scale=0.3, **problem)
    assert_gradients(plain, attention_grad(q, k, v, dy, scale=0.3, **problem), plain, dtype)
