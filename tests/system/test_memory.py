# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Memory of a call grows with S, not with S * S."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MIB = 1 << 20


@pytest.mark.slow
def test_peak_memory_of_a_long_call():
    """32K x 32K, one head, D = 64, float32: below 64 MiB plus outputs; the scores alone would be 4 GiB."""
    environment = os.environ | {"ASCENDC_CPU_SOC": "cpu", "ASCENDC_CPU_NUM_THREADS": "2"}
    command = [sys.executable, "-m", "tests.system.memory_probe", "32768", "64"]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    growth, outputs, finite = (int(x) for x in run.stdout.split()[-3:])
    assert finite
    assert outputs == 32768 * (64 + 8 + 8) * 4
    assert growth >= outputs, "the probe does not see the outputs that the call made"
    assert growth < 64 * MIB + outputs, f"peak grew by {growth / MIB:.1f} MiB, outputs are {outputs / MIB:.1f} MiB"
