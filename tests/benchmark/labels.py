# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Cases of the benchmark in words, for pictures and tables."""

from functools import cache

from tests.benchmark.contenders import is_causal
from tests.cases.loader import load

DTYPES = ("float32", "bfloat16", "float16")


@cache
def cases():
    """Name -> case."""
    return {case.name: case for case in load()}


def dtype(name):
    return cases()[name].dtype


def shape(case):
    """Without the data type: heads, lengths, D, what a query sees."""
    heads = f"{case.n1} head{'s' if case.n1 > 1 else ''}" + (f" on {case.n2}" if case.n1 != case.n2 else "")
    lengths = f"1 query, {case.s2} keys" if case.s1 == 1 else f"S {case.s1}"
    words = [heads, lengths, f"D {case.d}"]
    if is_causal(case):
        words.append("causal")
    elif case.sparse_mode == 4:
        words.append(f"window {case.pre_tokens + 1}")
    return ", ".join(words)


def label(name, metric):
    return shape(cases()[name]) + (", with gradient" if metric.startswith("training") else "")
