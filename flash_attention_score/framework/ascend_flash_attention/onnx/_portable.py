# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Attach the function of standard operators to a model, so that any runtime can run it."""

import onnx
from onnx import helper

from ascend_flash_attention._layouts import MAX_TOKENS
from ascend_flash_attention._shift import FIRST_SLOPE_TYPE
from ascend_flash_attention.onnx._calls import NAMES, given, is_call, node_lists
from ascend_flash_attention.onnx._fillers import FILLABLE, fill
from ascend_flash_attention.onnx._function import KINDS, OF_SCORES, PACKED, SLOPES, TABLES, Features, make_function
from ascend_flash_attention.onnx._schema import ATTRIBUTES, DOMAIN, OP_TYPE, VERSION

_TENSORS = frozenset({"query", "key", "value"})
_ALL_OR_NONE = frozenset({"sink", "query_rope", "key_rope"})  # nothing stands for an absent one
_PAIRS = (frozenset({"actual_seq_qlen", "actual_seq_kvlen"}), frozenset({"q_start_idx", "kv_start_idx"}))
_TABLE_ROWS = 1024
_PORTABLE = _TENSORS | FILLABLE | _ALL_OR_NONE


def _complete_attributes(node: onnx.NodeProto) -> dict:
    """All attributes by name. Absent ones get their default written out: not every runtime fills it in."""
    values = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    for name, (default, _) in ATTRIBUTES.items():
        if name not in values and default is not None:
            node.attribute.append(helper.make_attribute(name, default))
            values[name] = default
    return values


def _given_inputs(node: onnx.NodeProto) -> frozenset[str]:
    """Names of the inputs that a call has."""
    while node.input and not node.input[-1]:
        del node.input[-1]
    found = frozenset(name for name in NAMES if given(node, name))
    if unknown := found - _PORTABLE:
        raise ValueError(f"{node.name}: a portable form with {', '.join(sorted(unknown))} is not supported")
    return found


def _hides(attributes: dict) -> bool:
    limits = (attributes["pre_tockens"], attributes["next_tockens"])
    mode = attributes["sparse_mode"]
    return mode > 1 or (mode == 0 and min(limits) < MAX_TOKENS)


def _is_packed(attributes: dict) -> bool:
    return attributes["input_layout"] == b"TND"


def _shapes(graph: onnx.GraphProto, lists) -> dict[str, list[int]]:
    """Dimensions of tensors by name, as far as the model says them; 0: not known."""
    shapes = {tensor.name: list(tensor.dims) for tensor in graph.initializer}
    for value in [*graph.input, *graph.value_info]:
        shapes[value.name] = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
    for node in (node for nodes in lists for node in nodes if node.op_type == "Constant"):
        shapes[node.output[0]] = list(node.attribute[0].t.dims)
    return shapes


def _kind_of_shift(node: onnx.NodeProto, attributes: dict, shapes: dict) -> str:
    if attributes["pse_type"] >= FIRST_SLOPE_TYPE:
        return SLOPES
    query, shift = (shapes.get(node.input[NAMES.index(name)], []) for name in ("query", "real_shift"))
    length = {b"BNSD": 2, b"SBH": 0}.get(attributes["input_layout"], 1)
    high = len(shift) == 4 and shift[2] == _TABLE_ROWS
    if _is_packed(attributes):
        flat = not any(dim > 1 for dim in shift[1:])
        return TABLES if high else PACKED if flat else OF_SCORES
    return TABLES if high and query[length : length + 1] != [_TABLE_ROWS] else OF_SCORES


def _one_kind(of_calls: list[str | None], packed: bool) -> str | None:
    """The kind of real_shift that serves all calls; None: there is none."""
    kinds = set(of_calls) - {None}
    if TABLES in kinds and not packed:
        kinds.discard(OF_SCORES)  # which the same function reads
    lacking = packed and TABLES in kinds and None in of_calls
    if len(kinds) > 1 or (packed and OF_SCORES in kinds) or lacking:
        got = " and ".join([*sorted(kinds), *(["none"] if lacking else [])])
        raise ValueError(
            f"a portable form needs one kind of real_shift in the calls of a model ({', '.join(KINDS)}), beside TND no "
            f"{OF_SCORES}, and no call without if there are {TABLES}, got {got}{' beside TND' if packed else ''}"
        )
    return next(iter(kinds), None)


def _features(calls: list[onnx.NodeProto], shapes: dict) -> Features:
    """What the calls have together. ValueError where one function cannot serve them."""
    attributes = [_complete_attributes(node) for node in calls]
    if not all(each["keep_prob"] == 1 for each in attributes):
        raise ValueError("a portable form needs keep_prob 1: dropout is not supported")
    inputs = [_given_inputs(node) for node in calls]
    together = frozenset().union(*inputs)
    for name in sorted(together & _ALL_OR_NONE):
        if not all(name in found for found in inputs):
            raise ValueError(f"a portable form needs {name} in every attention call of the model or in none")
    for lists in _PAIRS:
        together |= lists if together & lists else frozenset()
    packed = any(map(_is_packed, attributes))
    kinds = [
        _kind_of_shift(node, each, shapes) if "real_shift" in found else None
        for node, each, found in zip(calls, attributes, inputs, strict=True)
    ]
    return Features(together, packed or any(map(_hides, attributes)), packed, _one_kind(kinds, packed))


def _import_domain(imports) -> None:
    if DOMAIN not in {entry.domain for entry in imports}:
        imports.append(helper.make_opsetid(DOMAIN, VERSION))


def add_function(model: onnx.ModelProto) -> onnx.ModelProto:
    """Attach the standard-operator form of npu::FlashAttentionScore to a model, in place; returns the model.

    A runtime that has a kernel for the operator still uses that. Attributes with default values are written out, and if
    only some of several calls have a mask, a shift or a list, the others are given one that changes nothing.

    Raises:
        ValueError: no such node, an input without a portable form, or an opset below 17.
    """
    functions = [function for function in model.functions if not _is_function(function)]
    lists = [*node_lists(model.graph.node), *(found for f in functions for found in node_lists(f.node))]
    calls = [[node for node in found if is_call(node)] for found in lists]
    nodes = [node for found in calls for node in found]
    if not nodes:
        raise ValueError(f"the model has no {DOMAIN}::{OP_TYPE} node")
    features = _features(nodes, _shapes(model.graph, lists))
    for i, (found, own) in enumerate(zip(lists, calls, strict=True)):
        fill(found, own, features.inputs, features.shift not in (OF_SCORES, TABLES), f"{i}_")
    opset = next((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), 1)
    function = make_function(opset, features)
    del model.functions[:]
    model.functions.extend([*functions, function])
    for imports in [model.opset_import, *(f.opset_import for f in functions if any(map(is_call, f.node)))]:
        _import_domain(imports)
    return model


def _is_function(function: onnx.FunctionProto) -> bool:
    return function.domain == DOMAIN and function.name == OP_TYPE
