# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Calls the operator on a case, for the tests of this folder."""

import ascend_flash_attention
import torch

from tests.reference.attention import AttentionResult, from_layout
from tests.system import contract_call


def call(case, query, key, value, mask=None):
    """Raw (out, max, sum, ...) for tensors in the case's layout."""
    return ascend_flash_attention.npu_flash_attention(
        query,
        key,
        value,
        head_num=case.n1,
        input_layout=case.layout,
        atten_mask=mask,
        scale=case.scale,
        **case.sparse,
    )


def call_inputs(case, inputs):
    """call() for tests.cases.inputs.Inputs; the aclnn functions where npu_flash_attention does not take it all."""
    if case.features:
        return contract_call.forward(case, inputs)
    return call(case, *inputs.in_layout(case.layout), inputs.mask)


def as_result(case, raw):
    """AttentionResult of what call() returned; out becomes BNSD."""
    if case.features:
        return contract_call.as_result(case, raw)
    out, row_max, row_sum = raw[:3]
    magnitude = torch.zeros(())
    return AttentionResult(from_layout(out, case.layout, case.n1), row_max, row_sum, magnitude)


def as_bytes(x):
    """The elements of a tensor as a 1-D uint8 tensor."""
    return x.clone(memory_format=torch.contiguous_format).flatten().view(torch.uint8)


def same_bits(a, b):
    """True if two tensors are equal as bytes (NaN equals NaN of the same bits, 0 differs from -0)."""
    return a.shape == b.shape and a.dtype == b.dtype and as_bytes(a).equal(as_bytes(b))
