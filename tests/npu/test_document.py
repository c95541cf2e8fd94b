# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What docs/torch_npu_on_cpu.md shows and says."""

import re
from pathlib import Path

import torch
import torch_npu

DOCUMENT = Path(__file__).parents[2] / "flash_attention_score" / "docs" / "torch_npu_on_cpu.md"


def test_its_program():
    (program,) = re.findall(r"^```python\n(.*?)^```$", DOCUMENT.read_text(), re.DOTALL | re.MULTILINE)
    exec(program, {})


def test_its_list_of_what_works():
    torch_npu.npu.set_compile_mode(jit_compile=False)
    x = torch.ones(3).pin_memory()
    assert x.is_pinned() and x.to("npu", non_blocking=True).sum() == 3
    assert "allocated_bytes.all.current" in torch.npu.memory_stats()
    q = torch.randn(1, 2, 8, 16).npu()
    outs = [
        function(q, q, q, 2, "BNSD", scale=0.25)[0]
        for function in (
            torch_npu.npu_fusion_attention,
            torch_npu.npu_fusion_attention_v2,
            torch_npu.npu_fusion_attention_v3,
        )
    ]
    assert outs[0].equal(outs[1]) and outs[0].equal(outs[2])
