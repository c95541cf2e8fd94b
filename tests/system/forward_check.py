# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The check of one forward case: against the float64 reference, and that a second run gives the same bits."""

from tests.cases.contract_inputs import reference
from tests.cases.inputs import make_inputs
from tests.reference.attention import attention
from tests.reference.plain import plain_attention
from tests.reference.tolerance import assert_attention
from tests.system.forward_call import as_result, call_inputs, same_bits


def check_case(case, seed):
    """Raises AssertionError if the operator is wrong on a case with the inputs of a seed."""
    inputs = make_inputs(case, seed)
    raw = call_inputs(case, inputs)
    expected, plain = (reference(function, case, inputs) for function in (attention, plain_attention))
    assert raw[0].dtype == inputs.query.dtype
    assert_attention(as_result(case, raw), expected, plain)

    again = call_inputs(case, inputs)
    for name, first, second in zip(("out", "softmax_max", "softmax_sum"), raw, again, strict=False):
        assert same_bits(first, second), f"{name}: a second run with the same inputs gave other bits"
