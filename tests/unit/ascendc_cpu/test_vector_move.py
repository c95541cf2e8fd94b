# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Duplicate, Copy, Brcb, CreateVecIndex, GatherMask, MulAddDst, Axpy, logic and shifts."""

import numpy as np
import pytest
from test_vector_elementwise import in_float, run
from vector_model import BLOCK, FORMS, STORAGE, Ub, assert_ub, elementwise, random_case, random_image, scalar_bits

import ascendc_cpu

MOVED = ["half", "bfloat16_t", "int16_t", "uint16_t", "float", "int32_t", "uint32_t"]
DUPLICATE, COPY, BRCB, INDEX, GATHER = range(5)


@pytest.fixture
def rng(seed):
    return np.random.default_rng(seed)


def lanes_of(ctype):
    return 256 // STORAGE[ctype].itemsize


def check(kernel_file, rng, ctype, entry, operation, function, forms=FORMS, operands=2, **fields):
    for form in forms:
        for _ in range(5):
            case = random_case(rng, form, lanes_of(ctype), operands, **fields)
            case.image = random_image(rng, ctype)
            expected = elementwise(case, function, ctype, ctype)
            assert_ub(run(kernel_file, entry, case, operation, DTYPE_X=ctype), expected, ctype)


@pytest.mark.parametrize("ctype", MOVED)
def test_duplicate(kernel_file, rng, ctype):
    scalar = int(rng.integers(0, 2**16))
    fill = lambda old, a, b, s, i: np.broadcast_to(s, old.shape)  # noqa: E731
    check(kernel_file, rng, ctype, "vector_move", DUPLICATE, fill, operands=1, scalar=scalar)


@pytest.mark.parametrize("ctype", MOVED)
def test_copy(kernel_file, rng, ctype):
    check(kernel_file, rng, ctype, "vector_move", COPY, lambda old, a, b, s, i: a, forms=["bits", "lanes"])


@pytest.mark.parametrize("ctype", ["half", "float", "int16_t", "int32_t"])
def test_create_vec_index(kernel_file, rng, ctype):
    def index(old, a, b, first, i):
        return i.astype(np.float32) + np.float32(first) if ctype == "half" else i + first

    check(kernel_file, rng, ctype, "vector_move", INDEX, index, operands=1, scalar=scalar_bits(-37, ctype))


