# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A product has read its rows of GM when other cores, told that they are copied to L1, overwrite them."""

import numpy as np
import pytest

SIDE = 16


@pytest.mark.parametrize("groups, threads", [(2, 1), (5, 2)])
@pytest.mark.parametrize("teller", range(3), ids=["the group's AIV", "flags of all AICs", "all cores"])
def test_rows_are_overwritten_by_others(seed, kernel_file, teller, groups, threads):
    rows = np.random.default_rng(seed).integers(-50, 50, (groups, SIDE, SIDE)).astype(np.float32)
    p, sums = rows.copy(), np.full_like(rows, np.nan)
    tiling = np.array([teller, 0], np.uint32)
    kernel_file("deferred_cores").launch(groups, p, sums, tiling=tiling, threads=threads)
    assert (p == 77).all()
    np.testing.assert_array_equal(sums, np.broadcast_to(rows.sum(axis=2, keepdims=True), sums.shape))
