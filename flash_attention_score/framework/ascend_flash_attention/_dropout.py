# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Dropout of attention weights: seed and offset of a call, from which both passes make the same bits."""

import torch
from torch._subclasses.fake_tensor import is_fake

from ascend_flash_attention._arguments import require_no_dropout
from ascend_flash_attention._layouts import score_shape
from ascend_flash_attention._library import dropout_rng_state
from ascend_flash_attention._lists import lengths


def rng_state(query, keep_prob: float, dropout_mask=None, seed: int = 0, offset: int = 0):
    """int64 [seed, offset] for a call that has to make its own bits, else None.

    Both 0: drawn from the default generator of query's device, so that torch.manual_seed decides and each call differs.
    """
    if dropout_mask is not None and (seed or offset):
        raise ValueError(f"seed {seed} and offset {offset} must be 0 with a dropout_mask, which has the bits already")
    if keep_prob == 1 or dropout_mask is not None:
        return None
    if torch.onnx.is_in_onnx_export():
        if torch.jit.is_tracing():  # runs the call, before the export sees it
            require_no_dropout(keep_prob)
        return None
    if seed or offset:
        return state_of(seed, offset)
    return dropout_rng_state(query.detach())


def state_of(seed, offset):
    """int64 [2] from two numbers or two tensors of one element."""
    if isinstance(seed, torch.Tensor):
        return torch.stack([seed.reshape(()), offset.reshape(())]).to("cpu", torch.int64)
    return torch.tensor([seed, offset], dtype=torch.int64)


def numbers_of(state):
    """(seed, offset), 0 without dropout; 0-D tensors in compiled code, where a number would be a constant, and of fake
    tensors, which have no numbers."""
    if state is None:
        return 0, 0
    if torch.compiler.is_compiling() or is_fake(state):
        return state[0], state[1]
    return tuple(state.tolist())


def score_count(query, key, layout: str, head_num: int, query_ends=None, key_ends=None) -> int:
    """Number of scores (`numels` of torch_npu), one dropout bit each."""
    if layout == "TND":
        return head_num * sum(q * k for q, k in zip(lengths(query_ends), lengths(key_ends), strict=True))
    batch, heads, rows, keys = score_shape(query, key, layout, head_num)
    return batch * heads * rows * keys
