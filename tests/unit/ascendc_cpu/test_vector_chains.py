# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Vector instructions that wait to be carried out as one give the bits of those that do not: random programs."""

from pathlib import Path

import numpy as np
import pytest

import ascendc_cpu

KERNEL = Path(__file__).parent / "kernels" / "vector_program.cpp"
PAIRS = ["MASKED", "REGISTER", "AS_IS", "COUNTED"]
OTHERS = ["EXP", "EXP_MASKED", "FILL", "SCALE", "ADD_SCALAR", "ACCUMULATE", "CAST", "BROADCAST", "REDUCE", "SELECT"]
ACCESSES = ["COPY_IN", "COPY_OUT", "STORE", "COPY", "GET", "SET", "REFER", "HELD"]
OPERATIONS = [*PAIRS, *OTHERS, *ACCESSES, "WAITS"]
FUNCTIONS = ["ADD", "SUB", "MUL", "DIV", "MAX", "MIN"]
ADD, SUB, MUL, DIV, MAX, MIN = range(6)
STEP = np.dtype(
    [(name, "<u4") for name in ("operation", "function", "dst", "src0", "src1")]
    + [("block", "<u4", 3), ("repeat", "<u4", 3), ("repeats", "<u4"), ("mask", "<u4", 2)]
    + [("count", "<u4"), ("value", "<f4")]
)
MOST_STEPS = 64
PROGRAM = np.dtype([("count", "<u4"), ("reserved", "<u4"), ("steps", STEP, MOST_STEPS)])
ELEMENTS = 48 * 1024  # of UB
OUT_ELEMENTS = 2 * ELEMENTS  # the image of UB, then what copies and scalar reads store
CHUNK = 64
ALL = 0xFFFFFFFF


@pytest.fixture(scope="module")
def module(kernel_cache):
    return ascendc_cpu.compile(KERNEL, "vector_program", build_dir=kernel_cache)


def pair(function, dst, src0, src1, block, repeat, repeats, operation="MASKED"):
    return {"operation": operation, "function": function, "dst": dst, "src0": src0, "src1": src1, "block": block,
            "repeat": repeat, "repeats": repeats, "mask": (ALL, ALL)}  # fmt: skip


