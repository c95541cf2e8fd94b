# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""TransDataTo5HD against loops over elements, and what the checked mode says of the bytes that it reads."""

import numpy as np
import pytest
from bit_types import STORAGE, random_bits

import ascendc_cpu

BYTES = 16384
ADDRESSES, TENSORS, IN_UB = range(3)


def launch(kernel_file, ctype, x, y, form, repeats, strides, halves=(0, 0), loaded=BYTES, **options):
    module = kernel_file("vector_5hd", dtypes={"DTYPE_X": ctype})
    numbers = [form, *halves, repeats, *strides, loaded]
    return module.launch(1, x, y, *map(np.uint32, numbers), **options)


def transposed(x, y, size, repeats, strides, halves):
    """Element e of block i becomes element i of row e; rows of 16 elements follow each other over the blocks."""
    per_block = 16 if size == 1 else 32 // size
    blocks = [array.view(np.uint8).reshape(16, BYTES // 16).copy() for array in (y, x)]
    for repeat in range(repeats):
        start = [((repeat + (repeats == 1)) * stride) * 32 + 16 * (size == 1) * half
                 for stride, half in zip(strides, halves, strict=True)]  # fmt: skip
        source = blocks[1].copy()
        for i in range(16):
            for e in range(per_block):
                flat = e * 16 + i
                to = start[0] + flat % per_block * size
                at = start[1] + e * size
                blocks[0][flat // per_block, to : to + size] = source[i, at : at + size]
    return blocks[0].reshape(-1)


@pytest.mark.parametrize("form", [ADDRESSES, TENSORS, IN_UB])
@pytest.mark.parametrize("ctype", ["int8_t", "half", "int16_t", "float", "int32_t"])
@pytest.mark.parametrize(
    "repeats, strides, halves",
    [
        (0, (1, 1), (0, 0)),
        (1, (0, 0), (0, 0)),
        (1, (3, 2), (1, 0)),  # with one repeat, strides move the start
        (4, (2, 1), (0, 1)),
        (7, (1, 4), (1, 1)),
    ],
)
def test_against_loops(kernel_file, seed, form, ctype, repeats, strides, halves):
    rng = np.random.default_rng(seed)
    size = STORAGE[ctype].itemsize
    x, y = (random_bits(rng, BYTES, ctype)[: BYTES // size].copy() for _ in range(2))
    expected = transposed(x, y, size, repeats, strides, halves)
    launch(kernel_file, ctype, x, y, form, repeats, strides, halves)
    np.testing.assert_array_equal(y.view(np.uint8), expected)


@pytest.mark.parametrize("repeats", [31, 33])
def test_reads_are_exact(kernel_file, repeats):
    x, y = np.zeros(BYTES // 2, np.float16), np.zeros(BYTES // 2, np.float16)
    report = launch(kernel_file, "half", x, y, TENSORS, repeats, (1, 1), loaded=BYTES, check=True)
    assert not report.findings, str(report)
    report = launch(kernel_file, "half", x, y, TENSORS, repeats, (1, 1), loaded=BYTES - 64, check=True)
    assert {(each.kind, each.here.api) for each in report.findings} == {("NeverWritten", "TransDataTo5HD")}
    assert {each.begin for each in report.findings} == {BYTES - 64}


def test_addresses_are_checked(kernel_file):
    x, y = np.zeros(BYTES, np.int8), np.zeros(BYTES, np.int8)
    with pytest.raises(ascendc_cpu.KernelError, match="TransDataTo5HD: dst takes"):
        launch(kernel_file, "int8_t", x, y, ADDRESSES, 255, (4000, 0))
