# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Command line of build.sh. Standard library only: it is read before the virtual environment exists."""

import argparse
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ("minilm", "onnx", "train", "cpp")
VENDOR = "custom"
NPU_SOCS = ("ascend910b", "ascend910_93")
ALLOWED = (
    "-h --help --pkg --soc=S --vendor_name=V -p --package-path=CANN --private-optype "
    "--run_example --test --bench --check --case --make_clean -jN -O0..-O3 -v"
)


@dataclass
class Options:
    """One parsed command line; `test` and `bench` hold arguments of pytest and the benchmark, None if not asked for."""

    jobs: int
    optimize: int
    verbose: bool
    make_clean: bool
    run_example: str | None
    test: list[str] | None
    bench: list[str] | None
    check: bool
    case: str | None
    pkg: bool
    soc: list[str] | None
    vendor_name: str | None
    package_path: str | None
    private_optype: bool


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"build.sh: {message}; allowed: {ALLOWED}", file=sys.stderr)
        sys.exit(2)


def _jobs(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, needed is a number of jobs of at least 1")
    return int(text)


def _socs(text: str) -> list[str]:
    socs = text.split(",")
    if socs != ["cpu"] and not set(socs) <= set(NPU_SOCS):
        raise argparse.ArgumentTypeError(f"got {text!r}, allowed: cpu alone, or {' and '.join(NPU_SOCS)} with commas")
    return socs


def _vendor(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", text):  # it becomes a folder, a Python package and a list item
        raise argparse.ArgumentTypeError(f"got {text!r}, needed is a letter and then letters, digits and _")
    return text


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="bash build.sh",
        description="Builds the operator for the CPU and installs its Python package into .venv.",
        epilog="With --pkg: makes build_out/custom_opp_<os>_<arch>.run, an op package for CANN or for the CPU.",
        allow_abbrev=False,
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--run_example", metavar="NAME", choices=EXAMPLES, help="build, then run: " + ", ".join(EXAMPLES))
    what.add_argument("--test", nargs=argparse.REMAINDER, metavar="PYTEST_ARG", help="build, then run pytest")
    what.add_argument("--bench", nargs=argparse.REMAINDER, metavar="BENCH_ARG", help="build, then run the benchmark")
    what.add_argument("--check", action="store_true", help="build, then run kernels in the checked mode")
    what.add_argument("--make_clean", action="store_true", help="remove build/ (the environment .venv stays)")
    what.add_argument("--pkg", action="store_true", help="make an op package")
    parser.add_argument("--case", metavar="NAME", help="with --check: part of cases' names, not the smoke table")
    package = parser.add_argument_group("op package (with --pkg)")
    package.add_argument("--soc", type=_socs, metavar="S", help="cpu, or ascend910b,ascend910_93 (default ascend910b)")
    package.add_argument("--vendor_name", type=_vendor, metavar="V", help="folder below vendors/ (default custom)")
    package.add_argument("-p", "--package-path", metavar="CANN", help="CANN's folder (default $ASCEND_HOME_PATH)")
    package.add_argument(
        "--private-optype", action="store_true", help="OpType AfaFlashAttentionScore[Grad]: CANN's stay visible"
    )
    parser.add_argument("-j", dest="jobs", type=_jobs, default=len(os.sched_getaffinity(0)), help="parallel jobs")
    parser.add_argument("-O", dest="optimize", type=int, choices=range(4), default=2, help="level for kernels, 0 to 3")
    parser.add_argument("-v", dest="verbose", action="store_true", help="print every compiler command")
    return parser


def _check_package_options(parser: argparse.ArgumentParser, options: Options) -> None:
    given = {
        "--soc": options.soc is not None,
        "--vendor_name": options.vendor_name is not None,
        "--package-path": options.package_path is not None,
        "--private-optype": options.private_optype,
    }
    wrong = [name for name, is_given in given.items() if is_given]
    if wrong and not options.pkg:
        parser.error(f"{wrong[0]} goes with --pkg")
    if options.soc == ["cpu"] and (options.package_path is not None or options.private_optype):
        parser.error("--package-path and --private-optype are for NPU targets, got --soc=cpu")


def parse(arguments: list[str]) -> Options:
    """Parse the command line; exits with 2 for unknown options."""
    parser = _parser()
    options = Options(**vars(parser.parse_args(arguments)))
    _check_package_options(parser, options)
    if options.case is not None and not options.check:
        parser.error("--case goes with --check")
    return options
