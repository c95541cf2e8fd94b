# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Everything that torch allocates without filling starts as NaN in these tests, outputs and workspace included."""

import pytest
import torch


@pytest.fixture(autouse=True)
def poisoned_allocations():
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)  # with fill_uninitialized_memory, which is on by default
    assert torch.utils.deterministic.fill_uninitialized_memory
    assert torch.empty(3).isnan().all()
    yield
    torch.use_deterministic_algorithms(before)
