# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""flash_attn_func and flash_attn_varlen_func against their formulas, in float64."""

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
    scores = scores.masked_fill(hidden, float("-inf"))
    return (scores.softmax(-1).nan_to_num(0.0) @ v).transpose(0, 1), scores.logsumexp(-1)


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


REFUSED = {
    "softcap": (dict(softcap=30.0), "softcap must be 0, got 30.0"),
    "dropout_p": (dict(dropout_p=1.0), r"dropout_p must be in \[0, 1\), got 1.0"),
    "window": (dict(window_size=(-2, 0)), "window_size must be two numbers of keys, -1 for no limit"),
    "rank": (dict(q=torch.zeros(5, 2, 16)), r"q must be \[batch, seqlen, nheads, headdim\], got \[5, 2, 16\]"),
    "heads": (dict(k=torch.zeros(1, 5, 3, 16), v=torch.zeros(1, 5, 3, 16)), "multiple of key's heads, got 2 and 3"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_name(name):
    changes, text = REFUSED[name]
    with pytest.raises(ValueError, match=text):
        flash_attn_func(**{**{x: torch.zeros(1, 5, 2, 16) for x in "qkv"}, **changes})


@pytest.mark.parametrize("wrong", ["q", "k", "v"])
def test_tensors_only(wrong):
    with pytest.raises(TypeError, match=f"{wrong} must be a tensor, got 3"):
        flash_attn_func(**{**{x: torch.zeros(1, 5, 2, 16) for x in "qkv"}, wrong: 3})


REFUSED_PACKED = {
    "no leading 0": (dict(cu_seqlens_q=[3, 5]), r"cu_seqlens_q must be .* with a leading 0, got \[3, 5\]"),
    "empty": (dict(cu_seqlens_k=torch.zeros(0, dtype=torch.int32)), "cu_seqlens_k must be .* leading 0"),
    "decreasing": (dict(cu_seqlens_k=[0, 4, 3]), r"cu_seqlens_k must not decrease, got \[0, 4, 3\]"),
    "one length": (dict(cu_seqlens_k=[0, 2, 4, 5]), "must have one length, got 3 and 4"),
    "longest query": (dict(max_seqlen_q=2), "max_seqlen_q must be at least the longest sequence of cu_seqlens_q, 3"),
    "longest key": (dict(max_seqlen_k=1), "max_seqlen_k must be at least the longest sequence of cu_seqlens_k, 4"),
    "too many tokens": (dict(cu_seqlens_q=[0, 3, 6]), r"actual_seq_qlen must end at query's 5 tokens or before"),
    "dtype": (
        dict(cu_seqlens_q=torch.zeros(3)),
        "cu_seqlens_q must be a 1-D tensor of int32 or int64, got torch.float32",
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
