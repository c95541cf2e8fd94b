# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The checks of one random case, forward and gradient, through the aclnn functions."""

from ascendc_cpu.findings import check_session

from tests.cases.contract_inputs import reference, reference_gradient
from tests.cases.inputs import make_inputs
from tests.check.operators import load_all_kernels
from tests.reference.attention import attention
from tests.reference.gradient import attention_grad, plain_attention_grad
from tests.reference.plain import plain_attention
from tests.reference.tolerance import assert_attention, assert_gradients
from tests.system import contract_call
from tests.system.forward_call import same_bits
from tests.system.gradient_check import assert_same_gradients, draw_dy


def check(case, seed, twice):
    """Raises AssertionError if a result is wrong, or, with `twice`, if a second run gives other bits."""
    inputs = make_inputs(case, seed)
    raw = contract_call.forward(case, inputs)
    expected, plain = (reference(function, case, inputs) for function in (attention, plain_attention))
    assert_attention(contract_call.as_result(case, raw), expected, plain)
    if twice:
        again = contract_call.forward(case, inputs)
        assert all(map(same_bits, raw, again)), "a second forward run gave other bits"
    dy = draw_dy(case, seed)
    actual = contract_call.gradients(case, inputs, dy, raw)
    functions = (attention_grad, plain_attention_grad)
    expected, plain = (reference_gradient(function, case, inputs, dy) for function in functions)
    assert_gradients(actual, expected, plain, inputs.query.dtype)
    if twice:
        assert_same_gradients(actual, contract_call.gradients(case, inputs, dy, raw), "a second run gave other bits")


def check_findings(case, seed):
    """Raises AssertionError if the checked mode finds anything."""
    load_all_kernels()
    inputs = make_inputs(case, seed)
    with check_session() as reports:
        raw = contract_call.forward(case, inputs)
        contract_call.gradients(case, inputs, draw_dy(case, seed), raw)
    assert not reports[0].findings, str(reports[0])
