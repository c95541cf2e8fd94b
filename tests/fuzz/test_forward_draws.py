# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Random dense problems, larger ones, through npu_flash_attention. FA_LARGE_DRAWS: how many (40)."""

import os
import random

import pytest

from tests.fuzz.draw import draw_case, window_is_legal
from tests.reference.visibility import UNLIMITED
from tests.system.forward_check import check_case

DRAWS = int(os.environ.get("FA_LARGE_DRAWS", "40"))


@pytest.mark.parametrize("draw", range(DRAWS))
def test_forward_draw(draw, seed, request):
    asked = request.config.getoption("--case-steps").split(",")
    steps = [step for step in asked if step != "contract"] or ["breadth"]
    case = draw_case(random.Random(seed), steps[draw % len(steps)])
    print(case.name)  # shown on failure
    check_case(case, seed)


@pytest.mark.parametrize(
    ("mode", "s1", "s2", "pre", "following", "legal"),
    [
        (0, 1024, 1024, -512, -512, False),
        (4, 1024, 1024, 512, -1024, False),
        (0, 2048, 2048, 1024, -900, True),
        (0, 9, 9, 9, -3, True),
        (4, 128, 1024, 500, 300, True),
        (4, 4, 100, -1, -1, False),
        (1, 4, 4, -1, -1, True),
        (0, 5, 5, UNLIMITED, UNLIMITED, True),
    ],
)
def test_window_rule_of_the_draws(mode, s1, s2, pre, following, legal):
    assert window_is_legal(mode, s1, s2, pre, following) == legal
