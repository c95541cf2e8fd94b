# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The instruction tests once more on every other instruction set of this CPU, each in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import ascendc_cpu

FAMILIES = ["copy", "cube", "deferred", "vector"]
UNSUPPORTED = "which this CPU does not support"


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("isa", ["generic", "avx2", "avx512"])
def test_isa(isa, family, sdk_libraries, seed):
    if isa == ascendc_cpu.isa_name():
        pytest.skip(f"{isa} is what the other tests of this run use")
    environment = {**os.environ, "ASCENDC_CPU_ISA": isa, "FA_TEST_SEED": str(seed)}
    probe = f"import sys; sys.path[:0] = {sys.path!r}; import ascendc_cpu; print(ascendc_cpu.isa_name())"
    named = subprocess.run([sys.executable, "-c", probe], env=environment, text=True, capture_output=True)
    if UNSUPPORTED in named.stderr:
        pytest.skip(named.stderr.strip().splitlines()[-1])
    assert named.stdout.strip() == isa, named.stderr
    folder = Path(__file__).parent
    files = sorted(str(path) for path in folder.glob(f"test_{family}_*.py"))
    command = [sys.executable, "-m", "pytest", "-q", "-x", *files]
    done = subprocess.run(command, env=environment, cwd=folder, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
