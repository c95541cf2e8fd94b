# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Fail when no test names a public AscendC function of ascendc_cpu/include/kernel.

A plain text scan: functions and methods are what the headers mark with __aicore__, or generate with a macro whose
argument is the name; a test names one when the word stands in a kernel or a Python file below tests/.
"""

import re
import sys
from pathlib import Path

from source_files import ROOT

HEADERS = ROOT / "ascendc_cpu" / "include" / "kernel"
TESTS = ROOT / "tests"
TEST_SUFFIXES = {".cpp", ".h", ".py"}
# `__aicore__ inline <result type> Name(`; a macro body has its parameter `name` there
FUNCTION = re.compile(r"__aicore__[^;{}()]*?\b(~?[A-Za-z_]\w*)\s*\(")
# one line per generated function: ASCENDC_CPU_BINARY(Add, ...
GENERATED = re.compile(r"^ASCENDC_CPU_(?!REQUIRE|TRACE|UNLIKELY|SELECT)\w+\((\w+)", re.MULTILINE)
# Functions that the public headers need to share, which no kernel calls.
EXCEPTIONS = {
    "AtomicStore": "part of the store APIs",
    "CheckEvent": "part of SetFlag and WaitFlag",
    "CopyTilingData": "part of GET_TILING_DATA",
    "Find": "part of TPipe",
    "FixpipeConfig": "constructor of the CFG_* constants",
    "SetAtomicMode": "part of SetAtomicAdd, SetAtomicMax, SetAtomicMin",
    "Take": "part of TPipe",
    "TensorOf": "part of TQue",
    "WaitUntilFree": "part of TQue",
}


def functions_of(text: str) -> set[str]:
    """Names of the public functions that a header defines."""
    defined = {name for name in FUNCTION.findall(text) if name != "name" and not name.startswith("~")}
    return {name for name in defined | set(GENERATED.findall(text)) if name[0].isupper()}


def public_functions(headers: Path) -> dict[str, str]:
    """Function -> header. Headers of the SDK itself (ascendc_cpu/) are not public."""
    found = {}
    for path in sorted(headers.glob("*.h")):
        for name in functions_of(path.read_text()):
            found.setdefault(name, path.name)
    return found


def words_of_tests(tests: Path) -> set[str]:
    files = (path for path in tests.rglob("*") if path.suffix in TEST_SUFFIXES)
    return {word for path in files for word in re.findall(r"\w+", path.read_text())}


def untested(functions: dict[str, str], words: set[str], exceptions: dict[str, str]) -> list[str]:
    problems = [f"{header}: {name} is named by no test" for name, header in functions.items() if name not in words]
    problems = [problem for problem in problems if problem.split()[1] not in exceptions]
    problems += [f"exception {name} is no function of the headers" for name in exceptions if name not in functions]
    return sorted(problems)


def main() -> int:
    functions = public_functions(HEADERS)
    problems = untested(functions, words_of_tests(TESTS), EXCEPTIONS)
    print("\n".join(problems) or f"tests of {len(functions)} AscendC functions: ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
