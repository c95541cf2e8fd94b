# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Mistakes with slopes, biases, dropout and derivatives that users of other implementations have reported;
reported.py lists all."""

import pytest
import torch
from ascend_flash_attention import explain_tiling, npu_flash_attention

from tests.system.forward_call import same_bits
from tests.system.small_call import check, qkv, run


@pytest.mark.parametrize("s1", [1, 4, 16])
@pytest.mark.parametrize("width", [11, 111, 1500])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_window_begins_inside_a_split_of_the_keys(rng, s1, width, dtype, monkeypatch):
    """2048 keys in chunks, of which the window leaves the last ones."""
    monkeypatch.setenv("FLASH_ATTENTION_SCORE_TUNING", "strategy=long_seq")
    q, k, v = qkv(rng, heads=(2, 1), s=(s1, 2048), d=32, dtype=dtype)
    check(q, k, v, sparse_mode=4, pre_tokens=width, next_tokens=0)


def test_keys_of_the_window_test_are_split():
    """That the lengths above are split without being forced to on a machine of many cores."""
    shapes = [(1, 2, 1, 32), (1, 1, 8192, 32), (1, 1, 8192, 32)]
    report = explain_tiling(*shapes, dtype="float32", head_num=2, input_layout="BNSD", soc="Ascend910B1")
    assert report.strategy == "long_seq"


@pytest.mark.parametrize("pse_type", [2, 3])
@pytest.mark.parametrize("shape", [(3,), (2, 3)])
def test_nearer_keys_never_lose_to_farther_equal_ones(rng, pse_type, shape):
    """Equal keys: weights fall off with the distance on both sides; the key of the query's own place is the largest."""
    n, s = 3, 9
    q, k = torch.randn(2, n, s, 8, generator=rng), torch.zeros(2, n, s, 8)
    weights = run(q, k, torch.eye(s).expand(2, n, s, s)[..., :8], pse=torch.rand(shape) + 0.1, pse_type=pse_type)[0]
    for i in range(8):
        row = weights[:, :, i]
        assert (row[..., : i + 1].diff() > 0).all() and (row[..., i:].diff() < 0).all()


def test_start_indices_shift_distances(rng):
    """A part of queries and keys with its start indices has the scores that it has in the whole."""
    n, s = 2, 12
    q, k, v = qkv(rng, heads=(n, n), s=(s, s), d=8)
    slopes = torch.tensor([0.5, 0.25])
    bias = -slopes[:, None, None] * (torch.arange(s)[None] - torch.arange(s)[:, None]).abs()
    part = run(q[:, :, 4:8], k[:, :, 6:10], v[:, :, 6:10], pse=slopes, pse_type=2, q_start_idx=[4], kv_start_idx=[6])
    expected = torch.nn.functional.scaled_dot_product_attention(
        q[:, :, 4:8], k[:, :, 6:10], v[:, :, 6:10], bias[None, :, 4:8, 6:10]
    )
    torch.testing.assert_close(part[0], expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("pse_type", [0, 1])
def test_order_of_bias_scale_and_mask(rng, pse_type):
    """1: add, then scale. 0: scale, then add. The mask comes last: a large bias does not bring a hidden key back."""
    q, k, v = qkv(rng, s=(5, 7))
    bias = torch.randn(1, 1, 5, 7, generator=rng)
    bias[..., 2] = 3e38 if pse_type == 0 else 1e38
    hidden = torch.zeros(1, 1, 1, 7, dtype=torch.bool)
    hidden[..., 2] = True
    scores = q @ k.mT
    scores = (scores + bias) * 0.25 if pse_type else scores * 0.25 + bias
    expected = torch.softmax(scores.masked_fill(hidden, float("-inf")), -1) @ v
    out = run(q, k, v, pse=bias, pse_type=pse_type, scale=0.25, atten_mask=hidden)[0]
    torch.testing.assert_close(out, expected, rtol=1e-5, atol=1e-5)


class TestDropout:
    def test_seed_decides(self, rng):
        q, k, v = qkv(rng, heads=(2, 2), s=(40, 50))
        first, again, other, moved = (
            run(q, k, v, keep_prob=0.5, seed=seed, offset=offset) for seed, offset in ((1, 0), (1, 0), (2, 0), (1, 8))
        )
        assert all(map(same_bits, first, again))
        assert not same_bits(first[0], other[0]) and not same_bits(first[0], moved[0])
        assert same_bits(first[2], other[2])  # the sum is taken before dropout

    def test_keeping_everything_is_no_dropout(self, rng):
        q, k, v = qkv(rng, s=(40, 50))
        assert all(map(same_bits, run(q, k, v), run(q, k, v, keep_prob=1.0, seed=5)))

    def test_kept_weights_are_scaled(self, rng):
        """Values that show the weights: each is 0 or that without dropout divided by keep_prob."""
        q, k, _ = qkv(rng, s=(40, 16))
        v = torch.eye(16)[None, None]
        plain, dropped = run(q, k, v)[0], run(q, k, v, keep_prob=0.25, seed=7)[0]
        kept = dropped != 0
        torch.testing.assert_close(dropped[kept], plain[kept] * 4, rtol=1e-6, atol=0)
        assert 0.15 < kept.double().mean() < 0.35

    def test_both_passes_drop_the_same_weights(self, rng):
        """The gradient of value is the sum of the weights that the forward kept."""
        q, k, _ = qkv(rng, s=(40, 16))
        v = torch.eye(16)[None, None].requires_grad_()
        out = npu_flash_attention(q, k, v, keep_prob=0.5, seed=11)[0]
        (dv,) = torch.autograd.grad(out.sum(), v)
        torch.testing.assert_close(dv[0, 0, :, 0], out.detach().sum(dim=2)[0, 0], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("wanted", ["query", "key", "value"])
def test_inputs_that_require_grad_get_one(rng, wanted):
    tensors = dict(zip(("query", "key", "value"), qkv(rng, s=(6, 7)), strict=True))
    tensors[wanted].requires_grad_()
    out = npu_flash_attention(**tensors)[0]
    assert out.requires_grad
    (gradient,) = torch.autograd.grad(out.sum(), tensors[wanted])
    assert gradient.shape == tensors[wanted].shape and gradient.isfinite().all() and gradient.any()


def test_eager_and_compiled_agree(rng):
    q, k, v = qkv(rng, heads=(2, 2), s=(33, 65))

    def attend(q, k, v):
        return npu_flash_attention(q, k, v, sparse_mode=3)[0]

    assert same_bits(attend(q, k, v), torch.compile(attend, backend="aot_eager", fullgraph=True)(q, k, v))
