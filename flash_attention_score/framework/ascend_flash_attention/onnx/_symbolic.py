# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""torch operator -> one npu::FlashAttentionScore node, for torch.onnx.export(dynamo=False)."""

import torch
from torch.onnx import register_custom_op_symbolic, symbolic_helper

from ascend_flash_attention._arguments import ExportError
from ascend_flash_attention._layouts import FOLDED_LAYOUTS, HEAD_AXIS, statistics_shape
from ascend_flash_attention._library import flash_attention_score
from ascend_flash_attention.onnx._arguments import check_types, node_attributes, node_inputs, tensors_of
from ascend_flash_attention.onnx._function import MIN_OPSET
from ascend_flash_attention.onnx._schema import DOMAIN, OP_TYPE, OUTPUTS

_ARGUMENTS = flash_attention_score._schema.arguments
_KINDS = {"int": "i", "float": "f", "str": "s"}  # letter of torch._C for a constant
_NUMBERS = {argument.name: _KINDS[str(argument.type)] for argument in _ARGUMENTS if str(argument.type) in _KINDS}
_LISTS = {argument.name for argument in _ARGUMENTS if "List[int]" in str(argument.type)}
_SUFFIX = {int: "i", float: "f", str: "s"}


def _type_name(value) -> str | None:
    return None if value is None else symbolic_helper._try_get_scalar_type(value).onnx_type().name.lower()


def _integers(name: str, value) -> list[int]:
    result = symbolic_helper._maybe_get_const(value, "is")
    if isinstance(result, list | tuple) and all(isinstance(each, int) for each in result):
        return list(result)
    raise ExportError(f"FlashAttentionScore cannot be exported by tracing: {name} must be a list of numbers")


def _constant(name: str, value):
    result = symbolic_helper._maybe_get_const(value, _NUMBERS[name])
    if isinstance(result, int | float | str):
        return result
    raise ExportError(
        f"FlashAttentionScore cannot be exported by tracing: {name} depends on a shape; pass {name} as a number"
    )


def _option(name: str, value):
    if name in _NUMBERS:
        return _constant(name, value)
    if symbolic_helper._is_none(value):
        return None
    return _integers(name, value) if name in _LISTS else value


def _input(g, absent, value):
    if isinstance(value, list):
        return g.op("Constant", value_t=torch.tensor(value, dtype=torch.int64))
    return absent if value is None else value


def _head_num(value, layout: str, query_sizes) -> int:
    """A traced head number is the size of query's dimension."""
    result = symbolic_helper._maybe_get_const(value, "i")
    if not isinstance(result, int) and layout in HEAD_AXIS and query_sizes[HEAD_AXIS[layout]]:
        return query_sizes[HEAD_AXIS[layout]]
    return _constant("head_num", value)


def _set_types(results, query, value, layout: str, head_num: int) -> None:
    """Types and sizes of (attention, max, sum); None where a size is not known. The exporter warns without them."""
    attention, *statistics = results
    sizes, value_sizes = (symbolic_helper._get_tensor_sizes(x) or [None] * 4 for x in (query, value))
    width = None if layout in FOLDED_LAYOUTS else value_sizes[-1]
    attention.setType(query.type().with_sizes([*sizes[:-1], width]))
    dims = statistics_shape(sizes, layout, head_num)
    for result in statistics:
        result.setType(query.type().with_dtype(torch.float32).with_sizes(dims))


def _flash_attention_score(g, *arguments):
    values = dict(zip((argument.name for argument in _ARGUMENTS), arguments, strict=True))
    query, key, value = (values.pop(name) for name in ("query", "key", "value"))
    sizes = symbolic_helper._get_tensor_sizes(query) or [None] * 4
    layout = _constant("input_layout", values.pop("input_layout"))
    head_num = _head_num(values.pop("head_num"), layout, sizes)
    options = {name: _option(name, given) for name, given in values.items()}
    tensors = tensors_of(query, key, value, options)
    check_types({name: _type_name(given) for name, given in tensors.items()}, options)
    attributes = node_attributes(head_num, layout, options)
    absent = symbolic_helper._optional_input_placeholder_tensor(g)
    inputs = [_input(g, absent, given) for given in node_inputs(tensors, options)]
    typed = {f"{name}_{_SUFFIX[type(given)]}": given for name, given in attributes.items()}
    softmax_max, softmax_sum, _, attention = g.op(f"{DOMAIN}::{OP_TYPE}", *inputs, outputs=len(OUTPUTS), **typed)
    results = attention, softmax_max, softmax_sum
    _set_types(results, query, value, layout, head_num)
    return results


def register() -> None:
    """Make torch.onnx.export(dynamo=False) know the operator."""
    register_custom_op_symbolic("ascend_flash_attention::flash_attention_score", _flash_attention_score, MIN_OPSET)
