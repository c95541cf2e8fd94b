# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Type-check the operator against AscendC's and CANN's own headers, on a machine without CANN.

The headers are not part of this repository; whoever runs the check names them. Without them it says "not checked".

--headers     AscendC: a folder with asc-devkit's include/ and impl/, or CANN's ascendc/include. A temporary copy is
              edited so that a stock clang accepts it; the folder itself is only read.
--intrinsics  a header that declares the compiler's instructions, such as the stub_fun.h of CANN's tikicpulib
--cann-host   CANN's host include folders: <arch>-linux/include and, for 8.1, ascendc/include/highlevel_api

A kernel that passes is accepted by the API's types. Buffer sizes, alignment, events, stack and the real compiler's own
rules are not seen here.
"""

import argparse
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from header_check.diagnostics import Result
from header_check.host import check_host
from header_check.kernel import SIDES, check_kernel, find_clang
from source_files import ROOT


def _folder(text: str) -> Path:
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"{text}: not a folder")
    return Path(text).resolve()


def _file(text: str) -> Path:
    if not Path(text).is_file():
        raise argparse.ArgumentTypeError(f"{text}: not a file")
    return Path(text).resolve()


def parse(arguments: list[str]) -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headers", type=_folder, metavar="DIR", help="AscendC headers")
    parser.add_argument("--intrinsics", type=_file, metavar="FILE", help="declarations of the compiler's instructions")
    parser.add_argument("--op", type=Path, default=Path("flash_attention_score"), help="operator folder (%(default)s)")
    parser.add_argument("--side", choices=[*SIDES, "both"], default="both")
    parser.add_argument("--op-host", type=_folder, metavar="HOSTDIR", help="host sources (<op>/op_host)")
    parser.add_argument("--cann-host", type=_folder, metavar="DIR", nargs="+", help="host include folders of CANN")
    return parser.parse_args(arguments)


def results(options: argparse.Namespace) -> Iterator[Result]:
    """Every check that the options allow; says what is not checked."""
    op = ROOT / options.op
    if options.headers:
        clang = find_clang()
        if not clang:
            raise ValueError("clang++ not found; the kernel check needs clang 17 or newer (tried: 19)")
        sides = list(SIDES) if options.side == "both" else [options.side]
        yield from check_kernel(op, options.headers, options.intrinsics, sides, clang)
    else:
        print("not checked: op_kernel (name AscendC's headers with --headers)")
    if options.cann_host:
        if not shutil.which("g++"):
            raise ValueError("g++ not found; the host check needs it")
        yield from check_host(options.op_host or op / "op_host", options.cann_host)
    else:
        print("not checked: op_host (name CANN's host include folders with --cann-host)")


def main(arguments: list[str]) -> int:
    """0: nothing found, 1: findings, 2: cannot check."""
    options = parse(arguments)
    passed = failed = 0
    try:
        for result in results(options):
            print("\n".join(result.lines()), flush=True)
            passed, failed = (passed, failed + 1) if result.findings else (passed + 1, failed)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
