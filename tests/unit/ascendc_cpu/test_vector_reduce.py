# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Reductions of repeats, blocks, pairs and whole tensors against loops."""

import numpy as np
import pytest
from test_vector_elementwise import larger, run, smaller
from vector_model import BLOCK, FORMS, STORAGE, Ub, assert_ub, random_case, random_image

import ascendc_cpu

FLOATS = ["half", "float"]
pytestmark = pytest.mark.filterwarnings("ignore:.*encountered in cast")
SUM, MAX, MIN = range(3)
NAMES = ["sum", "max", "min"]
VALUE_INDEX, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX = range(4)


@pytest.fixture
def rng(seed):
    return np.random.default_rng(seed)


def lanes_of(ctype):
    return 256 // STORAGE[ctype].itemsize


def tree_sum(values):
    """((0 + 1) + (2 + 3)) + ... in float32."""
    values = np.asarray(values, np.float32)
    with np.errstate(all="ignore"):
        while len(values) > 1:
            values = values[0::2] + values[1::2]
    return values[0]


def reduced(kind, values, active, dtype):
    """One value of the active ones; inactive lanes are neutral."""
    if kind == SUM:
        return dtype.type(tree_sum(np.where(active, values.astype(np.float32), np.float32(-0.0))))
    pick = larger if kind == MAX else smaller
    result = None
    for value in values[active].astype(np.float32):
        result = value if result is None else pick(result, value)
    return dtype.type(result)


def first_extreme(kind, values, active):
    """Smallest lane of the extreme value, or of the first NaN."""
    chosen = np.flatnonzero(active)
    numbers = values[chosen].astype(np.float64)
    if np.isnan(numbers).any():
        return chosen[np.flatnonzero(np.isnan(numbers))[0]]
    return chosen[np.argmax(numbers) if kind == MAX else np.argmin(numbers)]


def repeats_of(case, ub, ctype):
    """(values, active) of every repeat."""
    dtype = STORAGE[ctype]
    lanes = np.arange(lanes_of(ctype))
    for repeat, chosen in enumerate(case.active(len(lanes))):
        active = np.zeros(len(lanes), bool)
        active[chosen] = True
        values = np.zeros(len(lanes), dtype)
        values[chosen] = ub.read(case.addresses(1, repeat, chosen, dtype.itemsize, dtype.itemsize), dtype)
        yield repeat, values, active


def reduce_case(rng, form, ctype, special, **fields):
    case = random_case(rng, form, lanes_of(ctype), operands=2, offsets=(0, 32768, 0, 24576), **fields)
    case.repeat_strides = (int(rng.integers(1, 4)), case.repeat_strides[1], 8)
    case.image = random_image(rng, ctype) if special else few_values(rng, ctype)
    return case


def few_values(rng, ctype):
    """Small integers with ties, both zeros, no NaN."""
    count = 65536 // STORAGE[ctype].itemsize
    values = rng.integers(-8, 9, count) * rng.choice([1.0, -1.0], count)
    return values.astype(STORAGE[ctype]).view(np.uint8).copy()


MASKINGS = [("bits", True), ("lanes", True), ("lanes", False)]


