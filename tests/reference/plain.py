# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Plain unfused attention at the precision that the operator documents: the yardstick for errors.

16-bit inputs: scores and softmax in float32, the un-normalised weights rounded to the input dtype, out rounded once.
float32: everything in float32. A kernel may be wrong by a small multiple of what this is wrong by (tolerance.py).
"""

import torch

from .attention import AttentionResult, blind_state, row_state, times_values, with_copies
from .problem import Problem, row_chunks, sizes_of

CHUNK_ELEMENTS = 1 << 22  # float32 scores of one chunk: 16 MiB


def _attend(q, k, v, terms, problem, sink):
    dtype = q.dtype
    p, row_max, row_sum = row_state(problem.scores(q.float(), k.float(), terms.shift), terms.visible, sink)
    kept = p if terms.keep is None else p * terms.keep
    out = times_values(kept.to(dtype).float(), v.float()) / (row_sum * problem.keep_prob)[..., None]
    return torch.where(terms.visible.any(dim=2)[..., None], out.to(dtype), 0.0), row_max, row_sum


def plain_attention(q, k, v, **problem):
    """Same arguments as attention.attention; out has q's dtype, max and sum are float32."""
    problem, sizes = Problem(**problem), sizes_of(q, k)
    out = torch.zeros(*sizes[:3], v.shape[3], dtype=q.dtype)
    row_max, row_sum = blind_state(sizes[:3], problem.sink, torch.float32)
    for batch, at in row_chunks(sizes, 1, CHUNK_ELEMENTS):
        terms = problem.terms(sizes, batch, at, torch.float32)
        result = _attend(q[batch, :, at], k[batch], v[batch], terms, problem, problem.sink)
        for target, value in zip((out, row_max, row_sum), result, strict=True):
            target[batch, :, at] = value
    magnitude = torch.zeros(sizes[:3])  # only the float64 reference has to give it
    return AttentionResult(out, with_copies(row_max), with_copies(row_sum), magnitude)
