# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Prints by how many bytes a call raises the peak of resident memory, and how many of them are its results.

python -m tests.system.memory_probe S D [forward|gradient|unfused_gradient]

gradient: forward and backward of npu_flash_attention; unfused_gradient: of two matrix products and a softmax in torch.
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


def forward(q, k, v):
    return ascend_flash_attention.npu_flash_attention(q, k, v, head_num=1, input_layout="BNSD")[:3]


def gradient(q, k, v):
    outputs = forward(q, k, v)
    return (*outputs, *torch.autograd.grad(outputs[0], (q, k, v), q.detach()))


def unfused_gradient(q, k, v):
    out = (q @ k.transpose(2, 3) * q.shape[3] ** -0.5).softmax(-1) @ v
    return (out, *torch.autograd.grad(out, (q, k, v), q.detach()))


CALLS = {"forward": forward, "gradient": gradient, "unfused_gradient": unfused_gradient}


def main():
    s, d = (int(x) for x in sys.argv[1:3])
    name = sys.argv[3] if len(sys.argv) > 3 else "forward"
    inputs, small = (
        [x.requires_grad_(name != "forward") for x in torch.randn(3, 1, 1, length, d).unbind()] for length in (s, 16)
    )
    CALLS[name](*small)  # loads libraries, starts threads
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again at what is resident now
    before = status_bytes("VmRSS")
    results = CALLS[name](*inputs)
    growth = status_bytes("VmHWM") - before
    finite = all(x.isfinite().all() for x in results)
    print(growth, sum(x.nbytes for x in results), int(finite))


if __name__ == "__main__":
    main()
