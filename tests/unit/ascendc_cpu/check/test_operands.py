# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Operands of one vector instruction that overlap, and destination strides: what is found, and what is allowed."""

from pathlib import Path

import numpy as np
import pytest

import ascendc_cpu

KERNEL = Path(__file__).parent / "kernels" / "check_operands.cpp"
FORMS = ["MASKED", "COUNTED", "FIRST_SOURCE", "SECOND_SOURCE", "NARROWING", "WIDENING", "ACCUMULATING", "COPY"]
PART, NEXT, STRIDE = "overlap in part", "an earlier one has written", "block stride is 0"

# form, offset in floats, repeats, dst and src repeat stride, dst block stride: what is found
OPERANDS = [
    ("MASKED", 0, 4, 8, 8, 1, ""),  # in place
    ("MASKED", 0, 4, 9, 9, 1, ""),
    ("MASKED", 8, 1, 8, 8, 1, PART),
    ("MASKED", 64, 1, 8, 8, 1, ""),
    ("MASKED", 64, 2, 8, 8, 1, NEXT),
    ("MASKED", 192, 4, 8, 8, 1, NEXT),
    ("MASKED", 256, 4, 8, 8, 1, ""),
    ("MASKED", 0, 4, 8, 16, 1, ""),  # results move to the front
    ("MASKED", 0, 4, 8, 12, 1, PART),
    ("MASKED", 0, 4, 16, 8, 1, NEXT),
    ("MASKED", 0, 2, 0, 0, 1, NEXT),
    ("MASKED", 512, 1, 8, 8, 0, STRIDE),
    ("COUNTED", 0, 4, 0, 0, 1, ""),
    ("COUNTED", 8, 4, 0, 0, 1, PART),
    ("COUNTED", 64, 4, 0, 0, 1, NEXT),
    ("COUNTED", 256, 4, 0, 0, 1, ""),
    ("FIRST_SOURCE", 512, 4, 0, 8, 1, NEXT),  # only the second source may be where results are added up
    ("SECOND_SOURCE", 512, 4, 0, 8, 1, ""),
    ("SECOND_SOURCE", 512, 4, 4, 8, 1, NEXT),
    ("NARROWING", 0, 4, 4, 8, 1, ""),
    ("NARROWING", 64, 4, 4, 8, 1, NEXT),
    ("WIDENING", 0, 4, 8, 4, 1, PART),
    ("WIDENING", 512, 4, 8, 4, 1, ""),
    ("ACCUMULATING", 512, 4, 8, 8, 1, ""),
    ("ACCUMULATING", 8, 1, 8, 8, 1, PART),
    ("COPY", 512, 1, 0, 0, 0, STRIDE),  # of CopyRepeatParams' defaults
]


@pytest.mark.parametrize("form, offset, repeats, dst_repeat, src_repeat, dst_block, found", OPERANDS)
def test_operands(kernel_cache, form, offset, repeats, dst_repeat, src_repeat, dst_block, found):
    module = ascendc_cpu.compile(KERNEL, "check_operands", build_dir=kernel_cache)
    numbers = [FORMS.index(form), offset, repeats, dst_repeat, src_repeat, dst_block]
    report = module.launch(1, np.empty(2048, np.float32), *map(np.uint32, numbers), check=True, unwritten=[0])
    assert [each.kind for each in report.findings] == (["Argument"] if found else []), str(report)
    assert all(found in each.message and each.memory == "UB" for each in report.findings), str(report)
