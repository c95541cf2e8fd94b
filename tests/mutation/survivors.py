# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Mutants that change nothing that could go wrong, and why."""

# (file, line before the mutated one) -> reason
SURVIVORS = {
    (
        "fa_combine.h",
        "AscendC::Add(sum, sum, partSum, FA_PASS_ROWS);",
    ): "rowOps.Apply, which follows, has a barrier first",
    ("fa_mask.h", "AscendC::Duplicate(neg, FA_NEG, FA_LANES);"): "the first Select comes after many other barriers",
    ("fa_mask.h", "}"): "the same for the table of the rule",
}


def explanation(mutant):
    """Why the mutant may survive, None when it may not."""
    return SURVIVORS.get((mutant.file, mutant.previous))
