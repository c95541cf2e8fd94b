# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The pinned clang-format over all C++ files: `--check` fails on differences, without it they are fixed."""

import subprocess
import sys
from pathlib import Path

from source_files import ROOT, source_files


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print("usage: clang_format.py [--check]", file=sys.stderr)
        return 2
    mode = ["--dry-run", "-Werror"] if arguments else ["-i"]
    files = list(source_files(ROOT, {".h", ".hpp", ".cpp", ".cc"}))
    clang_format = Path(sys.executable).parent / "clang-format"
    return subprocess.run([clang_format, *mode, *files], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
