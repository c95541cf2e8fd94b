# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""op_host against CANN's host headers, the way that CANN 8.1's project template compiles it."""

from collections.abc import Iterator
from pathlib import Path

from header_check.diagnostics import Result, run

# The template builds the same files three times.
MODES = {"plain": (), "OP_PROTO_LIB": ("-DOP_PROTO_LIB",), "OP_TILING_LIB": ("-DOP_TILING_LIB",)}


def check_host(folder: Path, includes: list[Path], compiler: str = "g++") -> Iterator[Result]:
    """Check every .cpp below `folder`; `includes` are CANN's folders. Warnings of our files are findings."""
    sources = sorted(folder.rglob("*.cpp"))
    if not sources:
        raise ValueError(f"{folder}: no .cpp files")
    base = [compiler, "-std=c++11", "-fsyntax-only", "-Wall", "-Wextra", "-D_GLIBCXX_USE_CXX11_ABI=0"]
    base += ["-fno-diagnostics-show-caret"]
    # one flat op_kernel folder in a package: the gradient includes its sibling's headers by name
    base += [f"-I{kernels}" for kernels in sorted(folder.parent.parent.glob("*/op_kernel"))]
    for path in includes:
        base += ["-isystem", str(path)]
    for source in sources:
        for mode, options in MODES.items():
            name = f"{source.relative_to(folder)} {mode}"
            yield run(name, [*base, *options, str(source)], folder.parent)
