# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""DataCopy and DataCopyPad between GM and UB, byte for byte against loops over the documented formulas."""

from pathlib import Path

import numpy as np
import pytest
from bit_types import STORAGE, decode, encode

import ascendc_cpu

KERNEL = Path(__file__).parent / "kernels" / "copy_case.cpp"
OPERATIONS = "LOAD STORE LOCAL LOAD_COUNT STORE_COUNT PAD_LOAD PAD_STORE PAD_LOAD_OLD PAD_STORE_OLD".split()
OPERATIONS += ["ATOMIC_ADD", "ATOMIC_MAX", "ATOMIC_MIN"]
CASE = np.dtype(
    [
        (name, "<u4")
        for name in "operation ub_bytes block_count block_len src_stride dst_stride is_pad left right set_pad".split()
    ]
    + [("pad_value", "<u8"), ("sticky_value", "<u8"), ("src_offset", "<u4"), ("repeats", "<u4")]
)
UB_BYTES = 16384
GM_BYTES = 32768
BLOCK = 32


@pytest.fixture
def rng(seed):
    return np.random.default_rng(seed)


@pytest.fixture(scope="module")
def compiled(kernel_cache):
    cache = {}

    def get(ctype):
        if ctype not in cache:
            cache[ctype] = ascendc_cpu.compile(KERNEL, "copy_case", {"DTYPE_X": ctype}, build_dir=kernel_cache)
        return cache[ctype]

    return get


def run(module, operation, src, dst, image, blocks=1, **fields):
    """Launches one case; dst and the UB image are changed in place."""
    case = np.zeros((), CASE)
    case["operation"] = OPERATIONS.index(operation)
    case["ub_bytes"] = UB_BYTES
    for name, value in fields.items():
        case[name] = value
    module.launch(blocks, src, dst, image, tiling=case)


def memories(rng):
    """GM source, GM destination and UB as random bytes."""
    return [np.frombuffer(rng.bytes(n), np.uint8).copy() for n in (GM_BYTES, GM_BYTES, UB_BYTES)]


def copied(dst, src, blocks, length, dst_pitch, src_pitch, dst_start=0, src_start=0):
    expected = dst.copy()
    for i in range(blocks):
        at = src_start + i * src_pitch
        to = dst_start + i * dst_pitch
        expected[to : to + length] = src[at : at + length]
    return expected


def random_blocks(rng):
    """blockCount, blockLen, srcStride, dstStride in 32 B, within half of UB."""
    count = int(rng.integers(1, 12))
    length = int(rng.integers(1, 12))
    room = UB_BYTES // 2 // BLOCK // count - length
    return count, length, int(rng.integers(0, min(room, 9) + 1)), int(rng.integers(0, min(room, 9) + 1))


