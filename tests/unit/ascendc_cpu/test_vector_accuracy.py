# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Largest errors of the transcendental instructions against float64, and their special values."""

import numpy as np
import pytest
from test_vector_elementwise import UNARY, run
from vector_model import STORAGE, Case

# function, dtype, range, largest error in units of the last place
ACCURACY = [
    ("Exp", "float", -0.35, 0.35, 2.5),
    ("Exp", "float", -87.0, 87.0, 2.5),
    ("Exp", "float", -87.3, 88.7, 2.5),
    ("Exp", "float", -104.5, -87.3, 2.1),  # denormal results
    ("Exp", "half", -17.5, 11.08, 0.51),
    ("Ln", "float", 0.5, 2.0, 1.1),
    ("Ln", "float", 1e-45, 1e-38, 1.1),  # denormal arguments
    ("Ln", "float", 1e-38, 3e38, 1.1),
    ("Ln", "half", 6e-8, 65504, 0.51),
    ("Sqrt", "float", 1e-40, 3e38, 0.5),
    ("Rsqrt", "float", 1e-40, 3e38, 1.5),
    ("Reciprocal", "float", 1e-38, 1e38, 0.5),
]
INF, NAN = np.inf, np.nan
SPECIAL = {
    "Exp": [(0.0, 1), (-0.0, 1), (INF, INF), (-INF, 0), (NAN, NAN), (89, INF), (3e38, INF), (-104, 0), (-3e38, 0)],
    "Ln": [(1, 0), (0.0, -INF), (-0.0, -INF), (INF, INF), (-INF, NAN), (-1, NAN), (NAN, NAN)],
    "Sqrt": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-1, NAN), (NAN, NAN)],
    "Rsqrt": [(0.0, INF), (-0.0, -INF), (INF, 0), (-1, NAN), (NAN, NAN)],
    "Reciprocal": [(0.0, INF), (-0.0, -INF), (INF, 0.0), (-INF, -0.0), (NAN, NAN)],
    "Abs": [(-0.0, 0.0), (-INF, INF), (NAN, NAN)],
    "Relu": [(-0.0, 0.0), (-INF, 0.0), (INF, INF), (NAN, NAN)],
}


def applied(kernel_file, name, ctype, values):
    dtype = STORAGE[ctype]
    case = Case(count=len(values), offsets=(0, 65536, 0, 0), ub_bytes=131072)
    case.image = np.zeros(case.ub_bytes, np.uint8)
    case.image[65536:][: values.nbytes] = values.view(np.uint8)
    image = run(kernel_file, "vector_arithmetic", case, UNARY[name][0], DTYPE_X=ctype)
    return image[: values.nbytes].view(dtype)


def samples(rng, ctype, low, high, count=8000):
    """Even over the numbers when both ends are positive and far apart, else over the range."""
    if low > 0 and high / low > 100:
        values = np.exp(rng.uniform(np.log(low), np.log(high), count))
    else:
        values = rng.uniform(low, high, count)
    return values.astype(STORAGE[ctype])


@pytest.mark.parametrize("name, ctype, low, high, max_ulp", ACCURACY)
def test_accuracy(kernel_file, seed, name, ctype, low, high, max_ulp):
    exact_of = {"Exp": np.exp, "Ln": np.log, "Sqrt": np.sqrt}
    exact_of |= {"Rsqrt": lambda x: 1 / np.sqrt(x), "Reciprocal": lambda x: 1 / x}
    values = samples(np.random.default_rng(seed), ctype, low, high)
    results = applied(kernel_file, name, ctype, values).astype(np.float64)
    exact = exact_of[name](values.astype(np.float64))
    info = np.finfo(STORAGE[ctype])
    exponent = np.floor(np.log2(np.maximum(np.abs(exact), float(info.smallest_normal))))
    ulp = np.abs(results - exact) / np.exp2(exponent - info.nmant)
    worst = int(np.argmax(ulp))
    assert ulp[worst] <= max_ulp, f"{name}({values[worst]!r}) = {results[worst]!r}, exact {exact[worst]!r}"


@pytest.mark.parametrize("ctype", ["float", "half"])
@pytest.mark.parametrize("name", SPECIAL)
def test_special_values(kernel_file, name, ctype):
    with np.errstate(over="ignore"):
        arguments, expected = (np.array(column).astype(STORAGE[ctype]) for column in zip(*SPECIAL[name], strict=True))
    results = applied(kernel_file, name, ctype, np.ascontiguousarray(arguments))
    np.testing.assert_array_equal(results, expected)
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(results[numbers]), np.signbit(expected[numbers]))
