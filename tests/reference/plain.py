# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Plain unfused attention at the precision that the operator documents: the yardstick for errors.

16-bit inputs: scores and softmax in float32, the un-normalised weights rounded to the input dtype, out rounded once.
float32: everything in float32. A kernel may be wrong by a small multiple of what this is wrong by (tolerance.py).
"""

import torch

from .attention import FLT_MAX, ROW_STATE_COPIES, AttentionResult, mask_to_4d, visible_by_mode

CHUNK_ELEMENTS = 1 << 22  # float32 scores of one chunk: 16 MiB


def _attend(q, k, v, visible, scale):
    dtype = q.dtype
    scores = (q.float() @ k.float().T * scale).masked_fill(~visible, -FLT_MAX)
    sees = visible.any(dim=1)
    row_max = scores.amax(dim=1)
    p = torch.exp(scores - row_max[:, None]).masked_fill(~visible, 0.0)
    row_sum = torch.where(sees, p.sum(dim=1), FLT_MAX)
    out = (p.to(dtype).float() @ v.float() / row_sum[:, None]).to(dtype)
    return torch.where(sees[:, None], out, 0.0), row_max, row_sum


def plain_attention(q, k, v, *, scale, mask=None, **sparse):
    """Same arguments as attention.attention; out has q's dtype, max and sum are float32."""
    b, n1, s1, _ = q.shape
    _, n2, s2, dv = v.shape
    hidden = None if mask is None else mask_to_4d(mask, b, n1, s1, s2)
    out = torch.zeros(b, n1, s1, dv, dtype=q.dtype)
    row_max = torch.full((b, n1, s1), -FLT_MAX)
    row_sum = torch.full((b, n1, s1), FLT_MAX)
    rows = max(1, CHUNK_ELEMENTS // max(s2, 1))
    keys = torch.arange(s2)
    for ib in range(b):
        for head in range(n1 if s2 else 0):
            kv_head = head // (n1 // n2)
            for begin in range(0, s1, rows):
                at = slice(begin, min(begin + rows, s1))
                visible = visible_by_mode(torch.arange(at.start, at.stop)[:, None], keys[None], s1, s2, **sparse)
                if hidden is not None:
                    visible = visible & (hidden[ib, head, at] == 0)
                result = _attend(q[ib, head, at], k[ib, kv_head], v[ib, kv_head], visible, scale)
                for target, value in zip((out, row_max, row_sum), result, strict=True):
                    target[ib, head, at] = value
    copies = (b, n1, s1, ROW_STATE_COPIES)
    magnitude = torch.zeros(b, n1, s1)  # only the float64 reference has to give it
    return AttentionResult(out, row_max[..., None].expand(copies), row_sum[..., None].expand(copies), magnitude)
