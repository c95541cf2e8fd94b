# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Gather and Gatherb against loops, and what the checked mode says of the bytes that they read."""

import numpy as np
import pytest
from bit_types import STORAGE, random_bits

import ascendc_cpu

BYTES = 8192
ELEMENT_COUNT, MASK_BITS, MASK_LANES, BLOCKS = range(4)
TYPES = ["half", "bfloat16_t", "int16_t", "float", "int32_t"]


@pytest.fixture
def rng(seed):
    return np.random.default_rng(seed)


def launch(kernel_file, ctype, x, offsets, y, form, *, base=0, count=0, mask=(0, 0), repeats=0, block=1, stride=8,
           loaded=BYTES, dst=2 * BYTES, **options):  # fmt: skip
    module = kernel_file("vector_gather", dtypes={"DTYPE_X": ctype})
    numbers = [np.uint32(form), np.uint32(base), np.uint32(count), *map(np.uint64, mask), np.uint32(repeats),
               np.uint32(block), np.uint32(stride), np.uint32(loaded), np.uint32(dst)]  # fmt: skip
    return module.launch(1, x, offsets, y, *numbers, **options)


def arrays(rng, ctype, unit, base=0):
    x = random_bits(rng, BYTES, ctype)
    x = x[: BYTES // x.itemsize].copy()
    places = rng.integers(0, (BYTES - base) // unit, BYTES // 4) * unit
    return x, places.astype(np.uint32), random_bits(rng, BYTES, ctype)[: x.size].copy()


def same_bits(x, y):
    np.testing.assert_array_equal(x.view(np.uint8), y.view(np.uint8))


@pytest.mark.parametrize("ctype", TYPES)
@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 127, 128, 129, 512])
def test_count(kernel_file, rng, ctype, count):
    base = 0 if count % 2 else 96
    size = STORAGE[ctype].itemsize
    x, offsets, y = arrays(rng, ctype, size, base)
    expected = y.copy()
    for i in range(count):
        expected[i] = x[(base + offsets[i]) // x.itemsize]
    launch(kernel_file, ctype, x, offsets, y, ELEMENT_COUNT, base=base, count=count)
    same_bits(y, expected)


@pytest.mark.parametrize("ctype", TYPES)
@pytest.mark.parametrize("form", [MASK_BITS, MASK_LANES])
@pytest.mark.parametrize("repeats, stride", [(0, 8), (1, 8), (3, 9), (2, 8)])
def test_masks(kernel_file, rng, ctype, form, repeats, stride):
    size = STORAGE[ctype].itemsize
    lanes = 256 // size
    x, offsets, y = arrays(rng, ctype, size)
    active = rng.integers(0, 2, lanes).astype(bool) if form == MASK_BITS else np.arange(lanes) < rng.integers(1, lanes)
    bits = sum(1 << int(lane) for lane in np.flatnonzero(active))
    mask = (bits % 2**64, bits >> 64) if form == MASK_BITS else (int(active.sum()), 0)
    expected = y.copy()
    for repeat in range(repeats):
        for lane in np.flatnonzero(active):
            expected[repeat * stride * 32 // size + lane] = x[offsets[repeat * lanes + lane] // size]
    launch(kernel_file, ctype, x, offsets, y, form, mask=mask, repeats=repeats, stride=stride)
    same_bits(y, expected)


@pytest.mark.parametrize("ctype", ["half", "float"])
@pytest.mark.parametrize("repeats, block, stride", [(0, 1, 8), (1, 1, 8), (5, 1, 8), (3, 2, 17), (2, 0, 9)])
def test_blocks(kernel_file, rng, ctype, repeats, block, stride):
    x, offsets, y = arrays(rng, ctype, 32)
    source, expected = x.view(np.uint8), y.copy()
    for repeat in range(repeats):
        for i in range(8):
            to = (repeat * stride + i * max(block, 1)) * 32
            start = offsets[repeat * 8 + i]
            expected.view(np.uint8)[to : to + 32] = source[start : start + 32]
    launch(kernel_file, ctype, x, offsets, y, BLOCKS, repeats=repeats, block=block, stride=stride)
    same_bits(y, expected)


@pytest.mark.parametrize(
    "form, offset, text",
    [
        (ELEMENT_COUNT, 2, "offset 1 leads to byte 2 of src, allowed are multiples of 4"),
        (ELEMENT_COUNT, 192 * 1024, "offset 1 leads to byte 196608 of src"),
        (BLOCKS, 16, "offset 1 leads to byte 16 of src, allowed are multiples of 32"),
    ],
)
def test_offsets_are_checked(kernel_file, rng, form, offset, text):
    x, offsets, y = arrays(rng, "float", 32)
    offsets[1] = offset
    with pytest.raises(ascendc_cpu.KernelError, match=text):
        launch(kernel_file, "float", x, offsets, y, form, count=64, repeats=1)


@pytest.mark.parametrize("check", [False, True])
def test_results_that_fall_on_offsets(kernel_file, rng, check):
    """The second block of offsets is the first block of results, which lead nowhere."""
    x, offsets, y = arrays(rng, "float", 4)
    x[:] = 1e30
    options = {"base": 0, "count": 64, "dst": BYTES + 32, "check": check}
    if check:
        report = launch(kernel_file, "float", x, offsets, y, ELEMENT_COUNT, **options)
        assert "Argument" in [each.kind for each in report.findings], str(report)
    else:
        with pytest.raises(ascendc_cpu.KernelError, match="offset 8 leads to byte"):
            launch(kernel_file, "float", x, offsets, y, ELEMENT_COUNT, **options)


@pytest.mark.parametrize("beyond", [False, True])
def test_reads_are_exact(kernel_file, rng, beyond):
    x, offsets, y = arrays(rng, "float", 4)
    offsets[:64] = rng.integers(0, 100, 64) * 4
    offsets[40] = 416 if beyond else 412
    report = launch(kernel_file, "float", x, offsets, y, ELEMENT_COUNT, count=64, loaded=416, check=True)
    found = [(each.kind, each.begin, each.end, each.here.api) for each in report.findings]
    assert found == ([("NeverWritten", 416, 420, "Gather")] if beyond else []), str(report)
