# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Every case of the table through npu_flash_attention, against the float64 reference, with fresh random inputs.

--case-tags and --case-steps choose the cases; FA_TEST_SEED repeats the inputs of a run.
"""

from tests.cases.loader import load, select
from tests.system.forward_check import check_case


def pytest_generate_tests(metafunc):
    if "case" in metafunc.fixturenames:
        options = metafunc.config.getoption
        cases = select(load(), options("--case-tags").split(","), options("--case-steps").split(","))
        metafunc.parametrize("case", cases, ids=[case.name for case in cases])


def test_forward(case, seed, request):
    if case.features:  # small ones
        request.getfixturevalue("one_torch_thread")
    check_case(case, seed)
