# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Copies and products that wait give the bits of those that do not: random programs."""

from pathlib import Path

import numpy as np
import pytest

import ascendc_cpu

KERNEL = Path(__file__).parent / "kernels" / "deferred_program.cpp"
KINDS = ["ND2NZ", "FILL", "COPY", "STORE", "LOAD_KEY", "LOAD_VALUE", "LOAD_LEFT", "MULTIPLY", "FIXPIPE", "POKE"]
OPERATIONS = [*KINDS, "BIAS", "SPLIT", "REFER", "HELD"]
FIELDS = ["operation", "from_out", "l1", "l0", "gm", "rows", "columns", "pitch", "m", "n", "k", "result"]
STEP = np.dtype([(name, "<u4") for name in FIELDS])
MOST_STEPS = 64
PROGRAM = np.dtype([("count", "<u4"), ("reserved", "<u4"), ("steps", STEP, MOST_STEPS)])
BOX = 8192  # elements: 32 KiB
ELEMENTS = 1 << 18
RESULT = 16384  # elements of one result
SHAPES = [(128, 64), (64, 128), (64, 64), (16, 16), (32, 48), (48, 32), (17, 40), (128, 8), (32, 256), (16, 512)]


@pytest.fixture(scope="module")
def module(kernel_cache):
    return ascendc_cpu.compile(KERNEL, "deferred_program", build_dir=kernel_cache)


def only_defined(steps):
    """Fixpipes store no row that is undefined: a product spoils those of its last fractals that it does not have."""
    defined = np.ones(2 * RESULT, bool)  # of L0C
    kept = []
    for step in steps:
        fields = [step.get(name, 0) for name in ("l1", "m", "n", "rows")]
        if step["operation"] == "MULTIPLY":
            c, m, n, accumulate = fields
            blocks = accumulator_places(c, m, n)
            own = blocks[:, :m]
            was = defined[own]
            defined[blocks] = False
            defined[own] = was if accumulate and not step.get("pitch") else True
        elif step["operation"] == "FIXPIPE":
            c, m, n, rows = fields
            whole = defined[accumulator_places(c, rows, n)[:, :m]].all(axis=(0, 2))
            step["m"] = int(np.cumprod(whole).sum())
            if step["m"] == 0:
                continue
        kept.append(step)
    return kept


