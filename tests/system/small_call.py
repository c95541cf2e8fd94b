# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Short calls of npu_flash_attention and its reference for tests that check one thing."""

import torch
from ascend_flash_attention import npu_flash_attention

from tests.reference.attention import AttentionResult, attention
from tests.reference.plain import plain_attention
from tests.reference.tolerance import assert_attention

NAMES = ("out", "softmax_max", "softmax_sum")


def qkv(rng, *, b=1, heads=(1, 1), s=(4, 4), d=16, dtype=torch.float32):
    """query, key and value, BNSD. heads: N1, N2; s: S1, S2."""
    shapes = ((b, heads[0], s[0], d), *(((b, heads[1], s[1], d),) * 2))
    return tuple(torch.randn(shape, generator=rng).to(dtype) for shape in shapes)


def run(q, k, v, **options):
    """(out, max, sum) of BNSD tensors."""
    return npu_flash_attention(q, k, v, **options)[:3]


def check(q, k, v, *, mask=None, inner_precise=0, **problem):
    """Runs BNSD tensors and compares with the reference; returns what run() does. problem: as of the reference."""
    raw = run(q, k, v, atten_mask=mask, inner_precise=inner_precise, **problem)
    problem = {"scale": q.shape[3] ** -0.5, "mask": mask, **problem}
    result = AttentionResult(*raw, torch.zeros(()))
    assert_attention(result, attention(q, k, v, **problem), plain_attention(q, k, v, **problem))
    return raw


def visible_counts(s1, s2, **options):
    """Keys that each query sees: with zero queries every visible weight is 1. [S1], 0 for none."""
    q, k, v = torch.zeros(1, 1, s1, 8), torch.zeros(1, 1, s2, 8), torch.zeros(1, 1, s2, 8)
    row_sum = run(q, k, v, **options)[2][0, 0, :, 0]
    return torch.where(row_sum == torch.finfo(torch.float32).max, 0.0, row_sum).long().tolist()
