# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A sample of the mutants, drawn by the test's seed; all of them: python -m tests.mutation."""

import random

import pytest

from . import runner
from .mutants import CATEGORIES, generate
from .survivors import EQUIVALENT, SURVIVORS, explanation, replaces

SAMPLE = 2
MUTANTS = list(generate(runner.ROOT))


@pytest.mark.slow
def test_unchanged_kernels_are_right_and_clean():
    for operator in (runner.FORWARD, runner.GRADIENT):
        for problems in runner.by_kernel(operator):
            assert runner.run_kernel(runner.ROOT, runner.ROOT / "build" / "check", problems, True) == ""


def test_every_explanation_is_of_a_mutant():
    explained = {explanation(mutant) for mutant in MUTANTS} - {None}
    assert explained == {reason for *_, reason in SURVIVORS}


def test_every_equivalence_is_of_a_mutant():
    others = [mutant for name in CATEGORIES if name != "sync" for mutant in generate(runner.ROOT, name)]
    assert [entry for entry in EQUIVALENT if not any(replaces(entry, mutant) for mutant in others)] == []


@pytest.mark.slow
@pytest.mark.parametrize("draw", range(SAMPLE))
def test_mutant_is_found_out(draw, seed):
    mutant = random.Random(seed).choice([each for each in MUTANTS if not explanation(each)])
    found = runner.kill(mutant)
    assert found and not found.startswith(runner.NOT_COMPILED), mutant.name
