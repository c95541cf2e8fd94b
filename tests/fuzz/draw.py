# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Random problems from what the forward operator promises, step by step as the case table."""

from tests.cases.axes import MASK_DTYPES, MASK_KINDS
from tests.cases.case import UNLIMITED, Case, MaskSpec

BORDERS = (1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025)
MAX_LENGTH = 2100
MAX_WORK = 1 << 27  # B * N1 * S1 * S2 * D, what the float64 reference does in well under a second
LAYOUTS = {"slice": ("BNSD", "BSH"), "breadth": ("BNSD", "BSH", "BSND", "SBH")}
MAX_HEAD_DIM = {"slice": 128, "breadth": 768}


def _length(random, step):
    if step == "breadth" and random.random() < 0.03:
        return 0
    if random.random() < 0.4:
        return random.choice(BORDERS)
    return int(MAX_LENGTH ** random.random())


def _head_dim(random, step):
    """(D, Dv)"""
    limit = MAX_HEAD_DIM[step]
    d = random.choice([n for n in (*BORDERS, 40, 80, 96, 192, 768) if n <= limit] + [random.randint(1, limit)] * 8)
    return (d, random.randint(1, d)) if step == "breadth" and random.random() < 0.3 else (d, d)


def _heads(random, step):
    """(N1, N2)"""
    n2 = random.randint(1, 5)
    return (n2 * random.randint(1, 5) if step == "breadth" else n2), n2


def _mask(random, s2):
    if random.random() < 0.4:
        return None
    rank = random.choice((2, 4, 4))
    full = ("B", "N", "S1", "S2")[-rank:]
    shape = tuple(random.choice((1, token)) for token in full)
    kinds = [kind for kind in MASK_KINDS if s2 or kind not in ("padding", "one_key")]  # these need a key to show
    return MaskSpec(shape, random.choice(kinds), random.choice(MASK_DTYPES))


def window_is_legal(mode, s1, s2, pre, following):
    """Whether pre_tokens and next_tokens are allowed: rules of the operator for modes 0 and 4 outside TND."""
    if mode not in (0, 4):
        return True
    shift = s1 - s2 if mode == 4 else 0
    p, n = pre + shift, following - shift
    if p < 0 and n < 0:
        return False
    if p < 0:
        return n >= -p and -p < s2
    if n < 0:
        return -n <= p and -n < s1
    return True


def _window(random, step, s1, s2):
    """(sparse_mode, pre_tokens, next_tokens)"""
    if step == "slice":
        return 0, UNLIMITED, UNLIMITED
    mode = random.choice((0, 0, 1, 2, 3, 4, 4))
    if mode not in (0, 4) or random.random() < 0.2:
        return mode, UNLIMITED, UNLIMITED
    while True:
        pre, following = (random.choice((UNLIMITED, 0, random.randint(-s2, s1 + s2))) for _ in range(2))
        if window_is_legal(mode, s1, s2, pre, following):
            return mode, pre, following


def draw_case(random, step):
    """A Case of a step (slice or breadth). random: a random.Random."""
    while True:
        b = random.choice((1, 1, 2, 3, 5))
        (n1, n2), (d, dv) = _heads(random, step), _head_dim(random, step)
        s1, s2 = _length(random, step), _length(random, step)
        if b * n1 * s1 * s2 * d <= MAX_WORK:
            break
    mode, pre, following = _window(random, step, s1, s2)
    return Case(
        group="draw",
        step=step,
        tags=("full",),
        layout=random.choice(LAYOUTS[step]),
        dtype=random.choice(("float32", "bfloat16", "float16")),
        b=b,
        n1=n1,
        n2=n2,
        s1=s1,
        s2=s2,
        d=d,
        dv=dv,
        mask=_mask(random, s2) if mode in (0, 1) else None,
        sparse_mode=mode,
        pre_tokens=pre,
        next_tokens=following,
        std=random.choice((1, 1, 6)),
    )
