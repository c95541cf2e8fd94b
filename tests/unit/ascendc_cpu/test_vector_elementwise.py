# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Element-wise vector instructions in all forms against numpy, byte for byte."""

import numpy as np
import pytest
from vector_model import FORMS, STORAGE, assert_ub, elementwise, random_case, random_image, scalar_bits

FLOATS = ["half", "float"]
pytestmark = pytest.mark.filterwarnings("ignore:.*encountered in cast")
SIGNED = ["half", "float", "int16_t", "int32_t"]


@pytest.fixture
def rng(seed):
    return np.random.default_rng(seed)


def larger(a, b):
    """Maximum with NaN winning and +0 above -0."""
    return np.where(a == b, np.where(np.signbit(np.asarray(a, np.float64)), b, a), np.maximum(a, b))


def smaller(a, b):
    return np.where(a == b, np.where(np.signbit(np.asarray(a, np.float64)), a, b), np.minimum(a, b))


def in_float(function):
    """half is computed in float and rounded once."""
    return lambda *operands: function(*(x.astype(np.float32) if x.dtype == np.float16 else x for x in operands))


# name: operation number of vector_arithmetic.cpp, function of (src0, src1 or scalar), types, ULP
TENSOR_TENSOR = {
    "Add": (0, np.add, SIGNED),
    "Sub": (1, np.subtract, SIGNED),
    "Mul": (2, np.multiply, SIGNED),
    "Max": (3, larger, SIGNED),
    "Min": (4, smaller, SIGNED),
    "Div": (9, np.divide, FLOATS),
}
TENSOR_SCALAR = {
    "Adds": (5, np.add, SIGNED),
    "Muls": (6, np.multiply, SIGNED),
    "Maxs": (7, larger, SIGNED),
    "Mins": (8, smaller, SIGNED),
    "LeakyRelu": (17, lambda a, slope: np.where(a >= 0, a, a * slope), FLOATS),
}
UNARY = {
    "Exp": (10, np.exp, FLOATS),
    "Ln": (11, np.log, FLOATS),
    "Abs": (12, np.abs, FLOATS),
    "Sqrt": (13, np.sqrt, FLOATS),
    "Rsqrt": (14, lambda a: 1 / np.sqrt(a), FLOATS),
    "Reciprocal": (15, lambda a: 1 / a, FLOATS),
    "Relu": (16, lambda a: np.where(a <= 0, 0, a), ["half", "float", "int32_t"]),
}
MAX_ULP = {("Exp", "float"): 4, ("Ln", "float"): 2, ("Exp", "half"): 1, ("Ln", "half"): 1}
CASES_PER_FORM = 6


def calls(table):
    return [pytest.param(name, ctype, id=f"{name}-{ctype}") for name, (_, _, types) in table.items() for ctype in types]


def run(kernel_file, entry, case, operation, **dtypes):
    module = kernel_file(entry, dtypes=dtypes)
    image = case.image.copy()
    module.launch(1, image, tiling=case.record(operation))
    return image


def check(kernel_file, rng, ctype, operation, function, operands, max_ulp=0, **fields):
    lanes = 256 // STORAGE[ctype].itemsize
    for form in FORMS:
        for _ in range(CASES_PER_FORM):
            case = random_case(rng, form, lanes, operands, **fields)
            case.image = random_image(rng, ctype)
            expected = elementwise(case, function, ctype, ctype)
            actual = run(kernel_file, "vector_arithmetic", case, operation, DTYPE_X=ctype)
            try:
                assert_ub(actual, expected, ctype, max_ulp)
            except AssertionError as error:
                raise AssertionError(f"{case}: {error}") from None


@pytest.mark.parametrize("name, ctype", calls(TENSOR_TENSOR))
def test_tensor_tensor(kernel_file, rng, name, ctype):
    operation, function, _ = TENSOR_TENSOR[name]
    check(kernel_file, rng, ctype, operation, lambda old, a, b, s, i: in_float(function)(a, b), 3)


@pytest.mark.parametrize("name, ctype", calls(TENSOR_SCALAR))
def test_tensor_scalar(kernel_file, rng, name, ctype):
    operation, function, _ = TENSOR_SCALAR[name]
    for value in (3, -7.5, 0, np.inf if ctype in FLOATS else 32767):
        check(
            kernel_file,
            rng,
            ctype,
            operation,
            lambda old, a, b, s, i: in_float(function)(a, np.broadcast_to(s, a.shape)),
            2,
            scalar=scalar_bits(value, ctype),
        )


@pytest.mark.parametrize("name, ctype", calls(UNARY))
def test_unary(kernel_file, rng, name, ctype):
    operation, function, _ = UNARY[name]
    ulp = MAX_ULP.get((name, ctype), 0)
    if ulp:  # as exact as float64 makes it
        wrapped = lambda old, a, b, s, i: function(a.astype(np.float64)).astype(a.dtype)  # noqa: E731
    else:
        wrapped = lambda old, a, b, s, i: in_float(function)(a)  # noqa: E731
    check(kernel_file, rng, ctype, operation, wrapped, 2, max_ulp=ulp)