def accumulator_places(c, m, n):
    """Elements of L0C, [n / 16][m, in fractals of 16][16]."""
    rows = -(-m // 16) * 16
    return c + np.arange(n // 16 * rows * 16).reshape(n // 16, rows, 16)


def random_program(rng):
    """Boxes come and go in a few slots, shifted at times; loads and products use them mostly as they are."""
    boxes, rights, results, products = {}, {}, 0, []
    steps = []

    def step(operation, **fields):
        steps.append({"operation": operation, **fields})

    def place():
        return int(rng.integers(0, min(results + 1, ELEMENTS // RESULT - 1))) * RESULT + int(rng.integers(0, 1000))

    def take():
        """Mostly a place of its own, else one that is written again."""
        nonlocal results
        if rng.random() < 0.3:
            return {"result": place() // 8 * 8}
        results += 1
        return {"result": (results - 1) * RESULT}

    while len(steps) < MOST_STEPS - 1 and results < ELEMENTS // RESULT:
        kind = rng.choice(KINDS, p=[0.24, 0.04, 0.04, 0.08, 0.11, 0.11, 0.12, 0.15, 0.07, 0.04])
        if len(steps) > 0 and steps[-1]["operation"] == "MULTIPLY" and rng.random() < 0.7:
            kind = "FIXPIPE"
        slot = int(rng.integers(0, 4)) * BOX
        rows, columns = SHAPES[int(rng.integers(len(SHAPES)))]
        if kind == "ND2NZ":
            shifted = slot + int(rng.choice([0, 0, 0, 64, 1024]))
            from_out = rng.random() < 0.4  # then what later steps write to, at times
            near = place() // RESULT * RESULT if from_out else 0
            step(kind, from_out=int(from_out), l1=shifted, gm=near + int(rng.integers(0, 1000)), rows=rows,
                 columns=columns, pitch=columns + int(rng.integers(0, 9)))  # fmt: skip
            boxes[shifted] = (-(-rows // 16) * 16, columns)
        elif kind in ("FILL", "COPY"):
            step(kind, l1=slot + 8 * int(rng.integers(0, 600)), gm=8 * int(rng.integers(0, 99)), rows=8,
                 columns=int(rng.integers(1, 200)))  # fmt: skip
        elif kind == "STORE":
            step(kind, l1=slot + 8 * int(rng.integers(0, 99)), rows=8, columns=1024, **take())
        elif kind == "POKE":
            step(kind, gm=int(rng.integers(1, 99)), result=place())
        elif boxes and kind.startswith("LOAD"):
            l1 = int(rng.choice(list(boxes)))
            rows, columns = boxes[l1]
            half = int(rng.integers(0, 2)) * BOX
            if kind == "LOAD_VALUE" and columns % 16 != 0:
                continue
            part = int(rng.integers(1, rows // 16 + 1)) if kind == "LOAD_LEFT" and rng.random() < 0.3 else 0
            first = int(rng.integers(0, rows // 16 - part + 1)) if part else 0
            whole = int(kind == "LOAD_LEFT" and rng.random() < 0.5)
            skipped = 8 * int(rng.integers(0, -(-columns // 8))) if whole and rng.random() < 0.2 else 0
            right = (columns, rows) if kind == "LOAD_KEY" else (rows, columns)
            if kind == "LOAD_VALUE" and rng.random() < 0.3:  # some columns, in pairs: an odd number brings one more
                part = 8 * int(rng.integers(1, columns // 8 + 1))
                right = (rows, -(-part // 16) * 16)
                first = 8 * int(rng.integers(0, (columns - right[1]) // 8 + 1))
            step(kind, l1=l1, l0=half, rows=rows, columns=columns, m=part, k=first, n=whole, pitch=skipped)
            if kind != "LOAD_LEFT" and (half not in rights or rng.random() < 0.7):  # else as what stood there before
                rights[half] = right
        elif rights and kind == "MULTIPLY":
            half = int(rng.choice(list(rights)))
            k, n = rights[half]
            if rng.random() < 0.2:
                k = max(1, k - int(rng.integers(0, 9)))
            fits = [m for m in (1, 2, 3, 4, 5, 8, 9, 16, 17, 33, 48) if -(-m // 16) * 16 * max(n, k) <= RESULT]
            m = int(rng.choice(fits))
            c = int(rng.choice([0, 0, 256, 4096, RESULT]))
            step(kind, l1=c, l0=half, m=m, n=n, k=k, rows=int(rng.random() < 0.5))
            products = [(c, m, n), *products[:3]]
        elif products and kind == "FIXPIPE":
            c, m, n = products[0 if rng.random() < 0.7 else int(rng.integers(len(products)))]
            pitch = n + int(rng.choice([0, 0, 5]))
            fewer = int(rng.random() < 0.1) if m > 1 else 0
            step(kind, l1=c, m=m - fewer, n=n, rows=-(-m // 16) * 16, pitch=pitch, **take())
    return program_of(*only_defined(steps))


def outputs(module, data, program, constant, before=0.25):
    out = np.full(ELEMENTS, before, np.float32)
    module.launch(1, data, out, tiling=program, constant=constant)
    return out


def test_random_programs_give_the_same_bits(seed, module, monkeypatch):
    rng = np.random.default_rng(seed)
    data = rng.standard_normal(ELEMENTS).astype(np.float32)
    for case in range(1000):
        program = random_program(rng)
        with monkeypatch.context() as patch:
            patch.setenv("ASCENDC_CPU_EAGER_COPIES", "1")
            eager = outputs(module, data, program, ())
        deferred = outputs(module, data, program, (0,))
        differing = np.flatnonzero(eager.view(np.uint32) != deferred.view(np.uint32))
        assert differing.size == 0, f"program {case}: result {differing[0] // RESULT}"


def test_right_operands_that_come_again(seed, module):
    """From the third time on a copy is read; as many shapes at one place; the next launch has other data there."""
    rng = np.random.default_rng(seed)
    data = np.empty(ELEMENTS, np.float32)
    k, at, pitch = 64, 8192, 200
    cases = [(("LOAD_KEY", "LOAD_VALUE")[i % 2], (64, 128)[i // 2 % 2], 33 + i) for i in range(15)]
    steps = [{"operation": "ND2NZ", "rows": 48, "columns": k, "pitch": k}]
    steps += [{"operation": "LOAD_LEFT", "rows": 48, "columns": k}]
    for i, (kind, n, m) in enumerate(cases):
        box = {"rows": n, "columns": k} if kind == "LOAD_KEY" else {"rows": k, "columns": n}
        steps += [
            {"operation": "ND2NZ", "l1": 2 * BOX, "gm": at, "pitch": pitch, **box},
            {"operation": kind, "l1": 2 * BOX, **box},
            {"operation": "MULTIPLY", "m": m, "n": n, "k": k},
            {"operation": "FIXPIPE", "m": m, "n": n, "rows": 48, "pitch": n, "result": i * RESULT},
        ]
    for _ in range(3):
        data[:] = rng.standard_normal(ELEMENTS)
        results = outputs(module, data, program_of(*steps), (0,)).reshape(-1, RESULT)
        left = data[: 48 * k].reshape(48, k).astype(np.float64)
        rows = data[at : at + 128 * pitch].reshape(128, pitch)
        for (kind, n, m), result in zip(cases, results, strict=False):
            right = rows[:n, :k].T if kind == "LOAD_KEY" else rows[:k, :n]
            product = result[: m * n].reshape(m, n)
            np.testing.assert_allclose(product, left[:m] @ right, rtol=1e-4, atol=1e-4)


def program_of(*fields):
    program = np.zeros((), PROGRAM)
    program["count"] = len(fields)
    for i, values in enumerate(fields):
        for name, value in values.items():
            program["steps"][i][name] = OPERATIONS.index(value) if name == "operation" else value
    return program


def test_source_that_is_not_constant_is_copied_at_once(module):
    """ND2NZ from `out`, which a product then overwrites: the box keeps the old values."""
    program = program_of(
        {"operation": "ND2NZ", "from_out": 1, "rows": 64, "columns": 64, "pitch": 64},
        {"operation": "MULTIPLY", "m": 16, "n": 128, "k": 64},
        {"operation": "FIXPIPE", "m": 16, "n": 128, "rows": 16, "pitch": 128, "result": 0},
        {"operation": "STORE", "rows": 64, "columns": 64, "result": RESULT},
    )
    out = outputs(module, np.zeros(ELEMENTS, np.float32), program, (0,))
    assert (out[: 16 * 128] != 0.25).all()
    np.testing.assert_array_equal(out[RESULT : RESULT + 64 * 64], np.float32(0.25))


@pytest.mark.parametrize("copied_again", [False, True])
@pytest.mark.parametrize("overwrite", ["POKE", "FIXPIPE"])
def test_product_has_read_its_rows_before_they_change(module, overwrite, copied_again):
    """A of a product stands in rows of `out`, which a scalar or the product overwrites; L1 may hold others by then."""
    left = {"operation": "ND2NZ", "from_out": 1, "rows": 16, "columns": 16, "pitch": 16}
    program = program_of(
        left,
        {"operation": "ND2NZ", "l1": VALUES, "rows": 16, "columns": 128, "pitch": 128},
        {"operation": "LOAD_LEFT", "rows": 16, "columns": 16},
        {"operation": "LOAD_VALUE", "l1": VALUES, "rows": 16, "columns": 128},
        {"operation": "MULTIPLY", "m": 16, "n": 128, "k": 16},
        *([left | {"gm": 5000}] if copied_again else []),
        {"operation": overwrite, "gm": 77, "m": 16, "n": 128, "rows": 16, "pitch": 128, "result": 0},
        {"operation": "FIXPIPE", "m": 16, "n": 128, "rows": 16, "pitch": 128, "result": RESULT},
    )
    out = outputs(module, np.full(ELEMENTS, 0.5, np.float32), program, (0,))
    np.testing.assert_array_equal(out[RESULT : RESULT + 16 * 128], np.float32(16 * 0.25 * 0.5))


@pytest.mark.parametrize(
    "how",
    [{"k": 2}, {"rows": 32}, {"operation": "SPLIT", "pitch": 2, "m": 2}],
    ids=["matrices", "fractals of more rows", "columns of 8"],
)
def test_fixpipe_that_does_not_store_just_the_product(seed, module, monkeypatch, how):
    data = np.random.default_rng(seed).standard_normal(ELEMENTS).astype(np.float32)
    store = {"operation": "FIXPIPE", "m": 16, "n": 32, "rows": 16, "pitch": 32} | how
    program = program_of(
        {"operation": "ND2NZ", "rows": 16, "columns": 32, "pitch": 32},
        {"operation": "LOAD_VALUE", "rows": 16, "columns": 32},
        {"operation": "MULTIPLY", "m": store["m"], "n": 32, "k": 16},
        store,
    )
    waiting = outputs(module, data, program, ())  # from a constant source few rows would not wait
    monkeypatch.setenv("ASCENDC_CPU_EAGER_COPIES", "1")
    np.testing.assert_array_equal(waiting, outputs(module, data, program, ()))


def test_rows_of_a_loaded_anew_from_a_box_of_more_rows(seed, module, monkeypatch):
    """Then fractals that follow each other along k are farther apart in L1."""
    data = np.random.default_rng(seed).standard_normal(ELEMENTS).astype(np.float32)
    program = program_of(
        {"operation": "ND2NZ", "rows": 16, "columns": 32, "pitch": 32},
        {"operation": "ND2NZ", "l1": BOX, "gm": 999, "rows": 64, "columns": 32, "pitch": 32},
        {"operation": "LOAD_VALUE", "l1": BOX, "rows": 32, "columns": 32},
        {"operation": "LOAD_LEFT", "rows": 16, "columns": 32, "m": 1},
        {"operation": "LOAD_LEFT", "l1": BOX, "rows": 64, "columns": 32, "m": 1, "k": 1},
        {"operation": "MULTIPLY", "m": 4, "n": 32, "k": 32},
        {"operation": "FIXPIPE", "m": 4, "n": 32, "rows": 16, "pitch": 32, "result": RESULT},
    )
    waiting = outputs(module, data, program, (0,))
    monkeypatch.setenv("ASCENDC_CPU_EAGER_COPIES", "1")
    np.testing.assert_array_equal(waiting, outputs(module, data, program, ()))


@pytest.mark.parametrize("first", ["REFER", "ND2NZ"])
def test_store_through_a_reference(module, first):
    """L1 keeps what `out` held before, whether the reference was taken before or after the copy."""
    steps = [
        {"operation": "REFER", "result": 5},
        {"operation": "ND2NZ", "from_out": 1, "rows": 16, "columns": 16, "pitch": 16},
    ]
    program = program_of(
        *sorted(steps, key=lambda step: step["operation"] != first),
        {"operation": "HELD", "gm": 77},
        {"operation": "STORE", "rows": 16, "columns": 16, "result": RESULT},
    )
    out = outputs(module, np.zeros(ELEMENTS, np.float32), program, (0,))
    assert out[5] == 77
    np.testing.assert_array_equal(out[RESULT : RESULT + 256], np.float32(0.25))


@pytest.mark.parametrize("kind", ["LOAD_KEY", "LOAD_VALUE"])
@pytest.mark.parametrize("m", [2, 5, 16])
@pytest.mark.parametrize("constant", [(), (0,)], ids=["B from L0B", "B from GM"])
def test_float_products_of_64_words_of_k_come_in_one_mmad_or_in_several(seed, module, kind, m, constant):
    """The sums of a float Mmad start anew after every 64 words of k: 192 are three times 64, 96 are 64 and 32."""
    data = np.random.default_rng(seed).standard_normal(ELEMENTS).astype(np.float32)
    a, b, n = 0, 100_000, 32  # places in `in`

    def steps(k0, k, whole, first):
        """C of 16 x n from columns k0 of A and, of B, rows k0 or, if it is transposed, columns."""
        box = {"rows": n, "columns": k} if kind == "LOAD_KEY" else {"rows": k, "columns": n}
        pitch, at = (whole, k0) if kind == "LOAD_KEY" else (n, k0 * n)
        return [
            {"operation": "ND2NZ", "gm": a + k0, "rows": 16, "columns": k, "pitch": whole},
            {"operation": "LOAD_LEFT", "rows": 16, "columns": k},
            {"operation": "ND2NZ", "l1": BOX, "gm": b + at, "pitch": pitch, **box},
            {"operation": kind, "l1": BOX, **box},
            {"operation": "MULTIPLY", "m": m, "n": n, "k": k, "rows": int(not first)},
        ]

    store = {"operation": "FIXPIPE", "m": m, "n": n, "rows": 16, "pitch": n}
    for whole in (96, 128, 192):
        pieces = [(k0, min(64, whole - k0)) for k0 in range(0, whole, 64)]
        apart = [step for k0, k in pieces for step in steps(k0, k, whole, k0 == 0)]
        one = outputs(module, data, program_of(*steps(0, whole, whole, True), store), constant)
        np.testing.assert_array_equal(one, outputs(module, data, program_of(*apart, store), constant))
        product = one[: m * n].reshape(m, n)
        left = data[a : a + 16 * whole].reshape(16, whole)[:m].astype(np.float64)
        right = data[b : b + n * whole].astype(np.float64)
        right = right.reshape(n, whole).T if kind == "LOAD_KEY" else right.reshape(whole, n)
        np.testing.assert_allclose(product, left @ right, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("how", ["rows beside it", "reference before", "reference after"])
def test_l0c_holds_what_was_stored(seed, module, how):
    """A product is stored; then what it was stored to is overwritten, in part; then it is stored again."""
    data = np.random.default_rng(seed).integers(-9, 10, ELEMENTS).astype(np.float32)
    square = {"rows": 16, "columns": 16, "pitch": 16}
    refer = {"operation": "REFER", "result": 5}
    product = {"operation": "MULTIPLY", "m": 16, "n": 16, "k": 16}
    store = {"operation": "FIXPIPE", "m": 16, "n": 16, "rows": 16, "pitch": 64}
    overwrite = [{"operation": "HELD", "gm": 9999}]  # more than any product
    if how == "rows beside it":  # from the other side of the gap between its rows to the first columns of the next one
        overwrite = [product | {"l1": 4096}, store | {"l1": 4096, "result": 56}]
    program = program_of(
        *[refer] * (how == "reference before"),
        {"operation": "ND2NZ", **square},
        {"operation": "ND2NZ", "l1": VALUES, "gm": 999, **square},
        {"operation": "LOAD_LEFT", "rows": 16, "columns": 16},
        {"operation": "LOAD_VALUE", "l1": VALUES, "rows": 16, "columns": 16},
        product,
        store,
        *[refer] * (how == "reference after"),
        *overwrite,
        store | {"pitch": 16, "result": RESULT},
    )
    out = outputs(module, data, program, ())
    expected = data[:256].reshape(16, 16) @ data[999 : 999 + 256].reshape(16, 16)
    np.testing.assert_array_equal(out[RESULT : RESULT + 256].reshape(16, 16), expected)
    assert not np.array_equal(out[: 16 * 64].reshape(16, 64)[:, :16], expected)


SLICE_M = [5, 16, 17, 32, 33, 48, 64]
VALUES = 64 * 1024  # in L1: boxes of V, behind P at 0


def between(rng, rows, width):
    """Something that a product of slices must not wait for, or must not see."""
    kind = str(rng.choice(["POKE", "STORE", "FILL", "COPY", "ND2NZ", "FIXPIPE", "BIAS", "READ", "LOAD_KEY"]))
    step = {"operation": kind, "rows": 8, "columns": 64, "l1": 8 * int(rng.integers(rows * width // 8))}
    if kind == "POKE":
        step.update(gm=77, result=int(rng.integers(rows * width)))
    elif kind == "STORE":  # into the rows of P in GM
        step["result"] = int(rng.integers(rows * width // 8)) * 8
    elif kind == "ND2NZ":  # P anew, from other rows, or a part of it
        step.update(from_out=int(rng.integers(2)), l1=0, gm=int(rng.integers(2)) * 999, rows=rows, pitch=width,
                    columns=int(rng.choice([16, width])))  # fmt: skip
    elif kind == "FIXPIPE":
        step.update(l1=0, m=16, n=16, rows=16, pitch=16, result=int(rng.choice([0, 12 * RESULT])))
    elif kind == "LOAD_KEY":  # over B, from where no copy waits
        step.update(l1=VALUES - BOX, l0=int(rng.integers(2)) * BOX)
    elif kind == "READ":
        step.update(operation="STORE", result=13 * RESULT)
    return step


def slice_steps(rng, i, m, n, k, deviation):
    """C += columns [i k, i k + k) of P times as many rows of V; one thing is otherwise if there is a deviation."""
    rows = -(-m // 16) * 16
    pitch = n + 8 if deviation == "pitch" and n < 128 else n
    n -= 16 if deviation == "narrow" and n > 16 else 0
    place = i + int(rng.choice([-1, 1])) if deviation == "columns" else i
    half = int(rng.integers(2)) if deviation == "half" else i % 2
    at = {"l1": VALUES + half * BOX, "l0": half * BOX}
    value = i * k * pitch + (n if deviation == "values" else 0)
    product = {"m": m, "n": n, "k": k, "rows": int(i > 0), "l0": at["l0"], "l1": 0}
    if deviation in ("m", "n", "k"):
        product[deviation] = max(1, product[deviation] - (16 if deviation == "n" else int(rng.integers(1, 9))))
    elif deviation == "c":
        product["l1"] = 2048
    elif deviation == "start":
        product["rows"] = int(i == 0)
    elif deviation == "bias":
        product["pitch"] = 1
    return [
        {"operation": "ND2NZ", "l1": at["l1"], "gm": value, "rows": k, "columns": n, "pitch": pitch},
        {
            "operation": "LOAD_LEFT",
            "l1": max(0, place) * k * rows,
            "rows": rows,
            "columns": k,
            "n": int(rng.random() < 0.5),
        },
        {"operation": "LOAD_VALUE", **at, "rows": k, "columns": n},
        {"operation": "MULTIPLY", **product},
    ]


def random_slices(rng):
    m, n, k = int(rng.choice(SLICE_M)), 16 * int(rng.integers(1, 9)), 16 * int(rng.integers(1, 5))
    slices = int(rng.integers(2, 7))
    rows, width = -(-m // 16) * 16, slices * k
    often = rng.choice([0, 0.1, 0.4])
    deviations = ["half", "narrow", "pitch", "columns", "values", "m", "n", "k", "c", "start", "bias"]
    steps = [{"operation": "ND2NZ", "from_out": 1, "rows": rows, "columns": width, "pitch": width}]
    for i in range(slices):
        new = slice_steps(rng, i, m, n, k, str(rng.choice(deviations)) if rng.random() < often else None)
        if rng.random() < often:
            new.insert(int(rng.integers(len(new) + 1)), between(rng, rows, width))
        steps += new
    result = 10 * RESULT if rng.random() < 0.7 else 0  # P itself is overwritten
    steps.append({"operation": "FIXPIPE", "m": m, "n": n, "rows": rows, "pitch": n, "result": result})
    steps.append({"operation": "FIXPIPE", "l1": 2048, "m": m, "n": n, "rows": rows, "pitch": n, "result": 11 * RESULT})
    return program_of(*only_defined(steps))


def test_random_slices_give_the_same_bits(seed, module, monkeypatch):
    """Products of slices of P, whose rows in GM may change, and of rows of V, which stay."""
    rng = np.random.default_rng(seed)
    data, before = rng.standard_normal((2, ELEMENTS)).astype(np.float32)
    for case in range(1000):
        program = random_slices(rng)
        with monkeypatch.context() as patch:
            patch.setenv("ASCENDC_CPU_EAGER_COPIES", "1")
            eager = outputs(module, data, program, (), before)
        deferred = outputs(module, data, program, (0,), before)
        differing = np.flatnonzero(eager.view(np.uint32) != deferred.view(np.uint32))
        assert differing.size == 0, f"program {case}: result {differing[0] // RESULT}"


def test_bias_of_a_waiting_product_may_change(module):
    """The bias table is written again after a product that starts from it."""
    program = program_of(
        {"operation": "ND2NZ", "from_out": 1, "rows": 16, "columns": 16, "pitch": 16},
        {"operation": "ND2NZ", "l1": VALUES, "rows": 16, "columns": 16, "pitch": 16},
        {"operation": "LOAD_LEFT", "rows": 16, "columns": 16},
        {"operation": "LOAD_VALUE", "l1": VALUES, "rows": 16, "columns": 16},
        {"operation": "MULTIPLY", "m": 16, "n": 16, "k": 16, "pitch": 1},
        {"operation": "FILL", "l1": VALUES, "rows": 16, "columns": 8},
        {"operation": "BIAS", "l1": VALUES},
        {"operation": "FIXPIPE", "m": 16, "n": 16, "rows": 16, "pitch": 16, "result": RESULT},
    )
    out = outputs(module, np.ones(ELEMENTS, np.float32), program, (0,))
    np.testing.assert_array_equal(out[RESULT : RESULT + 256], np.float32(1 + 16 * 0.25))