@pytest.mark.parametrize("ctype", FLOATS)
@pytest.mark.parametrize("kind", [SUM, MAX, MIN], ids=NAMES)
@pytest.mark.parametrize("order", range(4))
@pytest.mark.parametrize("newer", [0, 10], ids=["WholeReduce", "ReduceRepeat"])
def test_whole_reduce(kernel_file, rng, ctype, kind, order, newer):
    dtype = STORAGE[ctype]
    index_type = np.dtype(f"u{dtype.itemsize}")
    for number in range(12):
        form, set_mask = MASKINGS[number % (2 if newer else 3)]
        case = reduce_case(rng, form, ctype, number < 6, mode=order, set_mask=set_mask)
        if not set_mask:
            case.register_mask = tuple(int(word) for word in rng.integers(0, 2**64, 2, dtype=np.uint64))
        expected = Ub(case.image)
        only_value = kind == SUM or order == ONLY_VALUE
        unit = dtype.itemsize if only_value else 4 if order == ONLY_INDEX else 2 * dtype.itemsize
        for repeat, values, active in repeats_of(case, expected, ctype):
            if not active.any():
                continue
            start = case.offsets[0] + repeat * case.repeat_strides[0] * unit
            value = np.array(reduced(kind, values, active, dtype)).view(index_type)
            if only_value:
                parts = [value]
            else:
                lane = first_extreme(kind, values, active)
                value = values[lane : lane + 1].view(index_type)[0]
                parts = {
                    VALUE_INDEX: [value, lane],
                    INDEX_VALUE: [lane, value],
                    ONLY_INDEX: list(np.array([lane], np.uint32).view(index_type)),
                }[order]
            expected.write(start + np.arange(len(parts)) * dtype.itemsize, np.array(parts, index_type))
        actual = run(kernel_file, "vector_reduce", case, newer + kind, DTYPE_X=ctype)
        assert_ub(actual, expected, ctype)


