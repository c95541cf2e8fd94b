# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Forks while another thread is in a launch."""

from pathlib import Path

import numpy as np
import pytest
from test_copy_ub import CASE, OPERATIONS, UB_BYTES

import ascendc_cpu
from tests.forks import busy_threads, check_in_child

KERNEL = Path(__file__).parent / "kernels" / "copy_case.cpp"


@pytest.fixture
def add(kernel_cache):
    """add(repeats): one launch of that many atomic stores, always to the same addresses."""
    kernel = ascendc_cpu.compile(KERNEL, "copy_case", {"DTYPE_X": "float"}, build_dir=kernel_cache)
    image, gm = np.zeros(UB_BYTES, np.uint8), np.zeros(UB_BYTES, np.uint8)

    def launch(repeats, **options):
        case = np.zeros((), CASE)
        case["operation"] = OPERATIONS.index("ATOMIC_ADD")
        case["ub_bytes"] = UB_BYTES
        case["block_count"], case["block_len"], case["repeats"] = 1, UB_BYTES, repeats
        kernel.launch(1, gm, gm, image, tiling=case, **options)

    return launch


def test_no_address_stays_locked(add):
    with busy_threads(1, lambda: add(20_000)):
        for _ in range(20):
            check_in_child(lambda: add(1))


def test_no_checked_launch_stays_alone(add):
    add(1, check=True)
    with busy_threads(1, lambda: add(100, check=True)):
        for _ in range(20):
            check_in_child(lambda: add(1, check=True))
