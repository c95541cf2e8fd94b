# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The kernel sources of an operator against AscendC headers: every tiling key, dtype and side."""

import itertools
import re
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from header_check.diagnostics import Result, run
from header_check.header_copy import copy_headers

DTYPES = {"half": "DT_FLOAT16", "bfloat16_t": "DT_BF16", "float": "DT_FLOAT"}
SIDES = {"cube": ("__DAV_CUBE__", "__DAV_C220_CUBE__"), "vec": ("__DAV_VEC__", "__DAV_C220_VEC__")}
# Arguments that always have the query's dtype. Others would need columns of their own.
OF_QUERY_DTYPE = {"QUERY", "KEY", "VALUE", "DY", "ATTENTION_IN", "ATTENTION_OUT", "SOFTMAX_OUT", "DQ", "DK", "DV"}
# The entry has arguments that it does not use, and CANN's macros expand to variables that nobody uses.
WARNINGS = ("-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-unused-variable")
MODES = {
    "types": (),
    # Device pass only: everything that a kernel reaches must be __aicore__, constexpr functions too.
    "calls": ("-xcuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version")
    + ("-Xclang", "-fno-cuda-host-device-constexpr"),
}


@dataclass(frozen=True)
class Kernel:
    """What the operator compiler would find out about the sources in `folder`."""

    folder: Path
    entry: Path
    keys: tuple[int, ...]
    tiling_data: str
    dtype_names: tuple[str, ...]


def find_clang() -> str | None:
    """The newest clang++ that is installed."""
    names = ["clang++", *(f"clang++-{version}" for version in range(25, 16, -1))]
    return next(filter(None, map(shutil.which, names)), None)


def read_kernel(op: Path) -> Kernel:
    """The kernel of the operator folder `op`. ValueError if its entry is not as expected."""
    folder = op / "op_kernel"
    entry = folder / f"{op.name}.cpp"
    if not entry.is_file():
        raise ValueError(f"{entry}: not found; an operator's entry is <op>/op_kernel/<op>.cpp")
    text = entry.read_text()
    keys = tuple(sorted({int(key) for key in re.findall(r"\bTILING_KEY_IS\((\d+)\w*\)", text)}))
    structs = re.findall(r"\bREGISTER_TILING_DEFAULT\((\w+)\)", text)
    if not keys or len(structs) != 1:
        raise ValueError(f"{entry}: got keys {keys} and tiling structs {structs}, needed are >= 1 key and 1 struct")
    sources = "\n".join(path.read_text() for path in sorted(folder.glob("*")) if path.suffix in (".h", ".cpp"))
    names = tuple(sorted(set(re.findall(r"\b(?:ORIG_)?DTYPE_(\w+)", sources))))
    unknown = [name for name in names if name not in OF_QUERY_DTYPE]
    if unknown:
        raise ValueError(f"{entry}: dtype of {', '.join(unknown)} is not known to the check (kernel.py)")
    return Kernel(folder, entry, keys, structs[0], names)


def _defines(kernel: Kernel, key: int, dtype: str, side: str) -> list[str]:
    names = {name: "1" for name in SIDES[side]}
    names |= {"TILING_KEY_VAR": f"{key}UL", "HEADER_CHECK_TILING_DATA": kernel.tiling_data}
    for name in kernel.dtype_names:
        names |= {f"DTYPE_{name}": dtype, f"ORIG_DTYPE_{name}": DTYPES[dtype]}
    return [f"-D{name}={value}" for name, value in names.items()]


def _checks(kernel: Kernel, sides: list[str]) -> Iterator[tuple[str, list[str]]]:
    """(name, options) of each check."""
    for key, dtype, side, mode in itertools.product(kernel.keys, DTYPES, sides, MODES):
        name = f"{kernel.entry.name} key {key} {dtype} {side} {mode}"
        yield name, [*MODES[mode], *_defines(kernel, key, dtype, side)]


def check_kernel(op: Path, headers: Path, intrinsics: Path | None, sides: list[str], clang: str) -> Iterator[Result]:
    """Check the kernel of `op` for each of `sides`. A gradient may include the headers of its forward."""
    kernel = read_kernel(op)
    siblings = [path / "op_kernel" for path in sorted(op.parent.glob("*")) if op.name.startswith(f"{path.name}_")]
    with tempfile.TemporaryDirectory(prefix="check_headers_") as scratch:
        target = Path(scratch)
        includes = copy_headers(headers, intrinsics, target)
        for folder in (kernel.folder, *siblings):
            includes += ["-I", str(folder)]
        source = target / "instance.cpp"
        first = ("device_macros.h", "intrinsics.h", "kernel_operator.h", str(kernel.entry))
        source.write_text("".join(f'#include "{header}"\n' for header in first))
        base = [clang, "-std=c++17", "-fsyntax-only", "-fno-caret-diagnostics", "-ftemplate-backtrace-limit=0"]
        base += ["-Wno-unknown-attributes", *WARNINGS, *includes]
        with ThreadPoolExecutor(max_workers=2) as pool:
            # Options of the language go before the source, so the source comes last.
            yield from pool.map(
                lambda check: run(check[0], [*base, *check[1], str(source)], op), list(_checks(kernel, sides))
            )
