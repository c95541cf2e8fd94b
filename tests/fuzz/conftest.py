# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Poisoned allocations, as in the system tests."""

from tests.system.conftest import poisoned_allocations

__all__ = ["poisoned_allocations"]
