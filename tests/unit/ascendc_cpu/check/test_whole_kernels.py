# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Whole kernels with many blocks a core have no finding, and the results of the fast mode."""

import numpy as np
import pytest


def check(module, groups, arguments, output, unwritten, **options):
    module.launch(groups, *arguments, **options)
    expected = output.copy()
    report = module.launch(groups, *arguments, check=True, unwritten=unwritten, **options)
    assert not report.findings, str(report)
    np.testing.assert_array_equal(output, expected)


@pytest.mark.parametrize("ctype, dtype", [("half", np.float16), ("float", np.float32)])
@pytest.mark.parametrize("groups, blocks", [(1, 1), (1, 2), (1, 9), (3, 31), (24, 25)])
def test_mix(kernel_file, seed, ctype, dtype, groups, blocks):
    random = np.random.default_rng(seed)
    n, k = 48, 32
    a = random.uniform(-1, 1, (blocks * 32, k)).astype(dtype)
    b = random.uniform(-1, 1, (n, k)).astype(dtype)
    c = np.zeros((blocks * 32, n), np.float32)
    workspace = np.zeros(groups * 2 * 32 * n, np.float32)
    tiling = np.array([blocks, n, k, 0], np.uint32)
    check(kernel_file("mix_exp", dtypes={"DTYPE_A": ctype}), groups, (a, b, c, workspace), c, [2, 3], tiling=tiling)


def test_queues(kernel_file, seed):
    random = np.random.default_rng(seed)
    x, y = (random.standard_normal(8 * 7 * 128).astype(np.float16) for _ in range(2))
    z = np.zeros_like(x)
    check(kernel_file("queue_add"), 8, (x, y, z), z, [2], tiling=np.array([7, 128], np.uint32))


def test_inputs_that_share_memory(kernel_file, seed):
    """A tile of y begins inside of x and ends behind it."""
    memory = np.random.default_rng(seed).standard_normal(5 * 128).astype(np.float16)
    x, y, z = memory[: 3 * 128], memory[192 : 192 + 3 * 128], np.zeros(3 * 128, np.float16)
    check(kernel_file("queue_add"), 1, (x, y, z), z, [2], tiling=np.array([3, 128], np.uint32))


def test_result_in_place_of_an_input(kernel_file, seed):
    random = np.random.default_rng(seed)
    x, y = (random.standard_normal(8 * 128).astype(np.float16) for _ in range(2))
    expected = x + y
    tiling = np.array([8, 128], np.uint32)
    report = kernel_file("queue_add").launch(1, x, y, x, check=True, unwritten=[2], tiling=tiling)
    assert not report.findings, str(report)
    np.testing.assert_array_equal(x, expected)


def test_matmul_through_queues(kernel_file, seed):
    random = np.random.default_rng(seed)
    a, b = (random.uniform(-1, 1, (32, 32)).astype(np.float16) for _ in range(2))
    c, copy, ids = np.zeros((32, 32), np.float32), np.zeros((32, 32), np.float16), np.zeros(3, np.int32)
    check(kernel_file("queue_matmul"), 1, (a, b, c, copy, ids), c, [2, 3, 4])
