# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
import subprocess

import pytest

from scripts.build.options import ROOT, parse


def build_sh(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(["bash", ROOT / "build.sh", *arguments], capture_output=True, text=True)


def test_defaults():
    options = parse([])
    assert options.jobs >= 1
    assert (options.optimize, options.verbose, options.make_clean) == (2, False, False)
    assert (options.run_example, options.test) == (None, None)


def test_all_options():
    assert parse(["-j7", "-O3", "-v", "--run_example", "minilm"]).run_example == "minilm"
    assert (parse(["-j7", "-O3"]).jobs, parse(["-j7", "-O3"]).optimize) == (7, 3)
    assert parse(["--make_clean"]).make_clean


@pytest.mark.parametrize("arguments", [[], ["-k", "mask"], ["tests/unit", "-p", "no:randomly", "--lf"]])
def test_everything_after_test_is_for_pytest(arguments):
    assert parse(["-j1", "--test", *arguments]).test == arguments


@pytest.mark.parametrize("argument", ["--frobnicate", "-j0", "-jx", "-O4", "--tes", "stray"])
def test_unknown_exits_2_and_lists_what_is_allowed(argument):
    result = build_sh(argument)
    assert result.returncode == 2
    assert "allowed: -h --help --run_example --test" in result.stderr or "invalid choice" in result.stderr


@pytest.mark.parametrize("argument", ["--pkg", "--soc=ascend910b", "--vendor_name=x", "-p", "--check", "--bench"])
def test_later_options_say_so(argument):
    result = build_sh(argument)
    assert result.returncode == 1
    assert result.stderr == f"build.sh: {argument.split('=')[0]} is not available yet; " + (
        "this version builds for the CPU only\n"
    )


def test_help():
    result = build_sh("--help")
    assert result.returncode == 0
    assert "--run_example" in result.stdout
