# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""NaN and infinity: what a row cannot see must not reach it, what it sees must show.

K: a hidden key never leaks. V: never from tiles, other batches and heads, tails or padding that no row of the tile
sees; inside a partially visible tile 0 * NaN is NaN, as in every tiled kernel.
"""

from dataclasses import replace

import pytest
import torch
from ascend_flash_attention import npu_flash_attention

from tests.cases.inputs import make_inputs
from tests.cases.loader import load
from tests.reference.attention import from_layout, to_layout
from tests.system.forward_call import call, same_bits

NAN, INF = float("nan"), float("inf")


def problem(seed, dtype="float32", layout="BNSD", **changes):
    """(case, query, key, value) with BNSD tensors."""
    (template,) = [c for c in load() if c.name == "smoke-BNSD-fp32-b2n3s65x129d32"]
    case = replace(template, dtype=dtype, layout=layout, **changes)
    inputs = make_inputs(case, seed)
    return case, inputs.query, inputs.key, inputs.value


def run(case, query, key, value, mask=None):
    """(out BNSD, max, sum) for BNSD inputs, called in the case's layout."""
    out, row_max, row_sum = call(case, *(to_layout(x, case.layout) for x in (query, key, value)), mask)[:3]
    return from_layout(out, case.layout, case.n1), row_max, row_sum


def assert_same(first, second, rows=slice(None)):
    for name, a, b in zip(("out", "softmax_max", "softmax_sum"), first, second, strict=True):
        assert same_bits(a[:, :, rows], b[:, :, rows]), name


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("poison", [NAN, INF, -INF])
def test_hidden_key_never_leaks(dtype, poison, seed):
    """Keys hidden from some rows only: in tiles that are otherwise visible."""
    case, q, k, v = problem(seed, dtype, s1=65, s2=700)
    mask = torch.zeros(1, 1, 65, 700, dtype=torch.bool)
    keys = [0, 63, 64, 300, 511, 512, 699]
    mask[..., :40, keys] = True
    clean = run(case, q, k, v, mask)
    k[:, :, keys] = poison
    dirty = run(case, q, k, v, mask)
    assert_same(clean, dirty, slice(0, 40))
    if poison != poison:
        assert dirty[0][:, :, 40:].isnan().all()


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_key_hidden_from_all_rows_never_leaks(dtype, seed):
    case, q, k, v = problem(seed, dtype)
    mask = torch.zeros(2, 1, 1, 129, dtype=torch.bool)
    mask[0, ..., 100:], mask[1, ..., 7:] = True, True
    clean = run(case, q, k, v, mask)
    k[0, :, 100:], k[1, :, 7:] = NAN, INF
    assert_same(clean, run(case, q, k, v, mask))


@pytest.mark.parametrize("layout", ["BNSD", "BSH"])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("s2", [1, 17, 129, 513])
def test_other_heads_and_batches_never_leak(layout, dtype, s2, seed):
    """The tail of a tile lies in memory next to the following head or batch, which holds NaN in Q, K and V."""
    case, q, k, v = problem(seed, dtype, layout, s2=s2)
    clean = run(case, q, k, v)
    for batch, head in ((0, 0), (1, 1), (1, 2)):
        poisoned = []
        for x in (q, k, v):
            only = torch.full_like(x, NAN)
            only[batch, head] = x[batch, head]
            poisoned.append(only)
        dirty = run(case, *poisoned)
        for name, a, b in zip(("out", "softmax_max", "softmax_sum"), clean, dirty, strict=True):
            assert same_bits(a[batch, head], b[batch, head]), name


