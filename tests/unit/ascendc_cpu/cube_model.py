# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Drives kernels/matmul_case.cpp: L1 images from the NZ formula, and the case record."""

from pathlib import Path

import numpy as np
from bit_types import STORAGE, encode

import ascendc_cpu

KERNEL = Path(__file__).parent / "kernels" / "matmul_case.cpp"
RECIPES = ["PLAIN_2D", "PLAIN_3D", "TRANSPOSED_2D", "TRANSPOSED_3D", "TRANSPOSED_SQUARES", "VECTOR", "REGISTER_3D"]
FIELDS = (
    "m n k recipe_a recipe_b a_rows a_columns b_rows b_columns a_row a_column b_row b_column k_direction_align start nz"
    " dst_stride relu split atomic nd_num src_nd_stride dst_nd_stride store_rows store_columns to_l1 poison"
).split()
CASE = np.dtype([(name, "<u4") for name in FIELDS])


def round_up(value, unit):
    return -(-value // unit) * unit


def c0_of(ctype):
    return 32 // STORAGE[ctype].itemsize


def accumulator(ctype):
    return "int32_t" if ctype == "int8_t" else "float"


class Kernels:
    """Compiled matmul_case kernels by operand and output type."""

    def __init__(self, build_dir):
        self.build_dir = build_dir
        self.cache = {}

    def get(self, ctype, out):
        if (ctype, out) not in self.cache:
            dtypes = {"DTYPE_X": ctype, "DTYPE_Y": out, "DTYPE_ACC": accumulator(ctype)}
            self.cache[ctype, out] = ascendc_cpu.compile(KERNEL, "matmul_case", dtypes, build_dir=self.build_dir)
        return self.cache[ctype, out]


def nz_image(matrix, ctype, rows, columns, row, column, filler):
    """NZ layout of `matrix` at (row, column) of a rows x columns matrix whose other elements are `filler` bits."""
    c0 = c0_of(ctype)
    whole = np.full((rows, columns), filler, STORAGE[ctype])
    whole[row : row + matrix.shape[0], column : column + matrix.shape[1]] = encode(matrix, ctype)
    image = np.empty(rows * columns, STORAGE[ctype])
    for r in range(rows):
        for c in range(columns):
            image[c // c0 * rows * c0 + r * c0 + c % c0] = whole[r, c]
    return image


def square_image(matrix, ctype, filler):
    """16-row bands of `matrix` as 16 x 16 squares, each square as its C0-wide fractals (4-byte types: two)."""
    c0 = c0_of(ctype)
    rows, columns = (round_up(size, 16) for size in matrix.shape)
    whole = np.full((rows, columns), filler, STORAGE[ctype])
    whole[: matrix.shape[0], : matrix.shape[1]] = encode(matrix, ctype)
    squares = whole.reshape(rows // 16, 16, columns // 16, 16 // c0, c0)
    return np.ascontiguousarray(squares.transpose(2, 0, 3, 1, 4)).ravel()


def filler_of(ctype):
    """NaN, or 77 for integers: what must not reach the result."""
    return {"float": np.nan, "half": np.nan, "bfloat16_t": 0x7FC0, "int8_t": 77}[ctype]


def run(kernels, ctype, out, image_a, image_b, result, bias=None, **fields):
    case = np.zeros((), CASE)
    case["nd_num"] = 1
    for name, value in fields.items():
        case[name] = RECIPES.index(value) if name.startswith("recipe") else value
    if bias is None:
        bias = np.zeros(256, STORAGE[accumulator(ctype)])
    kernels.get(ctype, out).launch(1, image_a, image_b, bias, result, tiling=case)


def operand(rng, matrix, ctype, transposed, margin=True):
    """L1 image of an operand with NaN around it, and its case fields without the prefix.

    The image holds matrix.T when `transposed`. Rows are padded to 16 and columns to C0 (4-byte transposes: 16).
    """
    stored = matrix.T if transposed else matrix
    c0 = c0_of(ctype)
    unit = 16 if transposed and c0 == 8 else c0
    row = 16 * int(rng.integers(0, 3)) if margin else 0
    column = unit * int(rng.integers(0, 3)) if margin else 0
    extra_rows, extra_columns = (int(rng.integers(0, 2)) if margin else 0 for _ in range(2))
    rows = round_up(row + stored.shape[0], 16) + 16 * extra_rows
    columns = round_up(column + stored.shape[1], unit) + unit * extra_columns
    image = nz_image(stored, ctype, rows, columns, row, column, filler_of(ctype))
    return image, {"rows": rows, "columns": columns, "row": row, "column": column}


def multiply(kernels, rng, ctype, a, b, recipe_a="PLAIN_2D", recipe_b="PLAIN_2D", out=None, **fields):
    """C (m x n bits of `out`) for a (m x k) and b (k x n), stored row major; checks the guard bytes around C."""
    out = out or accumulator(ctype)
    (m, k), n = a.shape, b.shape[1]
    image_a, where_a = operand(rng, a, ctype, recipe_a.startswith("TRANSPOSED"))
    image_b, where_b = operand(rng, b.T, ctype, recipe_b != "PLAIN_2D")  # L1 has n x k, or k x n for transposing loads
    places = {f"{side}_{name}": v for side, where in (("a", where_a), ("b", where_b)) for name, v in where.items()}
    n16 = round_up(n, 16)
    stride = n16 + int(rng.integers(0, 20))
    guard = np.full(STORAGE[out].itemsize, 0xA5, np.uint8).view(STORAGE[out])[0]
    result = np.full(m * stride + 64, guard, STORAGE[out])
    run(
        kernels, ctype, out, image_a, image_b, result, m=m, n=n, k=k, recipe_a=recipe_a, recipe_b=recipe_b,
        dst_stride=stride, **{"poison": 1, **places, **fields},
    )  # fmt: skip
    rows = result[: m * stride].reshape(m, stride)
    assert (rows[:, n16:] == guard).all() and (result[m * stride :] == guard).all(), "wrote beyond nSize x mSize"
    return rows[:, :n]


def integers(rng, shape, ctype):
    """Operands whose products and sums are exact in every type."""
    bound = 120 if ctype == "int8_t" else 8
    return rng.integers(-bound, bound + 1, shape).astype(np.float64)
