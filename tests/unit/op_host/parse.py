# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The parser alone, through parser_shim.cpp."""

import ctypes

import numpy as np

from tests.unit.op_host.host_shim import ShimCall, Tensor

_DTYPES = {"float32": 0, "float16": 1, "int8": 2, "int32": 3, "uint8": 4, "int64": 9, "bool": 12, "bfloat16": 27}
_DEFAULTS = {
    "softmax_out_layout": "", "scale_value": 1.0, "keep_prob": 1.0, "pre_tockens": 2147483647,
    "next_tockens": 2147483647, "sparse_mode": 0, "pse_type": 1, "out_dtype": 0,
}  # fmt: skip
_IGNORED = {"inner_precise", "seed", "offset"}
_CAPACITY = 4096


class Refused(ValueError):
    """row: of the contract (fa_contract_rows.h)."""

    def __init__(self, row, message):
        super().__init__(message)
        self.row = row


def contract(library) -> dict:
    """Row -> (argument, what is allowed, what is there instead)."""
    lines = library.ShimContract().decode().splitlines()
    return {lines[at]: tuple(lines[at + 1 : at + 4]) for at in range(0, len(lines), 4)}


def _tensor(value):
    if value is None:
        return Tensor(-1, 0, None, None)
    shape, dtype, values = (*value, None)[:3]
    dims = (ctypes.c_int64 * len(shape))(*shape)
    data = None if values is None else (ctypes.c_int64 * len(values))(*map(int, values))
    return Tensor(_DTYPES[dtype], len(shape), dims, data)


def _tensors(values):
    return (Tensor * len(values))(*map(_tensor, values))


def _call(inputs, attributes):
    values = _DEFAULTS | {name: value for name, value in attributes.items() if name not in _IGNORED}
    values["layout"] = values.pop("input_layout")
    call = ShimCall(inputs=_tensors(inputs))
    for name, value in values.items():
        setattr(call, name, value.encode() if isinstance(value, str) else value)
    return call


def _raise(text):
    if text.value:
        raise Refused(*text.value.decode().split("\n", 1))


def parse_call(library, record, inputs, attributes, outputs):
    """The tiling data as far as the parser fills it; Refused if it refuses."""
    data, text = np.zeros(1, record), ctypes.create_string_buffer(_CAPACITY)
    call = _call(inputs, attributes)
    library.ShimParse(ctypes.byref(call), _tensors(outputs), data.ctypes.data, text, _CAPACITY)
    _raise(text)
    return data[0]


def parse_gradient(library, inputs, attributes, saved, gradients):
    """The same for a gradient. inputs: the forward's; saved: dy, softmax_max, softmax_sum, attention_in,
    d_scale_dy, d_scale_o."""
    text = ctypes.create_string_buffer(_CAPACITY)
    call = _call(inputs, attributes)
    library.ShimParseGradient(ctypes.byref(call), _tensors(saved), _tensors(gradients), text, _CAPACITY)
    _raise(text)
