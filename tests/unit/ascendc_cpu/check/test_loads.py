# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Padding that nobody has written may be loaded into L0A and L0B, and is reported when Mmad uses it."""

from pathlib import Path

import numpy as np
import pytest

import ascendc_cpu

SIZES = [(2, 1, 1), (13, 5, 7), (30, 22, 40), (17, 33, 31), (16, 16, 16)]
TYPES = [("half", np.float16), ("float", np.float32)]
WAYS = {"half": (0, 1, 2), "float": (0, 1)}  # 4-byte squares want another order in L1


def launch(kernel_cache, ctype, dtype, case):
    m, n, k = case[:3]
    source = Path(__file__).parent / "kernels" / "check_load.cpp"
    module = ascendc_cpu.compile(source, "check_load", dtypes={"DTYPE_X": ctype}, build_dir=kernel_cache)
    matrices = np.ones((m, k), dtype), np.ones((n, k), dtype)
    return module.launch(1, *matrices, tiling=np.array(case, np.uint32), check=True)


def loads():
    return [(*each, left, right) for each in TYPES for left in WAYS[each[0]] for right in WAYS[each[0]]]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("ctype, dtype, left, right", loads())
def test_used_elements_are_written(kernel_cache, ctype, dtype, left, right, size):
    report = launch(kernel_cache, ctype, dtype, (*size, left, right, *size))
    assert not report.findings, str(report)


@pytest.mark.parametrize("grown", range(3), ids=["m", "n", "k"])
@pytest.mark.parametrize("ctype, dtype, left, right", loads())
def test_one_more_is_found(kernel_cache, ctype, dtype, left, right, grown):
    """One row more of what stands in rows in GM: Nd2Nz clears only columns."""
    size = [13, 21, 27]
    used = list(size)
    used[grown] += 1
    expected = set()
    if left == 0 and grown == 0 or left != 0 and grown == 2:
        expected.add("L0A")
    if right == 0 and grown == 1 or right != 0 and grown == 2:
        expected.add("L0B")
    report = launch(kernel_cache, ctype, dtype, (*size, left, right, *used))
    assert {each.kind for each in report.findings} == ({"NeverWritten"} if expected else set()), str(report)
    assert {each.memory for each in report.findings} == expected, str(report)
    assert {each.here.api for each in report.findings} == ({"Mmad"} if expected else set())