@pytest.mark.parametrize("ctype", FLOATS)
@pytest.mark.parametrize("kind", [SUM, MAX, MIN], ids=NAMES)
def test_fold_then_reduce_rows(kernel_file, rng, ctype, kind):
    """Full rows with a repeat stride, one value each: the shape of a row maximum."""
    for count in (1, lanes_of(ctype) // 2 + 1, lanes_of(ctype)):
        case = reduce_case(rng, "lanes", ctype, True, mode=ONLY_VALUE)
        case.mask, case.block_strides, case.repeat_strides, case.repeats = (count, 0), (1, 1, 1), (1, 16, 8), 13
        expected = Ub(case.image)
        for repeat, values, active in repeats_of(case, expected, ctype):
            value = np.array([reduced(kind, values, active, STORAGE[ctype])])
            expected.write(np.array([case.offsets[0] + repeat * value.itemsize]), value)
        assert_ub(run(kernel_file, "vector_reduce", case, kind, DTYPE_X=ctype), expected, ctype)


@pytest.mark.parametrize("ctype", FLOATS)
@pytest.mark.parametrize("kind", [SUM, MAX, MIN], ids=NAMES)
@pytest.mark.parametrize("newer", [0, 10], ids=["BlockReduce", "ReduceDataBlock"])
def test_block_reduce(kernel_file, rng, ctype, kind, newer):
    dtype = STORAGE[ctype]
    per_block = BLOCK // dtype.itemsize
    for number in range(9):
        form, set_mask = MASKINGS[number % (2 if newer else 3)]
        case = reduce_case(rng, form, ctype, number < 5, set_mask=set_mask)
        expected = Ub(case.image)
        for repeat, values, active in repeats_of(case, expected, ctype):
            for block in range(8):
                part = slice(block * per_block, (block + 1) * per_block)
                if active[part].any():
                    value = np.array([reduced(kind, values[part], active[part], dtype)])
                    slot = repeat * case.repeat_strides[0] * 8 + block
                    expected.write(np.array([case.offsets[0] + slot * dtype.itemsize]), value)
        assert_ub(run(kernel_file, "vector_reduce", case, newer + 3 + kind, DTYPE_X=ctype), expected, ctype)


@pytest.mark.parametrize("ctype", FLOATS)
@pytest.mark.parametrize("newer", [0, 10], ids=["PairReduceSum", "ReducePairElem"])
def test_pair_reduce_sum(kernel_file, rng, ctype, newer):
    dtype = STORAGE[ctype]
    for number in range(9):
        form, set_mask = MASKINGS[number % (2 if newer else 3)]
        case = reduce_case(rng, form, ctype, number < 5, set_mask=set_mask)
        expected = Ub(case.image)
        for repeat, values, active in repeats_of(case, expected, ctype):
            for pair in range(lanes_of(ctype) // 2):
                part = slice(2 * pair, 2 * pair + 2)
                if active[part].any():
                    value = np.array([reduced(SUM, values[part], active[part], dtype)])
                    start = case.offsets[0] + repeat * case.repeat_strides[0] * 128
                    expected.write(np.array([start + pair * dtype.itemsize]), value)
        assert_ub(run(kernel_file, "vector_reduce", case, newer + 6, DTYPE_X=ctype), expected, ctype)


@pytest.mark.parametrize("ctype", FLOATS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("with_index", [0, 1])
@pytest.mark.parametrize("kind", [MAX, MIN], ids=NAMES[1:])
def test_reduce_extreme(kernel_file, rng, ctype, form, with_index, kind):
    dtype = STORAGE[ctype]
    for number in range(6):
        case = reduce_case(rng, form, ctype, number < 3, mode=with_index)
        case.block_strides = (1, 1, 1)
        case.count = int(rng.choice([1, 63, 64, 129, 2000, 300 * lanes_of(ctype) // 8]))
        case.image[case.offsets[3] :][: case.ub_bytes - 65536 + 8192] = 0xFF
        everything, numbers = [], []
        for repeat, values, active in repeats_of(case, Ub(case.image), ctype):
            everything += list(values[active])
            numbers += list(repeat * lanes_of(ctype) + np.flatnonzero(active))
        values = np.array(everything, dtype)
        lane = first_extreme(kind, values, np.ones(len(values), bool))
        actual = run(kernel_file, "vector_reduce", case, 20 + kind, DTYPE_X=ctype)
        result = actual[: 2 * dtype.itemsize].view(dtype)
        np.testing.assert_array_equal(result[0], values[lane])
        if with_index:
            assert result[1:].view(f"u{dtype.itemsize}")[0] == numbers[lane]
        written = dtype.itemsize * (1 + with_index)
        np.testing.assert_array_equal(actual[written : case.offsets[3]], case.image[written : case.offsets[3]])
        np.testing.assert_array_equal(actual[case.offsets[1] :], case.image[case.offsets[1] :])


@pytest.mark.parametrize("ctype", FLOATS)
@pytest.mark.parametrize("form", FORMS)
def test_reduce_sum(kernel_file, rng, ctype, form):
    """Sums of repeats, rounded, then sums of those."""
    dtype = STORAGE[ctype]
    lanes = lanes_of(ctype)
    for _ in range(6):
        case = reduce_case(rng, form, ctype, False)
        case.block_strides = (1, 1, 1)
        case.count = int(rng.choice([1, 63, 64, 129, 2000, 8000]))
        sums = [reduced(SUM, values, active, dtype) for _, values, active in repeats_of(case, Ub(case.image), ctype)]
        while len(sums) > 1:
            padded = np.array(sums + [dtype.type(-0.0)] * (-len(sums) % lanes), dtype).reshape(-1, lanes)
            sums = [dtype.type(tree_sum(row)) for row in padded]
        actual = run(kernel_file, "vector_reduce", case, 20 + SUM, DTYPE_X=ctype)
        np.testing.assert_array_equal(actual[: dtype.itemsize].view(dtype)[0], sums[0])


def test_reduce_refuses(kernel_file, rng):
    case = reduce_case(rng, "lanes", "float", False)
    case.mask, case.repeats = (64, 0), 256
    with pytest.raises(ascendc_cpu.KernelError, match="repeatTime is 256, allowed 0..255"):
        run(kernel_file, "vector_reduce", case, MAX, DTYPE_X="float")
    case.repeats, case.mode = 1, 4
    with pytest.raises(ascendc_cpu.KernelError, match="order is 4"):
        run(kernel_file, "vector_reduce", case, MAX, DTYPE_X="float")
