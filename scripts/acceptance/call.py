# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A case of the table as a call of torch_npu.npu_fusion_attention, for our operator and CANN's built-in one alike."""

import torch

from tests.cases.inputs import Inputs
from tests.cases.loader import UNLIMITED, Case
from tests.reference.attention import AttentionResult, from_layout

COMPRESSED = (2, 3, 4)  # sparse modes whose mask tensor is one fixed triangle
COMPRESSED_SIZE = 2048


class NotComparable(Exception):
    """torch_npu has no such call, or defines it differently: said in the text."""


def _mask(case: Case, inputs: Inputs) -> torch.Tensor | None:
    if case.features:
        raise NotComparable(f"only dense calls are compared, not {', '.join(sorted(case.features))}")
    if case.sparse_mode in COMPRESSED:
        if inputs.mask is not None:
            raise NotComparable("sparse_mode 2 to 4 take a fixed mask tensor only")
        return torch.ones(COMPRESSED_SIZE, COMPRESSED_SIZE, dtype=torch.bool).triu(1)
    if inputs.mask is None and (case.pre_tokens, case.next_tokens) != (UNLIMITED, UNLIMITED):
        raise NotComparable("a window without a mask tensor is ignored by torch_npu")
    return inputs.mask


def arguments(case: Case, inputs: Inputs, device: str) -> tuple[list, dict]:
    """Positional and keyword arguments; tensors are on `device`."""
    mask = _mask(case, inputs)
    tensors = [x.contiguous().to(device) for x in inputs.in_layout(case.layout)]
    keywords = {
        "atten_mask": None if mask is None else mask.to(device),
        "scale": case.scale,
        "pre_tockens": case.pre_tokens,
        "next_tockens": case.next_tokens,
        "sparse_mode": case.sparse_mode,
    }
    return [*tensors, case.n1, case.layout], keywords


def as_result(case: Case, results: tuple) -> AttentionResult:
    """What the call returned, on the host, BNSD."""
    out, row_max, row_sum = (x.cpu() for x in results[:3])
    return AttentionResult(from_layout(out, case.layout, case.n1), row_max, row_sum, torch.zeros(()))