@pytest.mark.parametrize("ctype", ["float", "half", "int8_t"])
@pytest.mark.parametrize("operation", ["LOAD", "STORE", "LOCAL"])
def test_blocks(rng, compiled, ctype, operation):
    for _ in range(12):
        src, dst, image = memories(rng)
        count, length, src_gap, dst_gap = random_blocks(rng)
        offset = int(rng.integers(0, 64))
        size = STORAGE[ctype].itemsize
        geometry = (count, length * BLOCK, (length + dst_gap) * BLOCK, (length + src_gap) * BLOCK)
        expected_dst, expected_image = dst, image
        if operation == "LOAD":
            expected_image = copied(image, src, *geometry, src_start=offset * size)
        elif operation == "STORE":
            expected_dst = copied(dst, image, *geometry, dst_start=offset * size)
        else:
            expected_image = copied(image, image, *geometry, dst_start=UB_BYTES // 2)
        expected_dst = expected_dst.copy()
        run(
            compiled(ctype), operation, src, dst, image, block_count=count, block_len=length, src_stride=src_gap,
            dst_stride=dst_gap, src_offset=offset,
        )  # fmt: skip
        np.testing.assert_array_equal(image, expected_image)
        np.testing.assert_array_equal(dst, expected_dst)


@pytest.mark.parametrize("count", [1, 7, 33, 128, 511])
def test_count_forms(rng, compiled, count):
    elements = count * 16
    src, dst, image = memories(rng)
    loaded = copied(image, src, 1, elements * 2, 0, 0, src_start=10)
    stored = copied(dst, image, 1, elements * 2, 0, 0, dst_start=6)
    run(compiled("half"), "STORE_COUNT", src, dst, image, block_len=elements, src_offset=3)
    np.testing.assert_array_equal(dst, stored)
    run(compiled("half"), "LOAD_COUNT", src, dst, image, block_len=elements, src_offset=5)
    np.testing.assert_array_equal(image, loaded)


def padded(image, src, size, count, length, src_gap, dst_gap, left, right, fill):
    """fill: element bytes, or None for each block's first element."""
    expected = image.copy()
    whole = -(-(left * size + length + right * size) // BLOCK) * BLOCK
    for i in range(count):
        block = src[i * (length + src_gap) :][:length]
        element = block[:size] if fill is None else fill
        line = np.resize(element, whole)
        line[left * size + length :] = np.resize(element, whole - left * size - length)
        line[left * size : left * size + length] = block
        start = i * (whole + dst_gap * BLOCK)
        expected[start : start + whole] = line
    return expected


@pytest.mark.parametrize("ctype", ["float", "half", "bfloat16_t", "int8_t"])
@pytest.mark.parametrize("mode", ["first", "sticky", "value", "value_without_paddings"])
@pytest.mark.parametrize("operation", ["PAD_LOAD", "PAD_LOAD_OLD"])
def test_pad_load(rng, compiled, ctype, mode, operation):
    size = STORAGE[ctype].itemsize
    for _ in range(8):
        src, dst, image = memories(rng)
        count = int(rng.integers(1, 8))
        length = int(rng.integers(1, 300)) * size
        src_gap, dst_gap = int(rng.integers(0, 70)), int(rng.integers(0, 4))
        left, right = (0, 0) if mode in ("first", "value_without_paddings") else rng.integers(0, BLOCK // size, 2)
        if mode in ("sticky", "value") and left == right == 0:
            right = 1
        value, sticky = (int.from_bytes(rng.bytes(size), "little") for _ in range(2))
        fill = {"sticky": sticky, "value": value}.get(mode)
        fill = None if fill is None else np.frombuffer(fill.to_bytes(size, "little"), np.uint8)
        expected = padded(image, src, size, count, length, src_gap, dst_gap, left, right, fill)
        run(
            compiled(ctype), operation, src, dst, image, block_count=count, block_len=length, src_stride=src_gap,
            dst_stride=dst_gap, left=left, right=right, is_pad=mode.startswith("value"), pad_value=value, set_pad=1,
            sticky_value=sticky,
        )  # fmt: skip
        np.testing.assert_array_equal(image, expected)


@pytest.mark.parametrize("ctype", ["float", "half", "int8_t"])
@pytest.mark.parametrize("operation", ["PAD_STORE", "PAD_STORE_OLD"])
def test_pad_store(rng, compiled, ctype, operation):
    size = STORAGE[ctype].itemsize
    for _ in range(12):
        src, dst, image = memories(rng)
        count = int(rng.integers(1, 8))
        length = int(rng.integers(1, 300)) * size
        src_gap, dst_gap, offset = int(rng.integers(0, 4)), int(rng.integers(0, 70)), int(rng.integers(0, 9))
        ub_pitch = -(-length // BLOCK) * BLOCK + src_gap * BLOCK
        expected = copied(dst, image, count, length, length + dst_gap, ub_pitch, dst_start=offset * size)
        run(
            compiled(ctype), operation, src, dst, image, block_count=count, block_len=length, src_stride=src_gap,
            dst_stride=dst_gap, src_offset=offset,
        )  # fmt: skip
        np.testing.assert_array_equal(dst, expected)


def combined(old, value, operation, ctype):
    if operation == "ATOMIC_ADD" and ctype.startswith("int"):
        return old + value  # wraps
    if operation == "ATOMIC_ADD":
        return encode(decode(old, ctype).astype(np.float32) + decode(value, ctype).astype(np.float32), ctype)
    a, b = decode(old, ctype), decode(value, ctype)
    return np.where((b > a) if operation == "ATOMIC_MAX" else (b < a), value, old)


@pytest.mark.parametrize("ctype", ["float", "half", "bfloat16_t", "int8_t", "int16_t", "int32_t"])
@pytest.mark.parametrize("operation", ["ATOMIC_ADD", "ATOMIC_MAX", "ATOMIC_MIN"])
def test_atomic_store(rng, compiled, ctype, operation):
    dtype = STORAGE[ctype]
    count, elements = 3, int(rng.integers(1, 200))
    whole = -(-elements * dtype.itemsize // BLOCK) * BLOCK // dtype.itemsize
    # whole numbers: sums of halves and bfloat16 then round the same way through float
    ub = encode(rng.integers(-50, 50, (count, whole)), ctype)
    gm = encode(rng.integers(-50, 50, GM_BYTES // dtype.itemsize), ctype)
    image = np.zeros(UB_BYTES, np.uint8)
    image[: ub.nbytes] = ub.view(np.uint8).ravel()
    expected = gm.copy()
    for i in range(count):
        at = slice(5 + i * (elements + 2), 5 + i * (elements + 2) + elements)
        expected[at] = combined(gm[at], ub[i, :elements], operation, ctype)
    run(
        compiled(ctype), operation, gm, gm, image, block_count=count, block_len=elements * dtype.itemsize,
        dst_stride=2 * dtype.itemsize, src_offset=5, repeats=1,
    )  # fmt: skip
    np.testing.assert_array_equal(gm, expected)


@pytest.mark.parametrize("ctype", ["float", "int16_t", "int32_t"])
def test_atomic_adds_of_many_groups_are_not_lost(compiled, ctype):
    """Long enough for the threads to overlap: with fewer repeats one thread ends before the other has started."""
    dtype = STORAGE[ctype]
    blocks, repeats, elements = 8, 40_000, 1500
    gm = np.zeros(GM_BYTES // dtype.itemsize, dtype)
    image = np.zeros((blocks, UB_BYTES), np.uint8)
    image[:, : elements * dtype.itemsize] = np.ones(elements, dtype).view(np.uint8)
    run(
        compiled(ctype), "ATOMIC_ADD", gm, gm, image, blocks, block_count=1, block_len=elements * dtype.itemsize,
        src_offset=3, repeats=repeats,
    )  # fmt: skip
    expected = np.array(blocks * repeats).astype(dtype)  # int16 wraps
    assert (gm[3 : 3 + elements] == expected).all()
    assert not gm[:3].any() and not gm[3 + elements :].any()


@pytest.mark.parametrize(
    ("operation", "fields", "text"),
    [
        ("LOAD", {"block_count": 4096, "block_len": 1}, "blockCount is 4096"),
        ("LOAD_COUNT", {"block_len": 9}, "32 bytes"),
        ("PAD_LOAD", {"block_count": 1, "block_len": 6}, "blockLen is 6"),
        ("PAD_LOAD", {"block_count": 1, "block_len": 4, "left": 9}, "at most 32 bytes"),
        ("LOAD", {"block_count": 2, "block_len": 4, "dst_stride": 6200}, "DataCopy"),
    ],
)
def test_refused(rng, compiled, operation, fields, text):
    src, dst, image = memories(rng)
    with pytest.raises(ascendc_cpu.KernelError, match=text):
        run(compiled("float"), operation, src, dst, image, **fields)


@pytest.mark.parametrize("fields", [{"block_count": 0, "block_len": 4}, {"block_count": 4, "block_len": 0}])
@pytest.mark.parametrize("operation", ["LOAD", "STORE", "LOCAL", "PAD_LOAD", "PAD_STORE"])
def test_empty_copies_do_nothing(rng, compiled, operation, fields):
    src, dst, image = memories(rng)
    before = dst.copy(), image.copy()
    run(compiled("float"), operation, src, dst, image, **fields)
    np.testing.assert_array_equal(dst, before[0])
    np.testing.assert_array_equal(image, before[1])
