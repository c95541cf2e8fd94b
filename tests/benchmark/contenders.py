# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What is timed: functions (case, inputs) -> callable without arguments that returns out [B,N1,S1,Dv].

A contender that cannot take a case raises NotApplicable.
"""

from dataclasses import replace

import torch
from torch.nn.functional import scaled_dot_product_attention

from tests.benchmark import onnxruntime_attention
from tests.benchmark.not_applicable import NotApplicable
from tests.reference.attention import from_layout
from tests.reference.visibility import UNLIMITED, mask_to_4d, visible_by_mode

BASELINE = "sdpa"


def visible_pairs(case):
    """(query, key) pairs that the sparse mode shows, for one head of one batch."""
    keys = torch.arange(case.s2)[None]
    rows = torch.arange(case.s1).split(1024)
    return sum(int(visible_by_mode(i[:, None], keys, case.s1, case.s2, **case.sparse).sum()) for i in rows)


def useful_flops(case):
    """Multiplications and additions of both matrix products, hidden pairs of the sparse mode not counted."""
    return 2 * case.b * case.n1 * visible_pairs(case) * (case.d + case.dv)


def is_dense(case):
    unlimited = (case.pre_tokens, case.next_tokens) == (UNLIMITED, UNLIMITED)
    return case.mask is None and (case.sparse_mode == 1 or (case.sparse_mode == 0 and unlimited))


def is_causal(case):
    return case.mask is None and (case.sparse_mode == 2 or (case.sparse_mode == 3 and case.s1 == case.s2))


def _visible_mask(case, inputs):
    """Bool [.., S1,S2], True = visible; None if everything is."""
    if is_dense(case):
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
    if is_causal(case):
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


def folded(case, inputs):
    """torch SDPA on GQA problems, the query heads of a key head as more rows of it: K and V are read once a group."""
    group = case.n1 // case.n2
    visible = _visible_mask(case, inputs)
    if group == 1:
        raise NotApplicable("no query heads share a key head")
    if visible is not None and visible.dim() > 2:
        raise NotApplicable("the mask tensor has heads")
    mask = None if visible is None else visible.repeat(group, 1)
    rows = inputs.query.reshape(case.b, case.n2, group * case.s1, case.d)

    def run():
        out = scaled_dot_product_attention(rows, inputs.key, inputs.value, attn_mask=mask, scale=case.scale)
        return out.reshape(case.b, case.n1, case.s1, case.dv)

    return run


def onnxruntime(case, inputs):
    """onnxruntime's Attention operator."""
    if not (is_dense(case) or (is_causal(case) and case.s1 == case.s2)):
        raise NotApplicable("measured without a mask or causal")
    return onnxruntime_attention.build(case, inputs, causal=not is_dense(case))


def read(case, inputs):
    """Not attention: torch sums K and V, reading both once. Returns a number.

    A bound for decode steps, if not the last one: eight AVX-512 sums in a loop of their own read 1.2 times as fast.
    """
    if case.s1 > 1:
        raise NotApplicable("a bound for decode steps only")
    if case.dtype != "float32":
        raise NotApplicable("torch sums 16-bit numbers slower than it reads them")
    return lambda: inputs.key.sum() + inputs.value.sum()


CONTENDERS = {BASELINE: sdpa, "ours": ours, "unfused": unfused, "folded": folded, "onnxruntime": onnxruntime,
              "read": read}  # fmt: skip


def training(build, case, inputs):
    """Forward and gradient of a contender: callable that returns (dq, dk, dv)."""
    if build in (onnxruntime, read):
        raise NotApplicable("has no gradient")
    leaves = [x.detach().clone().requires_grad_() for x in (inputs.query, inputs.key, inputs.value)]
    run = build(case, replace(inputs, query=leaves[0], key=leaves[1], value=leaves[2]))
    dy = torch.randn(case.b, case.n1, case.s1, case.dv, generator=torch.Generator().manual_seed(3)).to(leaves[0].dtype)
    return lambda: torch.autograd.grad(run(), leaves, dy)
