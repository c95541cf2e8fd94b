# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Cast: every pair and rounding mode against exact rational rounding, in all forms."""

from fractions import Fraction

import numpy as np
import pytest
from bit_types import from_bfloat16
from test_vector_elementwise import run
from vector_model import FORMS, STORAGE, assert_ub, elementwise, random_case, random_image

import ascendc_cpu

MODES = ["NONE", "RINT", "FLOOR", "CEIL", "ROUND", "TRUNC", "ODD"]
NONE, DIRECTED = ["NONE"], MODES[1:6]
# (src, dst): modes, the table of the Cast page for Atlas A2
PAIRS = {
    ("int8_t", "half"): NONE,
    ("uint8_t", "half"): NONE,
    ("int16_t", "half"): NONE + DIRECTED,
    ("int16_t", "float"): NONE,
    ("half", "int8_t"): NONE + DIRECTED,
    ("half", "uint8_t"): NONE + DIRECTED,
    ("half", "int16_t"): DIRECTED,
    ("half", "int32_t"): DIRECTED,
    ("half", "float"): NONE,
    ("bfloat16_t", "int32_t"): DIRECTED,
    ("bfloat16_t", "float"): NONE,
    ("int32_t", "int16_t"): NONE,
    ("int32_t", "float"): NONE + DIRECTED,
    ("int32_t", "int64_t"): NONE,
    ("float", "int16_t"): DIRECTED,
    ("float", "half"): MODES,
    ("float", "bfloat16_t"): DIRECTED,
    ("float", "int32_t"): DIRECTED,
    ("float", "float"): DIRECTED,
    ("float", "int64_t"): DIRECTED,
    ("int64_t", "int32_t"): NONE,
    ("int64_t", "float"): DIRECTED,
}
FLOATS = {"half": (11, -24, 16), "bfloat16_t": (8, -133, 128), "float": (24, -149, 128)}  # digits, lowest bit, limit
BITS = {"half": (0x7C00, 0x7E00, 16), "bfloat16_t": (0x7F80, 0x7FC0, 16), "float": (0x7F800000, 0x7FC00000, 32)}


@pytest.fixture
def rng(seed):
    return np.random.default_rng(seed)


def whole(value: Fraction, mode: str) -> int:
    """value to an integer."""
    low = value.numerator // value.denominator
    rest = value - low
    if rest == 0:
        return low
    toward_zero = low if value > 0 else low + 1
    away = low + 1 if value > 0 else low
    if mode in ("NONE", "RINT"):
        return low + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and low % 2 == 1))
    return {
        "FLOOR": low,
        "CEIL": low + 1,
        "ROUND": away if abs(value - away) <= Fraction(1, 2) else toward_zero,
        "TRUNC": toward_zero,
        "ODD": low if low % 2 else low + 1,
    }[mode]


def to_float_bits(value: Fraction, negative: bool, ctype: str, mode: str) -> int:
    """Nearest representable number in the mode's direction; a result beyond the largest is infinity."""
    digits, lowest, limit = FLOATS[ctype]
    infinity, _, width = BITS[ctype]
    sign = int(negative) << (width - 1)
    if value == 0:
        return sign
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    exponent += magnitude >= Fraction(2) ** (exponent + 1)
    exponent -= magnitude < Fraction(2) ** exponent
    if exponent >= limit:
        return sign | infinity
    step = max(exponent - digits + 1, lowest)
    units = abs(whole(value / Fraction(2) ** step, mode))
    # units times 2^step, as the format writes it: a carry runs into the exponent field
    field = max(step - lowest, 0)
    return sign | ((field << (digits - 1)) + units)


def expected_bits(element, src: str, dst: str, mode: str) -> int:
    """One element as Cast converts it."""
    number = element.item() if src.startswith(("int", "uint")) else float(_single(element, src))
    integer = dst.startswith(("int", "uint"))
    if isinstance(number, float) and number != number:
        return 0 if integer else BITS[dst][1]
    if integer:
        limits = np.iinfo(STORAGE[dst])
        infinite = number in (np.inf, -np.inf)
        rounded = (limits.max if number > 0 else limits.min) if infinite else whole(Fraction(number), mode)
        return int(
            np.array(min(max(rounded, limits.min), limits.max)).astype(STORAGE[dst]).view(f"u{limits.bits // 8}")
        )
    negative = bool(np.signbit(float(number)))
    if number in (np.inf, -np.inf):
        return int(negative) << (BITS[dst][2] - 1) | BITS[dst][0]
    if src == dst == "float":  # rounding to an integer, never -0
        rounded = whole(Fraction(number), mode)
        return int(np.float32(rounded).view(np.uint32)) if rounded else 0
    return to_float_bits(Fraction(number), negative, dst, mode)


