# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Mmad and Fixpipe with unitFlag order each other block by block of L0C, if both sides turn the flags."""

from pathlib import Path

import numpy as np
import pytest

import ascendc_cpu

KERNEL = Path(__file__).parent / "kernels" / "check_unit_flag.cpp"


@pytest.fixture(scope="module")
def launch(kernel_cache):
    module = ascendc_cpu.compile(KERNEL, "check_unit_flag", build_dir=kernel_cache)

    def run(first, last, fix, rows, tiles, clear=0):
        a = np.random.default_rng(7).integers(-8, 9, (32, 32)).astype(np.float16)
        c = np.full((2, 32, 32), 1e4, np.float32)
        numbers = [np.uint32(value) for value in (first, last, fix, rows, tiles, clear)]
        report = module.launch(1, a, c, *numbers, check=True, unwritten=[1])
        return report, c, 2 * a.astype(np.float32) @ a.astype(np.float32).T

    return run


def test_tiles_follow_each_other(launch):
    report, c, want = launch(first=2, last=3, fix=3, rows=32, tiles=2)
    assert not report.findings, str(report)
    np.testing.assert_array_equal(c, np.stack([want, want]))


def test_flags_are_cleared(launch):
    report, c, want = launch(first=2, last=3, fix=3, rows=16, tiles=1, clear=1)
    assert not report.findings, str(report)
    np.testing.assert_array_equal(c[0, :16], want[:16])


@pytest.mark.parametrize(
    "flags, kinds, api",
    [
        (dict(first=2, last=2, fix=3, rows=32, tiles=1), {"UnpairedFlag"}, "Fixpipe"),  # nobody fills
        (dict(first=2, last=3, fix=2, rows=32, tiles=1), {"UnpairedFlag"}, "Mmad"),  # nobody empties
        (dict(first=2, last=3, fix=2, rows=32, tiles=2), {"UnpairedFlag"}, "Mmad"),
        (dict(first=3, last=3, fix=3, rows=32, tiles=1), {"UnpairedFlag"}, "Mmad"),  # full before the last
        (dict(first=2, last=3, fix=3, rows=16, tiles=1), {"UnpairedFlag"}, "Mmad"),  # a part is never stored
        (dict(first=2, last=3, fix=0, rows=32, tiles=1), {"UnpairedFlag", "UnorderedRead"}, "Fixpipe"),
        (dict(first=0, last=0, fix=3, rows=32, tiles=1), {"UnpairedFlag", "UnorderedRead"}, "Fixpipe"),
    ],
)
def test_flags_that_do_not_meet(launch, flags, kinds, api):
    report, _, _ = launch(**flags)
    assert {each.kind for each in report.findings} == kinds, str(report)
    assert {each.official_class for each in report.findings} <= {"ErrorSync3", "ErrorSync2"}
    assert any(each.here.api == api and each.here.line.file.endswith(KERNEL.name) for each in report.findings)
