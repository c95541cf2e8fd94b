# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Forward and backward of a case through autograd, and the check of one case against the float64 reference."""

import torch

from tests.cases.inputs import make_inputs
from tests.reference.attention import from_layout, to_layout
from tests.reference.gradient import GradientResult, attention_grad, plain_attention_grad
from tests.reference.tolerance import assert_gradients
from tests.system.forward_call import call, same_bits


def draw_dy(case, seed):
    """Random gradient of attention_out, BNSD, of the case's dtype."""
    rng = torch.Generator().manual_seed(seed ^ 0x5EED)
    return torch.randn((case.b, case.n1, case.s1, case.dv), generator=rng).to(getattr(torch, case.dtype))


def gradients(case, query, key, value, dy, mask=None):
    """GradientResult of BNSD tensors, called in the case's layout."""
    leaves = [to_layout(x, case.layout).requires_grad_() for x in (query, key, value)]
    out = call(case, *leaves, mask)[0]
    grads = torch.autograd.grad(out, leaves, to_layout(dy, case.layout))
    heads = (case.n1, case.n2, case.n2)
    return GradientResult(*(from_layout(x, case.layout, n) for x, n in zip(grads, heads, strict=True)), ())


def assert_same_gradients(first, second, text):
    for name in ("dq", "dk", "dv"):
        assert same_bits(getattr(first, name), getattr(second, name)), f"{name}: {text}"


def check_case(case, seed):
    """Raises AssertionError if the gradients of a case are wrong or differ in a second run."""
    inputs = make_inputs(case, seed)
    dy = draw_dy(case, seed)
    tensors = (inputs.query, inputs.key, inputs.value, dy)
    actual = gradients(case, *tensors, inputs.mask)
    problem = {"scale": case.scale, "mask": inputs.mask, **case.sparse}
    expected = attention_grad(*tensors, **problem)
    assert_gradients(actual, expected, plain_attention_grad(*tensors, **problem), inputs.query.dtype)
    assert_same_gradients(actual, gradients(case, *tensors, inputs.mask), "a second run gave other bits")
