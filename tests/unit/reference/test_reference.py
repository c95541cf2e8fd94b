# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The float64 reference against torch SDPA in float64 and against loops over single elements."""

import itertools
import math

import pytest
import torch

from tests.reference.attention import FLT_MAX, attention, from_layout, to_layout
from tests.reference.plain import plain_attention
from tests.reference.visibility import UNLIMITED, visible_by_mode


def random_qkv(rng, b, n1, n2, s1, s2, d, dv, dtype=torch.float64):
    def draw(*shape):
        return torch.randn(shape, generator=rng, dtype=torch.float64).to(dtype)

    return draw(b, n1, s1, d), draw(b, n2, s2, d), draw(b, n2, s2, dv)


def element_loop(q, k, v, scale, sees):
    """Attention element by element; sees(b, n, i, j) -> bool."""
    b, n1, s1, d = q.shape
    _, n2, s2, dv = v.shape
    out = torch.zeros(b, n1, s1, dv, dtype=torch.float64)
    state = torch.zeros(b, n1, s1, 2, dtype=torch.float64)
    for ib, n, i in itertools.product(range(b), range(n1), range(s1)):
        kv = n * n2 // n1
        scores = {
            j: scale * sum(float(q[ib, n, i, c]) * float(k[ib, kv, j, c]) for c in range(d))
            for j in range(s2)
            if sees(ib, n, i, j)
        }
        if not scores:
            state[ib, n, i, 0], state[ib, n, i, 1] = -FLT_MAX, FLT_MAX
            continue
        top = max(scores.values())
        total = sum(math.exp(s - top) for s in scores.values())
        state[ib, n, i, 0], state[ib, n, i, 1] = top, total
        for j, s in scores.items():
            out[ib, n, i] += math.exp(s - top) / total * v[ib, kv, j]
    return out, state


def assert_equal_to_loop(result, out, state):
    torch.testing.assert_close(result.out, out, rtol=1e-12, atol=1e-13)
    for copy in range(8):
        torch.testing.assert_close(result.softmax_max[..., copy], state[..., 0], rtol=1e-12, atol=1e-13)
        torch.testing.assert_close(result.softmax_sum[..., copy], state[..., 1], rtol=1e-12, atol=1e-13)


def definition(mode, i, j, s1, s2, pre, nxt):
    """Sparse modes as documented, one element at a time, counted from the named corner."""
    if mode in (3, 4):
        i = s2 - 1 - (s1 - 1 - i)  # the key on the diagonal through the bottom right corner
    if mode in (0, 4):
        return -pre <= j - i <= nxt
    return mode == 1 or j <= i


@pytest.mark.parametrize("mode", [0, 1, 2, 3, 4])
def test_modes_against_definition(mode):
    for s1, s2 in [(1, 1), (1, 5), (5, 1), (2, 5), (5, 2), (6, 6)]:
        for pre, nxt in [(UNLIMITED, UNLIMITED), (0, 0), (1, 2), (3, -1), (-1, 4), (-2, -2), (UNLIMITED, 0)]:
            visible = visible_by_mode(torch.arange(s1)[:, None], torch.arange(s2)[None], s1, s2, mode, pre, nxt)
            expected = [[definition(mode, i, j, s1, s2, pre, nxt) for j in range(s2)] for i in range(s1)]
            assert visible.tolist() == expected, (s1, s2, pre, nxt)


def test_window_counts_keys_inclusively():
    """Mode 4 with pre = W and next = 0: row i of a square problem sees exactly min(i, W) + 1 keys."""
    s = 9
    for window in (0, 1, 4, s - 1, s):
        index = torch.arange(s)
        visible = visible_by_mode(index[:, None], index[None], s, s, 4, window, 0)
        assert visible.sum(dim=1).tolist() == [min(i, window) + 1 for i in range(s)]


def test_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="sparse_mode: got 9"):
        visible_by_mode(torch.zeros(1), torch.zeros(1), 1, 1, 9)


