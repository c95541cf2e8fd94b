# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A product has read its rows of GM when other cores, told that they are copied to L1, overwrite them; and it is in L0C
when they overwrite the rows that it has been stored to."""

import numpy as np
import pytest

SIDE = 16


@pytest.mark.parametrize("groups, threads", [(2, 1), (5, 2)])
@pytest.mark.parametrize("overwritten", ["operand", "result"])
@pytest.mark.parametrize("teller", range(3), ids=["the group's AIV", "flags of all AICs", "all cores"])
def test_rows_are_overwritten_by_others(seed, kernel_file, teller, overwritten, groups, threads):
    rows = np.random.default_rng(seed).integers(-50, 50, (groups, SIDE, SIDE)).astype(np.float32)
    p, sums, again = rows.copy(), np.full_like(rows, np.nan), np.full_like(rows, np.nan)
    tiling = np.array([teller, overwritten == "result"], np.uint32)
    kernel_file("deferred_cores").launch(groups, p, sums, again, tiling=tiling, threads=threads)
    expected = np.broadcast_to(rows.sum(axis=2, keepdims=True), sums.shape)
    np.testing.assert_array_equal(again, expected)
    np.testing.assert_array_equal(p, rows if overwritten == "result" else np.full_like(rows, 77))
    np.testing.assert_array_equal(sums, np.full_like(sums, 77) if overwritten == "result" else expected)
