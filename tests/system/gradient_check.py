# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Forward and backward of a case through autograd, and the check of one case against the float64 reference."""

import torch

from tests.cases.contract_inputs import reference_gradient
from tests.cases.inputs import make_inputs
from tests.reference.attention import from_layout, to_layout
from tests.reference.gradient import NAMES, GradientResult, attention_grad, plain_attention_grad
from tests.reference.tolerance import assert_gradients
from tests.system import contract_call
from tests.system.forward_call import call, same_bits


def draw_dy(case, seed):
    """Random gradient of attention_out, BNSD, of the case's dtype."""
    rng = torch.Generator().manual_seed(seed ^ 0x5EED)
    b, s1, _ = case.sizes
    return torch.randn((b, case.n1, s1, case.dv), generator=rng).to(getattr(torch, case.dtype))


def gradients(case, query, key, value, dy, mask=None):
    """GradientResult of BNSD tensors, called in the case's layout."""
    leaves = [to_layout(x, case.layout).requires_grad_() for x in (query, key, value)]
    out = call(case, *leaves, mask)[0]
    grads = torch.autograd.grad(out, leaves, to_layout(dy, case.layout))
    heads = (case.n1, case.n2, case.n2)
    return GradientResult(*(from_layout(x, case.layout, n) for x, n in zip(grads, heads, strict=True)), ())


def case_gradients(case, inputs, dy):
    """The same for tests.cases.inputs.Inputs; the aclnn functions where npu_flash_attention does not take it all."""
    if case.features:
        return contract_call.gradients(case, inputs, dy)
    return gradients(case, inputs.query, inputs.key, inputs.value, dy, inputs.mask)


def assert_same_gradients(first, second, text):
    for name in NAMES:
        if getattr(first, name) is None:
            continue
        assert same_bits(getattr(first, name), getattr(second, name)), f"{name}: {text}"


def check_case(case, seed):
    """Raises AssertionError if the gradients of a case are wrong or differ in a second run."""
    inputs = make_inputs(case, seed)
    dy = draw_dy(case, seed)
    actual = case_gradients(case, inputs, dy)
    functions = (attention_grad, plain_attention_grad)
    expected, plain = (reference_gradient(function, case, inputs, dy) for function in functions)
    assert_gradients(actual, expected, plain, inputs.query.dtype)
    assert_same_gradients(actual, case_gradients(case, inputs, dy), "a second run gave other bits")