def _single(element, ctype):
    return from_bfloat16(np.array(element))[()] if ctype == "bfloat16_t" else element


def model(src: str, dst: str, mode: str):
    def function(old, a, b, scalar, index):
        unsigned = np.dtype(f"u{STORAGE[dst].itemsize}")
        values = [expected_bits(element, src, dst, mode) for element in a]
        return np.array(values, np.uint64).astype(unsigned).view(STORAGE[dst])

    return function


def borders(rng, src: str, dst: str) -> np.ndarray:
    """An image of numbers around the limits and the ties of dst."""
    image = random_image(rng, src).view(STORAGE[src])
    if src in FLOATS:
        halves = rng.integers(-300, 300, len(image)) / 2
        powers = np.exp2(rng.uniform(-30, 70, len(image))) * rng.choice([-1, 1], len(image))
        ties = (1 + (rng.integers(0, 256, len(image)) + 0.5) / 2**10) * np.exp2(rng.integers(-26, 17, len(image)))
        picked = np.choose(rng.integers(0, 3, len(image)), [halves, powers, ties * rng.choice([-1, 1], len(image))])
        with np.errstate(over="ignore"):
            single = picked.astype(np.float32)
            encoded = single.astype(STORAGE[src]) if src != "bfloat16_t" else (single.view(np.uint32) >> 16)
        image = np.where(rng.random(len(image)) < 0.6, encoded.astype(STORAGE[src]), image)
    elif src.startswith("int") and STORAGE[src].itemsize > 1:
        shift = rng.integers(0, STORAGE[src].itemsize * 8 - 1, len(image)).astype(STORAGE[src])
        image = image >> shift
    return np.ascontiguousarray(image).view(np.uint8).copy()


@pytest.mark.parametrize(
    "src, dst, mode",
    [pytest.param(*pair, mode, id=f"{'-'.join(pair)}-{mode}") for pair in PAIRS for mode in PAIRS[pair]],
)
def test_cast(kernel_file, rng, src, dst, mode):
    lanes = 256 // max(STORAGE[src].itemsize, STORAGE[dst].itemsize)
    for form in FORMS:
        case = random_case(rng, form, lanes, operands=2, mode=MODES.index(mode))
        case.repeats = min(case.repeats, 3)
        case.image = borders(rng, src, dst)
        expected = elementwise(case, model(src, dst, mode), dst, src)
        actual = run(kernel_file, "vector_cast", case, 0, DTYPE_X=dst, DTYPE_Y=src)
        assert_ub(actual, expected, dst)


@pytest.mark.parametrize("src, dst", PAIRS)
def test_other_modes_are_refused(kernel_file, rng, src, dst):
    refused = [mode for mode in MODES if mode not in PAIRS[src, dst]]
    for mode in refused:
        case = random_case(rng, "count", 32, operands=2, mode=MODES.index(mode))
        case.image = random_image(rng, src)
        with pytest.raises(ascendc_cpu.KernelError, match="Cast.*roundMode is"):
            run(kernel_file, "vector_cast", case, 0, DTYPE_X=dst, DTYPE_Y=src)


@pytest.mark.parametrize("src, dst", [("half", "bfloat16_t"), ("uint8_t", "float"), ("int32_t", "half")])
def test_other_pairs_do_not_compile(kernel_file, src, dst):
    with pytest.raises(ascendc_cpu.CompileError, match="Cast: this architecture has no instruction"):
        kernel_file("vector_cast", dtypes={"DTYPE_X": dst, "DTYPE_Y": src})


@pytest.mark.parametrize("dst, mode", [("half", "RINT"), ("half", "NONE"), ("bfloat16_t", "RINT")])
def test_fast_rows_of_many_numbers(kernel_file, rng, dst, mode):
    """The rounding that attention uses, on every exponent: against numpy, or the bits of bfloat16."""
    case = random_case(rng, "count", 64, operands=2, mode=MODES.index(mode), offsets=(0, 65536, 0, 0))
    case.ub_bytes = 131072
    bits = rng.integers(0, 2**32, case.ub_bytes // 4, dtype=np.uint64).astype(np.uint32)
    case.image = bits.view(np.uint8).copy()
    case.count = 16001
    with np.errstate(over="ignore"):
        expected = elementwise(case, lambda old, a, b, s, i: _narrow(a, dst), dst, "float")
    assert_ub(run(kernel_file, "vector_cast", case, 0, DTYPE_X=dst, DTYPE_Y="float"), expected, dst)


def _narrow(values, dst):
    from bit_types import to_bfloat16

    return values.astype(np.float16) if dst == "half" else to_bfloat16(values)
