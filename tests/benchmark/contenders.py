# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What is timed: functions (case, inputs) -> callable without arguments that returns out [B,N1,S1,Dv]."""

import torch
from torch.nn.functional import scaled_dot_product_attention

from tests.reference.attention import UNLIMITED, from_layout, mask_to_4d, visible_by_mode

BASELINE = "sdpa"


def visible_pairs(case):
    """(query, key) pairs that the sparse mode shows, for one head of one batch."""
    keys = torch.arange(case.s2)[None]
    rows = torch.arange(case.s1).split(1024)
    return sum(int(visible_by_mode(i[:, None], keys, case.s1, case.s2, **case.sparse).sum()) for i in rows)


def useful_flops(case):
    """Multiplications and additions of both matrix products, hidden pairs of the sparse mode not counted."""
    return 2 * case.b * case.n1 * visible_pairs(case) * (case.d + case.dv)


def _is_dense(case):
    unlimited = (case.pre_tokens, case.next_tokens) == (UNLIMITED, UNLIMITED)
    return case.mask is None and (case.sparse_mode == 1 or (case.sparse_mode == 0 and unlimited))


def _is_causal(case):
    return case.mask is None and (case.sparse_mode == 2 or (case.sparse_mode == 3 and case.s1 == case.s2))


def _visible_mask(case, inputs):
    """Bool [.., S1,S2], True = visible; None if everything is."""
    if _is_dense(case):
        return None
    rows, keys = torch.arange(case.s1)[:, None], torch.arange(case.s2)[None]
    visible = visible_by_mode(rows, keys, case.s1, case.s2, **case.sparse)
    if inputs.mask is not None:
        visible = visible & (mask_to_4d(inputs.mask, case.b, case.n1, case.s1, case.s2) == 0)
    return visible


def ours(case, inputs):
    """npu_flash_attention in the case's layout."""
    import ascend_flash_attention  # not at the top: the other contenders can be timed without it

    query, key, value = inputs.in_layout(case.layout)
    options = {"head_num": case.n1, "input_layout": case.layout, "atten_mask": inputs.mask, "scale": case.scale}
    options |= case.sparse

    def run():
        out = ascend_flash_attention.npu_flash_attention(query, key, value, **options)[0]
        return from_layout(out, case.layout, case.n1)

    return run


def sdpa(case, inputs):
    """torch SDPA on BNSD tensors."""
    options = {"scale": case.scale, "enable_gqa": case.n1 != case.n2}
    if _is_causal(case):
        options["is_causal"] = True
    else:
        options["attn_mask"] = _visible_mask(case, inputs)
    return lambda: scaled_dot_product_attention(inputs.query, inputs.key, inputs.value, **options)


def unfused(case, inputs):
    """Two matrix products and a softmax in the input dtype, the score matrix in memory."""
    visible = _visible_mask(case, inputs)
    group = case.n1 // case.n2

    def run():
        key = inputs.key.repeat_interleave(group, 1) if group > 1 else inputs.key
        value = inputs.value.repeat_interleave(group, 1) if group > 1 else inputs.value
        scores = inputs.query @ key.transpose(2, 3) * case.scale
        if visible is not None:
            scores = scores.masked_fill(~visible, float("-inf"))
        return scores.softmax(-1) @ value

    return run


CONTENDERS = {BASELINE: sdpa, "ours": ours, "unfused": unfused}
