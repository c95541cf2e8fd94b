# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Float masks and pse, as the operator takes them: a float mask is a pse that is added after scaling (pse_type 0)."""

import torch

from ascend_flash_attention._layouts import score_shape
from ascend_flash_attention._lists import lengths

AFTER_SCALE, BEFORE_SCALE = 0, 1  # pse_type: scale * QK + pse, scale * (QK + pse)
FIRST_SLOPE_TYPE = 2  # pse is slopes


def is_float_mask(atten_mask) -> bool:
    return isinstance(atten_mask, torch.Tensor) and atten_mask.is_floating_point()


def fits(shape, full) -> bool:
    """Whether every dimension is 1 or full. Two comparisons: compiled code finds no symbolic size in a tuple."""
    return all(given == 1 or given == size for given, size in zip(shape, full, strict=True))


def _unexpanded(tensor, full):
    """A view of size 1 where a dimension was expanded to its full size; a leaf has a gradient of its own shape."""
    if tensor.requires_grad and tensor.is_leaf:
        return tensor
    for dim in range(tensor.dim()):
        if tensor.stride(dim) == 0 and tensor.shape[dim] > 1 and tensor.shape[dim] == full[dim]:
            tensor = tensor.narrow(dim, 0, 1)
    return tensor


def float_mask_types(query) -> list[str]:
    """The types that a mask of numbers may have."""
    return list(dict.fromkeys([str(query.dtype), "torch.float32"]))


def _check_float_mask(mask, query):
    if mask.dtype not in (query.dtype, torch.float32):
        allowed = " or ".join(float_mask_types(query))
        raise ValueError(f"a float atten_mask is added to the scores and must be {allowed}, got {mask.dtype}")
    if mask.dim() not in (2, 4):
        raise ValueError(f"atten_mask must have 2 or 4 dimensions, got {list(mask.shape)}")


def _float_mask(mask, query, full):
    """The mask with four dimensions, each 1 or full."""
    _check_float_mask(mask, query)
    sizes = full[-mask.dim() :]
    if not fits(mask.shape, sizes):
        advice = "; pass a mask per batch as [B, 1, 1, S2]" if mask.dim() == 2 else ""
        raise ValueError(f"atten_mask must be {sizes} (a dimension may be 1), got {list(mask.shape)}{advice}")
    return mask if mask.dim() == 4 else mask[None, None]


def _packed_shift(query, head_num, ends, mask, pse, pse_type):
    """For TND. Its pse has other shapes than its masks: they are not added up. ends: of query and key.

    With four dimensions the operator cannot take a mask for a pse of packed scores.
    """
    if pse is not None or pse_type not in (AFTER_SCALE, BEFORE_SCALE):
        raise ValueError(
            "a float atten_mask of input_layout TND is the pse of the call, with pse_type 0: it cannot be combined "
            f"with {'a pse' if pse is not None else f'pse_type {pse_type}'}"
        )
    longest = (max([0, *lengths(each)]) for each in ends)
    return None, _float_mask(mask, query, [len(ends[0]), head_num, *longest]), AFTER_SCALE


def resolve_shift(query, key, layout: str, head_num: int, ends, atten_mask, pse, pse_type: int):
    """(atten_mask, pse, pse_type) of the operator: a float mask has become pse, or has been added to it.

    ends: cumulative ends of query's and key's sequences for TND.
    """
    has_float_mask = is_float_mask(atten_mask)
    if pse is None and not has_float_mask:
        return atten_mask, pse, pse_type
    if layout == "TND":
        if has_float_mask:
            return _packed_shift(query, head_num, ends, atten_mask, pse, pse_type)
        return atten_mask, pse, pse_type
    full = score_shape(query, key, layout, head_num)
    if pse is not None and pse.dim() == 4:
        pse = _unexpanded(pse, full)
    if not has_float_mask:
        return atten_mask, pse, pse_type
    mask = _unexpanded(_float_mask(atten_mask, query, full), full)
    if pse is None and pse_type in (AFTER_SCALE, BEFORE_SCALE):
        return None, mask, AFTER_SCALE
    if pse is None or pse_type != AFTER_SCALE:
        raise ValueError(
            "a float atten_mask is added after scaling, as pse of pse_type 0, and cannot be combined with pse_type "
            f"{pse_type}: pass pse_type=0, or a bool or uint8 mask"
        )
    if pse.dim() == 2:
        pse = pse[None, None]
    if pse.dim() != 4 or not fits(pse.shape, full):
        raise ValueError(f"with a float atten_mask, pse must be {full} (a dimension may be 1), got {list(pse.shape)}")
    return None, pse.float() + mask.float(), AFTER_SCALE
