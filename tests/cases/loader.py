# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The case table: problems of the operator that tests, fuzzing and benchmarks share.

A file of this folder is a list of groups. A group has a `name`, a `step` (slice: the first vertical slice of the
operator, breadth: dense calls, contract: everything after them), `tags` (smoke, full, bench) and axes; its cases are
the product of the axes:

    layout     [BNSD]             layouts of query, key, value and output; TND: packed sequences
    dtype      [float32]          float32, bfloat16, float16
    b          [1]                batch
    heads      [1]                N1 = N2, or [N1, N2]
    s          required           [S1, S2] pairs; or two axes s1 and s2, whose product is taken
    sequences  required for TND   lists of [S1, S2], in place of b and s
    tail       [0]                rows and keys of TND past the last sequence: n, or [n, m]
    d          [64]               D = Dv, or [D, Dv]
    mask       [none]             none, or {shape: [B|1, N|1, S1|1, S2|1], [S1|1, S2|1] or, for TND, [T1, T2],
                                  kind: see inputs.py, dtype: bool (default) or uint8}
    sparse     [{mode: 0}]        {mode: 0..8, pre: tokens, next: tokens, prefix: kind, see inputs.py}
    pse        [none]             none, or {type: 0..3, shape: see PseSpec, start: [q, kv], float32: true}
    keep_prob  [1]                below 1: with a drop_mask
    sink       [false]            true: with sinks
    rope       [0]                width of query_rope and key_rope
    like_input [false]            true: softmax_out_layout same_as_input
    std        [1]                standard deviation of query, which is that of the scores

An axis with one value may be written without brackets, except s, sequences and shapes.
"""

import itertools
from pathlib import Path

import yaml

from tests.cases.axes import AXES, DEFAULTS, CaseError, make_case, require
from tests.cases.case import DTYPES, UNLIMITED, Case, MaskSpec, PseSpec

__all__ = ["DTYPES", "UNLIMITED", "Case", "CaseError", "MaskSpec", "PseSpec", "expand", "load", "select"]

FOLDER = Path(__file__).parent
STEPS = ("slice", "breadth", "contract")
TAGS = ("smoke", "full", "bench")
GROUP_KEYS = {"name", "step", "tags"}


def _axis_values(group, where):
    """Axis name -> list of values, with s1 x s2 folded into s."""
    values = {axis: group.get(axis, default) for axis, default in DEFAULTS.items()}
    values = {axis: v if isinstance(v, list) else [v] for axis, v in values.items()}
    if "sequences" in group:
        require(not {"s", "s1", "s2", "b"} & set(group), where, "sequences", "sequences with s or b", "sequences alone")
        values["sequences"] = group["sequences"]
    elif "s" in group:
        require("s1" not in group and "s2" not in group, where, "s", "s with s1 or s2", "s alone, or s1 and s2")
        values["s"] = group["s"]
    else:
        require("s1" in group and "s2" in group, where, "s", None, "s, s1 and s2, or sequences")
        lengths = [v if isinstance(v, list) else [v] for v in (group["s1"], group["s2"])]
        values["s"] = [list(pair) for pair in itertools.product(*lengths)]
    for axis, value in values.items():
        require(isinstance(value, list) and value, where, axis, value, "a list that is not empty")
    return values


def expand(group, where):
    """All cases of one group (a dict as read from YAML). where: prefix of error messages."""
    require(isinstance(group, dict), where, "group", group, "a mapping")
    where = f"{where}: {group.get('name', 'group without name')}"
    unknown = set(group) - GROUP_KEYS - set(AXES)
    require(not unknown, where, "keys", sorted(unknown), ", ".join(sorted(GROUP_KEYS) + AXES))
    require(GROUP_KEYS <= set(group), where, "keys", sorted(group), "name, step and tags are required")
    require(group["step"] in STEPS, where, "step", group["step"], ", ".join(STEPS))
    tags = group["tags"]
    good = isinstance(tags, list) and tags and all(tag in TAGS for tag in tags)
    require(good, where, "tags", tags, f"a list of {', '.join(TAGS)}")
    values = _axis_values(group, where)
    return [make_case(group, where, dict(zip(values, at, strict=True))) for at in itertools.product(*values.values())]


def load(folder=FOLDER):
    """All cases of all files of a folder, in order; names are unique."""
    cases = []
    for path in sorted(folder.glob("*.yaml")):
        groups = yaml.safe_load(path.read_text(encoding="utf-8"))
        require(isinstance(groups, list), path.name, "file", type(groups).__name__, "a list of groups")
        for group in groups:
            cases += expand(group, path.name)
    names = [case.name for case in cases]
    require(len(set(names)) == len(names), "case table", "names", sorted({n for n in names if names.count(n) > 1}),
            "every name once")  # fmt: skip
    return cases


def select(cases, tags, steps):
    """Cases that have one of the tags and one of the steps."""
    for argument, got, allowed in (("tags", tags, TAGS), ("steps", steps, STEPS)):
        require(got and set(got) <= set(allowed), "select", argument, list(got), ", ".join(allowed))
    return [case for case in cases if case.step in steps and set(case.tags) & set(tags)]
