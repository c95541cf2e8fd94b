# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""torch.nn.functional.scaled_dot_product_attention on the operator."""

import math

import torch
from torch.nn.functional import pad

from ascend_flash_attention._arguments import checked
from ascend_flash_attention._layouts import MAX_TOKENS
from ascend_flash_attention._shift import fits, float_mask_types
from ascend_flash_attention.ops import npu_flash_attention


def _autocast(*tensors):
    """The tensors as torch's own function sees them inside of torch.autocast: floats in its type, but not float64."""
    device = tensors[0].device.type
    if not (torch.amp.is_autocast_available(device) and torch.is_autocast_enabled(device)):
        return tensors
    dtype = torch.get_autocast_dtype(device)
    return tuple(
        x if x is None or not x.is_floating_point() or x.dtype == torch.float64 else x.to(dtype) for x in tensors
    )


def _check(query, key, value, attn_mask, dropout_p, enable_gqa) -> None:
    if query.dim() < 2 or key.dim() < 2 or value.dim() < 2:
        raise ValueError(
            "query, key and value must have at least 2 dimensions, "
            f"got {list(query.shape)}, {list(key.shape)} and {list(value.shape)}"
        )
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(f"query and key must have one head dim, got {query.shape[-1]} and {key.shape[-1]}")
    if not 0 <= dropout_p < 1:
        raise ValueError(f"dropout_p must be in [0, 1), got {dropout_p}")
    if enable_gqa and min(query.dim(), key.dim(), value.dim()) < 3:
        raise ValueError(f"enable_gqa needs a dimension of heads, got {list(query.shape)} and {list(key.shape)}")
    if attn_mask is not None and (attn_mask.dtype not in (torch.bool, torch.float32, query.dtype)):
        allowed = " or ".join(["torch.bool", *float_mask_types(query)])
        raise ValueError(f"attn_mask must be {allowed}, got {attn_mask.dtype}")
    if attn_mask is not None and attn_mask.dim() < 2:
        raise ValueError(f"attn_mask must have at least 2 dimensions, got {list(attn_mask.shape)}")


def _leading(query, key, value, enable_gqa):
    """(dimensions before the heads, query's heads, key's heads), after broadcasting; key's heads divide query's."""
    shapes = [x.shape[:-2] if x.dim() > 2 else (1,) for x in (query, key, value)]
    heads = [shape[-1] for shape in shapes]
    batch = [shape[:-1] for shape in shapes]
    if not enable_gqa and heads[1] == heads[2] == 1:  # broadcast heads are groups
        heads = [heads[0], 1]
    elif enable_gqa:
        if heads[1] != heads[2] or heads[1] == 0 or heads[0] % heads[1]:
            raise ValueError(
                f"enable_gqa needs equal heads of key and value that divide query's, got query {heads[0]}, "
                f"key {heads[1]}, value {heads[2]}"
            )
    else:
        heads = [_broadcast("heads", *((n,) for n in heads))[0]] * 2
    return _broadcast("leading dimensions", *batch), heads[0], heads[1]


def _broadcast(what, *shapes):
    if all(shape == shapes[0] for shape in shapes):
        return shapes[0]
    try:
        return torch.broadcast_shapes(*shapes)
    except RuntimeError as error:
        raise ValueError(
            f"{what} of query, key and value must be equal or 1, got {[list(shape) for shape in shapes]}"
            "; other ratios of heads need enable_gqa=True"
        ) from error


def _four_dimensional(x, batch, heads):
    """[prod(batch), heads, length, width]; a view where that is possible."""
    if x.dim() == 4 and x.shape[:2] == (*batch, heads):
        return x
    x = x.reshape(1, *x.shape) if x.dim() == 2 else x
    return x.expand(*batch, heads, *x.shape[-2:]).reshape(math.prod(batch), heads, *x.shape[-2:])


