# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Flash attention in a few lines of numpy: the algorithm of the kernel without its hardware. For reading.

A tile of queries walks over the keys block by block and keeps, for every row, the largest score so far (m), the sum of
exp(score - m) (total) and the weighted sum of values (acc). A block changes the maximum from m to mNew; what was summed
before was relative to m, so it is corrected once by exp(m - mNew). The block's own weights are already relative to
mNew and need no correction. A frequent mistake in published pseudo-code is to correct them too, by
exp(max of the block - mNew): right only for weights that were taken relative to the block's own maximum.
"""

import numpy as np

MASKED = -np.finfo(np.float32).max
NO_KEY_SUM = np.finfo(np.float32).max


def block_step(state, scores, visible, v):
    """Adds one block of keys to the state (m [R], total [R], acc [R,Dv]) of R query rows.

    scores [R,K] are scaled; visible [R,K]; v [K,Dv].
    """
    m, total, acc = state
    scores = np.where(visible, scores, MASKED)
    m_new = np.maximum(m, scores.max(axis=1))
    # A row that has seen nothing yet has m_new = MASKED; the floor makes its weights exp(-huge) = 0 instead of exp(0).
    base = np.maximum(m_new, MASKED / 2)
    p = np.exp(scores - base[:, None])
    correction = np.exp(m - base)
    return m_new, total * correction + p.sum(axis=1), acc * correction[:, None] + p @ v


def finish(state):
    """(out, max, sum); a row that saw no key has out 0, max -FLT_MAX, sum FLT_MAX."""
    m, total, acc = state
    empty = total == 0
    out = acc / np.where(empty, 1.0, total)[:, None]
    return np.where(empty[:, None], 0.0, out), m, np.where(empty, NO_KEY_SUM, total)


def tiled_attention(q, k, v, scale, visible, q_tile=128, kv_block=512, step=block_step):
    """One head in float64: q [S1,D], k [S2,D], v [S2,Dv], visible [S1,S2] bool -> out [S1,Dv], max [S1], sum [S1]."""
    s1, s2, dv = q.shape[0], k.shape[0], v.shape[1]
    out, row_max, row_sum = np.empty((s1, dv)), np.empty(s1), np.empty(s1)
    for q0 in range(0, s1, q_tile):
        rows = slice(q0, min(q0 + q_tile, s1))
        n = rows.stop - rows.start
        state = np.full(n, MASKED, dtype=np.float64), np.zeros(n), np.zeros((n, dv))
        for k0 in range(0, s2, kv_block):
            keys = slice(k0, k0 + kv_block)
            scores = q[rows] @ k[keys].T * scale
            state = step(state, scores, visible[rows, keys], v[keys])
        out[rows], row_max[rows], row_sum[rows] = finish(state)
    return out, row_max, row_sum
