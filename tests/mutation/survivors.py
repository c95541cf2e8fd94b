# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Mutants that change nothing that could go wrong, and why."""

SURVIVORS = {}  # (file, text of the line before) -> reason


def explanation(mutant):
    """Why the mutant may survive, None when it may not."""
    return SURVIVORS.get((mutant.file, mutant.before.strip()))
