# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Write the build.ninja that compiles generated kernel sources and links them into one library.

CMake wants to know every source when it configures, but which kernel objects exist follows from the operator's
definition, which has to be compiled first. So the kernels get a small build of their own: ninja in a folder, with
dependency files, and with the side's macro given by the end of each name (_aic.cpp or _aiv.cpp).
"""

import argparse
import shlex
from pathlib import Path

SIDE_MACRO = {"aic": "__DAV_C220_CUBE__", "aiv": "__DAV_C220_VEC__"}
RULES = """\
rule object
  command = {compiler} {flags} -D$side -MD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
  description = Building kernel object $name
rule library
  command = {compiler} -shared $in -o $out {link}
  description = Linking kernel library $out
"""


def escape(path: Path) -> str:
    """A path as ninja wants it."""
    return str(path).replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


def build_file(sources: list[Path], library: Path, compiler: str, flags: list[str], link: list[str]) -> str:
    """Text of build.ninja; objects are placed beside it."""
    quote = lambda words: shlex.join(words).replace("$", "$$")  # noqa: E731
    lines = [RULES.format(compiler=shlex.quote(compiler), flags=quote(flags), link=quote(link))]
    objects = []
    for source in sources:
        side = source.stem.rsplit("_", 1)[-1]
        if side not in SIDE_MACRO:
            raise ValueError(f"{source.name}: got a name that ends in {side!r}, allowed are _aic.cpp and _aiv.cpp")
        objects.append(source.stem + ".o")
        lines.append(
            f"build {objects[-1]}: object {escape(source)}\n  side = {SIDE_MACRO[side]}\n  name = {source.stem}"
        )
    lines.append(f"build {escape(library)}: library {' '.join(objects)}")
    lines.append(f"default {escape(library)}\n")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", type=Path, required=True, help="folder of the generated *.cpp")
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--build-file", type=Path, required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--flag", action="append", default=[], help="for each object")
    parser.add_argument("--link", action="append", default=[], help="for the library")
    options = parser.parse_args()
    sources = sorted(options.sources.glob("*.cpp"))
    if not sources:
        parser.error(f"no kernel sources in {options.sources}")
    text = build_file(sources, options.library, options.compiler, options.flag, options.link)
    options.build_file.parent.mkdir(parents=True, exist_ok=True)
    options.build_file.write_text(text)


if __name__ == "__main__":
    main()
