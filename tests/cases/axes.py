# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The axes of a group of the case table: defaults, what is allowed, and the case at one point of their product."""

from tests.cases.case import ALIBI_ROWS, DTYPES, PACKED_PLACES, UNLIMITED, Case, MaskSpec, PseSpec

LAYOUTS = ("BNSD", "BSH", "BSND", "SBH", "TND")
MASK_KINDS = ("random", "padding", "causal", "blind_rows", "first_stack", "one_key", "all", "nothing")
MASK_DTYPES = ("bool", "uint8")
PREFIX_KINDS = ("random", "least", "all")
DEFAULTS = {
    "layout": "BNSD", "dtype": "float32", "b": 1, "heads": 1, "d": 64, "mask": "none", "sparse": {"mode": 0},
    "pse": "none", "keep_prob": 1, "sink": False, "rope": 0, "tail": 0, "like_input": False, "std": 1,
}  # fmt: skip
AXES = [*DEFAULTS, "s", "s1", "s2", "sequences"]


class CaseError(ValueError):
    """A group of the case table is not what the docstring of loader.py says."""


def require(condition, where, argument, got, allowed):
    if not condition:
        raise CaseError(f"{where}: {argument}: got {got!r}, allowed {allowed}")


def _is_int(value, minimum):
    return isinstance(value, int) and not isinstance(value, bool) and value >= minimum


def _pair(value, where, axis, minimum):
    """n -> (n, n); [n, m] -> (n, m)."""
    pair = value if isinstance(value, list) else [value, value]
    good = len(pair) == 2 and all(_is_int(n, minimum) for n in pair)
    require(good, where, axis, value, f"an integer or a pair of integers >= {minimum}")
    return tuple(pair)


def _fits(shape, full):
    """Whether every dimension is 1 or the full one."""
    return len(shape) == len(full) and all(t in (1, name) for t, name in zip(shape, full, strict=True))


def _mask(value, where, packed):
    if value == "none":
        return None
    require(isinstance(value, dict) and set(value) <= {"shape", "kind", "dtype"} and "shape" in value, where, "mask",
            value, "none or {shape, kind, dtype}")  # fmt: skip
    shape = tuple(value["shape"])
    good = _fits(shape, ("S1", "S2")) or _fits(shape, ("B", "N", "S1", "S2")) or (packed and shape == ("T1", "T2"))
    require(good, where, "mask shape", list(shape), "[B|1, N|1, S1|1, S2|1], [S1|1, S2|1] or, for TND, [T1, T2]")
    spec = MaskSpec(shape, value.get("kind", "random"), value.get("dtype", "bool"))
    require(spec.kind in MASK_KINDS, where, "mask kind", spec.kind, ", ".join(MASK_KINDS))
    require(spec.dtype in MASK_DTYPES, where, "mask dtype", spec.dtype, ", ".join(MASK_DTYPES))
    return spec


def _sparse(value, where):
    good = isinstance(value, dict) and set(value) <= {"mode", "pre", "next", "prefix"} and value.get("mode") in range(9)
    require(good, where, "sparse", value, "{mode: 0..8, pre: tokens, next: tokens, prefix: kind}")
    prefix = value.get("prefix", "random" if value["mode"] in (5, 6) else None)
    good = prefix in PREFIX_KINDS if value["mode"] in (5, 6) else prefix is None
    require(good, where, "prefix", prefix, f"{', '.join(PREFIX_KINDS)}, in modes 5 and 6")
    return value["mode"], value.get("pre", UNLIMITED), value.get("next", UNLIMITED), prefix


def _pse(value, where, packed):
    if value == "none":
        return None
    keys = {"type", "shape", "start", "float32"}
    require(isinstance(value, dict) and set(value) <= keys and value.get("type") in (0, 1, 2, 3), where, "pse", value,
            "none or {type: 0..3, shape, start, float32}")  # fmt: skip
    shape = tuple(value.get("shape", ()))
    if value["type"] in (2, 3):
        good = shape in (("N",), ("B", "N"))
    else:
        good = _fits(shape[:2], ("B", "N"))
        good = good and (_fits(shape[2:], ("S1", "S2")) or shape[2:] == (ALIBI_ROWS, "S2"))
        good = good or (packed and shape in [(place,) for place in PACKED_PLACES])
    require(good, where, "pse shape", list(shape), "what PseSpec says for the type and layout")
    start = tuple(value.get("start", (0, 0)))
    require(len(start) == 2 and all(isinstance(x, int) for x in start), where, "pse start", start, "two integers")
    return PseSpec(value["type"], shape, start, value.get("float32", False))


def _lengths(at, packed, where):
    """(b, s1, s2, sequences, tail)"""
    tail = _pair(at["tail"], where, "tail", 0)
    if not packed:
        require("s" in at and tail == (0, 0), where, "sequences", at.get("sequences"), "s for any layout but TND")
        require(_is_int(at["b"], 0), where, "b", at["b"], "an integer >= 0")
        require(isinstance(at["s"], list), where, "s", at["s"], "a pair [S1, S2]")
        return at["b"], *_pair(at["s"], where, "s", 0), (), tail
    given = at.get("sequences")
    require(isinstance(given, list), where, "sequences", given, "a list of [S1, S2] for TND")
    sequences = tuple(_pair(pair, where, "sequences", 0) for pair in given)
    longest = (max((pair[i] for pair in sequences), default=0) for i in (0, 1))
    return len(sequences), *longest, sequences, tail


def make_case(group, where, at):
    """The case at one point of the product; `at` is axis -> value."""
    for axis, allowed in (("layout", LAYOUTS), ("dtype", tuple(DTYPES))):
        require(at[axis] in allowed, where, axis, at[axis], ", ".join(allowed))
    packed = at["layout"] == "TND"
    require(isinstance(at["std"], (int, float)) and at["std"] > 0, where, "std", at["std"], "a number > 0")
    require(0 < at["keep_prob"] <= 1, where, "keep_prob", at["keep_prob"], "a number in (0, 1]")
    require(_is_int(at["rope"], 0), where, "rope", at["rope"], "an integer >= 0")
    n1, n2 = _pair(at["heads"], where, "heads", 1)
    require(n1 % n2 == 0, where, "heads", [n1, n2], "N1 a multiple of N2")
    d, dv = _pair(at["d"], where, "d", 1)
    require(dv <= d <= 768, where, "d", [d, dv], "Dv <= D <= 768")
    b, s1, s2, sequences, tail = _lengths(at, packed, where)
    mode, pre, following, prefix = _sparse(at["sparse"], where)
    return Case(
        group["name"], group["step"], tuple(group["tags"]), at["layout"], at["dtype"], b, n1, n2, s1, s2, d, dv,
        _mask(at["mask"], where, packed), mode, pre, following, at["std"], prefix, sequences, tail,
        _pse(at["pse"], where, packed), at["keep_prob"], at["sink"], at["rope"], at["like_input"],
    )  # fmt: skip
