# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The rule that decides whether a result is right."""

import pytest
import torch

from tests.reference.tolerance import Budget, assert_close

BUDGET = Budget(factor=2.0, noise=1.0)


def close(actual, expected, plain, scale=0.0):
    assert_close("x", *map(torch.tensor, (actual, expected, plain)), BUDGET, 2.0**-7, scale)


def test_twice_the_error_of_plain_attention_passes():
    close([1.2], [1.0], [1.1])
    with pytest.raises(AssertionError, match="x: error"):
        close([1.3], [1.0], [1.1])
    close([1.0 + 2.0**-7], [1.0], [1.0], scale=1.0)


def test_nan_positions_come_first():
    """Before any number is compared: a NaN is never within a budget, and one that must be there may not be missing."""
    nan = float("nan")
    close([nan, 1.0], [nan, 1.0], [nan, 1.0])
    for actual, expected in (([nan, 1.0], [0.0, 1.0]), ([0.0, 1.0], [nan, 1.0])):
        with pytest.raises(AssertionError, match="NaN positions differ at 1 of 2 elements, first \\(0,\\)"):
            close(actual, expected, [100.0, 100.0], scale=1e9)


def test_infinities_must_agree():
    close([float("inf")], [float("inf")], [float("inf")])
    with pytest.raises(AssertionError):
        close([float("inf")], [1.0], [1.0], scale=1e9)
