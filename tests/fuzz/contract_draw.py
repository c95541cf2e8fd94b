# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Random problems from the whole contract of the operators: any combination that must not be refused.

The rules of what goes together are written here once more, from the documentation: a draw that the operator refuses is
a failure.
"""

from dataclasses import dataclass, field
from random import Random

from tests.cases.axes import MASK_DTYPES, MASK_KINDS, PREFIX_KINDS
from tests.cases.case import ALIBI_ROWS, UNLIMITED, Case, MaskSpec, PseSpec
from tests.fuzz.draw import BORDERS, window_is_legal
from tests.fuzz.packed_draw import draw_sequences, draw_window

MAX_WORK = 1 << 22  # N1 * D * scores of a head of at most 3 batches: tens of milliseconds of the float64 reference
MAX_LENGTH, MAX_HEAD_DIM = 1100, 768
DENSE = ("BNSD", "BSH", "BSND", "SBH")
SMALL_HEAD_DIMS = (1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 40, 63, 64, 65, 72, 80, 96, 127, 128, 129)


@dataclass
class Sizes:
    """What is drawn first; sequences only for TND, where b, s1 and s2 follow from them."""

    layout: str
    dtype: str
    b: int
    n1: int
    n2: int
    s1: int
    s2: int
    d: int
    dv: int
    sequences: tuple = ()
    options: dict = field(default_factory=dict)


def draw_length(random):
    """0 rarely, borders of tiles often, else the shorter the likelier."""
    if random.random() < 0.03:
        return 0
    if random.random() < 0.3:
        return random.choice([n for n in BORDERS if n <= MAX_LENGTH])
    return int(MAX_LENGTH ** random.random())


def _head_dims(random):
    limit = MAX_HEAD_DIM if random.random() < 0.1 else 128
    d = random.choice((*SMALL_HEAD_DIMS, 192, 256, 576, 768) if random.random() < 0.5 else (random.randint(1, limit),))
    return d, random.randint(1, d) if random.random() < 0.3 else d


def _sizes(random):
    n2 = random.choice((1, 1, 2, 3))
    n1 = n2 * random.choice((1, 1, 2, 3, 4, 16))
    d, dv = _head_dims(random)
    layout = "TND" if random.random() < 0.4 else random.choice(DENSE)
    dtype = random.choice(("float32", "bfloat16", "float16"))
    if layout == "TND":
        sequences = draw_sequences(random, draw_length)
        longest = (max((pair[i] for pair in sequences), default=0) for i in (0, 1))
        return Sizes(layout, dtype, len(sequences), n1, n2, *longest, d, dv, sequences)
    if random.random() < 0.05:
        return _crowd(random, layout, dtype)
    b = random.choice((1, 1, 2, 3)) if random.random() < 0.98 else 0
    s1 = draw_length(random)
    s2 = s1 if random.random() < 0.3 else draw_length(random)
    return Sizes(layout, dtype, b, n1, n2, s1, s2, d, dv)


def _crowd(random, layout, dtype):
    """More row blocks than cores, whatever the tiles, and with the small ones of _draw_tuning several stacks."""
    s1, s2 = random.randint(17, 100), random.randint(129, 300)
    n2 = random.choice((1, 1, 1, 2))
    d = random.choice((random.randint(1, 128), random.randint(129, 256)))
    return Sizes(layout, dtype, 25, n2, n2, s1, s2, d, d)


def _work(sizes):
    scores = sum(s1 * s2 for s1, s2 in sizes.sequences) if sizes.sequences else min(sizes.b, 3) * sizes.s1 * sizes.s2
    return scores * sizes.n1 * sizes.d


def _dense_window(random, sizes):
    mode = random.choice((0, 0, 0, 1, 2, 3, 4, 5, 6))
    if mode not in (0, 4) or random.random() < 0.4:
        return mode, UNLIMITED, UNLIMITED
    while True:
        pre, following = (
            random.choice((UNLIMITED, 0, random.randint(-sizes.s2, sizes.s1 + sizes.s2))) for _ in range(2)
        )
        if not (sizes.s1 and sizes.s2) or window_is_legal(mode, sizes.s1, sizes.s2, pre, following):
            return mode, pre, following


def _mask(random, sizes, mode):
    if mode not in (0, 1, 5) or random.random() < 0.5:
        return None
    full = random.choice((("S1", "S2"), ("B", "N", "S1", "S2"), ("B", "N", "S1", "S2")))
    shape = tuple(random.choice((1, token)) for token in full)
    if sizes.layout == "TND" and random.random() < 0.3:
        shape = ("T1", "T2")
    kinds = [kind for kind in MASK_KINDS if sizes.s2 or kind not in ("padding", "one_key")]  # these need a key to show
    if shape == ("T1", "T2"):
        kinds = ["random", "blind_rows", "all", "nothing"]
    return MaskSpec(shape, random.choice(kinds), random.choice(MASK_DTYPES))


def _tensor_pse(random, sizes):
    kind, float32 = random.choice((0, 1)), False
    if sizes.layout == "TND":
        row, full = (sum((s1 if i else 1) * s2 for s1, s2 in sizes.sequences) for i in (0, 1))
        differ = any(s1 != 1 and s2 for s1, s2 in sizes.sequences)
        if row == full and differ:  # a tensor of this size could be either
            return None
        shape = ("row",) if row == full else (random.choice(("row", "full")),)
        if random.random() < 0.4:
            shape = tuple(random.choice((1, token)) for token in ("B", "N", "S1", "S2"))
            named = {"B": sizes.b, "N": sizes.n1, "S1": sizes.s1, "S2": sizes.s2, 1: 1}
            if all(named[token] == 1 for token in shape[1:]):  # could be a packed one
                return None
    else:
        shape = tuple(random.choice((1, token)) for token in ("B", "N", "S1", "S2"))
    if kind == 0 and sizes.dtype != "float32":
        float32 = random.random() < 0.3
    return PseSpec(kind, shape, (0, 0), float32)


def _slopes(random, sizes, mode):
    """Slopes, with lengths that they can come with; None where there are none."""
    if mode == 7:
        return None
    start = (0, 0) if random.random() < 0.5 else (random.randint(-3000, 3000), random.randint(-3000, 3000))
    if sizes.layout != "TND":
        if sizes.s1 != sizes.s2:
            return None
    elif mode == 8:
        band = next((i for i, pair in enumerate(sizes.sequences) if pair[0]), None)
        if any(s1 != s2 for i, (s1, s2) in enumerate(sizes.sequences) if s1 and i != band):
            return None
        s1, s2 = sizes.sequences[band] if band is not None else (0, 0)
        start = (start[0], start[0] + s1 - s2)
    return PseSpec(random.choice((2, 3)), random.choice((("N",), ("B", "N"))), start)


def _alibi(random, sizes):
    """A compressed table and a causal mode; the long and equal lengths that it needs are set in sizes."""
    s = random.choice((1025, 1100, random.randint(1025, 1300)))
    sizes.s1 = sizes.s2 = s
    sizes.n1, sizes.n2, sizes.d, sizes.dv = random.choice(((1, 1), (2, 1), (2, 2))) + (8, 8)
    batch = random.choice(("B", 1))
    if sizes.layout == "TND":
        sizes.sequences = random.choice((((s, s),), ((s, s), (0, 0))))
        sizes.b = len(sizes.sequences)
    else:
        sizes.b = 1
    return PseSpec(random.choice((0, 1)), (batch, random.choice(("N", 1)), ALIBI_ROWS, "S2")), random.choice((2, 3))


def _draw(random):
    sizes = _sizes(random)
    if _work(sizes) > MAX_WORK:
        return None
    packed = sizes.layout == "TND"
    window = draw_window(random, sizes.sequences) if packed else _dense_window(random, sizes)
    if window is None:
        return None
    mode, pre, following = window
    kind = random.random()
    pse = None
    if kind < 0.008:
        pse, mode = _alibi(random, sizes)
        pre = following = UNLIMITED
    elif kind < 0.25:
        pse = _tensor_pse(random, sizes)
    elif kind < 0.4:
        pse = _slopes(random, sizes, mode)
    keep_prob = random.choice((0.1, 0.5, 0.8, 0.9)) if random.random() < 0.3 else 1.0
    mask = None if pse is not None and pse.is_alibi else _mask(random, sizes, mode)
    takes_rope = packed and sizes.dtype == "bfloat16" and pse is None and keep_prob == 1 and mode != 6
    widest = min(sizes.d, MAX_HEAD_DIM - (sizes.d + 15) // 16 * 16) if takes_rope else 0
    return Case(
        "draw", "contract", ("full",), sizes.layout, sizes.dtype, sizes.b, sizes.n1, sizes.n2, sizes.s1, sizes.s2,
        sizes.d, sizes.dv, mask, mode, pre, following,
        random.choice((1, 1, 6)), random.choice(PREFIX_KINDS) if mode in (5, 6) else None, sizes.sequences,
        (random.choice((0, 0, 0, 1, 17)), random.choice((0, 0, 3))) if packed else (0, 0), pse, keep_prob,
        random.random() < 0.15, random.randint(1, widest) if widest > 0 and random.random() < 0.4 else 0,
        packed and random.random() < 0.2,
    )  # fmt: skip


def _draw_tuning(random):
    """Tuning parameters, or "" for none: small tiles give a core several row blocks and a row several stacks."""
    if random.random() < 0.5:
        return ""
    rows, keys = random.choice((16, 32, 48, 64)), random.choice((128, 128, 256))
    return f"block_size_q={rows},block_size_kv={keys},preload={random.choice((1, 2))}"


def draw_contract_case(random):
    """A Case. random: a random.Random."""
    while True:
        case = _draw(random)
        if case is not None:
            return case


def draw_call(seed):
    """(Case, tuning parameters) of a seed."""
    source = Random(seed)
    return draw_contract_case(source), _draw_tuning(source)
