# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Loads the torch extension and tells torch what its operators return."""

from pathlib import Path

import torch

from ascend_flash_attention._meta import check_call, check_given

_EXTENSION = Path(__file__).parent / "libascend_flash_attention_torch.so"

if not _EXTENSION.exists():
    raise ImportError(
        f"{_EXTENSION} is missing: the package is not built; run `bash build.sh` in a clone of the project"
    )
torch.ops.load_library(_EXTENSION)

flash_attention_score = torch.ops.ascend_flash_attention.flash_attention_score.default
flash_attention_score_grad = torch.ops.ascend_flash_attention.flash_attention_score_grad.default
dropout_rng_state = torch.ops.ascend_flash_attention.dropout_rng_state.default


@torch.library.register_fake("ascend_flash_attention::dropout_rng_state")
def _dropout_rng_state_fake(query):
    return torch.empty(2, dtype=torch.int64, device="cpu")


@torch.library.register_fake("ascend_flash_attention::flash_attention_score")
def _flash_attention_score_fake(query, key, value, head_num, input_layout, *, rng_state=None, **options):
    attention, statistics = check_call(query, key, value, head_num, input_layout, **options)
    return (
        query.new_empty(attention),
        query.new_empty(statistics, dtype=torch.float32),
        query.new_empty(statistics, dtype=torch.float32),
    )


@torch.library.register_fake("ascend_flash_attention::flash_attention_score_grad")
def _flash_attention_score_grad_fake(
    query, key, value, dy, attention_in, softmax_max, softmax_sum, head_num, input_layout, *, rng_state=None,
    pse_grad=False, **options,
):  # fmt: skip
    tensors = {"dy": dy, "attention_in": attention_in, "softmax_max": softmax_max, "softmax_sum": softmax_sum}
    check_given(**tensors)
    check_call(query, key, value, head_num, input_layout, **tensors, **options)
    optional = {name: options.get(name) for name in ("pse", "query_rope", "key_rope", "sink")}
    absent = {"sink": query.new_empty(0, dtype=torch.float32)}
    gradients = [
        absent.get(name, query).new_empty(0) if x is None else x.new_empty(x.shape) for name, x in optional.items()
    ]
    if not pse_grad and optional["pse"] is not None:
        gradients[0] = optional["pse"].new_empty(0)
    return (*(x.new_empty(x.shape) for x in (query, key, value)), *gradients)
