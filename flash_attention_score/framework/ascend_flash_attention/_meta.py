# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What the operators return, from shapes alone, and which shapes they refuse: for Meta tensors and torch.compile."""

import torch

from ascend_flash_attention._layouts import (
    BATCH_AXIS,
    FOLDED_LAYOUTS,
    HEAD_AXIS,
    LENGTH_AXIS,
    MAX_HEAD_DIM,
    RANKS,
    statistics_shape,
)

_DTYPES = (torch.float32, torch.float16, torch.bfloat16)


def _check(condition, message) -> None:
    """ValueError(message()); for sizes that are not known yet, an assertion of the compiled code."""
    torch._check_value(condition, message)


def check_given(**tensors) -> None:
    """TypeError for a required tensor that is None, which the registered operators let through."""
    for name, tensor in tensors.items():
        if tensor is None:
            raise TypeError(f"{name} must be a tensor, got None")


def _check_tensors(query, key, value, others) -> None:
    _check(query.dtype in _DTYPES, lambda: f"query must be float32, float16 or bfloat16, got {query.dtype}")
    _check(
        query.dtype == key.dtype == value.dtype,
        lambda: f"query, key and value must have one dtype, got {query.dtype}, {key.dtype} and {value.dtype}",
    )
    for name, tensor in {"key": key, "value": value, **others}.items():
        if isinstance(tensor, torch.Tensor):
            _check(
                tensor.device == query.device,
                lambda name=name, tensor=tensor: f"{name} must be on query's {query.device}, got {tensor.device}",
            )


def _sizes(tensor, layout: str, heads):
    """batch, heads, length, width of a head."""
    shape = tensor.shape
    batch = shape[BATCH_AXIS[layout]] if layout in BATCH_AXIS else 1
    if layout in FOLDED_LAYOUTS:
        return batch, heads, shape[LENGTH_AXIS[layout]], shape[2] // heads
    return batch, shape[HEAD_AXIS[layout]], shape[LENGTH_AXIS[layout]], shape[-1]


def _key_heads(query, key, value, head_num: int):
    """Of folded layouts, where they follow from the widths."""
    _check(
        query.shape[2] % head_num == 0 and query.shape[2] > 0,
        lambda: f"query's last dimension must be a positive multiple of head_num {head_num}, got {query.shape[2]}",
    )
    head_dim = query.shape[2] // head_num
    _check(
        key.shape[2] % head_dim == 0 and key.shape[2] > 0,
        lambda: f"key's last dimension must be a positive multiple of the head dim {head_dim}, got {key.shape[2]}",
    )
    key_heads = key.shape[2] // head_dim
    _check(
        value.shape[2] % key_heads == 0,
        lambda: f"value's last dimension must be a multiple of key's {key_heads} heads, got {value.shape[2]}",
    )
    return key_heads


def check_call(query, key, value, head_num: int, layout: str, **others):
    """Shapes of attention_out and of the statistics. ValueError for tensors that do not fit together.

    others: further arguments; tensors among them must be on query's device.
    """
    check_given(query=query, key=key, value=value)
    _check_tensors(query, key, value, others)
    _check(layout in RANKS, lambda: f"input_layout must be BSH, SBH, BSND, BNSD or TND, got {layout!r}")
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        _check(
            tensor.dim() == RANKS[layout],
            lambda name=name, tensor=tensor: (
                f"{name} must have {RANKS[layout]} dimensions for input_layout {layout}, got {list(tensor.shape)}"
            ),
        )
    _check(head_num > 0, lambda: f"head_num must be > 0, got {head_num}")
    key_heads = _key_heads(query, key, value, head_num) if layout in FOLDED_LAYOUTS else None
    batch, heads, _, head_dim = _sizes(query, layout, head_num)
    of_key, of_value = _sizes(key, layout, key_heads), _sizes(value, layout, key_heads)
    width = of_value[3]
    requirements = (
        (heads == head_num, lambda: f"head_num must equal query's heads, got {head_num} and {heads}"),
        (
            batch == of_key[0] and batch == of_value[0],
            lambda: f"query, key and value must have one batch size, got {batch}, {of_key[0]} and {of_value[0]}",
        ),
        (
            of_key[2] == of_value[2],
            lambda: f"key and value must have one sequence length, got {of_key[2]} and {of_value[2]}",
        ),
        (
            of_key[1] == of_value[1],
            lambda: f"key and value must have one number of heads, got {of_key[1]} and {of_value[1]}",
        ),
        (
            of_key[1] > 0 and heads % of_key[1] == 0,
            lambda: f"query's heads must be a multiple of key's heads, got {heads} and {of_key[1]}",
        ),
        (head_dim == of_key[3], lambda: f"query and key must have one head dim, got {head_dim} and {of_key[3]}"),
        (head_dim <= MAX_HEAD_DIM, lambda: f"head dim must be 1..{MAX_HEAD_DIM}, got {head_dim}"),
        (0 < width and width <= head_dim, lambda: f"head dim of value must be 1..{head_dim}, got {width}"),
    )
    for condition, message in requirements:
        _check(condition, message)
    attention = (*query.shape[:-1], width if key_heads is None else width * head_num)
    return attention, statistics_shape(query.shape, layout, head_num)
