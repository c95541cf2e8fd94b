# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The readable tiled reference, and the mistake it warns of."""

import numpy as np
import pytest
import torch

from tests.reference.attention import attention
from tests.reference.tiled import MASKED, block_step, tiled_attention


def problem(rng, s1, s2, d=8, dv=5):
    def draw(*shape):
        return torch.randn(shape, generator=rng, dtype=torch.float64)

    return draw(s1, d), draw(s2, d), draw(s2, dv), torch.rand(s1, s2, generator=rng) < 0.7


def run(q, k, v, visible, **tiles):
    """(tiled results, float64 results), each out [S1,Dv], max [S1], sum [S1]."""
    tiled = tiled_attention(q.numpy(), k.numpy(), v.numpy(), 0.5, visible.numpy(), **tiles)
    whole = attention(q[None, None], k[None, None], v[None, None], scale=0.5, mask=~visible)
    return tiled, (whole.out[0, 0], whole.softmax_max[0, 0, :, 0], whole.softmax_sum[0, 0, :, 0])


@pytest.mark.parametrize(("q_tile", "kv_block"), [(1, 1), (7, 3), (16, 16), (128, 512)])
@pytest.mark.parametrize(("s1", "s2"), [(1, 1), (16, 16), (17, 47), (40, 5)])
def test_tiled_equals_untiled(rng, s1, s2, q_tile, kv_block):
    q, k, v, visible = problem(rng, s1, s2)
    visible[s1 // 2] = False  # a row that sees nothing
    visible[0, : s2 // 2] = False  # a row whose first blocks are hidden
    tiled, whole = run(q, k, v, visible, q_tile=q_tile, kv_block=kv_block)
    for got, want in zip(tiled, whole, strict=True):
        np.testing.assert_allclose(got, want.numpy(), rtol=1e-12, atol=1e-13)


def corrected_twice(state, scores, visible, v):
    """block_step with the mistake: weights relative to the new maximum, and corrected all the same."""
    m, total, acc = block_step(state, scores, visible, np.zeros_like(v))
    block_max = np.where(visible, scores, MASKED).max(axis=1)
    p = np.where(visible, np.exp(scores - np.maximum(m, MASKED / 2)[:, None]), 0.0)
    second = np.exp(block_max - np.maximum(m, MASKED / 2))
    return m, total + (second - 1) * p.sum(axis=1), acc + second[:, None] * (p @ v)


def test_block_correction_applied_twice_is_detected(rng):
    q, k, v, visible = problem(rng, 20, 64)
    (out, row_max, row_sum), (want_out, want_max, want_sum) = run(q, k, v, visible, kv_block=16, step=corrected_twice)
    np.testing.assert_allclose(row_max, want_max.numpy())  # the maximum gives nothing away
    assert np.abs(out - want_out.numpy()).max() > 1e-2
    assert np.abs(row_sum / want_sum.numpy() - 1).max() > 1e-2


def test_block_correction_applied_twice_hides_when_there_is_one_block(rng):
    """Why small tests miss it: with one block the second correction is exp(0) = 1."""
    q, k, v, visible = problem(rng, 20, 64)
    tiled, whole = run(q, k, v, visible, kv_block=64, step=corrected_twice)
    np.testing.assert_allclose(tiled[0], whole[0].numpy(), rtol=1e-12, atol=1e-13)
