# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Fail when a file, a function or a template parameter list is longer than allowed.

Exceptions stand in size_exceptions.txt: `path limit reason` for a file, `path:function limit reason` for a function.
C++ functions are found by the formatter's rule that only a function's brace stands on a line of its own.
"""

import ast
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from source_files import ROOT, source_files

CODE_SUFFIXES = {".h", ".hpp", ".cpp", ".cc"}
FUNCTION_LIMIT = 100
TEMPLATE_LIMIT = 5  # one traits type and four more
_TEMPLATE = re.compile(r"template\s*<")


@dataclass
class Length:
    """One measured thing: `name` as in the exceptions file, its size and its limit."""

    name: str
    size: int
    limit: int
    unit: str = "lines"


def file_limit(path: Path) -> int | None:
    """Longest allowed file at `path` (relative to the root); None: not checked."""
    if path.name == "build.sh":
        return 60
    if path.suffix == ".md":
        return 150 if "docs" in path.parts else 300
    if path.suffix == ".cmake" or path.name == "CMakeLists.txt":
        return 300
    if path.suffix not in CODE_SUFFIXES | {".py"}:
        return None
    if path.parts[0] == "tests":
        return 500
    return 300 if path.suffix == ".py" else 600


def cpp_functions(text: str) -> list[tuple[str, int]]:
    """(name, lines from signature to closing brace) of each function."""
    lines = text.splitlines()
    found = []
    for start, line in enumerate(lines):
        if line.strip() != "{":
            continue
        closing = line.replace("{", "}")
        end = next((i for i in range(start, len(lines)) if lines[i].startswith(closing)), len(lines) - 1)
        first = start
        while first > 0 and lines[first - 1].strip() and not lines[first - 1].rstrip().endswith((";", "}", "{", ":")):
            first -= 1
        names = re.findall(r"([~\w]+(?:\s*[^\s\w(]+)?)\s*\(", " ".join(lines[first:start]))
        found.append((names[0] if names else lines[start - 1].strip(), end - first + 1))
    return found


def python_functions(text: str) -> list[tuple[str, int]]:
    """(name, lines) of each function."""
    nodes = (n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    return [(node.name, node.end_lineno - node.lineno + 1) for node in nodes]


def template_parameters(text: str) -> int:
    """Largest number of parameters of one template<...> list."""
    largest = 0
    for match in _TEMPLATE.finditer(text):
        depth, commas, position = 1, 0, match.end()
        while depth > 0 and position < len(text):
            character = text[position]
            depth += (character in "<(") - (character in ">)")
            commas += depth == 1 and character == ","
            position += 1
        largest = max(largest, commas + 1)
    return largest


def measure(path: Path, text: str) -> list[Length]:
    """Everything in one file that has a limit; `path` is relative to the root."""
    limit = file_limit(path)
    if limit is None:
        return []
    lengths = [Length(str(path), len(text.splitlines()), limit)]
    if path.suffix in CODE_SUFFIXES | {".py"}:
        functions = python_functions(text) if path.suffix == ".py" else cpp_functions(text)
        lengths += [Length(f"{path}:{name}", size, FUNCTION_LIMIT) for name, size in functions]
    if path.suffix in CODE_SUFFIXES:
        lengths.append(Length(f"{path}:template", template_parameters(text), TEMPLATE_LIMIT, "template parameters"))
    return lengths


def read_exceptions(text: str) -> dict[str, int]:
    """Name -> limit; a line without a reason is an error."""
    limits = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split(None, 2)
        if len(fields) < 3:
            raise ValueError(f"size_exceptions.txt: needed is `name limit reason`, got {line!r}")
        limits[fields[0]] = int(fields[1])
    return limits


def check(root: Path, exceptions: dict[str, int]) -> list[str]:
    """Messages, one for each violation and for each exception that nothing needs any more."""
    problems, unused = [], set(exceptions)
    for path in source_files(root):
        if file_limit(path) is None:
            continue
        for length in measure(path, (root / path).read_text()):
            if length.size <= length.limit:
                continue
            unused.discard(length.name)
            limit = exceptions.get(length.name, length.limit)
            if length.size > limit:
                problems.append(f"{length.name}: {length.size} {length.unit}, allowed are {limit}")
    return problems + [f"size_exceptions.txt: {name} needs no exception" for name in sorted(unused)]


def main() -> int:
    problems = check(ROOT, read_exceptions((ROOT / "scripts/size_exceptions.txt").read_text()))
    print("\n".join(problems) if problems else "sizes: ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