@pytest.mark.parametrize("ctype", MOVED)
def test_brcb(kernel_file, rng, ctype):
    dtype = STORAGE[ctype]
    for repeats, block, stride in ((1, 1, 8), (5, 1, 8), (3, 2, 17), (0, 1, 8)):
        case = random_case(rng, "count", 64)
        case.repeats, case.block_strides, case.repeat_strides = repeats, (block, 1, 1), (stride, 8, 8)
        case.image = random_image(rng, ctype)
        expected = Ub(case.image)
        for i in range(8 * repeats):
            value = expected.read(case.offsets[1] + i * dtype.itemsize, dtype)
            start = case.offsets[0] + (i // 8 * stride + i % 8 * block) * BLOCK
            addresses = start + np.arange(0, BLOCK, dtype.itemsize)
            expected.write(addresses, np.broadcast_to(value, addresses.shape))
        assert_ub(run(kernel_file, "vector_move", case, BRCB, DTYPE_X=ctype), expected, ctype)


def test_brcb_refuses(kernel_file, rng):
    case = random_case(rng, "count", 64, offsets=(0, 0, 0, 0))
    case.repeats, case.image = 1, random_image(rng, "float")
    with pytest.raises(ascendc_cpu.KernelError, match="dst and src are the same address"):
        run(kernel_file, "vector_move", case, BRCB, DTYPE_X="float")
    case.offsets, case.block_strides = (0, 4096, 0, 0), (0, 1, 1)
    with pytest.raises(ascendc_cpu.KernelError, match="dstBlkStride is 0"):
        run(kernel_file, "vector_move", case, BRCB, DTYPE_X="float")


BUILT_IN = {1: (2, [0]), 2: (2, [1]), 3: (4, [0]), 4: (4, [1]), 5: (4, [2]), 6: (4, [3]), 7: (1, [0])}


@pytest.mark.parametrize("ctype", MOVED)
@pytest.mark.parametrize("pattern", range(8))
@pytest.mark.parametrize("counted", [0, 1, 45, 300])
def test_gather_mask(kernel_file, rng, ctype, pattern, counted):
    dtype = STORAGE[ctype]
    per_block = BLOCK // dtype.itemsize
    case = random_case(rng, "count", 64, mode=pattern)
    case.count, case.repeats = counted, int(rng.integers(1, 6))
    case.block_strides = (1, int(rng.integers(0, 3)), 1)
    case.repeat_strides = (8, int(rng.integers(0, 30)), int(rng.integers(0, 3)))
    case.image = random_image(rng, ctype)
    expected = Ub(case.image)
    kept = []
    for repeat in range(case.repeats):
        bits = case.image[case.offsets[2] + repeat * case.repeat_strides[2] * BLOCK :]
        for lane in range(counted or lanes_of(ctype)):
            block = repeat * case.repeat_strides[1] + lane // per_block * case.block_strides[1]
            period, picked = BUILT_IN.get(pattern, (1, []))
            if lane % period in picked if pattern else bits[lane // 8] >> (lane % 8) & 1:
                kept.append(expected.read(case.offsets[1] + block * BLOCK + lane % per_block * dtype.itemsize, dtype))
    if kept:
        expected.write(case.offsets[0] + np.arange(len(kept)) * dtype.itemsize, np.array(kept, dtype))
    actual = run(kernel_file, "vector_move", case, GATHER, DTYPE_X=ctype)
    assert actual[case.offsets[3] :][:8].view(np.uint64)[0] == len(kept)
    expected.bytes[case.offsets[3] :][:8] = actual[case.offsets[3] :][:8]
    assert_ub(actual, expected, ctype)


@pytest.mark.parametrize("dst, src", [("half", "half"), ("float", "float"), ("float", "half")])
@pytest.mark.parametrize("operation", [0, 1], ids=["MulAddDst", "Axpy"])
def test_accumulate(kernel_file, rng, dst, src, operation):
    """dst + a * b, the product rounded first (both in float when one is half)."""

    def function(old, a, b, s, i):
        second = b if operation == 0 else np.broadcast_to(s, a.shape)
        return in_float(lambda o, x, y: (x * y).astype(np.float32) + o)(old, a, second)

    lanes = 256 // STORAGE[dst].itemsize
    for form in FORMS:
        for _ in range(5):
            case = random_case(rng, form, lanes, 3 - operation, scalar=scalar_bits(1.7, src))
            case.image = random_image(rng, src)
            case.image[:16384] = random_image(rng, dst)[:16384]
            expected = elementwise(case, function, dst, src)
            actual = run(kernel_file, "vector_accumulate", case, operation, DTYPE_X=dst, DTYPE_Y=src)
            assert_ub(actual, expected, dst)


@pytest.mark.parametrize("ctype", ["int16_t", "uint16_t"])
@pytest.mark.parametrize("name, operation", [("And", 2), ("Or", 3), ("Not", 4)])
def test_logic(kernel_file, rng, ctype, name, operation):
    functions = {"And": lambda a, b: a & b, "Or": lambda a, b: a | b, "Not": lambda a, b: ~a}
    function = functions[name]
    check(
        kernel_file,
        rng,
        ctype,
        "vector_bits",
        operation,
        lambda old, a, b, s, i: function(a, b),
        operands=2 if name == "Not" else 3,
    )


@pytest.mark.parametrize("ctype", ["int16_t", "uint16_t", "int32_t", "uint32_t"])
@pytest.mark.parametrize("name", ["ShiftLeft", "ShiftRight", "ShiftRightRound"])
def test_shifts(kernel_file, rng, ctype, name):
    width = STORAGE[ctype].itemsize * 8
    for distance in (0, 1, 7, width - 1, width):

        def shift(old, a, b, s, i, distance=distance):
            exact = [int(x) for x in a]
            if name == "ShiftLeft":
                results = [x << distance for x in exact]
            else:
                rounds = name == "ShiftRightRound" and not ctype.startswith("u") and distance > 0
                results = [(x >> distance) + (x >> (distance - 1) & 1 if rounds else 0) for x in exact]
            return np.array([x % 2**width for x in results], np.uint64).astype(f"u{width // 8}").view(a.dtype)

        forms = FORMS[:2] if name == "ShiftRightRound" else FORMS
        check(
            kernel_file,
            rng,
            ctype,
            "vector_bits",
            int(name != "ShiftLeft"),
            shift,
            forms=forms,
            scalar=distance,
            mode=int(name == "ShiftRightRound"),
        )


def test_shift_refuses_more_than_the_width(kernel_file, rng):
    case = random_case(rng, "count", 128, operands=2, scalar=17)
    case.image = random_image(rng, "int16_t")
    with pytest.raises(ascendc_cpu.KernelError, match="scalarValue is 17, allowed 0..16"):
        run(kernel_file, "vector_bits", case, 0, DTYPE_X="int16_t")
