# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Where functions with torch_npu's names follow torch_npu instead of the operator."""

import warnings

import torch

from ascend_flash_attention._layouts import MAX_TOKENS

_DENSE_MODE = 1  # every key, mask tensor applied
_warned_dense = False


def vendor_sparsity(function: str, atten_mask, sparse_mode: int, pre_tokens: int, next_tokens: int, prefix) -> dict:
    """What to call the operator with: without a mask tensor torch_npu shows every key. The first time that matters
    warns."""
    global _warned_dense
    given = {"sparse_mode": sparse_mode, "pre_tokens": pre_tokens, "next_tokens": next_tokens, "prefix": prefix}
    restricted = sparse_mode > _DENSE_MODE or (
        sparse_mode == 0 and (pre_tokens < MAX_TOKENS or next_tokens < MAX_TOKENS)
    )
    if atten_mask is not None or not restricted:
        return given
    if not _warned_dense and not torch.compiler.is_compiling():  # Dynamo cannot trace a warning
        _warned_dense = True
        warnings.warn(
            f"{function} without atten_mask ignores sparse_mode {sparse_mode}, windows and prefix, "
            "as torch_npu does; npu_flash_attention honours them",
            stacklevel=5,
        )
    return {**given, "sparse_mode": _DENSE_MODE, "prefix": None}
