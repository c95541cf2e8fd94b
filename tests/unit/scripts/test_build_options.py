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
    assert (options.pkg, options.soc, options.vendor_name, options.package_path) == (False, None, None, None)


def test_all_options():
    assert parse(["-j7", "-O3", "-v", "--run_example", "minilm"]).run_example == "minilm"
    assert (parse(["-j7", "-O3"]).jobs, parse(["-j7", "-O3"]).optimize) == (7, 3)
    assert parse(["--make_clean"]).make_clean
    assert (parse(["--check", "--case", "gqa"]).check, parse(["--check", "--case", "gqa"]).case) == (True, "gqa")


@pytest.mark.parametrize("arguments", [[], ["-k", "mask"], ["tests/unit", "-p", "no:randomly", "--lf"]])
def test_everything_after_test_is_for_pytest(arguments):
    assert parse(["-j1", "--test", *arguments]).test == arguments


def test_everything_after_bench_is_for_the_benchmark():
    assert parse(["-j1", "--bench", "--quick", "--cases", "^x", "--memory"]).bench == [
        "--quick",
        "--cases",
        "^x",
        "--memory",
    ]
    assert parse(["--bench"]).bench == [] and parse([]).bench is None


@pytest.mark.parametrize("argument", ["--frobnicate", "-j0", "-jx", "-O4", "--tes", "stray"])
def test_unknown_exits_2_and_lists_what_is_allowed(argument):
    result = build_sh(argument)
    assert result.returncode == 2
    assert "allowed: -h --help --pkg --soc=S" in result.stderr or "invalid choice" in result.stderr


def test_package_options():
    options = parse(["--pkg", "--soc=ascend910b,ascend910_93", "--vendor_name=mine", "-p", "/cann", "--private-optype"])
    assert options.pkg and options.private_optype
    assert options.soc == ["ascend910b", "ascend910_93"]
    assert (options.vendor_name, options.package_path) == ("mine", "/cann")
    assert parse(["--pkg", "--package-path=/cann"]).package_path == "/cann"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--case=gqa"], "--case goes with --check"),
        (["--soc=cpu"], "--soc goes with --pkg"),
        (["--vendor_name=x"], "--vendor_name goes with --pkg"),
        (["-p", "/cann"], "--package-path goes with --pkg"),
        (["--private-optype"], "--private-optype goes with --pkg"),
        (["--pkg", "--soc=cpu,ascend910b"], "got 'cpu,ascend910b', allowed: cpu alone, or ascend910b and ascend910_93"),
        (["--pkg", "--soc=ascend310p"], "got 'ascend310p', allowed"),
        (["--pkg", "--soc="], "got '', allowed"),
        (["--pkg", "--vendor_name=../x"], "got '../x', needed is a letter"),
        (["--pkg", "--soc=cpu", "-p", "/cann"], "for NPU targets, got --soc=cpu"),
        (["--pkg", "--make_clean"], "not allowed with argument"),
    ],
)
def test_wrong_package_options(arguments, message, capsys):
    with pytest.raises(SystemExit) as stopped:
        parse(arguments)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def test_help():
    result = build_sh("--help")
    assert result.returncode == 0
    assert "--run_example" in result.stdout
