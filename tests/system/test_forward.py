# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Every case of the table through npu_flash_attention, against the float64 reference, with fresh random inputs.

--case-tags and --case-steps choose the cases; FA_TEST_SEED repeats the inputs of a run.
"""

from tests.cases.inputs import make_inputs
from tests.cases.loader import load, select
from tests.reference.attention import attention
from tests.reference.plain import plain_attention
from tests.reference.tolerance import assert_attention
from tests.system.forward_call import as_result, call_inputs, same_bits


def pytest_generate_tests(metafunc):
    if "case" in metafunc.fixturenames:
        options = metafunc.config.getoption
        cases = select(load(), options("--case-tags").split(","), options("--case-steps").split(","))
        metafunc.parametrize("case", cases, ids=[case.name for case in cases])


def test_forward(case, seed):
    inputs = make_inputs(case, seed)
    raw = call_inputs(case, inputs)
    problem = {"scale": case.scale, "mask": inputs.mask, **case.sparse}
    expected = attention(inputs.query, inputs.key, inputs.value, **problem)
    plain = plain_attention(inputs.query, inputs.key, inputs.value, **problem)
    assert raw[0].dtype == inputs.query.dtype
    assert_attention(as_result(case, raw), expected, plain)

    again = call_inputs(case, inputs)
    for name, first, second in zip(("out", "softmax_max", "softmax_sum"), raw, again, strict=False):
        assert same_bits(first, second), f"{name}: a second run with the same inputs gave other bits"
