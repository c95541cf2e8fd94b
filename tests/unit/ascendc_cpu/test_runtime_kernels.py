# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Whole kernels: a vector kernel with queues, and a mix kernel whose two sides hand tiles over."""

import numpy as np
import pytest


@pytest.mark.parametrize("cores, tiles, length", [(1, 1, 16), (8, 7, 128), (48, 2, 2048)])
def test_add_through_queues(kernel_file, seed, cores, tiles, length):
    kernel = kernel_file("queue_add")
    random = np.random.default_rng(seed)
    x, y = (random.standard_normal(cores * tiles * length).astype(np.float16) for _ in range(2))
    guarded = np.full(x.size + 32, np.nan, np.float16)
    kernel.launch(cores, x, y, guarded[16:-16], tiling=np.array([tiles, length], np.uint32), threads=2)
    np.testing.assert_array_equal(guarded[16:-16], x + y)
    assert np.isnan(guarded[:16]).all() and np.isnan(guarded[-16:]).all()


@pytest.mark.parametrize("ctype, dtype", [("half", np.float16), ("float", np.float32)])
@pytest.mark.parametrize("groups, blocks, n, k", [(1, 1, 16, 16), (3, 2, 32, 64), (5, 23, 64, 32), (24, 25, 48, 16)])
def test_matmul_then_exp(kernel_file, seed, ctype, dtype, groups, blocks, n, k):
    kernel = kernel_file("mix_exp", dtypes={"DTYPE_A": ctype})
    random = np.random.default_rng(seed)
    a = random.uniform(-1, 1, (blocks * 32, k)).astype(dtype)
    b = random.uniform(-1, 1, (n, k)).astype(dtype)
    expected = np.exp(a.astype(np.float64) @ b.astype(np.float64).T)
    first = None
    for threads in (1, 2, 5):
        guarded = np.full((blocks * 32 + 2, n), np.nan, np.float32)
        workspace = np.full(groups * 2 * 32 * n, np.nan, np.float32)
        kernel.launch(groups, a, b, guarded[1:-1], workspace, tiling=np.array([blocks, n, k, 0], np.uint32),
                      threads=threads)  # fmt: skip
        np.testing.assert_allclose(guarded[1:-1], expected, rtol=1e-5)
        assert np.isnan(guarded[[0, -1]]).all()
        first = guarded if first is None else first
        np.testing.assert_array_equal(guarded, first)


def test_matmul_through_queues(kernel_file, seed):
    kernel = kernel_file("queue_matmul")
    random = np.random.default_rng(seed)
    a, b = (random.uniform(-1, 1, (32, 32)).astype(np.float16) for _ in range(2))
    c = np.full((32, 32), np.nan, np.float32)
    copy = np.full((32, 32), np.nan, np.float16)
    ids = np.full(3, -1, np.int32)
    kernel.launch(1, a, b, c, copy, ids)
    np.testing.assert_allclose(c, a.astype(np.float64) @ b.astype(np.float64).T, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(copy, a)
    # M_MTE1: 0 to 2 are TPipe's own, 3 and 4 the free events of the A2 and B2 queues; Destroy takes in all of them
    assert list(ids) == [5, 0, 0]
