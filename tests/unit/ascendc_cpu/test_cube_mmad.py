# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""LoadData and Mmad: every way to load A and B, ragged sizes, NaN in all padding. L0B's order is private, so the loads
are tested through products; whole numbers make these exact on every instruction set."""

import numpy as np
import pytest
from bit_types import STORAGE, decode, encode
from cube_model import (
    Kernels,
    accumulator,
    filler_of,
    integers,
    multiply,
    nz_image,
    operand,
    round_up,
    run,
    square_image,
)

import ascendc_cpu

OPERANDS = ["float", "half", "bfloat16_t", "int8_t"]
SHAPES = [(2, 1, 1), (16, 16, 16), (15, 17, 33), (17, 31, 7), (64, 48, 40), (128, 112, 64), (33, 80, 23), (5, 128, 61)]
RECIPES_A = {
    "float": ["PLAIN_2D", "PLAIN_3D", "TRANSPOSED_3D"],
    "half": ["PLAIN_2D", "PLAIN_3D", "TRANSPOSED_2D", "TRANSPOSED_3D"],
    "int8_t": ["PLAIN_2D", "PLAIN_3D"],
}
RECIPES_B = {
    "float": ["PLAIN_2D", "TRANSPOSED_3D", "REGISTER_3D"],
    "half": ["PLAIN_2D", "TRANSPOSED_2D", "TRANSPOSED_3D", "REGISTER_3D"],
    "int8_t": ["PLAIN_2D"],
}
RECIPES_A["bfloat16_t"], RECIPES_B["bfloat16_t"] = RECIPES_A["half"], RECIPES_B["half"]


@pytest.fixture
def rng(seed):
    return np.random.default_rng(seed)


@pytest.fixture(scope="module")
def kernels(kernel_cache):
    return Kernels(kernel_cache)


def align(ctype, recipe_a):
    """float A that arrived transposed has k padded to 16."""
    return {"k_direction_align": int(ctype == "float" and recipe_a.startswith("TRANSPOSED"))}


@pytest.mark.parametrize("ctype", OPERANDS)
def test_all_recipes_and_shapes(rng, kernels, ctype):
    for recipe_a in RECIPES_A[ctype]:
        for recipe_b in RECIPES_B[ctype]:
            for m, n, k in SHAPES:
                a, b = integers(rng, (m, k), ctype), integers(rng, (k, n), ctype)
                c = multiply(kernels, rng, ctype, a, b, recipe_a, recipe_b, **align(ctype, recipe_a))
                np.testing.assert_array_equal(c, a @ b, err_msg=f"{recipe_a} {recipe_b} {m} {n} {k}")


@pytest.mark.parametrize("ctype", OPERANDS)
def test_random_shapes(rng, kernels, ctype):
    for _ in range(25):
        m, n, k = int(rng.integers(2, 129)), int(rng.integers(1, 129)), int(rng.integers(1, 65))
        recipe_a, recipe_b = (str(rng.choice(recipes[ctype])) for recipes in (RECIPES_A, RECIPES_B))
        a, b = integers(rng, (m, k), ctype), integers(rng, (k, n), ctype)
        c = multiply(kernels, rng, ctype, a, b, recipe_a, recipe_b, **align(ctype, recipe_a))
        np.testing.assert_array_equal(c, a @ b, err_msg=f"{recipe_a} {recipe_b} {m} {n} {k}")


@pytest.mark.parametrize("ctype", ["float", "half", "bfloat16_t"])
def test_unit_matrices_place_every_element(rng, kernels, ctype):
    """A = I gives B and B = I gives A, bit by bit (distinct values; what a value times zero adds is zero)."""
    size = 48
    values = np.arange(size * size).reshape(size, size) % 251 + 1.0
    for recipe_a in RECIPES_A[ctype]:
        c = multiply(kernels, rng, ctype, values, np.eye(size), recipe_a, **align(ctype, recipe_a))
        np.testing.assert_array_equal(c, values, err_msg=recipe_a)
    for recipe_b in RECIPES_B[ctype]:
        c = multiply(kernels, rng, ctype, np.eye(size), values, "PLAIN_2D", recipe_b)
        np.testing.assert_array_equal(c, values, err_msg=recipe_b)


@pytest.mark.parametrize("ctype", ["float", "half", "bfloat16_t"])
def test_real_operands(rng, kernels, ctype):
    """Error of each sum below its rounding bound: (k + 1) half-ulps of the sum of magnitudes."""
    for m, n, k in [(128, 128, 64), (47, 61, 63), (16, 16, 64)]:
        a = decode(encode(rng.standard_normal((m, k)), ctype), ctype)
        b = decode(encode(rng.standard_normal((k, n)), ctype), ctype)
        c = multiply(kernels, rng, ctype, a, b)
        bound = (k + 1) * 2.0**-24 * (np.abs(a) @ np.abs(b)) + 1e-30
        assert (np.abs(c - a @ b) <= bound).all()


@pytest.mark.parametrize("ctype", ["float", "half"])
def test_denormal_operands_count(rng, kernels, ctype):
    tiny = {"float": 2.0**-140, "half": 2.0**-24}[ctype]
    a = np.full((16, 16), tiny)
    b = np.full((16, 16), 1.0)
    np.testing.assert_array_equal(multiply(kernels, rng, ctype, a, b), np.full((16, 16), 16 * tiny))


@pytest.mark.parametrize("ctype", ["float", "half", "bfloat16_t"])
def test_specials_reach_their_row_and_column_only(rng, kernels, ctype):
    a, b = integers(rng, (20, 24), ctype), integers(rng, (24, 30), ctype)
    a[3, 5], b[7, 11] = np.nan, np.inf
    a[:, 7] = np.where(a[:, 7] == 0, 1, a[:, 7])  # 0 * inf is NaN too
    with np.errstate(invalid="ignore"):
        expected = np.array([[np.sum(a[i] * b[:, j]) for j in range(30)] for i in range(20)])
    c = multiply(kernels, rng, ctype, a, b)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize("ctype", OPERANDS)
def test_accumulate(rng, kernels, ctype):
    a, b = integers(rng, (37, 29), ctype), integers(rng, (29, 51), ctype)
    np.testing.assert_array_equal(multiply(kernels, rng, ctype, a, b, start=1), 2 * (a @ b))


@pytest.mark.parametrize("ctype", OPERANDS)
def test_bias_table(rng, kernels, ctype):
    a, b = integers(rng, (19, 21), ctype), integers(rng, (21, 70), ctype)
    bias = rng.integers(-1000, 1000, 256).astype(STORAGE[accumulator(ctype)])
    np.testing.assert_array_equal(multiply(kernels, rng, ctype, a, b, bias=bias, start=2), a @ b + bias[:70])


@pytest.mark.parametrize("ctype", OPERANDS)
def test_one_row_reads_a_as_a_vector(rng, kernels, ctype):
    for n, k in [(1, 1), (33, 7), (80, 129), (64, 250)]:
        a, b = integers(rng, (1, k), ctype), integers(rng, (k, n), ctype)
        fractal = 512 // STORAGE[ctype].itemsize
        vector = np.full(round_up(k, fractal), filler_of(ctype), STORAGE[ctype])
        vector[:k] = encode(a[0], ctype)
        image_b, where = operand(rng, b.T, ctype, False, margin=False)
        result = np.zeros(round_up(n, 16), STORAGE[accumulator(ctype)])
        run(
            kernels, ctype, accumulator(ctype), vector, image_b, result, m=1, n=n, k=k, recipe_a="VECTOR",
            recipe_b="PLAIN_2D", a_rows=1, a_columns=vector.size, dst_stride=result.size, poison=1,
            **{f"b_{name}": value for name, value in where.items()},
        )  # fmt: skip
        np.testing.assert_array_equal(result[:n], (a @ b)[0])


@pytest.mark.parametrize("ctype", ["float", "half", "bfloat16_t"])
@pytest.mark.parametrize("shape", [(48, 32, 16), (16, 80, 48), (33, 21, 11)])
def test_load_with_transpose(rng, kernels, ctype, shape):
    """A from k x m of 16 rows, B from k x n, both stored as 16 x 16 squares."""
    m, n, k = shape
    a, b = integers(rng, (m, k), ctype), integers(rng, (k, n), ctype)
    image_b = square_image(b, ctype, filler_of(ctype))
    common = {"n": n, "k": k, "dst_stride": round_up(n, 16), "b_rows": 1, "b_columns": image_b.size, "poison": 1}
    result = np.zeros((m, round_up(n, 16)), np.float32)
    image_a, where = operand(rng, a, ctype, False)
    places = {f"a_{name}": value for name, value in where.items()}
    run(
        kernels, ctype, "float", image_a, image_b, result, m=m, recipe_a="PLAIN_2D", recipe_b="TRANSPOSED_SQUARES",
        **places, **common,
    )  # fmt: skip
    np.testing.assert_array_equal(result[:, :n], a @ b)
    if k <= 16:
        image_a = square_image(a.T, ctype, filler_of(ctype))
        run(
            kernels, ctype, "float", image_a, image_b, result, m=m, recipe_a="TRANSPOSED_SQUARES", a_rows=1,
            recipe_b="TRANSPOSED_SQUARES", a_columns=image_a.size, k_direction_align=ctype == "float", **common,
        )  # fmt: skip
        np.testing.assert_array_equal(result[:, :n], a @ b)


def test_odd_number_of_float_columns(rng, kernels):
    """24 columns of float are one and a half squares; the missing half is read as zeros, not as what lies behind."""
    b = integers(rng, (40, 24), "float")
    a = integers(rng, (16, 40), "float")
    image_a, where = operand(rng, a, "float", False)
    image_b = nz_image(b, "float", 48, 24, 0, 0, np.nan)
    result = np.full((16, 32), np.nan, np.float32)
    run(
        kernels, "float", "float", image_a, image_b, result, m=16, n=24, k=40, recipe_a="PLAIN_2D",
        recipe_b="TRANSPOSED_3D", b_rows=48, b_columns=24, dst_stride=32, poison=1,
        **{f"a_{name}": value for name, value in where.items()},
    )  # fmt: skip
    np.testing.assert_array_equal(result[:, :24], a @ b)
    assert (result[:, 24:] == 0).all()


def test_results_do_not_depend_on_alignment_or_neighbours(rng, kernels):
    """The same operands at other places of L1 give the same bits."""
    a, b = rng.standard_normal((70, 64)), rng.standard_normal((64, 90))
    first = multiply(kernels, rng, "float", a, b, "PLAIN_3D", "TRANSPOSED_3D")
    for _ in range(4):
        np.testing.assert_array_equal(first, multiply(kernels, rng, "float", a, b, "PLAIN_2D", "PLAIN_2D"))


@pytest.mark.parametrize(
    ("ctype", "fields", "text"),
    [
        ("half", {"k_direction_align": 1}, "kDirectionAlign"),
        ("float", {"m": 300, "n": 300}, "Mmad"),
        ("float", {"recipe_a": "TRANSPOSED_2D"}, "ifTranspose"),
        ("float", {"recipe_b": "TRANSPOSED_3D", "b_column": 1}, "kStartPt"),
        ("float", {"recipe_b": "TRANSPOSED_3D", "b_column": 16}, "channelSize"),
        ("float", {"recipe_b": "TRANSPOSED_3D", "b_columns": 17}, "channelSize is 17, allowed are multiples of 8"),
    ],
)
def test_refused(rng, kernels, ctype, fields, text):
    image = np.zeros(256, STORAGE[ctype])
    result = np.zeros(16 * 16, np.float32)
    base = {"m": 16, "n": 16, "k": 16, "recipe_a": "PLAIN_2D", "recipe_b": "PLAIN_2D", "dst_stride": 16}
    places = {"a_rows": 16, "a_columns": 16, "b_rows": 16, "b_columns": 16}
    with pytest.raises(ascendc_cpu.KernelError, match=text):
        run(kernels, ctype, "float", image, image, result, **{**base, **places, **fields})
