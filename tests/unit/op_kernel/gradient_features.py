# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A packed problem (reference/problem.py, reference/packed.py) as kernel inputs and fields of the tiling data."""

import numpy as np
import torch

from tests.reference.dropout import pack_bits
from tests.reference.packed import PackedShift
from tests.reference.shift import AlibiShift, SlopeShift
from tests.unit.op_kernel.gradient_rounds import UNBOUNDED

BEFORE_SCALE, AFTER_SCALE, SLOPE, SLOPE_SQRT = range(1, 5)
STRIDED, PACKED_ROW, PACKED_FULL, ALIBI = range(4)


def as_array(x):
    """Contiguous numpy copy, 16-bit types as int16."""
    x = x.contiguous()
    return (x.view(torch.int16) if x.dtype in (torch.bfloat16, torch.float16) else x).numpy().copy()


def inputs_of(problem):
    """Kernel arguments by name."""
    inputs = {}
    if "sink" in problem:
        inputs["sink"] = as_array(problem["sink"])
    if "keep" in problem:
        inputs["drop_mask"] = as_array(pack_bits(problem["keep"]))
    if "shift" in problem:
        inputs["pse_shift"] = as_array(problem["shift"].values)
    if "mask" in problem:
        inputs["atten_mask"] = as_array(problem["mask"].to(torch.uint8))
    if "prefix" in problem:
        inputs["prefix"] = np.array(problem["prefix"], np.int64)
    return inputs


def _strides(shape):
    """Element strides of a contiguous tensor, 0 where a dimension is 1."""
    strides, size = [], 1
    for dim in reversed(shape):
        strides.append(0 if dim == 1 else size)
        size *= dim
    return tuple(reversed(strides))


def _shift_fields(shift):
    values, is_float = shift.values, int(shift.values.dtype == torch.float32)
    if isinstance(shift, SlopeShift):
        n1 = values.shape[-1]
        strides = (0 if values.dim() == 1 else n1, 1, 0, 0)
        return (SLOPE_SQRT if shift.root else SLOPE, STRIDED, 1, 0, shift.kv_start - shift.q_start, *strides)
    kind = BEFORE_SCALE if shift.before_scale else AFTER_SCALE
    if isinstance(shift, PackedShift):
        return (kind, PACKED_FULL if shift.full else PACKED_ROW, is_float, 0, 0, 0, 0, 0, 0)
    place = ALIBI if isinstance(shift, AlibiShift) else STRIDED
    return (kind, place, is_float, 0, 0, *_strides(values.shape))


def copies_of(shift):
    """Accumulators of the shift's gradient: two where the vector cores of a group may add to the same element."""
    place, s1 = (_shift_fields(shift)[i] for i in (1, 7))
    return 1 if place == PACKED_FULL or (place == STRIDED and s1) else 2


def _rule(problem):
    """lo, hi, both from the bottom or not, band segment and its limit, prefixes."""
    mode = problem.get("sparse_mode", 0)
    hides = mode in (2, 3, 6)
    return (-UNBOUNDED, 0 if hides else UNBOUNDED, 0, int(mode in (3, 6)), -1, 0, int("prefix" in problem))


def fields_of(problem):
    """Fields of the tiling data by name."""
    fields = {"scale": problem["scale"], "rule": _rule(problem)}
    if "shift" in problem:
        fields["shift"] = _shift_fields(problem["shift"])
    if "keep" in problem:
        fields["dropout"] = (1, problem["keep_prob"])
    if "mask" in problem:
        fields["has_mask_tensor"] = 1
        fields["mask_tensor"] = (0, 0, *_strides(problem["mask"].shape))
    return fields
