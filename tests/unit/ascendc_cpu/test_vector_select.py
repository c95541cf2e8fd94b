# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Compare and Select in all modes and forms against numpy."""

import operator

import numpy as np
import pytest
from test_vector_elementwise import run
from vector_model import FORMS, STORAGE, Ub, assert_ub, elementwise, random_case, random_image, scalar_bits

import ascendc_cpu

COMPARE, COMPARE_SCALAR, COMPARES, COMPARE_REGISTER, SELECT_TENSOR, SELECT_SCALAR, SELECT_REGISTER = range(7)
MODES = [operator.lt, operator.gt, operator.eq, operator.le, operator.ge, operator.ne]
COMPARISONS = [(ctype, mode) for ctype in ("half", "float") for mode in range(6)] + [("int32_t", 2)]
SPR, SCALAR, TENSOR = range(3)
FLOATS = ["half", "float"]


@pytest.fixture
def rng(seed):
    return np.random.default_rng(seed)


def lanes_of(ctype):
    return 256 // STORAGE[ctype].itemsize


def compare_image(rng, ctype):
    """Few different values, so that equality happens."""
    image = random_image(rng, ctype).view(STORAGE[ctype])
    few = rng.integers(-2, 3, len(image)).astype(image.dtype)
    return np.where(rng.random(len(image)) < 0.7, few, image).view(np.uint8).copy()


def compared(case, ctype, mode, with_scalar):
    """UB after a storing comparison: all lanes of all repeats, whatever the mask."""
    lanes = np.arange(lanes_of(ctype))
    dtype = STORAGE[ctype]
    ub = Ub(case.image)
    scalar = np.frombuffer(case.scalar.to_bytes(8, "little")[: dtype.itemsize], dtype)[0]
    repeats = case.count // len(lanes) if case.form == "count" else case.repeats
    for repeat in range(repeats):
        operands = [ub.read(case.addresses(i, repeat, lanes, dtype.itemsize, dtype.itemsize), dtype) for i in (1, 2)]
        result = MODES[mode](operands[0], scalar if with_scalar else operands[1])
        packed = np.packbits(result, bitorder="little")
        ub.write(case.offsets[0] + repeat * len(packed) + np.arange(len(packed)), packed)
    return ub


@pytest.mark.parametrize("ctype, mode", COMPARISONS)
@pytest.mark.parametrize("operation", [COMPARE, COMPARE_SCALAR, COMPARES])
def test_compare(kernel_file, rng, ctype, mode, operation):
    for form in FORMS:
        for _ in range(4):
            case = random_case(rng, form, lanes_of(ctype), mode=mode, scalar=scalar_bits(1, ctype))
            case.count = lanes_of(ctype) * int(rng.choice([1, 2, 5]))
            case.image = compare_image(rng, ctype)
            expected = compared(case, ctype, mode, operation != COMPARE)
            actual = run(kernel_file, "vector_select", case, operation, DTYPE_X=ctype)
            assert_ub(actual, expected, "uint8_t")


def test_compare_refuses(kernel_file, rng):
    case = random_case(rng, "count", 64, mode=2)
    case.image = compare_image(rng, "float")
    case.count = 63
    with pytest.raises(ascendc_cpu.KernelError, match="count is 63, allowed are multiples of 64"):
        run(kernel_file, "vector_select", case, COMPARE, DTYPE_X="float")
    case.count, case.mode = 64, 6
    with pytest.raises(ascendc_cpu.KernelError, match="cmpMode is 6"):
        run(kernel_file, "vector_select", case, COMPARE, DTYPE_X="float")
    case.mode = 0
    with pytest.raises(ascendc_cpu.KernelError, match="int32_t allows EQ only"):
        run(kernel_file, "vector_select", case, COMPARE, DTYPE_X="int32_t")


