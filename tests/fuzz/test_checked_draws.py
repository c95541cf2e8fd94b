# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The checked mode finds nothing in random problems; many more: python -m tests.fuzz --check --cases 2000.

FA_CHECKED_DRAWS: how many (150).
"""

import os
import random

import pytest

from tests.fuzz.check import check_findings
from tests.fuzz.contract_draw import draw_contract_case, draw_tuning
from tests.system.tuned import tuning

DRAWS = int(os.environ.get("FA_CHECKED_DRAWS", "150"))


@pytest.mark.usefixtures("one_torch_thread")
@pytest.mark.parametrize("draw", range(DRAWS))
def test_checked_draw(draw, seed):
    source = random.Random(seed)
    case, parameters = draw_contract_case(source), draw_tuning(source)
    print(case.name, parameters)  # shown on failure
    with tuning(parameters):
        check_findings(case, seed)
