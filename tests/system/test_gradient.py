# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Gradients of the cases of the table through autograd, against float64 autograd of the reference.

All smoke cases and, of every other group, each FA_GRADIENT_STRIDE-th case (3) from a random one on, other ones in every
run: the float64 gradients take most of the time. --case-tags and --case-steps choose as for the forward; FA_TEST_SEED
repeats the choice and the inputs of a run.
"""

import os
from itertools import groupby

from tests.cases.loader import load, select
from tests.conftest import BASE_SEED
from tests.system.gradient_check import check_case

STRIDE = int(os.environ.get("FA_GRADIENT_STRIDE", "3"))


def chosen_cases(options):
    cases = select(load(), options("--case-tags").split(","), options("--case-steps").split(","))
    for _, group in groupby(cases, key=lambda case: case.group):
        members = list(group)
        everything = "smoke" in members[0].tags or len(members) < STRIDE
        yield from members if everything else members[BASE_SEED % STRIDE :: STRIDE]


def pytest_generate_tests(metafunc):
    if "case" in metafunc.fixturenames:
        cases = list(chosen_cases(metafunc.config.getoption))
        metafunc.parametrize("case", cases, ids=[case.name for case in cases])


def test_gradient(case, seed, request):
    if case.features:  # small ones
        request.getfixturevalue("one_torch_thread")
    check_case(case, seed)