@pytest.mark.parametrize("ctype", SIGNED)
def test_in_place(kernel_file, rng, ctype):
    """dst, src0 and src1 the same tensor."""
    lanes = 256 // STORAGE[ctype].itemsize
    for form in FORMS:
        case = random_case(rng, form, lanes, offsets=(64, 64, 64, 0))
        case.block_strides = (case.block_strides[0],) * 3
        case.repeat_strides = (case.repeat_strides[0],) * 3
        case.image = random_image(rng, ctype)
        expected = elementwise(case, lambda old, a, b, s, i: in_float(np.add)(a, b), ctype, ctype)
        assert_ub(run(kernel_file, "vector_arithmetic", case, 0, DTYPE_X=ctype), expected, ctype)


@pytest.mark.parametrize("ctype", FLOATS)
@pytest.mark.parametrize("name", ["Add", "Max"])
def test_accumulate_over_repeats(kernel_file, rng, ctype, name):
    """dst is src1 with repeat stride 0: every repeat adds to the result of the one before."""
    operation, function, _ = TENSOR_TENSOR[name]
    lanes = 256 // STORAGE[ctype].itemsize
    for count in (1, lanes // 2 + 3, lanes):
        case = random_case(rng, "lanes", lanes, offsets=(4096, 16384, 4096, 0))
        case.mask = (count, 0)
        case.block_strides, case.repeat_strides, case.repeats = (1, 1, 1), (0, 8, 0), 9
        case.image = random_image(rng, ctype)
        expected = elementwise(case, lambda old, a, b, s, i: in_float(function)(a, b), ctype, ctype)
        assert_ub(run(kernel_file, "vector_arithmetic", case, operation, DTYPE_X=ctype), expected, ctype)


@pytest.mark.parametrize("ctype", SIGNED)
@pytest.mark.parametrize("in_place", [False, True])
def test_row_broadcast(kernel_file, rng, ctype, in_place):
    """One block of src1 for a whole row, as Brcb leaves it: src1BlkStride 0, src1RepStride 1."""
    lanes = 256 // STORAGE[ctype].itemsize
    for count in (1, 5, lanes - 1, lanes):
        case = random_case(rng, "lanes", lanes, offsets=(0, 0 if in_place else 16384, 32768, 0))
        case.mask = (count, 0)
        case.block_strides, case.repeat_strides, case.repeats = (1, 1, 0), (24, 24, 1), 11
        case.image = random_image(rng, ctype)
        expected = elementwise(case, lambda old, a, b, s, i: in_float(np.subtract)(a, b), ctype, ctype)
        assert_ub(run(kernel_file, "vector_arithmetic", case, 1, DTYPE_X=ctype), expected, ctype)


@pytest.mark.parametrize("ctype", ["half", "float"])
@pytest.mark.parametrize("form, set_mask", [("bits", True), ("bits", False), ("lanes", False), ("count", False)])
def test_counter_mode(kernel_file, rng, ctype, form, set_mask):
    """The register holds a number of elements, which may exceed a repeat; repeatTimes is ignored."""
    lanes = 256 // STORAGE[ctype].itemsize
    for elements in (0, 1, lanes - 1, lanes, 3 * lanes + 7):
        case = random_case(rng, form, lanes, operands=2, counter_mode=True, set_mask=set_mask)
        case.mask = (elements, 0) if set_mask else (5, 9)
        case.register_mask = (elements, 0)
        case.scalar = scalar_bits(2, ctype)
        case.image = random_image(rng, ctype)
        expected = elementwise(
            case, lambda old, a, b, s, i: in_float(np.add)(a, np.broadcast_to(s, a.shape)), ctype, ctype
        )
        assert_ub(run(kernel_file, "vector_arithmetic", case, 5, DTYPE_X=ctype), expected, ctype)


@pytest.mark.parametrize("ctype", ["half", "float"])
@pytest.mark.parametrize("form", FORMS)
def test_mask_from_register(kernel_file, rng, ctype, form):
    lanes = 256 // STORAGE[ctype].itemsize
    case = random_case(rng, form, lanes, operands=2, set_mask=False)
    case.register_mask = tuple(int(word) for word in rng.integers(0, 2**64, 2, dtype=np.uint64))
    case.scalar = scalar_bits(2, ctype)
    case.image = random_image(rng, ctype)
    expected = elementwise(
        case, lambda old, a, b, s, i: in_float(np.multiply)(a, np.broadcast_to(s, a.shape)), ctype, ctype
    )
    assert_ub(run(kernel_file, "vector_arithmetic", case, 6, DTYPE_X=ctype), expected, ctype)
