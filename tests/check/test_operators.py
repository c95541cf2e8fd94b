# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The checked mode finds nothing in the operators: smoke table forward and backward, every strategy, every dtype."""

import pytest

from . import operators

SMOKE = operators.smoke_cases()
STRATEGIES = operators.strategy_cases()
MERGING = operators.merging_cases()


@pytest.fixture(scope="module", autouse=True)
def kernels():
    return operators.load_all_kernels()


def assert_clean(result):
    report, same = result
    assert not report.findings, f"\n{report}"
    assert same, "other bits than the fast mode's"


@pytest.mark.parametrize("case", SMOKE, ids=[case.name for case in SMOKE])
def test_forward(case, seed):
    assert_clean(operators.check_forward(case, seed))


@pytest.mark.parametrize("case", SMOKE, ids=[case.name for case in SMOKE])
def test_gradient(case, seed):
    assert_clean(operators.check_gradient(case, seed))


@pytest.mark.parametrize("case", MERGING, ids=[case.dtype for case in MERGING])
def test_merged_chunks_of_many_blocks(case, seed):
    assert_clean(operators.check_forward(case, seed))


@pytest.mark.parametrize(
    ("case", "strategy"), STRATEGIES, ids=[f"{strategy}-{case.name}" for case, strategy in STRATEGIES]
)
def test_strategy(case, strategy):
    assert_clean(operators.check_strategy(case, strategy))
