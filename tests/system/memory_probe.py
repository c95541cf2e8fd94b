# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Prints by how many bytes one forward call raises the peak of resident memory, and how many of them are outputs.

python -m tests.system.memory_probe S D
"""

import sys
from pathlib import Path

import ascend_flash_attention
import torch


def status_bytes(field):
    """VmRSS or VmHWM of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"/proc/self/status: no field {field}")


def main():
    s, d = (int(x) for x in sys.argv[1:])
    q, k, v = torch.randn(3, 1, 1, s, d).unbind()
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again at what is resident now
    before = status_bytes("VmRSS")
    outputs = ascend_flash_attention.npu_flash_attention(q, k, v, head_num=1, input_layout="BNSD", scale=d**-0.5)[:3]
    growth = status_bytes("VmHWM") - before
    finite = all(x.isfinite().all() for x in outputs)
    print(growth, sum(x.nbytes for x in outputs), int(finite))


if __name__ == "__main__":
    main()
