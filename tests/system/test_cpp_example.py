# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The C++ example, compiled with the line that `build.sh --run_example cpp` uses."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.build import run

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / run.EXAMPLE_FILES["cpp"]


def compiled(folder, text):
    source, program = folder / "example.cpp", folder / "example"
    source.write_text(text)
    assert run.compile_cpp(Path(sys.executable), source, program) == 0
    return program


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("cpp"), SOURCE.read_text())


def start(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("sizes", ["", "1 1 1 1 1", "3 6 3 77 33"])
def test_right_result(program, sizes):
    result = start(program, *sizes.split())
    assert result.returncode == 0, result.stderr
    assert result.stdout.endswith(": ok\n")
    assert result.stderr == "ascendc_cpu emulation\n"


def test_failed_call_says_why(program):
    result = start(program, *"1 3 2 4 64".split())
    assert result.returncode == 1
    assert "aclnnFlashAttentionScoreGetWorkspaceSize returned 561002: " in result.stderr
    assert "query's heads must be a multiple of key's heads, got 3 and 2" in result.stderr


@pytest.mark.parametrize("sizes", ["1 2", "1 0 1 4 4", "1 1 1 4 x", "1 1 1 1 1 1"])
def test_usage(program, sizes):
    result = start(program, *sizes.split())
    assert (result.returncode, result.stdout) == (2, "")
    assert "usage: " in result.stderr


def test_its_check_finds_a_wrong_result(tmp_path):
    text = SOURCE.read_text()
    dense = text.replace("LEFT_UP_CAUSAL = 2;", "LEFT_UP_CAUSAL = 4;")  # a band without limits
    assert dense != text
    result = start(compiled(tmp_path, dense))
    assert (result.returncode, result.stdout.endswith(": WRONG\n")) == (1, True)
