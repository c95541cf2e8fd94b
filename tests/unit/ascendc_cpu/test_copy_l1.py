# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Copies GM <-> L1: Nd2Nz, plain blocks, fractals and Fill, byte for byte against loops over the formulas."""

from pathlib import Path

import numpy as np
import pytest
from bit_types import STORAGE, random_bits

import ascendc_cpu

KERNEL = Path(__file__).parent / "kernels" / "l1_case.cpp"
OPERATIONS = ["ND2NZ", "LOAD", "STORE", "FILL", "LOAD_FRACTALS"]
CASE = np.dtype(
    [("operation", "<u4"), ("l1_bytes", "<u4"), ("offset", "<u4"), ("fields", "<u4", 8), ("reserved", "<u4")]
    + [("value", "<u8")]
)
L1_BYTES = 128 * 1024


@pytest.fixture
def rng(seed):
    return np.random.default_rng(seed)


@pytest.fixture(scope="module")
def compiled(kernel_cache):
    cache = {}

    def get(ctype):
        if ctype not in cache:
            cache[ctype] = ascendc_cpu.compile(KERNEL, "l1_case", {"DTYPE_X": ctype}, build_dir=kernel_cache)
        return cache[ctype]

    return get


def run(module, operation, src, dst, image, fields, offset=0, value=0):
    case = np.zeros((), CASE)
    case["operation"] = OPERATIONS.index(operation)
    case["l1_bytes"] = L1_BYTES
    case["offset"] = offset
    case["fields"][: len(fields)] = fields
    case["value"] = value
    module.launch(1, src, dst, image, tiling=case)


def memories(rng, ctype):
    size = STORAGE[ctype].itemsize
    return [random_bits(rng, count // size, ctype) for count in (1 << 19, 1 << 17, L1_BYTES)]


def bits(array):
    return array.view(np.uint8)


def nd2nz(image, src, fields, offset, c0):
    nd_num, rows, columns, src_matrix, src_row, dst_c0, dst_n, dst_matrix = fields
    expected = image.copy()
    for nd in range(nd_num):
        for i in range(rows):
            for j in range(-(-columns // c0) * c0):
                to = offset + nd * dst_matrix + j // c0 * dst_c0 * c0 + i * dst_n * c0 + j % c0
                expected[to] = src[nd * src_matrix + i * src_row + j] if j < columns else 0
    return expected


@pytest.mark.parametrize("ctype", ["float", "half", "bfloat16_t", "int8_t"])
def test_nd2nz(rng, compiled, ctype):
    c0 = 32 // STORAGE[ctype].itemsize
    for rows, columns in [(1, 1), (16, c0), (15, c0 - 1), (17, c0 + 1), (33, 5 * c0), (47, 3 * c0 + 5), (128, 4 * c0)]:
        src, dst, image = memories(rng, ctype)
        rows16 = -(-rows // 16) * 16
        fields = [1, rows, columns, 0, columns + int(rng.integers(0, 40)), rows16, 1, 0]
        offset = int(rng.integers(0, 8)) * c0
        expected = nd2nz(image, src, fields, offset, c0)
        run(compiled(ctype), "ND2NZ", src, dst, image, fields, offset)
        np.testing.assert_array_equal(bits(image), bits(expected))


@pytest.mark.parametrize("ctype", ["float", "half"])
def test_nd2nz_with_several_matrices_and_row_strides(rng, compiled, ctype):
    c0 = 32 // STORAGE[ctype].itemsize
    for _ in range(6):
        src, dst, image = memories(rng, ctype)
        matrices, rows, columns, row_step = (int(v) for v in (rng.integers(1, 5), *rng.integers(1, 30, 2), 2))
        pitch = int(rng.integers(columns, columns + 50))
        column_step = rows * row_step + int(rng.integers(0, 4))
        size = column_step * -(-columns // c0) * c0
        fields = [matrices, rows, columns, pitch * rows, pitch, column_step, row_step, size]
        expected = nd2nz(image, src, fields, 0, c0)
        run(compiled(ctype), "ND2NZ", src, dst, image, fields)
        np.testing.assert_array_equal(bits(image), bits(expected))


@pytest.mark.parametrize("operation", ["LOAD", "STORE"])
def test_blocks(rng, compiled, operation):
    for _ in range(8):
        src, dst, image = memories(rng, "half")
        count, length, src_gap, dst_gap = (int(v) for v in rng.integers(1, 14, 4))
        offset = 16 * int(rng.integers(0, 9))
        target, source = (image, src) if operation == "LOAD" else (dst, image)
        expected = target.copy()
        for i in range(count):
            to = i * (length + dst_gap) * 16 + (offset if operation == "LOAD" else 0)
            at = i * (length + src_gap) * 16 + (0 if operation == "LOAD" else offset)
            expected[to : to + length * 16] = source[at : at + length * 16]
        run(compiled("half"), operation, src, dst, image, [count, length, src_gap, dst_gap], offset)
        np.testing.assert_array_equal(bits(target), bits(expected))


def test_fractals_from_gm(rng, compiled):
    src, dst, image = memories(rng, "float")
    start, repeats, step, gap = 3, 9, 2, 1
    expected = image.copy()
    for i in range(repeats):
        at = (start + i * step) * 128
        expected[256 + i * (gap + 1) * 128 :][:128] = src[at : at + 128]
    run(compiled("float"), "LOAD_FRACTALS", src, dst, image, [start, repeats, step, gap], 256)
    np.testing.assert_array_equal(bits(image), bits(expected))


@pytest.mark.parametrize("ctype", ["float", "half", "bfloat16_t"])
def test_fill(rng, compiled, ctype):
    size = STORAGE[ctype].itemsize
    for _ in range(6):
        src, dst, image = memories(rng, ctype)
        repeats, blocks, gap = (int(v) for v in rng.integers(1, 20, 3))
        value = int.from_bytes(rng.bytes(size), "little") & 0x3FFF
        expected = bits(image).copy()
        element = np.frombuffer(value.to_bytes(size, "little"), np.uint8)
        for i in range(repeats):
            start = 96 + i * (blocks + gap) * 32
            expected[start : start + blocks * 32] = np.resize(element, blocks * 32)
        run(compiled(ctype), "FILL", src, dst, image, [repeats, blocks, gap], 96 // size, value)
        np.testing.assert_array_equal(bits(image), expected)


@pytest.mark.parametrize(
    ("operation", "fields", "text"),
    [
        ("ND2NZ", [1, 16385, 8, 0, 8, 16, 1, 0], "nValue 16385"),
        ("ND2NZ", [1, 64, 64, 0, 64, 16384, 1, 0], "Nd2Nz"),
        ("ND2NZ", [1, 16, 16, 0, 0, 16, 1, 0], "srcDValue 0"),
        ("ND2NZ", [1, 16, 16, 0, 16, 0, 1, 0], "dstNzC0Stride 0"),
        ("ND2NZ", [1, 16, 16, 0, 16, 16, 0, 0], "dstNzNStride 0"),
        ("FILL", [32768, 1, 0], "32768"),
    ],
)
def test_refused(rng, compiled, operation, fields, text):
    src, dst, image = memories(rng, "float")
    with pytest.raises(ascendc_cpu.KernelError, match=text):
        run(compiled("float"), operation, src, dst, image, fields)