def _mask(attn_mask, batch, heads, rows, keys):
    """atten_mask of the operator, each dimension 1 or full: True hides, or a float that is added."""
    missing = len(batch) + 3 - attn_mask.dim()
    full = (*batch, heads, rows, keys)
    mask = attn_mask[(None,) * missing] if missing > 0 else attn_mask
    if mask.dim() != len(full) or not fits(mask.shape, full):
        raise ValueError(f"attn_mask must be broadcastable to {list(full)}, got {list(attn_mask.shape)}")
    if any(size != 1 for size in mask.shape[: len(batch)]):
        mask = mask.expand(*batch, *mask.shape[-3:])
    mask = mask.reshape(math.prod(mask.shape[:-3]), *mask.shape[-3:]) if len(batch) != 1 else mask
    return mask if mask.is_floating_point() else ~mask


def _layout(query) -> str:
    """The layout in whose memory order query [B, N, S, D] is, which is that of the result too, as in torch."""
    b, n, s, d = query.stride()
    if d == 1 and s > n:
        return "BSND" if b >= s else "SBND"
    return "BNSD"


def _attend(query, key, value, layout, **options):
    """Attention of [B, N, S, D] tensors, computed in `layout`."""
    if layout == "BNSD":
        return npu_flash_attention(query, key, value, query.shape[1], "BNSD", **options)[0]
    if layout == "BSND":
        tensors = (x.transpose(1, 2) for x in (query, key, value))
        return npu_flash_attention(*tensors, query.shape[1], "BSND", **options)[0].transpose(1, 2)
    tensors = (x.permute(2, 0, 1, 3).flatten(2) for x in (query, key, value))
    out = npu_flash_attention(*tensors, query.shape[1], "SBH", **options)[0]
    return out.unflatten(2, (query.shape[1], value.shape[3])).permute(1, 2, 0, 3)


@checked
def scaled_dot_product_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    """torch.nn.functional.scaled_dot_product_attention, argument for argument.

    Args:
        query: [..., Hq, L, E], float32, float16 or bfloat16, two or more dimensions; without Hq it is one head.
        key: [..., H, S, E]; H = Hq, or 1, or with enable_gqa a divisor of Hq.
        value: [..., H, S, Ev]. Leading dimensions of the three are equal or 1. max(E, Ev) is at most 768.
        attn_mask: broadcastable to [..., Hq, L, S]: bool, True = takes part, or float32 or query's dtype, added to the
            scaled scores. With is_causal both count.
        dropout_p: in [0, 1), share of the weights that is dropped; torch.manual_seed decides which.
        is_causal: causal from the top left: query i sees keys 0..i.
        scale: None means 1/sqrt(E).
        enable_gqa: query head n uses key head n // (Hq // H).

    Returns:
        [..., Hq, L, Ev], 0 for a query that sees nothing. [B, L, H, E] or [L, B, H, E] inputs seen as [B, H, L, E] give
        an output of that order in memory; else it is contiguous.

    Inside of torch.autocast query, key, value and a float mask are cast to its data type first, as torch does.

    Raises:
        ValueError: a wrong argument; the text names it.

    Source: documentation of torch.nn.functional.scaled_dot_product_attention. dropout_p = 1 is refused.
    """
    query, key, value, attn_mask = _autocast(query, key, value, attn_mask)
    _check(query, key, value, attn_mask, dropout_p, enable_gqa)
    batch, heads, key_heads = _leading(query, key, value, enable_gqa)
    width = value.shape[-1]
    scale = scale if scale is not None else query.shape[-1] ** -0.5 if query.shape[-1] else 1.0
    if width > query.shape[-1]:  # the operator's values are at most as wide as its keys
        query, key = (pad(x, (0, width - x.shape[-1])) for x in (query, key))
    q = _four_dimensional(query, batch, heads)
    k, v = (_four_dimensional(x, batch, key_heads) for x in (key, value))
    mask = None if attn_mask is None else _mask(attn_mask, batch, heads, q.shape[2], k.shape[2])
    out = _attend(
        q, k, v, _layout(q), atten_mask=mask, scale=scale, keep_prob=1.0 - dropout_p,
        next_tokens=0 if is_causal else MAX_TOKENS,
    )  # fmt: skip
    if query.dim() == 4:
        return out
    return out.reshape(*batch, heads, *out.shape[2:]) if query.dim() > 2 else out[0, 0]
