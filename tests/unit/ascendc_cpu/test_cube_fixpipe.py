# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Fixpipe out of an L0C tile: formats, casts, ReLU, several matrices, atomic add; nothing else is written."""

import numpy as np
import pytest
from bit_types import STORAGE, decode, encode
from cube_model import Kernels, filler_of, integers, multiply, nz_image, round_up, run

import ascendc_cpu


@pytest.fixture
def rng(seed):
    return np.random.default_rng(seed)


@pytest.fixture(scope="module")
def kernels(kernel_cache):
    return Kernels(kernel_cache)


def product_into(kernels, c, out, result, ctype="float", **fields):
    """Puts c (m x n, exact in float) into L0C as c = c * I, and runs the Fixpipe described by `fields`."""
    m, n = c.shape
    rows, columns = round_up(m, 16), round_up(n, 16)
    image_a = nz_image(c, ctype, rows, columns, 0, 0, filler_of(ctype))
    image_b = nz_image(np.eye(n), ctype, columns, columns, 0, 0, 0)
    run(
        kernels, ctype, out, image_a, image_b, result,
        **{"m": m, "n": n, "k": n, "recipe_a": "PLAIN_2D", "recipe_b": "PLAIN_2D", "a_rows": rows,
           "a_columns": columns, "b_rows": columns, "b_columns": columns, **fields},
    )  # fmt: skip


def values(rng, shape):
    """Floats that show rounding: halfway cases, denormals of half, overflow, infinities, NaN, zeros."""
    special = [1 + 2**-11, 1 + 3 * 2**-11, 1 + 2**-8, 1 + 3 * 2**-8, 65519.0, 65520.0, 1e5, -1e5, 2**-25, 3 * 2**-26]
    special += [2**-14 - 2**-26, 1e-7, 0.0, 3.3e38, 1.5 * 2**-24]
    out = rng.standard_normal(shape).astype(np.float32) * np.float32(10) ** rng.integers(-6, 5, shape).astype(
        np.float32
    )
    places = rng.random(shape) < 0.5
    return np.where(places, rng.choice(np.float32(special), shape), out)


@pytest.mark.parametrize("out", ["float", "half", "bfloat16_t"])
@pytest.mark.parametrize("shape", [(16, 16), (1 + 16, 48), (61, 80), (128, 64)])
def test_rows(rng, kernels, out, shape):
    m, n = shape
    c = values(rng, shape)
    stride = n + int(rng.integers(0, 9))
    result = np.full((m + 1, stride), 0x55, np.uint8).repeat(STORAGE[out].itemsize, axis=1).view(STORAGE[out])
    expected = result.copy()
    with np.errstate(over="ignore"):
        expected[:m, :n] = encode(c, out)
    product_into(kernels, c, out, result, dst_stride=stride)
    np.testing.assert_array_equal(result.view(np.uint8), expected.view(np.uint8))


@pytest.mark.parametrize("out", ["float", "half", "bfloat16_t"])
def test_infinity_and_nan(kernels, out):
    """A column times a row of ones: row 0 is infinite, row 1 NaN, the others finite."""
    column = np.array([[np.inf], [np.nan], *([2.0] for _ in range(14))])
    image_a = nz_image(column, "float", 16, 8, 0, 0, np.nan)
    image_b = nz_image(np.ones((16, 1)), "float", 16, 8, 0, 0, np.nan)
    result = np.zeros((16, 16), STORAGE[out])
    run(
        kernels, "float", out, image_a, image_b, result, m=16, n=16, k=1, recipe_a="PLAIN_2D", recipe_b="PLAIN_2D",
        a_rows=16, a_columns=8, b_rows=16, b_columns=8, dst_stride=16,
    )  # fmt: skip
    values = decode(result, out)
    assert np.isposinf(values[0]).all() and np.isnan(values[1]).all() and (values[2:] == 2).all()


@pytest.mark.parametrize("out", ["float", "half", "bfloat16_t"])
def test_relu(rng, kernels, out):
    c = integers(rng, (35, 32), "float")
    result = np.zeros((35, 32), STORAGE[out])
    product_into(kernels, c, out, result, dst_stride=32, relu=1)
    np.testing.assert_array_equal(result, encode(np.maximum(c, 0), out))


@pytest.mark.parametrize(("out", "split"), [("float", 0), ("float", 1), ("half", 0), ("bfloat16_t", 0)])
@pytest.mark.parametrize("shape", [(16, 16), (37, 64)])
def test_nz(rng, kernels, out, split, shape):
    (m, n), width = shape, 8 if split else 16
    c = integers(rng, shape, "float")
    size = STORAGE[out].itemsize
    column_blocks = round_up(m * width * size, 32) // 32 + int(rng.integers(0, 3))  # 32 B between columns
    result = np.full(n // width * column_blocks * 32 // size, encode(99, out), STORAGE[out])
    expected = result.copy()
    for i in range(m):
        for j in range(n):
            expected[j // width * column_blocks * 32 // size + i * width + j % width] = encode(c[i, j], out)
    product_into(kernels, c, out, result, dst_stride=column_blocks, nz=1, split=split)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("out", ["half", "bfloat16_t"])
def test_nz_into_l1(rng, kernels, out):
    m, n = 48, 64
    c = integers(rng, (m, n), "float")
    result = np.zeros(m * n, STORAGE[out])
    product_into(kernels, c, out, result, dst_stride=m, nz=1, to_l1=m * n)
    np.testing.assert_array_equal(result, nz_image(c, out, m, n, 0, 0, 0))


def test_several_matrices(rng, kernels):
    """Two matrices of 16 columns each inside one tile, 2 fractals (of 1024 B) apart, to places 700 elements apart."""
    c = integers(rng, (32, 32), "float")
    result = np.full(2000, 99, np.float32)
    expected = result.copy()
    for nd in range(2):
        for i in range(32):
            expected[nd * 700 + i * 20 : nd * 700 + i * 20 + 16] = c[i, 16 * nd : 16 * nd + 16]
    product_into(
        kernels, c, "float", result, dst_stride=20, nd_num=2, src_nd_stride=2, dst_nd_stride=700, store_columns=16
    )
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("out", ["float", "half", "bfloat16_t"])
def test_atomic_add(rng, kernels, out):
    c, old = integers(rng, (50, 48), "float"), integers(rng, (50, 60), "float")
    result = encode(old, out)
    old[:, :48] += c
    product_into(kernels, c, out, result, dst_stride=60, atomic=1)
    np.testing.assert_array_equal(result, encode(old, out))


def test_int32(rng, kernels):
    a, b = integers(rng, (20, 33), "int8_t"), integers(rng, (33, 40), "int8_t")
    np.testing.assert_array_equal(multiply(kernels, rng, "int8_t", a, b, relu=1), np.maximum(a @ b, 0))


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"dst_stride": 16, "store_columns": 12}, "nSize 12"),
        ({"dst_stride": 0}, "dstStride 0"),
        ({"dst_stride": 16, "split": 1}, "isChannelSplit"),
        ({"dst_stride": 16, "nz": 1, "nd_num": 2}, "ndNum is 2"),
        ({"dst_stride": 16, "store_rows": 9000}, "mSize 9000"),
        ({"dst_stride": 15}, "dstStride 15: rows"),
        ({"dst_stride": 31, "nz": 1, "store_columns": 32}, "dstStride 31: columns"),
    ],
)
def test_refused(rng, kernels, fields, text):
    with pytest.raises(ascendc_cpu.KernelError, match=text):
        product_into(kernels, integers(rng, (16, 16), "float"), "float", np.zeros(256, np.float32), **fields)