@pytest.mark.parametrize("layout", ["BNSD", "BSH"])
@pytest.mark.parametrize("d", [1, 24, 33, 127])
def test_padding_of_the_head_dim_never_leaks(layout, d, seed):
    """D is padded inside the kernel; infinity next to it must not meet a zero."""
    case, q, k, v = problem(seed, layout=layout, d=d, dv=d, b=1)
    clean = run(case, q, k, v)
    for x in (q, k, v):
        x[:, 1:] = INF
    assert same_bits(clean[0][:, 0], run(case, q, k, v)[0][:, 0])


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_visible_nan_in_query_shows_in_its_row_only(dtype, seed):
    case, q, k, v = problem(seed, dtype)
    clean = run(case, q, k, v)
    q[1, 2, 37, 5] = NAN
    out = run(case, q, k, v)[0]
    assert out[1, 2, 37].isnan().all()
    out[1, 2, 37] = clean[0][1, 2, 37]
    assert same_bits(out, clean[0])


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("key", [0, 64, 128])
def test_visible_nan_in_key_shows(dtype, key, seed):
    case, q, k, v = problem(seed, dtype)
    k[1, 2, key, 3] = NAN
    out = run(case, q, k, v)[0]
    assert out[1, 2].isnan().all()
    assert not out[0].isnan().any() and not out[1, :2].isnan().any()


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_visible_nan_in_value_shows_in_its_column_only(dtype, seed):
    case, q, k, v = problem(seed, dtype)
    v[0, 1, 128, 9] = NAN
    shown = run(case, q, k, v)[0].isnan()
    assert shown[0, 1, :, 9].all()
    assert int(shown.sum()) == 65


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_hidden_scores_lose_against_any_visible_score(dtype, seed):
    """Visible scores near -6e4: a masked value that is not the lowest would win."""
    case, q, k, v = problem(seed, dtype, d=16, dv=16)
    q, k = torch.full_like(q, 61.0), torch.full_like(k, -250.0)  # score -61 * 250 * 16 / sqrt(16) = -61000
    mask = torch.zeros(1, 1, 1, 129, dtype=torch.bool)
    mask[..., ::2] = True
    out, row_max, row_sum = run(case, q, k, v, mask)
    assert (row_max == -61000.0).all() and (row_sum == 64.0).all()
    mean = v[:, :, 1::2].double().mean(dim=2, keepdim=True).expand(out.shape)
    torch.testing.assert_close(out.double(), mean, rtol=0, atol=2e-2 if dtype == "bfloat16" else 2e-3)


@pytest.mark.breadth
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_value_of_skipped_tiles_never_leaks(dtype, seed):
    """Causal: no row of the only q tile sees the keys from 512 on."""
    case, q, k, v = problem(seed, dtype, s1=128, s2=1100, sparse_mode=2)
    clean = run(case, q, k, v)
    k[:, :, 128:], v[:, :, 512:] = NAN, NAN
    assert_same(clean, run(case, q, k, v))


@pytest.mark.parametrize(("lowest", "is_seen"), [(-1.6e38, True), (-1.75e38, False), (-3e38, False)])
def test_rows_of_the_lowest_scores(lowest, is_seen):
    """Below -FLT_MAX / 2 a row counts as one that sees no key, in the gradient too."""
    q = torch.ones(1, 1, 1, 1, requires_grad=True)
    k, v = torch.tensor([lowest, lowest]).view(1, 1, 2, 1), torch.tensor([1.0, 2.0]).view(1, 1, 2, 1).requires_grad_()
    out, row_max, row_sum = npu_flash_attention(q, k, v, scale=1.0)[:3]
    out.sum().backward()
    assert (row_max == torch.tensor(lowest)).all()
    assert out.item() == (1.5 if is_seen else 0.0)
    assert (row_sum == (2.0 if is_seen else torch.finfo(torch.float32).max)).all()
    assert (v.grad == (0.5 if is_seen else 0.0)).all()


@pytest.mark.parametrize("poison", [NAN, INF])
@pytest.mark.parametrize("name", ["query", "dy", "key"])
def test_gradient_keeps_it_inside_its_tile_and_head(name, poison, rng):
    """Causal, two tiles of queries and of keys: row 0 as query and dy, the last row as key, of one head."""
    rows = 700
    tensors = {each: torch.randn(2, 2, rows, 16, generator=rng) for each in ("query", "key", "value", "dy")}

    def gradients():
        leaves = [tensors[each].clone().requires_grad_() for each in ("query", "key", "value")]
        return torch.autograd.grad(npu_flash_attention(*leaves, sparse_mode=2)[0], leaves, tensors["dy"])

    clean = gradients()
    row = rows - 1 if name == "key" else 0
    tensors[name][1, 0, row] = poison
    got = gradients()
    assert not all(x[1, 0].isfinite().all() for x in got)
    far_queries, far_keys = (slice(0, 512), slice(0, 0)) if name == "key" else (slice(1, None), slice(512, None))
    for a, b, far in zip(got, clean, (far_queries, far_keys, far_keys), strict=True):
        assert same_bits(a[0], b[0]) and same_bits(a[1, 1], b[1, 1]) and same_bits(a[1, 0, far], b[1, 0, far])
