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


def probe(s, d, call):
    """(growth of the peak, bytes of the results) of a call in a process of its own, on two cores."""
    environment = os.environ | {"ASCENDC_CPU_SOC": "cpu", "ASCENDC_CPU_NUM_THREADS": "2"}
    command = [sys.executable, "-m", "tests.system.memory_probe", str(s), str(d), call]
    two_cores = sorted(os.sched_getaffinity(0))[:2]  # every resident core of the emulation has memories of its own
    run = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600,
        preexec_fn=lambda: os.sched_setaffinity(0, two_cores),
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    growth, results, finite = (int(x) for x in run.stdout.split()[-3:])
    assert finite
    assert growth >= results, "the probe does not see the results that the call made"
    return growth, results


@pytest.mark.slow
def test_peak_memory_of_a_long_call():
    """32K x 32K, one head, D = 64, float32: below 64 MiB plus outputs; the scores alone would be 4 GiB."""
    growth, outputs = probe(32768, 64, "forward")
    assert outputs == 32768 * (64 + 8 + 8) * 4
    assert growth < 64 * MIB + outputs, f"peak grew by {growth / MIB:.1f} MiB, outputs are {outputs / MIB:.1f} MiB"


@pytest.mark.slow
def test_memory_of_forward_and_backward():
    """8K x 8K, one head, D = 64, float32: a tenth of unfused attention at most; S in proportion at most."""
    ours, results = probe(8192, 64, "gradient")
    assert results == 8192 * (4 * 64 + 8 + 8) * 4
    unfused, _ = probe(8192, 64, "unfused_gradient")
    assert unfused >= 2 * 8192 * 8192 * 4, "torch's unfused attention keeps no scores"
    text = f"ours {ours / MIB:.1f} MiB, unfused {unfused / MIB:.1f} MiB"
    print(text)
    assert ours * 10 <= unfused, text
    twice, _ = probe(16384, 64, "gradient")
    assert twice <= 2.1 * ours, f"S = 8192: {ours / MIB:.1f} MiB, S = 16384: {twice / MIB:.1f} MiB"
