# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Whose threads run the operators of CPU tensors."""

import os
import subprocess
import sys

import ascend_flash_attention
import pytest
import torch
from ascendc_cpu.native import runtime

SCRIPT = """
import os
import torch
from ascend_flash_attention import npu_flash_attention

def threads():
    return len(os.listdir("/proc/self/task"))

torch.set_num_threads(3)
x = torch.randn(1, 8, 300, 64)
torch.ones(1 << 21).exp()  # torch's threads are there
before = threads()
out = npu_flash_attention(x, x, x, 8, "BNSD", scale=0.1)[0]
started = threads() - before
child = os.fork()
if child == 0:
    again = npu_flash_attention(x, x, x, 8, "BNSD", scale=0.1)[0]
    os._exit(0 if again.numpy().tobytes() == out.numpy().tobytes() else 1)
print(started, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.parametrize(("wanted", "started"), [("", 0), ("2", 0), ("4", 3)])
def test_torchs_threads_are_used_if_they_are_enough(wanted, started):
    """In a process of its own. A forked child, where they are missing, has the runtime's."""
    environment = {**os.environ, "ASCENDC_CPU_NUM_THREADS": wanted}
    command = [sys.executable, "-c", SCRIPT]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert result.stdout.split() == [str(started), "0"], result.stderr


def test_the_number_of_threads_is_that_of_the_call_only(rng):
    x = torch.randn(1, 1, 3, 16, generator=rng)
    runtime().AscendcCpuSetNumThreads(7)
    ascend_flash_attention.npu_flash_attention(x, x, x, 1, "BNSD", scale=1.0)
    assert runtime().AscendcCpuSetNumThreads(0) == 7
