# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Mutants that change nothing that could go wrong, and why."""

# file, line before the mutated one, line behind it ("" for any), reason
SURVIVORS = (
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
        "AscendC::Add(sum, sum, stackSum, rows);",
        "",
        "sum is next used behind another stack's barriers",
    ),
    (
        "fa_output.h",
        "pv.Init(sliceRows * pitch, ub);",
        "",
        "the merge's O follows in UB: loaded behind the state's store, and stored before the next state's O",
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
    (
        "fag_block_vec.h",
        "AscendC::Muls(delta, delta, tiling->problem.dropout.keepProb, blocks);",
        "",
        "sum and delta are next used behind other barriers",
    ),
    ("fag_shift_gradient.h", "}", "}", "MTE3 waits for V, dS is next written behind other barriers"),
    ("fag_shift_store.h", "if (scales) {", "", "the last buffer in UB"),
    ("fag_shift_rows.h", "sums = ub.template Take<float>(2 * 2 * ELEMS);", "", "the last buffer in UB"),
    ("fag_sink.h", "AscendC::Duplicate(total, 0.0f, ELEMS);", "", "AddPass has barriers before it uses it"),
    ("fag_sink.h", "statistics = ub.template Take<float>(2 * STATISTICS * ELEMS);", "", "its last buffer in UB"),
)


# Sizes and arithmetic that may as well be another: file, what is replaced, by what, reason
EQUIVALENT = (
    ("fa_block_cube.h", "FaAlign(part.d, Traits::c0)", "(part.d)", "FaClearNzPadding aligns it itself"),
    ("fa_block_cube.h", "FaAlign(task.cols, 16)", "(task.cols)", "Mmad ignores what lies beyond k"),
    ("fa_block_cube.h", "piece.n1, piece.q0)", "piece.n1, block.q0)", "the first piece begins where its tile does"),
    ("fa_block_vec.h", "rows.count > 0", "rows.count >= 0", "the end of a stack of no rows: instructions on nothing"),
    ("fa_box_matmul.h", "< 10)", "<= 10)", "a barrier more"),
    ("fa_cube_copy.h", "> copiedCols", ">= copiedCols", "nothing is cleared then"),
    ("fa_cube_copy.h", "padRows > 0", "padRows >= 0", "nothing is cleared then"),
    ("fa_cube_copy.h", "srcDValue =", "params.srcDValue + 1", "the pitch of a single row"),
    ("fa_kernel.h", "done < issued) {", "done <= issued) {", "done stays `preload` behind issued"),
    ("fa_mask_param.h", "FaMin(q1 - 1", "FaMin(q1 - 0", "one key more is looked at, and hidden"),
    ("fa_mask_param.h", "(k - (q1 - 1)", "(k - (q1 - 0)", "a full tile is taken for a partial one"),
    ("fa_mask_param.h", "(k1 - 1 - q0 < mask.lo", "(k1 - 0 - q0 < mask.lo", "a hidden tile is taken for a partial one"),
    ("fa_mask_param.h", "mask.prefix > 0", "mask.prefix >= 0", "more keys are looked at, and hidden"),
    ("fa_host_device.h", "a > b", "a >= b", "the maximum of equal numbers"),
    ("fa_host_device.h", "a < b", "a <= b", "the minimum of equal numbers"),
    ("fa_mask_param.h", "FaMin(mask.prefix, s2)", "FaMax(mask.prefix, s2)", "more keys are looked at, and hidden"),
    ("fa_mask_tensor.h", "FaAlign(elems, 128)", "(elems)", "a tile is whole repeats already"),
    ("fa_mask_tensor.h", "tileRow + row + 1)", "tileRow + row + 0)", "only where the piece begins is used"),
    ("fa_output.h", "task.last && task.cols > 0", "task.last && task.cols >= 0", "what is stored is not merged"),
    ("fa_gm_rows.h", "FaAlign(rowBytes, 32)", "(rowBytes)", "the division rounds the difference down"),
    ("fa_seq_layout.h", "(block.rows + 1)", "(block.rows + 0)", "both AIVs split the rows alike"),
    ("fa_strategies.h", "FA_BOX_ROWS = 128", "128 / 2", "smaller boxes are slower, not wrong"),
    ("fa_task_cursor.h", "kvChunks - 1", "kvChunks - 0", "the block is computed twice, alike"),
    ("fag_kernel.h", "done < issued) {", "done <= issued) {", "done stays behind issued"),
    ("fag_pair_walk.h", "level < LEVELS", "level <= LEVELS", "pairs without work are visited, too"),
    ("fag_shift_cursor.h", "key < segment.s2", "key <= segment.s2", "there is no tile then"),
    ("fag_shift_cursor.h", "query < segment.s1", "query <= segment.s1", "there is no tile then"),
    ("fag_sink.h", "segment.s2 > 0", "segment.s2 >= 0", "delta is 0 there"),
    ("fag_shift_gradient.h", "run.cols > 0", "run.cols >= 0", "a copy of no bytes"),
)


def replaces(entry, mutant):
    """Whether an entry of EQUIVALENT is about the mutant."""
    file, old, new, _ = entry
    return file == mutant.file and old in mutant.before and new in mutant.after and new not in mutant.before


def explanation(mutant):
    """Why the mutant may survive, None when it may not."""
    if mutant.category != "sync":
        return next((entry[-1] for entry in EQUIVALENT if replaces(entry, mutant)), None)
    for file, previous, following, reason in SURVIVORS:
        if (file, previous) == (mutant.file, mutant.previous) and following in ("", mutant.following):
            return reason
    return None
