# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Command line of build.sh. Standard library only: it is read before the virtual environment exists."""

import argparse
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ("minilm", "cpp")
# Options of the op package; known, so that whoever follows an Ascend tutorial gets a straight answer.
NOT_AVAILABLE = ("--pkg", "--soc", "--vendor_name", "-p", "--package-path", "--check", "--bench")


@dataclass
class Options:
    """One parsed command line; `test` holds pytest's arguments, None when tests were not asked for."""

    jobs: int
    optimize: int
    verbose: bool
    make_clean: bool
    run_example: str | None
    test: list[str] | None


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        allowed = "-h --help --run_example --test --make_clean -jN -O0..-O3 -v"
        print(f"build.sh: {message}; allowed: {allowed}", file=sys.stderr)
        sys.exit(2)


def _jobs(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, needed is a number of jobs of at least 1")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="bash build.sh",
        description="Builds the operator for the CPU and installs its Python package into .venv.",
        epilog="The op package for Ascend (--pkg, --soc, --vendor_name, -p) is not available yet.",
        allow_abbrev=False,
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--run_example", metavar="NAME", choices=EXAMPLES, help="build, then run: " + ", ".join(EXAMPLES))
    what.add_argument("--test", nargs=argparse.REMAINDER, metavar="PYTEST_ARG", help="build, then run pytest")
    what.add_argument("--make_clean", action="store_true", help="remove build/ (the environment .venv stays)")
    parser.add_argument("-j", dest="jobs", type=_jobs, default=len(os.sched_getaffinity(0)), help="parallel jobs")
    parser.add_argument("-O", dest="optimize", type=int, choices=range(4), default=2, help="level for kernels, 0 to 3")
    parser.add_argument("-v", dest="verbose", action="store_true", help="print every compiler command")
    return parser


def _refuse_not_available(arguments: list[str]) -> None:
    for argument in arguments:
        if argument == "--test":  # the rest belongs to pytest
            return
        name = argument.split("=", 1)[0]
        if name in NOT_AVAILABLE:
            print(f"build.sh: {name} is not available yet; this version builds for the CPU only", file=sys.stderr)
            sys.exit(1)


def parse(arguments: list[str]) -> Options:
    """Parse the command line; exits with 2 for unknown options and 1 for those of a later version."""
    _refuse_not_available(arguments)
    return Options(**vars(_parser().parse_args(arguments)))
