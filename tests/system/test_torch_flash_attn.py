# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""flash_attn_func and flash_attn_varlen_func against their formulas, in float64."""

from itertools import pairwise

import pytest
import torch
from ascend_flash_attention import flash_attn_func, flash_attn_varlen_func

NO_LIMIT = -1


def draw(rng, *shape):
    return torch.randn(shape, generator=rng)


def formula(q, k, v, scale=None, causal=False, window=(NO_LIMIT, NO_LIMIT), slopes=None):
    """(out, lse) of one sequence, q [S1, N, D], k and v [S2, N2, D], float64."""
    q, k, v = (x.double().transpose(0, 1) for x in (q, k, v))
    k, v = (x.repeat_interleave(q.shape[0] // x.shape[0], 0) for x in (k, v))
    rows, keys = q.shape[1], k.shape[1]
    scores = q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale)
    at = torch.arange(rows)[:, None] + keys - rows
    distance = torch.arange(keys)[None] - at
    if slopes is not None:
        scores = scores - slopes.double()[:, None, None] * distance.abs()
    left, right = window[0], 0 if causal else window[1]
    hidden = torch.zeros(rows, keys, dtype=torch.bool)
    if left != NO_LIMIT:
        hidden |= distance < -left
    if right != NO_LIMIT:
        hidden |= distance > right
    lse = scores.masked_fill(hidden, float("-inf")).logsumexp(-1)
    blind = hidden.all(-1, keepdim=True)
    weights = scores.masked_fill(hidden & ~blind, float("-inf")).softmax(-1).masked_fill(blind, 0.0)
    return (weights @ v).transpose(0, 1), lse


def check(got, expected):
    torch.testing.assert_close(got.double(), expected, rtol=3e-5, atol=3e-5)


CALLS = {
    "dense": {},
    "scale": {"softmax_scale": 0.3},
    "causal": {"causal": True},
    "window": {"window_size": (5, 3)},
    "left window": {"window_size": (5, -1)},
    "right window": {"window_size": [-1, 2]},
    "causal window": {"window_size": (7, 9), "causal": True},
    "diagonal": {"window_size": (0, 0)},
}
LENGTHS = [(33, 33), (33, 57), (57, 33), (1, 40), (130, 1), (17, 0), (0, 5)]


def reference(q, k, v, options):
    window = tuple(options.get("window_size", (NO_LIMIT, NO_LIMIT)))
    return formula(q, k, v, options.get("softmax_scale"), options.get("causal", False), window)


@pytest.mark.parametrize(("rows", "keys"), LENGTHS)
@pytest.mark.parametrize("name", CALLS)
def test_sequences_of_one_length(rng, name, rows, keys):
    q, k, v = draw(rng, 2, rows, 6, 16), draw(rng, 2, keys, 2, 16), draw(rng, 2, keys, 2, 16)
    out, lse, dropped = flash_attn_func(q, k, v, **CALLS[name], deterministic=True, return_attn_probs=True)
    assert out.shape == q.shape and lse.shape == (2, 6, rows) and lse.dtype == torch.float32 and dropped is None
    for b in range(2):
        expected, expected_lse = reference(q[b], k[b], v[b], CALLS[name])
        check(out[b], expected)
        check(lse[b], expected_lse)
    assert torch.equal(flash_attn_func(q, k, v, **CALLS[name]), out)


def test_rows_that_see_nothing(rng):
    q, k, v = (draw(rng, 1, s, 2, 16) for s in (8, 5, 5))
    out, lse, _ = flash_attn_func(q, k, v, causal=True, return_attn_probs=True)
    assert (out[:, :3] == 0).all() and (lse[:, :, :3] == float("-inf")).all() and lse[:, :, 3:].isfinite().all()


@pytest.mark.parametrize("causal", [False, True])
def test_gradients(rng, causal):
    leaves = [draw(rng, 1, s, 4, 16).requires_grad_() for s in (33, 57, 57)]
    dy = draw(rng, 1, 33, 4, 16)
    got = torch.autograd.grad(flash_attn_func(*leaves, causal=causal), leaves, dy)
    expected = torch.autograd.grad(formula(*(x[0] for x in leaves), causal=causal)[0], leaves, dy[0].double())
    for a, b in zip(got, expected, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=3e-5)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("per_batch", [False, True])
@pytest.mark.parametrize(("rows", "keys"), [(33, 33), (33, 57), (57, 33)])
def test_alibi(rng, rows, keys, per_batch, causal):
    q, k, v = draw(rng, 2, rows, 6, 16), draw(rng, 2, keys, 2, 16), draw(rng, 2, keys, 2, 16)
    slopes = torch.rand((2, 6) if per_batch else (6,), generator=rng)
    out, lse, _ = flash_attn_func(q, k, v, causal=causal, alibi_slopes=slopes, return_attn_probs=True)
    for b in range(2):
        own = slopes[b] if per_batch else slopes
        expected, expected_lse = formula(q[b], k[b], v[b], causal=causal, slopes=own)
        check(out[b], expected)
        check(lse[b], expected_lse)


Q_LENGTHS, K_LENGTHS = (0, 33, 57, 1, 0, 17), (3, 57, 33, 40, 0, 0)


def starts_of(lengths):
    return torch.tensor([0, *lengths]).cumsum(0).int()


@pytest.fixture
def packed(rng):
    """q, k, v with rows past the last sequence, and what flash_attn_varlen_func wants to know about them."""
    tensors = [draw(rng, sum(n) + 3, h, 16) for n, h in ((Q_LENGTHS, 6), (K_LENGTHS, 2), (K_LENGTHS, 2))]
    return [*tensors, starts_of(Q_LENGTHS), starts_of(K_LENGTHS), max(Q_LENGTHS), max(K_LENGTHS)]


def per_sequence(packed):
    begins = [x.tolist() for x in packed[3:5]]
    for i in range(len(Q_LENGTHS)):
        rows, keys = (slice(b[i], b[i + 1]) for b in begins)
        yield i, rows, packed[0][rows], packed[1][keys], packed[2][keys]


@pytest.mark.parametrize("name", CALLS)
def test_packed_sequences(packed, name):
    """Empty sequences, more queries than keys and rows past the end included."""
    out, lse, dropped = flash_attn_varlen_func(*packed, **CALLS[name], return_attn_probs=True)
    assert lse.shape == (6, packed[0].shape[0]) and dropped is None
    for _, rows, q, k, v in per_sequence(packed):
        expected, expected_lse = reference(q, k, v, CALLS[name])
        check(out[rows], expected)
        check(lse[:, rows], expected_lse)
    assert (out[-3:] == 0).all() and (lse[:, -3:] == float("-inf")).all()


@pytest.mark.parametrize("kind", [torch.Tensor.long, torch.Tensor.tolist, torch.Tensor.numpy])
def test_cu_seqlens_of_other_types(packed, kind):
    expected = flash_attn_varlen_func(*packed, causal=True)
    assert torch.equal(flash_attn_varlen_func(*packed[:3], *map(kind, packed[3:5]), *packed[5:], causal=True), expected)


def test_alibi_of_packed_sequences(rng):
    lengths = (20, 0, 33)
    tensors = [draw(rng, sum(lengths), n, 16) for n in (4, 2, 2)]
    slopes = torch.rand((3, 4), generator=rng)
    starts = starts_of(lengths)
    out = flash_attn_varlen_func(*tensors, starts, starts, 33, 33, causal=True, alibi_slopes=slopes)
    for i, (begin, end) in enumerate(pairwise(starts.tolist())):
        check(out[begin:end], formula(*(x[begin:end] for x in tensors), causal=True, slopes=slopes[i])[0])


@pytest.mark.parametrize("causal", [False, True])
def test_gradients_of_packed_sequences(rng, packed, causal):
    leaves = [x.requires_grad_() for x in packed[:3]]
    out = flash_attn_varlen_func(*leaves, *packed[3:], causal=causal)
    dy = draw(rng, *out.shape)
    parts = [(rows, formula(q, k, v, causal=causal)[0]) for _, rows, q, k, v in per_sequence(packed)]
    got = torch.autograd.grad(out, leaves, dy)
    loss = sum((part * dy[rows].double()).sum() for rows, part in parts)
    for a, b in zip(got, torch.autograd.grad(loss, leaves), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=5e-5)


def test_ends_that_add_up_to_the_tokens(rng):
    """Rows past the end, and as many as make the ends look like lengths: cu_seqlens are what they are."""
    q, k, v = (draw(rng, n, 2, 16) for n in (6, 19, 19))
    starts_q, starts_k = [0, 1, 2, 3], [0, 1, 1, 17]
    out = flash_attn_varlen_func(q, k, v, starts_q, starts_k, 1, 16)
    for i, (begin, end) in enumerate(pairwise(starts_k)):
        check(out[i : i + 1], formula(q[i : i + 1], k[begin:end], v[begin:end])[0])
    assert (out[3:] == 0).all()


def test_no_sequences():
    q = torch.zeros(0, 2, 16)
    assert flash_attn_varlen_func(q, q, q, [0], [0], 0, 0, causal=True).shape == (0, 2, 16)


REFUSED = {
    "softcap": (dict(softcap=30.0), "softcap must be 0, got 30.0"),
    "dropout_p": (dict(dropout_p=1.0), r"dropout_p must be in \[0, 1\), got 1.0"),
    "window": (dict(window_size=(-2, 0)), "window_size must be two numbers of keys, -1 for no limit"),
    "no window": (dict(window_size=None), "window_size must be two numbers of keys, -1 for no limit, got None"),
    "window of three": (dict(window_size=(1, 2, 3)), "window_size must be two numbers"),
    "slopes": (dict(alibi_slopes=torch.zeros(3)), r"slopes .* must be \[N1\] or \[B, N1\]"),
    "rank": (dict(q=torch.zeros(5, 2, 16)), r"q must be \[batch, seqlen, nheads, headdim\], got \[5, 2, 16\]"),
    "heads": (dict(k=torch.zeros(1, 5, 3, 16), v=torch.zeros(1, 5, 3, 16)), "multiple of key's heads, got 2 and 3"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_name(name):
    changes, text = REFUSED[name]
    with pytest.raises(ValueError, match=text):
        flash_attn_func(**{**{x: torch.zeros(1, 5, 2, 16) for x in "qkv"}, **changes})


@pytest.mark.parametrize("wrong", ["q", "k", "v", "alibi_slopes"])
def test_tensors_only(wrong):
    with pytest.raises(TypeError, match=f"{wrong} must be a tensor, got 3"):
        flash_attn_func(**{**{x: torch.zeros(1, 5, 2, 16) for x in "qkv"}, wrong: 3})


REFUSED_PACKED = {
    "rank": (dict(v=torch.zeros(5, 32)), r"v must be \[total, nheads, headdim\], got \[5, 32\]"),
    "no leading 0": (dict(cu_seqlens_q=[3, 5]), r"cu_seqlens_q must be .* with a leading 0, got \[3, 5\]"),
    "empty": (dict(cu_seqlens_k=torch.zeros(0, dtype=torch.int32)), "cu_seqlens_k must be .* leading 0"),
    "decreasing": (dict(cu_seqlens_k=[0, 4, 3]), r"cu_seqlens_k must not decrease, got \[0, 4, 3\]"),
    "one length": (dict(cu_seqlens_k=[0, 2, 4, 5]), "must have one length, got 3 and 4"),
    "longest query": (dict(max_seqlen_q=2), "max_seqlen_q must be at least the longest sequence of cu_seqlens_q, 3"),
    "longest key": (dict(max_seqlen_k=1), "max_seqlen_k must be at least the longest sequence of cu_seqlens_k, 4"),
    "too many queries": (
        dict(cu_seqlens_q=[0, 3, 6]),
        r"^cu_seqlens_q must end at q's 5 tokens or before, got \[0, 3, 6\]",
    ),
    "too many keys": (
        dict(cu_seqlens_k=[0, 4, 6]),
        r"^cu_seqlens_k must end at k's 5 tokens or before, got \[0, 4, 6\]",
    ),
    "type of alibi": (
        dict(alibi_slopes=torch.zeros(2).half()),
        "^alibi_slopes must be torch.float32, got torch.float16",
    ),
    "dtype": (
        dict(cu_seqlens_q=torch.zeros(3)),
        "cu_seqlens_q must be a 1-D tensor of int32 or int64, got torch.float32",
    ),
    "alibi of several shifts": (
        dict(alibi_slopes=torch.zeros(2)),
        r"one difference of seqlen_k and seqlen_q in all sequences, got \[-1, 1\]",
    ),
    "pages": (dict(block_table=torch.zeros(1, 1)), "block_table must be None"),
    "softcap": (dict(softcap=1.0), "softcap must be 0"),
}


@pytest.mark.parametrize("name", REFUSED_PACKED)
def test_packed_sequences_refused_by_name(name):
    changes, text = REFUSED_PACKED[name]
    arguments = {x: torch.zeros(5, 2, 16) for x in "qkv"}
    arguments |= {"cu_seqlens_q": [0, 3, 5], "cu_seqlens_k": [0, 4, 5], "max_seqlen_q": 3, "max_seqlen_k": 4}
    with pytest.raises(ValueError, match=text):
        flash_attn_varlen_func(**{**arguments, **changes})
