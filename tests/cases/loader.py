# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The case table: problems of the forward operator that tests, fuzzing and benchmarks share.

A file of this folder is a list of groups. A group has a `name`, a `step` (slice: the first vertical slice of the
operator, breadth: everything after it), `tags` (smoke, full, bench) and axes; its cases are the product of the axes:

    layout  [BNSD]             layouts of query, key, value and output
    dtype   [float32]          float32, bfloat16, float16
    b       [1]                batch
    heads   [1]                N1 = N2, or [N1, N2]
    s       required           [S1, S2] pairs; or two axes s1 and s2, whose product is taken
    d       [64]               D = Dv, or [D, Dv]
    mask    [none]             none, or {shape: [B|1, N|1, S1|1, S2|1] or [S1|1, S2|1], kind: see inputs.py,
                               dtype: bool (default) or uint8}
    sparse  [{mode: 0}]        {mode: 0..4, pre: tokens, next: tokens}
    std     [1]                standard deviation of query, which is that of the scores

An axis with one value may be written without brackets, except s and mask shapes.
"""

import itertools
from dataclasses import dataclass
from pathlib import Path

import yaml

FOLDER = Path(__file__).parent
UNLIMITED = 2147483647
STEPS = ("slice", "breadth")
TAGS = ("smoke", "full", "bench")
LAYOUTS = ("BNSD", "BSH", "BSND", "SBH")
DTYPES = {"float32": "fp32", "bfloat16": "bf16", "float16": "fp16"}
MASK_KINDS = ("random", "padding", "causal", "blind_rows", "first_stack", "one_key", "all", "nothing")
MASK_DTYPES = ("bool", "uint8")
DEFAULTS = {
    "layout": "BNSD", "dtype": "float32", "b": 1, "heads": 1, "d": 64, "mask": "none", "sparse": {"mode": 0}, "std": 1,
}  # fmt: skip
GROUP_KEYS = {"name", "step", "tags"}
AXES = [*DEFAULTS, "s", "s1", "s2"]


class CaseError(ValueError):
    """A group of the case table is not what the docstring of this module says."""


@dataclass(frozen=True)
class MaskSpec:
    """shape: one token a dimension, 1 or the name of the full size (B, N, S1, S2)."""

    shape: tuple
    kind: str
    dtype: str = "bool"


@dataclass(frozen=True)
class Case:
    """One forward problem. Symbols as in tests/reference/attention.py."""

    group: str
    step: str
    tags: tuple
    layout: str
    dtype: str
    b: int
    n1: int
    n2: int
    s1: int
    s2: int
    d: int
    dv: int
    mask: MaskSpec | None
    sparse_mode: int
    pre_tokens: int
    next_tokens: int
    std: float

    @property
    def scale(self):
        return self.d**-0.5

    @property
    def sparse(self):
        return {"sparse_mode": self.sparse_mode, "pre_tokens": self.pre_tokens, "next_tokens": self.next_tokens}

    @property
    def mask_shape(self):
        """Sizes of the mask tensor; None without one."""
        sizes = {"B": self.b, "N": self.n1, "S1": self.s1, "S2": self.s2, 1: 1}
        return None if self.mask is None else tuple(sizes[token] for token in self.mask.shape)

    @property
    def name(self):
        """Unique in the table: group and every axis that is not at its default."""
        heads = f"n{self.n1}" if self.n1 == self.n2 else f"n{self.n1}-{self.n2}"
        head_dim = f"d{self.d}" if self.d == self.dv else f"d{self.d}-{self.dv}"
        shape = f"b{self.b}{heads}s{self.s1}x{self.s2}{head_dim}"
        parts = [self.group, self.layout, DTYPES[self.dtype], shape]
        if self.mask:
            parts.append("".join(str(t).lower() for t in self.mask.shape) + f"_{self.mask.kind}_{self.mask.dtype}")
        if self.sparse_mode or (self.pre_tokens, self.next_tokens) != (UNLIMITED, UNLIMITED):
            window = [f"{n}{t}" for n, t in (("p", self.pre_tokens), ("n", self.next_tokens)) if t != UNLIMITED]
            parts.append(f"mode{self.sparse_mode}{''.join(window)}")
        if self.std != 1:
            parts.append(f"std{self.std}")
        return "-".join(parts)


def _require(condition, where, argument, got, allowed):
    if not condition:
        raise CaseError(f"{where}: {argument}: got {got!r}, allowed {allowed}")


def _is_int(value, minimum):
    return isinstance(value, int) and not isinstance(value, bool) and value >= minimum


def _pair(value, where, axis, minimum):
    """n -> (n, n); [n, m] -> (n, m)."""
    pair = value if isinstance(value, list) else [value, value]
    good = len(pair) == 2 and all(_is_int(n, minimum) for n in pair)
    _require(good, where, axis, value, f"an integer or a pair of integers >= {minimum}")
    return tuple(pair)


def _mask(value, where):
    if value == "none":
        return None
    _require(isinstance(value, dict) and set(value) <= {"shape", "kind", "dtype"} and "shape" in value, where, "mask",
             value, "none or {shape, kind, dtype}")  # fmt: skip
    shape = tuple(value["shape"])
    full = {2: ("S1", "S2"), 4: ("B", "N", "S1", "S2")}.get(len(shape))
    good = full is not None and all(t in (1, name) for t, name in zip(shape, full, strict=True))
    _require(good, where, "mask shape", list(shape), "[B|1, N|1, S1|1, S2|1] or [S1|1, S2|1]")
    spec = MaskSpec(shape, value.get("kind", "random"), value.get("dtype", "bool"))
    _require(spec.kind in MASK_KINDS, where, "mask kind", spec.kind, ", ".join(MASK_KINDS))
    _require(spec.dtype in MASK_DTYPES, where, "mask dtype", spec.dtype, ", ".join(MASK_DTYPES))
    return spec


def _sparse(value, where):
    good = isinstance(value, dict) and set(value) <= {"mode", "pre", "next"} and value.get("mode") in (0, 1, 2, 3, 4)
    _require(good, where, "sparse", value, "{mode: 0..4, pre: tokens, next: tokens}")
    return value["mode"], value.get("pre", UNLIMITED), value.get("next", UNLIMITED)


def _axis_values(group, where):
    """Axis name -> list of values, with s1 x s2 folded into s."""
    values = {axis: group.get(axis, default) for axis, default in DEFAULTS.items()}
    values = {axis: v if isinstance(v, list) else [v] for axis, v in values.items()}
    if "s" in group:
        _require("s1" not in group and "s2" not in group, where, "s", "s with s1 or s2", "s alone, or s1 and s2")
        values["s"] = group["s"]
    else:
        _require("s1" in group and "s2" in group, where, "s", None, "s, or s1 and s2")
        lengths = [v if isinstance(v, list) else [v] for v in (group["s1"], group["s2"])]
        values["s"] = [list(pair) for pair in itertools.product(*lengths)]
    for axis, value in values.items():
        _require(isinstance(value, list) and value, where, axis, value, "a list that is not empty")
    return values


def _make_case(group, where, at):
    """The case at one point of the product; `at` is axis -> value."""
    for axis, allowed in (("layout", LAYOUTS), ("dtype", tuple(DTYPES))):
        _require(at[axis] in allowed, where, axis, at[axis], ", ".join(allowed))
    _require(_is_int(at["b"], 0), where, "b", at["b"], "an integer >= 0")
    _require(isinstance(at["std"], (int, float)) and at["std"] > 0, where, "std", at["std"], "a number > 0")
    _require(isinstance(at["s"], list), where, "s", at["s"], "a pair [S1, S2]")
    n1, n2 = _pair(at["heads"], where, "heads", 1)
    _require(n1 % n2 == 0, where, "heads", [n1, n2], "N1 a multiple of N2")
    d, dv = _pair(at["d"], where, "d", 1)
    _require(dv <= d <= 768, where, "d", [d, dv], "Dv <= D <= 768")
    s1, s2 = _pair(at["s"], where, "s", 0)
    mode, pre, following = _sparse(at["sparse"], where)
    return Case(
        group["name"], group["step"], tuple(group["tags"]), at["layout"], at["dtype"], at["b"], n1, n2, s1, s2, d, dv,
        _mask(at["mask"], where), mode, pre, following, at["std"],
    )  # fmt: skip


def expand(group, where):
    """All cases of one group (a dict as read from YAML). where: prefix of error messages."""
    _require(isinstance(group, dict), where, "group", group, "a mapping")
    where = f"{where}: {group.get('name', 'group without name')}"
    unknown = set(group) - GROUP_KEYS - set(AXES)
    _require(not unknown, where, "keys", sorted(unknown), ", ".join(sorted(GROUP_KEYS) + AXES))
    _require(GROUP_KEYS <= set(group), where, "keys", sorted(group), "name, step and tags are required")
    _require(group["step"] in STEPS, where, "step", group["step"], ", ".join(STEPS))
    tags = group["tags"]
    good = isinstance(tags, list) and tags and all(tag in TAGS for tag in tags)
    _require(good, where, "tags", tags, f"a list of {', '.join(TAGS)}")
    values = _axis_values(group, where)
    return [_make_case(group, where, dict(zip(values, at, strict=True))) for at in itertools.product(*values.values())]


def load(folder=FOLDER):
    """All cases of all files of a folder, in order; names are unique."""
    cases = []
    for path in sorted(folder.glob("*.yaml")):
        groups = yaml.safe_load(path.read_text(encoding="utf-8"))
        _require(isinstance(groups, list), path.name, "file", type(groups).__name__, "a list of groups")
        for group in groups:
            cases += expand(group, path.name)
    names = [case.name for case in cases]
    _require(len(set(names)) == len(names), "case table", "names", sorted({n for n in names if names.count(n) > 1}),
             "every name once")  # fmt: skip
    return cases


def select(cases, tags, steps):
    """Cases that have one of the tags and one of the steps."""
    for argument, got, allowed in (("tags", tags, TAGS), ("steps", steps, STEPS)):
        _require(got and set(got) <= set(allowed), "select", argument, list(got), ", ".join(allowed))
    return [case for case in cases if case.step in steps and set(case.tags) & set(tags)]