def fold(function, dst, src, chunks, rows, pitch):
    """dst[row] = the chunks of a row of src, one after the other; the first instruction takes two of them."""
    step = pair(function, dst, src, src + CHUNK, (1, 1, 1), (8, pitch // 8, pitch // 8), rows)
    later = [pair(function, dst, dst, src + i * CHUNK, (1, 1, 1), (8, 8, pitch // 8), rows) for i in range(2, chunks)]
    return [step, *later]


def with_values(function, dst, values, chunks, rows, pitch, value_pitch=8):
    """Every chunk of a row of dst with the row's block of values."""
    return [
        pair(function, dst + i * CHUNK, dst + i * CHUNK, values, (1, 1, 0), (pitch // 8, pitch // 8, value_pitch // 8),
             rows)
        for i in range(chunks)
    ]  # fmt: skip


def fits(step):
    """Whether all operands end inside UB."""
    count = step.get("count", 0)
    repeats = count // CHUNK + 1 if step["operation"] == "REGISTER" and count else step["repeats"]
    to_gm = step["operation"] in ("COPY_OUT", "STORE", "GET", "HELD")
    if step["operation"] == "STORE":
        count += (step["repeats"] - 1) * step["repeat"][1] * 8
    for i, name in enumerate(("dst", "src0", "src1")):
        masked = ((repeats - 1) * step["repeat"][i] + 7 * step["block"][i] + 1) * 8
        if not (to_gm and i == 0) and step[name] + max(masked, count) > ELEMENTS:
            return False
    return True


def deviate(rng, step):
    """One field is not what the chain needs; a move may lead to the step's own or the chain's other places."""
    step = dict(step)
    fields = ["dst", "src0", "src1", "both", "block", "repeat", "pitch", "repeats", "function", "mask", "operation"]
    field = str(rng.choice(fields))
    shift = int(rng.choice([-64, -8, 8, 16, 64, 128]))
    i = int(rng.integers(3))
    if field in ("dst", "src0", "src1"):
        step[field] = max(0, step[field] + shift)
    elif field == "both":
        step["dst"] = step["src0"] = max(0, step["dst"] + shift)
    elif field == "block":
        step["block"] = tuple(int(rng.integers(3)) if i == j else old for j, old in enumerate(step["block"]))
    elif field == "repeat":
        changed = max(0, step["repeat"][i] + int(rng.choice([-8, -1, 1, 8])))
        step["repeat"] = tuple(changed if i == j else old for j, old in enumerate(step["repeat"]))
    elif field == "repeats":
        step["repeats"] = max(1, step["repeats"] + int(rng.choice([-1, 1])))
    elif field == "function":
        step["function"] = int(rng.integers(6))
    elif field == "mask":
        step["mask"] = (ALL, int(rng.choice([0, 1, 0x7FFFFFFF])))
    elif field == "pitch":
        step["repeat"] = tuple(max(0, old + shift // 8) if j < 2 else old for j, old in enumerate(step["repeat"]))
    else:
        step["operation"] = "REGISTER"
        step["count"] = step["repeats"] * CHUNK + int(rng.choice([-8, 0, 0, 8]))
    return step


def interruption(rng, dst, src0, src1):
    """Some other instruction on the places of a chain, or near."""
    kind = str(rng.choice(OTHERS + ACCESSES))
    if kind in ("REFER", "HELD") and rng.random() < 0.7:
        kind = "GET"
    near = [max(0, place + 8 * int(rng.integers(-20, 40))) for place in (dst, dst, src0, src1)]
    to, first, second = (int(near[i]) for i in rng.integers(4, size=3))
    step = pair(0, to, first, second, (1, 1, 1), (8, 8, 8), int(rng.integers(1, 9)), kind)
    step["value"] = float(rng.standard_normal())
    step["count"] = 64 * int(rng.integers(1, 5))
    if kind in ("COPY_OUT", "GET", "HELD"):
        step["dst"] = ELEMENTS + int(rng.integers(ELEMENTS // 8 - 64)) * 8
    elif kind == "STORE":
        return store_rows(rng, first, step["repeats"], step["count"], step["count"])
    if kind == "BROADCAST" and to == first:
        step["src0"] += 8
    return step


def store_rows(rng, src, rows, columns, pitch):
    """Rows of UB to GM; at times others, added there, or not just a tile's."""
    step = pair(0, 0, src, 0, (1, 1, 1), (pitch // 8, pitch // 8, 0), rows, "STORE") | {"count": columns}
    if rng.random() < 0.1:
        step["value"] = 1.0
    if rng.random() < 0.1:
        step["src0"] += 8
    elif rng.random() < 0.1 and rows > 1:
        step["repeats"] -= 1
    elif rng.random() < 0.1:
        step["count"] -= 8
    elif rng.random() < 0.1:
        step["repeat"] = (pitch // 8, pitch // 8 + 1, 0)
    to_pitch = step["count"] // 8 + int(rng.integers(0, 20))
    step["repeat"] = (to_pitch, *step["repeat"][1:])
    room = ELEMENTS // 8 - step["repeats"] * to_pitch
    if room <= 0 or step["count"] <= 0:
        return counted("FILL", src, 8)
    return step | {"dst": ELEMENTS + int(rng.integers(room)) * 8}


def random_fold(rng, rows, chunks, pitch, dst, src):
    """At times dst begins or ends inside src, or beside it."""
    function = int(rng.integers(6))
    if rng.random() < 0.3:
        dst = src + int(rng.choice([-rows * CHUNK, 0, chunks * CHUNK])) + int(rng.integers(-1, 2)) * 64
    elif rng.random() < 0.1:
        dst = src + (rows - 1) * pitch + int(rng.integers(2, 6)) * CHUNK
    return fold(function, max(0, dst), src, chunks, rows, pitch)


def random_rows(rng, rows, chunks, pitch, dst, values):
    if rng.random() < 0.2:
        values = max(0, dst + int(rng.choice([-rows * 8, -8, 0, 64, pitch, rows * pitch])))
    function = SUB if rng.random() < 0.5 else int(rng.integers(6))
    return with_values(function, dst, values, chunks, rows, pitch, int(rng.choice([8, 8, 0, 16])))


def counted(kind, place, count, value=0.0):
    """The count form on a place in UB."""
    step = pair(0, place, place, 0, (1, 1, 1), (8, 8, 8), 1, kind)
    return step | {"count": max(1, count), "value": value}


def random_tile(rng, place, rows, pitch, kind):
    """Exp, Muls or Duplicate of all of a tile, at times of more or less, and what folds the tile then."""
    count = rows * pitch + (int(rng.choice([-64, -1, 1, 64])) if rng.random() < 0.2 else 0)
    tile = counted(kind, place, count, float(rng.standard_normal()))
    if rng.random() < 0.1:
        tile[str(rng.choice(["dst", "src0"]))] += 64
    if rng.random() < 0.3 or pitch < CHUNK:
        return [tile]
    columns = (
        2
        if pitch < 2 * CHUNK
        else pitch // CHUNK
        if rng.random() < 0.7
        else int(rng.integers(2, max(3, pitch // CHUNK + 2)))
    )
    dst = int(rng.integers(0, 2048)) * 8 + (24576 if rng.random() < 0.8 else 0)
    if rng.random() < 0.1:
        dst = place + rows * pitch + 8 * int(rng.integers(-1, 9))  # at the tile's end
    if rng.random() < 0.2 and rows % 2 == 0:  # as rows twice as long
        rows, columns, pitch = rows // 2, columns * 2, pitch * 2
    elif rng.random() < 0.4 and pitch % 256 == 0:  # or half as long
        rows, columns, pitch = rows * 2, max(2, columns // 2), pitch // 2
    first, *others = random_fold(rng, min(rows, 255), columns, pitch, dst, place)
    steps = [tile, deviate(rng, first) if rng.random() < 0.1 else first, *others]
    steps += [random_sums(rng, first, pitch) for _ in range(int(rng.choice(3, p=[0.3, 0.6, 0.1])))]
    if rng.random() < 0.6:
        steps.append(store_rows(rng, place, min(rows, 255), pitch, pitch))
    return steps


def random_sums(rng, first, pitch):
    """The sums of the rows that a fold leaves, at times over it, its tile, or near; at times of others."""
    place = int(rng.integers(0, 4096)) if rng.random() < 0.7 else first["dst"] + int(rng.integers(-300, 300))
    if rng.random() < 0.2:
        place = first["src0"] + int(rng.integers(-64, first["repeats"] * pitch))
    step = pair(0, max(0, place // 8 * 8), first["dst"], 0, (1, 1, 1), (1, 8, 1), first["repeats"], "REDUCE")
    if rng.random() < 0.15:
        step = deviate(rng, step)
        step["repeats"] = min(255, step["repeats"])
    return step


def random_chain(rng):
    """A fold, or rows with values; at times something is done to all of a tile; most steps are as they should be."""
    rows = int(rng.choice([1, 2, 3, 8, 17, 255], p=[0.15, 0.2, 0.2, 0.3, 0.1, 0.05]))
    chunks = int(rng.integers(2, 3 if rows == 255 else 7))
    pitch = chunks * CHUNK + int(rng.choice([0, 0, 0, 8, 64])) * (rows < 255)
    if rng.random() < 0.1:
        pitch = int(rng.integers(0, 9)) * 8
    elif rng.random() < 0.1:
        chunks, pitch = 1, CHUNK
    dst, other = (int(place) * 8 for place in rng.integers(0, 1200, size=2))
    dst += 16384 if rng.random() < 0.5 else 0
    if rng.random() < 0.3:
        return random_tile(rng, dst, rows, pitch, "SCALE")
    steps = (random_fold if rng.random() < 0.4 and chunks > 1 else random_rows)(rng, rows, chunks, pitch, dst, other)
    if rng.random() < 0.5:
        kind = "EXP" if rng.random() < 0.8 else "FILL"
        steps += random_tile(rng, steps[0]["dst"], rows, pitch, kind)
    return steps


def random_program(rng):
    steps = []
    while len(steps) < MOST_STEPS:
        chain = random_chain(rng)
        keep = float(rng.choice([1, 0.9, 0.7]))
        for step in chain:
            if rng.random() > keep:
                if step["operation"] == "MASKED" and rng.random() < 0.6:
                    step = deviate(rng, step)
                else:
                    steps.append(interruption(rng, step["dst"], step["src0"], step["src1"]))
            steps.append(step)
        if rng.random() < 0.3:
            steps.append(interruption(rng, step["dst"], step["src0"], step["src1"]))
    return program_of([step for step in steps if fits(step)][:MOST_STEPS])


def program_of(steps):
    program = np.zeros((), PROGRAM)
    program["count"] = len(steps)
    for fields, place in zip(steps, program["steps"], strict=False):
        for name, value in fields.items():
            place[name] = OPERATIONS.index(value) if name == "operation" else value
    return program


def outputs(module, data, program):
    out = np.full(OUT_ELEMENTS, 0.25, np.float32)
    module.launch(1, data, out, tiling=program)
    return out


def random_data(rng):
    data = rng.standard_normal(ELEMENTS).astype(np.float32)
    nan = np.array([0xFFC00000], np.uint32).view(np.float32)[0]
    special = np.array([np.inf, -np.inf, 0.0, -0.0, nan, 100.0], np.float32)
    places = rng.integers(0, ELEMENTS, size=200)
    data[places] = special[rng.integers(special.size, size=places.size)]
    return data


def test_random_programs_give_the_same_bits(seed, module, monkeypatch):
    rng = np.random.default_rng(seed)
    data = random_data(rng)
    for case in range(1000):
        program = random_program(rng)
        with monkeypatch.context() as patch:
            patch.setenv("ASCENDC_CPU_EAGER_COPIES", "1")
            eager = outputs(module, data, program)
        waiting = outputs(module, data, program)
        bits_differ = eager.view(np.uint32) != waiting.view(np.uint32)
        # of two NaNs a compiled sum may keep the one or the other; Select leaves 0xffffffff at the end of UB
        differing = np.flatnonzero(bits_differ & ~(np.isnan(eager) & np.isnan(waiting)))
        assert differing.size == 0, f"program {case}: element {differing[0]}"


NUMPY = [np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum]


def image_after(data, steps):
    """UB after MASKED steps, repeat by repeat."""
    ub = data.copy()
    lanes = np.arange(CHUNK)
    for step in steps:
        for row in range(step["repeats"]):
            dst, src0, src1 = (
                step[name] + 8 * (row * step["repeat"][i] + lanes // 8 * step["block"][i]) + lanes % 8
                for i, name in enumerate(("dst", "src0", "src1"))
            )
            ub[dst] = NUMPY[step["function"]](ub[src0], ub[src1])
    return ub


@pytest.mark.parametrize("rows", [1, 7, 255])
@pytest.mark.parametrize("function", range(len(FUNCTIONS)), ids=FUNCTIONS)
def test_chunks_of_rows(seed, module, function, rows):
    data = np.random.default_rng(seed).uniform(0.5, 2, ELEMENTS).astype(np.float32)
    pitch = 128 if rows == 255 else 328
    chunks = pitch // CHUNK
    src = rows * CHUNK  # dst ends there
    steps = with_values(function, src, 0, chunks, rows, pitch, 16)
    steps += fold(function, 0, src, chunks + 1, rows, pitch)  # to the next row's
    out = outputs(module, data, program_of(steps))[:ELEMENTS]
    np.testing.assert_array_equal(out, image_after(data, steps))


@pytest.mark.parametrize("begin", [0, 64, 128, 192, 256])
def test_result_inside_the_source(seed, module, begin):
    """The third instruction reads the first chunk of a row after the first one has written there."""
    data = np.random.default_rng(seed).standard_normal(ELEMENTS).astype(np.float32)
    steps = fold(ADD, begin, 0, 4, 1, 256)
    out = outputs(module, data, program_of(steps))[:ELEMENTS]
    np.testing.assert_array_equal(out, image_after(data, steps))


@pytest.mark.parametrize("surplus", [-64, -1, 0, 1, 64])
def test_exp_after_sub(seed, module, surplus):
    """Exp of just the rows, of fewer and of more elements, and what follows it."""
    data = np.random.default_rng(seed).standard_normal(ELEMENTS).astype(np.float32)
    rows, pitch, count = 5, 192, 5 * 192 + surplus
    steps = with_values(SUB, 640, 0, 3, rows, pitch)
    out = outputs(module, data, program_of([*steps, counted("EXP", 640, count)]))[:ELEMENTS]
    expected = image_after(data, steps)
    expected[640 : 640 + count] = np.exp(expected[640 : 640 + count])
    np.testing.assert_allclose(out, expected, rtol=3e-7)
    np.testing.assert_array_equal(out[640 + count :], expected[640 + count :])


@pytest.mark.parametrize("read", ["GET", "HELD", "COPY_OUT"])
def test_scalar_reads_see_the_result(seed, module, read):
    """A reference that was taken before the instructions is read after them."""
    data = np.random.default_rng(seed).standard_normal(ELEMENTS).astype(np.float32)
    steps = with_values(MUL, 640, 0, 3, 4, 192)
    refer = [{"operation": "REFER", "dst": 640 + 8}] if read == "HELD" else []
    look = {"operation": read, "dst": ELEMENTS, "src0": 640 + 8, "count": 8}
    out = outputs(module, data, program_of([*refer, *steps, look]))
    assert out[ELEMENTS] == image_after(data, steps)[640 + 8]


def test_exp_after_sub_leaves_counter_mode(seed, module):
    """What follows the count form works on the lanes of its repeats again, not on as many elements as Sub did."""
    data = np.random.default_rng(seed).standard_normal(ELEMENTS).astype(np.float32)
    rows, pitch = 5, 64
    sub = with_values(SUB, 640, 0, 1, rows, pitch)[0] | {"operation": "REGISTER", "count": rows * pitch, "value": 1}
    exp = counted("EXP", 640, rows * pitch)
    add = pair(ADD, 4096, 4096, 2048, (1, 1, 1), (8, 8, 8), 2, "AS_IS")
    out = outputs(module, data, program_of([sub, exp, add]))[:ELEMENTS]
    np.testing.assert_array_equal(out[4096:8192], image_after(data, [add])[4096:8192])


@pytest.mark.parametrize("columns", [3, 2])
@pytest.mark.parametrize("kind", ["EXP", "SCALE"])
def test_fold_of_a_tile(seed, module, kind, columns):
    """The fold of a tile that has just been changed, and of its first columns."""
    data = np.random.default_rng(seed).standard_normal(ELEMENTS).astype(np.float32)
    rows, pitch, place = 5, 192, 640
    before = with_values(SUB, place, 0, 3, rows, pitch) if kind == "EXP" else []
    sums = fold(ADD, 8192, place, columns, rows, pitch)
    out = outputs(module, data, program_of([*before, counted(kind, place, rows * pitch, 0.25), *sums]))[:ELEMENTS]
    image = image_after(data, before)
    tile = image[place : place + rows * pitch]
    tile[:] = np.exp(tile) if kind == "EXP" else tile * np.float32(0.25)
    expected = image_after(image, sums)
    np.testing.assert_allclose(out, expected, rtol=1e-6)
    assert kind == "EXP" or (out == expected).all()


@pytest.mark.parametrize("lanes", [64, 33, 1])
def test_sums_and_store_of_a_tile_of_exponentials(seed, module, lanes):
    """Sums of the fold, of all its lanes or of the first ones; then the tile is stored to rows of GM."""
    data = np.random.default_rng(seed).uniform(-2, 2, ELEMENTS).astype(np.float32)
    rows, pitch, place, to, to_pitch = 5, 192, 640, ELEMENTS + 800, 200
    folded = [*with_values(SUB, place, 0, 3, rows, pitch), counted("EXP", place, rows * pitch)]
    folded += fold(ADD, 8192, place, 3, rows, pitch)
    mask = (min((1 << lanes) - 1, ALL), (1 << lanes) - 1 >> 32)
    sums = pair(0, 16384, 8192, 0, (1, 1, 1), (1, 8, 1), rows, "REDUCE") | {"mask": mask}
    store = pair(0, to, place, 0, (1, 1, 1), (to_pitch // 8, pitch // 8, 0), rows, "STORE") | {"count": pitch}
    out = outputs(module, data, program_of([*folded, sums, store]))
    differences = image_after(data, folded[:3])[place : place + rows * pitch].reshape(rows, pitch)
    tile = np.exp(differences.astype(np.float64))
    stored = out[to : to + rows * to_pitch].reshape(rows, to_pitch)
    np.testing.assert_allclose(stored[:, :pitch], tile, rtol=3e-7)
    np.testing.assert_array_equal(stored[:, pitch:], np.float32(0.25))
    np.testing.assert_array_equal(out[place : place + rows * pitch].reshape(rows, pitch), stored[:, :pitch])
    np.testing.assert_allclose(
        out[16384 : 16384 + rows], tile.reshape(rows, 3, 64)[:, :, :lanes].sum((1, 2)), rtol=1e-6
    )


def test_what_waits(module, monkeypatch):
    """Chains grow, end at a read, and do not begin in programs that carry out everything at once."""
    steps = with_values(SUB, 640, 0, 3, 4, 192)
    steps += [counted("EXP", 640, 4 * 192), *fold(ADD, 8192, 640, 3, 4, 192)]
    steps += [pair(0, 9000, 8192, 0, (1, 1, 1), (1, 8, 1), 4, "REDUCE")]
    steps += [counted("SCALE", 640, 8 * 256, 2.0), *fold(MAX, 16384, 640, 4, 8, 256)]
    steps += [counted("SCALE", 640, 8 * 256, 2.0), {"operation": "GET", "dst": ELEMENTS, "src0": 0}]
    looks = [{"operation": "WAITS", "dst": ELEMENTS + 1 + i} for i in range(len(steps))]
    program = program_of([step for both in zip(steps, looks, strict=True) for step in both])
    data = np.zeros(ELEMENTS, np.float32)
    waiting = [1, 2, 3, 200, 202, 203, 1203, 100, 102, 103, 104, 100, 0]
    assert outputs(module, data, program)[ELEMENTS + 1 :][: len(steps)].tolist() == waiting
    monkeypatch.setenv("ASCENDC_CPU_EAGER_COPIES", "1")
    assert not outputs(module, data, program)[ELEMENTS + 1 :][: len(steps)].any()
