# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Features of cases (Case.features) that the operators compute; what is not listed yet is refused by name."""

import pytest

FORWARD = frozenset(
    ("tnd", "prefix", "pse", "packed pse", "alibi", "slopes", "dropout", "sink", "rope"),
)
GRADIENT = FORWARD


def runs_forward(case):
    return case.features <= FORWARD


def runs_backward(case):
    return case.features <= FORWARD & GRADIENT


def needs(*features):
    """Marks a test of features that are not computed yet."""
    missing = ", ".join(sorted(set(features) - FORWARD))
    return pytest.mark.skipif(bool(missing), reason=f"{missing}: not computed yet")