@pytest.mark.parametrize(
    ("b", "n1", "n2", "s1", "s2", "d", "dv"),
    [(2, 3, 3, 17, 33, 8, 8), (1, 6, 2, 5, 40, 16, 12), (2, 4, 1, 30, 7, 3, 1)],
)
def test_dense_against_torch(rng, b, n1, n2, s1, s2, d, dv):
    q, k, v = random_qkv(rng, b, n1, n2, s1, s2, d, dv)
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, scale=0.3, enable_gqa=True)
    result = attention(q, k, v, scale=0.3)
    torch.testing.assert_close(result.out, expected, rtol=1e-12, atol=1e-13)
    logits = q @ k.repeat_interleave(n1 // n2, 1).transpose(2, 3) * 0.3
    lse = result.softmax_max[..., 0] + result.softmax_sum[..., 0].log()
    torch.testing.assert_close(lse, logits.logsumexp(-1), rtol=1e-12, atol=1e-13)


def test_row_chunks_do_not_matter(rng, monkeypatch):
    q, k, v = random_qkv(rng, 1, 2, 2, 45, 31, 4, 4)
    whole = attention(q, k, v, scale=1.0, sparse_mode=3)
    monkeypatch.setattr("tests.reference.attention.CHUNK_ELEMENTS", 31 * 7)
    torch.testing.assert_close(attention(q, k, v, scale=1.0, sparse_mode=3).out, whole.out, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("full", list(itertools.product([False, True], repeat=4)))
def test_mask_broadcast_against_loop(rng, full):
    b, n1, s1, s2 = 2, 2, 4, 5
    q, k, v = random_qkv(rng, b, n1, 1, s1, s2, 3, 2)
    shape = [size if is_full else 1 for size, is_full in zip((b, n1, s1, s2), full, strict=True)]
    mask = torch.randint(0, 2, shape, generator=rng, dtype=torch.uint8) * 255
    expanded = mask.expand(b, n1, s1, s2)
    out, state = element_loop(q, k, v, 0.5, lambda ib, n, i, j: expanded[ib, n, i, j] == 0)
    assert_equal_to_loop(attention(q, k, v, scale=0.5, mask=mask), out, state)


def test_mask_of_two_dimensions_is_rows_by_keys(rng):
    q, k, v = random_qkv(rng, 3, 1, 1, 3, 4, 2, 2)
    mask = torch.randint(0, 2, (3, 4), generator=rng).bool()
    out, state = element_loop(q, k, v, 1.0, lambda ib, n, i, j: not mask[i, j])
    assert_equal_to_loop(attention(q, k, v, scale=1.0, mask=mask), out, state)


@pytest.mark.parametrize("mode", [0, 2, 3, 4])
def test_mask_and_mode_together_against_loop(rng, mode):
    s1, s2 = 6, 4
    q, k, v = random_qkv(rng, 1, 2, 2, s1, s2, 3, 3)
    mask = torch.randint(0, 2, (1, 2, s1, s2), generator=rng).bool()
    window = {"sparse_mode": mode, "pre_tokens": 2, "next_tokens": 1}
    out, state = element_loop(
        q, k, v, 1.0, lambda ib, n, i, j: definition(mode, i, j, s1, s2, 2, 1) and not mask[ib, n, i, j]
    )
    assert_equal_to_loop(attention(q, k, v, scale=1.0, mask=mask, **window), out, state)


def test_rows_that_see_nothing(rng):
    q, k, v = random_qkv(rng, 1, 1, 1, 5, 2, 4, 4)
    result = attention(q, k, v, scale=1.0, sparse_mode=3)  # S1 > S2: the first three rows are above the first key
    assert (result.out[0, 0, :3] == 0).all()
    assert (result.softmax_max[0, 0, :3] == -FLT_MAX).all()
    assert (result.softmax_sum[0, 0, :3] == FLT_MAX).all()
    assert (result.out[0, 0, 3:] != 0).all()


@pytest.mark.parametrize(("s1", "s2"), [(0, 3), (3, 0), (0, 0)])
def test_empty(rng, s1, s2):
    for function in (attention, plain_attention):
        result = function(*random_qkv(rng, 2, 2, 2, s1, s2, 4, 4, torch.float32), scale=1.0)
        assert result.out.shape == (2, 2, s1, 4)
        assert (result.out == 0).all()
        assert (result.softmax_max == -FLT_MAX).all()
        assert (result.softmax_sum == FLT_MAX).all()


def test_hidden_nan_never_shows_and_visible_nan_does(rng):
    q, k, v = random_qkv(rng, 1, 1, 1, 4, 4, 3, 3)
    clean = attention(q, k, v, scale=1.0, sparse_mode=2)
    k[0, 0, 3], v[0, 0, 3, 1] = math.nan, math.nan
    result = attention(q, k, v, scale=1.0, sparse_mode=2)
    torch.testing.assert_close(result.out[0, 0, :3], clean.out[0, 0, :3], rtol=1e-13, atol=1e-14)
    assert result.out[0, 0, 3].isnan().all()
    k[0, 0, 3] = 0.0
    result = attention(q, k, v, scale=1.0, sparse_mode=2)
    assert result.out[0, 0].isnan().nonzero().tolist() == [[3, 1]]


@pytest.mark.parametrize("layout", ["BSH", "SBH", "BSND", "BNSD"])
@pytest.mark.parametrize("n", [1, 3])
def test_layouts(rng, layout, n):
    b, s, d = 2, 5, 4
    x = torch.randn(b, n, s, d, generator=rng)
    stored = to_layout(x, layout)
    shapes = {"BSH": (b, s, n * d), "SBH": (s, b, n * d), "BSND": (b, s, n, d), "BNSD": (b, n, s, d)}
    assert stored.shape == shapes[layout]
    assert stored.is_contiguous()
    assert from_layout(stored, layout, n).equal(x)
    at = {
        "BSH": (1, 4, (n - 1) * d + 3),
        "SBH": (4, 1, (n - 1) * d + 3),
        "BSND": (1, 4, n - 1, 3),
        "BNSD": (1, n - 1, 4, 3),
    }
    assert stored[at[layout]] == x[1, n - 1, 4, 3]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_plain_attention_is_near_the_reference(rng, dtype):
    q, k, v = random_qkv(rng, 2, 4, 2, 33, 70, 16, 8, dtype)
    mask = torch.randint(0, 2, (2, 1, 33, 70), generator=rng).bool()
    want, got = attention(q, k, v, scale=0.25, mask=mask), plain_attention(q, k, v, scale=0.25, mask=mask)
    assert got.out.dtype == dtype
    tolerance = {torch.float32: 2e-6, torch.bfloat16: 2e-2, torch.float16: 2e-3}[dtype]
    torch.testing.assert_close(got.out.double(), want.out, rtol=0, atol=tolerance)
    torch.testing.assert_close(got.softmax_max.double(), want.softmax_max, rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(got.softmax_sum.double(), want.softmax_sum, rtol=1e-5, atol=1e-5)
