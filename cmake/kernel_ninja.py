# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Generate kernel sources and the build.ninja that compiles and links them.

    kernel_ninja.py --library L --build-file B --compiler C [--launcher P]... [--flag F]... [--link F]...
        -- GENERATOR ARGUMENT...

GENERATOR writes the sources and prints their paths, one a line.
CMake wants to know every source when it configures, but which kernel objects exist follows from the operator's
definition, which has to be compiled first. So the kernels get a small build of their own, with dependency files.
"""

import argparse
import shlex
import subprocess
import sys
from pathlib import Path

RULES = """\
rule object
  command = {compile} {flags} -MD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
  description = Building kernel object $out
rule library
  command = {compiler} -shared $in -o $out {link}
  description = Linking kernel library $out
"""


def escape(path: Path) -> str:
    """A path as ninja wants it."""
    return str(path).replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


def quote(words: list[str]) -> str:
    """Words as the shell and ninja want them."""
    return shlex.join(words).replace("$", "$$")


def build_file(sources: list[Path], options: argparse.Namespace) -> str:
    """Text of build.ninja; objects are placed beside it."""
    compile_command = quote([*options.launcher, options.compiler])
    link = {"compiler": quote([options.compiler]), "link": quote(options.link)}
    library = options.output
    lines = [RULES.format(compile=compile_command, flags=quote(options.flag), **link)]
    objects = [f"{source.stem}.o" for source in sources]
    lines += [f"build {each}: object {escape(source)}" for each, source in zip(objects, sources, strict=True)]
    lines.append(f"build {escape(library)}: library {' '.join(objects)}")
    lines.append(f"default {escape(library)}\n")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", dest="output", type=Path, required=True)
    parser.add_argument("--build-file", type=Path, required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--launcher", action="append", default=[], help="before the compiler of each object: ccache")
    parser.add_argument("--flag", action="append", default=[], help="for each object")
    parser.add_argument("--link", action="append", default=[], help="for the library")
    parser.add_argument("generator", nargs="+")
    options = parser.parse_args()
    generated = subprocess.run(options.generator, stdout=subprocess.PIPE, text=True)
    if generated.returncode != 0:
        return generated.returncode
    sources = [Path(line) for line in generated.stdout.splitlines()]
    if not sources:
        parser.error("the generator printed no kernel sources")
    options.build_file.parent.mkdir(parents=True, exist_ok=True)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.build_file.write_text(build_file(sources, options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
