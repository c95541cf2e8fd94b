# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Loads the torch extension and tells torch what its operators return."""

from pathlib import Path

import torch

_EXTENSION = Path(__file__).parent / "libascend_flash_attention_torch.so"
_STATISTICS = 8  # equal copies of a row's max or sum

if not _EXTENSION.exists():
    raise ImportError(
        f"{_EXTENSION} is missing: the package is not built; run `bash build.sh` in a clone of the project"
    )
torch.ops.load_library(_EXTENSION)

flash_attention_score = torch.ops.ascend_flash_attention.flash_attention_score.default
flash_attention_score_grad = torch.ops.ascend_flash_attention.flash_attention_score_grad.default


def _check(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


@torch.library.register_fake("ascend_flash_attention::flash_attention_score")
def _flash_attention_score_fake(query, key, value, head_num, input_layout, **_options):
    """Shapes, dtypes and strides of the results; everything else is checked when the operator runs."""
    rank = {"BSH": 3, "SBH": 3, "TND": 3, "BSND": 4, "BNSD": 4}.get(input_layout)
    _check(rank is not None, f"input_layout must be BSH, SBH, BSND, BNSD or TND, got {input_layout!r}")
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        _check(
            tensor.dim() == rank,
            f"{name} must have {rank} dimensions for input_layout {input_layout}, got {list(tensor.shape)}",
        )
    if input_layout in ("BSH", "SBH"):
        head_dim = query.shape[2] // head_num
        key_heads = key.shape[2] // head_dim
        width = value.shape[2] // key_heads * head_num
        batch, length = query.shape[:2] if input_layout == "BSH" else (query.shape[1], query.shape[0])
        statistics = (batch, head_num, length, _STATISTICS)
    else:
        width = value.shape[-1]
        if input_layout == "TND":
            statistics = (query.shape[0], query.shape[1], _STATISTICS)
        else:
            heads, length = (1, 2) if input_layout == "BNSD" else (2, 1)
            statistics = (query.shape[0], query.shape[heads], query.shape[length], _STATISTICS)
    return (
        query.new_empty((*query.shape[:-1], width)),
        query.new_empty(statistics, dtype=torch.float32),
        query.new_empty(statistics, dtype=torch.float32),
    )


@torch.library.register_fake("ascend_flash_attention::flash_attention_score_grad")
def _flash_attention_score_grad_fake(query, key, value, *_tensors, **_options):
    return query.new_empty(query.shape), key.new_empty(key.shape), value.new_empty(value.shape)
