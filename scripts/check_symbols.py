# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Fail when two kernel objects share a weak or unique symbol that is not known to be harmless.

A kernel is compiled many times, for each dtype, tiling key and side (cube, vector), and all objects are linked into one
library. Two objects that define the same weak symbol with different bodies would silently get one body for both: a
template whose name does not spell the side or the dtype then runs the other side's code, and the cores wait for each
other for ever. Each object therefore lives in a namespace of its own, and the SDK's inline functions in one per side.
Harmless are the SDK's functions when both objects are of the same side, and inline functions of the SDK or the
standard library that do not depend on the side at all.
"""

import re
import subprocess
import sys
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

# Demangled names that any two objects may share: code that no macro of an object can change.
SHARED_BY_ALL = re.compile(
    r"^(ascendc_cpu::|bfloat16_t::|std::|__gnu_cxx::|operator (new|delete)|DW\.ref\.__gxx_personality_v0$)"
)
SIDE_NAMESPACE = re.compile(r"\bAscendC::(aic|aiv)::")
_NM_LINE = re.compile(r"^\S*\s+([A-Za-z])\s+(.+)$")


def weak_symbols(nm_output: str) -> set[str]:
    """Demangled names of the weak (W, V) and unique (u) symbols that `nm -C --defined-only` lists."""
    found = (_NM_LINE.match(line) for line in nm_output.splitlines())
    return {match.group(2) for match in found if match and match.group(1) in "WVuwv"}


def _harmless(symbol: str) -> bool:
    # A name that spells a side is the same code in every object of that side, and never met by the other side.
    name = re.sub(r"^(typeinfo for|typeinfo name for|vtable for|guard variable for) ", "", symbol)
    return bool(SIDE_NAMESPACE.search(name) or SHARED_BY_ALL.match(_without_return_type(name)))


def _without_return_type(name: str) -> str:
    """`void f<int>(int)` -> `f<int>(int)`; template instances are demangled with their return type."""
    depth = 0
    head = 0
    for position, character in enumerate(name):
        if character in "<([{":
            if character == "(" and depth == 0:
                break
            depth += 1
        elif character in ">)]}":
            depth -= 1
        elif character == " " and depth == 0 and not name[:position].endswith("operator"):
            head = position + 1
    return name[head:]


def shared(objects: dict[str, set[str]]) -> list[str]:
    """One message for each pair of objects and symbol that must not be shared."""
    problems = []
    for (first, symbols), (second, others) in combinations(sorted(objects.items()), 2):
        bad = sorted(symbol for symbol in symbols & others if not _harmless(symbol))
        problems += [f"{first} and {second} both define {symbol}" for symbol in bad]
    return problems


def read_objects(paths: Iterable[Path]) -> dict[str, set[str]]:
    """File name -> weak symbols."""
    result = {}
    for path in paths:
        nm = subprocess.run(["nm", "-C", "--defined-only", path], capture_output=True, text=True, check=True)
        result[path.name] = weak_symbols(nm.stdout)
    return result


def main(arguments: list[str]) -> int:
    """`check_symbols.py FOLDER`: all *_aic.o and *_aiv.o below FOLDER."""
    if len(arguments) != 1:
        print("usage: check_symbols.py FOLDER_WITH_KERNEL_OBJECTS", file=sys.stderr)
        return 2
    objects = read_objects(sorted(Path(arguments[0]).rglob("*_ai[cv].o")))
    if len(objects) < 2:
        print(f"{arguments[0]}: got {len(objects)} kernel objects, needed are at least 2 (built?)", file=sys.stderr)
        return 2
    problems = shared(objects)
    print("\n".join(problems) if problems else f"symbols: ok ({len(objects)} kernel objects)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