@pytest.mark.parametrize("ctype", FLOATS)
@pytest.mark.parametrize("mode", range(6))
def test_compare_to_register(kernel_file, rng, ctype, mode):
    lanes = lanes_of(ctype)
    for form, set_mask in (("bits", True), ("lanes", True), ("lanes", False)):
        case = random_case(rng, form, lanes, mode=mode, set_mask=set_mask, repeats=1)
        case.repeats = 1
        case.register_mask = tuple(int(word) for word in rng.integers(0, 2**64, 2, dtype=np.uint64))
        case.image = compare_image(rng, ctype)
        whole = compared(case, ctype, mode, False)
        bits = np.unpackbits(whole.bytes[: lanes // 8], bitorder="little").astype(bool)
        active = np.zeros(128, bool)
        active[case.active(lanes)[0]] = bits[case.active(lanes)[0]]
        expected = Ub(case.image)
        expected.write(np.arange(16), np.packbits(active, bitorder="little"))
        actual = run(kernel_file, "vector_select", case, COMPARE_REGISTER, DTYPE_X=ctype)
        assert_ub(actual, expected, "uint8_t")


def chosen(case, ctype, reuse, with_scalar, width=None):
    """function of elementwise(): bits of the stream at offset 3 pick src0 or src1."""
    stream = np.unpackbits(case.image[case.offsets[3] :][:8192], bitorder="little").astype(bool)

    def function(old, a, b, scalar, index):
        bits = stream[index % lanes_of(ctype) if reuse else index]
        return np.where(bits, a, np.broadcast_to(scalar, a.shape) if with_scalar else b)

    return function


@pytest.mark.parametrize("ctype", FLOATS)
@pytest.mark.parametrize("mode", [SPR, TENSOR])
def test_select_tensor(kernel_file, rng, ctype, mode):
    for form in FORMS:
        for _ in range(6):
            case = random_case(rng, form, lanes_of(ctype), mode=mode, ub_bytes=196608)
            case.image = random_image(rng, ctype, case.ub_bytes)
            expected = elementwise(case, chosen(case, ctype, mode == SPR, False), ctype, ctype)
            actual = run(kernel_file, "vector_select", case, SELECT_TENSOR, DTYPE_X=ctype)
            check_scratch(actual, expected, used=mode == TENSOR)
            assert_ub(actual, expected, ctype)


@pytest.mark.parametrize("ctype", FLOATS)
def test_select_scalar(kernel_file, rng, ctype):
    for form in FORMS:
        for _ in range(6):
            case = random_case(rng, form, lanes_of(ctype), mode=SCALAR, ub_bytes=196608)
            case.scalar = scalar_bits(-65504, ctype)
            case.image = random_image(rng, ctype, case.ub_bytes)
            expected = elementwise(case, chosen(case, ctype, False, True), ctype, ctype)
            actual = run(kernel_file, "vector_select", case, SELECT_SCALAR, DTYPE_X=ctype)
            check_scratch(actual, expected, used=True)
            assert_ub(actual, expected, ctype)


def check_scratch(actual, expected, used):
    """Modes 1 and 2 overwrite 128 B at 184 KiB, as on the device."""
    scratch = slice(184 * 1024, 184 * 1024 + 128)
    assert used == (actual[scratch] != expected.bytes[scratch]).any()
    expected.bytes[scratch] = actual[scratch]


def test_select_of_mask_rows(kernel_file, rng):
    """One bit row per repeat from a table, in place, the other source a single repeat read again and again."""
    for in_first in (True, False):
        case = random_case(rng, "lanes", 64, mode=TENSOR)
        case.mask, case.repeats, case.block_strides = (64, 0), 8, (1, 1, 1)
        case.repeat_strides = (64, 64, 0) if in_first else (64, 0, 64)
        case.offsets = (4096, 4096, 32768, 49152 + 64) if in_first else (4096, 32768, 4096, 49152 + 96)
        case.image = random_image(rng, "float")
        expected = elementwise(case, chosen(case, "float", False, False), "float", "float")
        actual = run(kernel_file, "vector_select", case, SELECT_TENSOR, DTYPE_X="float")
        assert_ub(actual, expected, "float")


@pytest.mark.parametrize("ctype", FLOATS)
def test_select_from_register(kernel_file, rng, ctype):
    """SetCmpMask, then Select without selMask: the register's bits and the mask register."""
    case = random_case(rng, "lanes", lanes_of(ctype), set_mask=False)
    case.register_mask = tuple(int(word) for word in rng.integers(0, 2**64, 2, dtype=np.uint64))
    case.image = random_image(rng, ctype)
    expected = elementwise(case, chosen(case, ctype, True, False), ctype, ctype)
    assert_ub(run(kernel_file, "vector_select", case, SELECT_REGISTER, DTYPE_X=ctype), expected, ctype)


@pytest.mark.parametrize("operation, mode", [(SELECT_TENSOR, SCALAR), (SELECT_SCALAR, TENSOR), (SELECT_SCALAR, SPR)])
def test_select_refuses_mode_of_the_other_operand(kernel_file, rng, operation, mode):
    case = random_case(rng, "count", 64, mode=mode)
    case.image = random_image(rng, "float")
    with pytest.raises(ascendc_cpu.KernelError, match=f"selMode is {mode}, allowed with a"):
        run(kernel_file, "vector_select", case, operation, DTYPE_X="float")
