# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""How MindSpeed calls attention: SBH with the compressed mask, and the gradient as a function with saved statistics."""

import pytest
import torch
from ascend_flash_attention import npu_fusion_attention, npu_fusion_attention_grad
from torch.nn.functional import scaled_dot_product_attention

MASK = torch.ones(2048, 2048, dtype=torch.bool).triu(1)
HEADS, S, B, D = 4, 37, 2, 16


def heads_first(x):
    """[S, B, H] as [B, N, S, D]"""
    return x.unflatten(2, (HEADS, D)).permute(1, 2, 0, 3)


@pytest.fixture
def leaves(rng):
    return [torch.randn((S, B, HEADS * D), generator=rng).requires_grad_() for _ in range(3)]


CALL = {"pse": None, "padding_mask": None, "atten_mask": MASK, "scale": D**-0.5, "pre_tockens": 65536,
        "next_tockens": 0, "keep_prob": 1.0, "inner_precise": 0, "sparse_mode": 2}  # fmt: skip


def test_causal_attention_of_a_layer(leaves):
    out = npu_fusion_attention(*leaves, HEADS, "SBH", **CALL)[0]
    expected = scaled_dot_product_attention(*map(heads_first, leaves), is_causal=True).permute(2, 0, 1, 3).flatten(2)
    torch.testing.assert_close(out, expected, rtol=3e-5, atol=3e-5)


@pytest.mark.parametrize("scale_of_dy", [1.0, 1e-3])
def test_ring_attention_saves_statistics_and_calls_the_gradient(rng, leaves, scale_of_dy):
    """Forward and gradient of one block, called apart, with softmax_max and softmax_sum [B, N, S, 8] in between."""
    dy = torch.randn((S, B, HEADS * D), generator=rng) * scale_of_dy
    expected = torch.autograd.grad(npu_fusion_attention(*leaves, HEADS, "SBH", **CALL)[0], leaves, dy)
    q, k, v = (x.detach() for x in leaves)
    with torch.no_grad():
        out, row_max, row_sum, _, seed, offset, numels = npu_fusion_attention(q, k, v, HEADS, "SBH", **CALL)
    assert row_max.shape == row_sum.shape == (B, HEADS, S, 8)
    options = {name: value for name, value in CALL.items() if name != "scale"}
    got = npu_fusion_attention_grad(
        q, k, v, dy, HEADS, "SBH", **options, scale_value=CALL["scale"], softmax_max=row_max, softmax_sum=row_sum,
        attention_in=out, seed=seed, offset=offset, numels=numels,
    )  # fmt: skip
    for a, b in zip(got[:3], expected, strict=True):
        assert torch.equal(a, b)


def test_blocks_of_ring_attention_combine(leaves):
    """Keys in two blocks, combined by max and sum as npu_ring_attention_update does."""
    q, k, v = (x.detach() for x in leaves)
    options = {**CALL, "atten_mask": None, "sparse_mode": 0, "next_tockens": 2147483647, "pre_tockens": 2147483647}
    whole = npu_fusion_attention(q, k, v, HEADS, "SBH", **options)[0]
    parts = [
        npu_fusion_attention(q, x, y, HEADS, "SBH", **options) for x, y in zip(k.split(20), v.split(20), strict=True)
    ]
    row_max = torch.maximum(parts[0][1], parts[1][1])
    weights = [part[2] * (part[1] - row_max).exp() for part in parts]
    total = weights[0] + weights[1]
    shares = [(w / total)[..., 0].permute(2, 0, 1)[..., None] for w in weights]
    combined = sum(share * part[0].unflatten(2, (HEADS, D)) for share, part in zip(shares, parts, strict=True))
    torch.testing.assert_close(combined.flatten(2), whole, rtol=3e-5, atol=3e-5)
