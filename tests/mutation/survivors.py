# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Mutants that change nothing that could go wrong, and why."""

# file, line before the mutated one, line behind it ("" for any), reason
SURVIVORS = (
    (
        "fa_box_matmul.h",
        "l0c.Init(pipe, 4 * FA_BOX_BYTES);",
        "",
        "a view: halves are found by offset, l0a.Init bounds it",
    ),
    ("fa_box_matmul.h", "left = l0a.template Take<T>(2 * BOX_ELEMS);", "", "the same for l0b"),
    (
        "fa_combine.h",
        "AscendC::Add(sum, sum, partSum, FA_PASS_ROWS);",
        "",
        "rowOps.Apply follows, with a barrier first",
    ),
    ("fa_mask.h", "AscendC::Duplicate(neg, FA_NEG, FA_LANES);", "", "the first Select comes after many other barriers"),
    ("fa_mask.h", "}", "}", "the same for the table of the rule"),
    (
        "fa_online_softmax.h",
        "AscendC::Add(sum, sum, stepSum, rows);",
        "",
        "sum is next used behind another pass's barriers",
    ),
    (
        "fa_output.h",
        "pv = ub.template Take<float>(2 * sliceRows * pitch);",
        "",
        "behind it lies what the merge alone uses",
    ),
    ("fa_output.h", "rings->pv.EndRead();", "", "O is next used after the barrier behind the next Brcb"),
    ("fag_block_cube.h", "AscendC::SetAtomicNone();", "", "the L0C ring's flags order stores that are two apart"),
    (
        "fag_rows.h",
        "AscendC::Duplicate(in, static_cast<T>(0), static_cast<int32_t>(2 * 2 * elems));",
        "",
        "V uses what is cleared after the barriers of the first pass",
    ),
    ("fag_rows.h", "rings.out.EndRead();", "", "sums is written again after the barriers of the next pass"),
    (
        "fag_rows.h",
        "rings.in.EndRead();",
        "return result;",
        "both change with the slot, the rings order their next use",
    ),
)


def explanation(mutant):
    """Why the mutant may survive, None when it may not."""
    for file, previous, following, reason in SURVIVORS:
        if (file, previous) == (mutant.file, mutant.previous) and following in ("", mutant.following):
            return reason
    return None
