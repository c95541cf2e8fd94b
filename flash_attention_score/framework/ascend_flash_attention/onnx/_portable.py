# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Attach the function of standard operators to a model, so that any runtime can run it."""

from collections.abc import Iterator

import onnx
from onnx import TensorProto, helper

from ascend_flash_attention.onnx._function import make_function
from ascend_flash_attention.onnx._schema import ATTRIBUTES, DOMAIN, INPUTS, MAX_TOKENS, OP_TYPE, VERSION

_NAMES = [name for name, *_ in INPUTS]
_SHIFT, _MASK, _SINK = (_NAMES.index(name) for name in ("real_shift", "atten_mask", "sink"))
_COMPRESSED = 2048  # rows and columns of the mask of sparse_mode 2 and up


def _is_ours(node: onnx.NodeProto) -> bool:
    return node.domain == DOMAIN and node.op_type == OP_TYPE


def _node_lists(nodes) -> Iterator:
    """The list itself and those of all graphs below it."""
    yield nodes
    for node in nodes:
        for attribute in node.attribute:
            graphs = [attribute.g] if attribute.HasField("g") else attribute.graphs
            for graph in graphs:
                yield from _node_lists(graph.node)


def _has(node: onnx.NodeProto, index: int) -> bool:
    return len(node.input) > index and node.input[index] != ""


def _complete_attributes(node: onnx.NodeProto) -> dict:
    """All attributes by name. Absent ones get their default written out: not every runtime fills it in."""
    values = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    for name, (default, _) in ATTRIBUTES.items():
        if name not in values and default is not None:
            node.attribute.append(helper.make_attribute(name, default))
            values[name] = default
    return values


def _complete_inputs(node: onnx.NodeProto) -> None:
    while node.input and not node.input[-1]:
        del node.input[-1]
    extra = [name for (name, *_), given in zip(INPUTS, node.input, strict=False) if given]
    unknown = set(extra) - {"query", "key", "value", "real_shift", "atten_mask", "sink"}
    if unknown:
        raise ValueError(f"{node.name}: a portable form with {', '.join(sorted(unknown))} is not supported yet")


def _hides(attributes: dict) -> bool:
    limits = (attributes["pre_tockens"], attributes["next_tockens"])
    mode = attributes["sparse_mode"]
    return mode > 1 or (mode == 0 and min(limits) < MAX_TOKENS)


def _mask_nodes(prefix: str, mode: int) -> tuple[list, str]:
    """Nodes that make a mask for a call without one, and the mask's name."""
    name = f"{prefix}_no_mask"
    if mode < 2:
        tensor = helper.make_tensor(name, TensorProto.BOOL, [1, 1], [False])
        return [helper.make_node("Constant", [], [name], value=tensor)], name
    numbers = {"zero": 0, "one": 1, "size": _COMPRESSED}
    nodes = [helper.make_node("Constant", [], [f"{name}_{key}"], value_int=value) for key, value in numbers.items()]
    nodes += [
        helper.make_node("Constant", [], [f"{name}_axis"], value_ints=[1]),
        helper.make_node("Range", [f"{name}_zero", f"{name}_size", f"{name}_one"], [f"{name}_columns"]),
        helper.make_node("Unsqueeze", [f"{name}_columns", f"{name}_axis"], [f"{name}_rows"]),
        helper.make_node("Less", [f"{name}_rows", f"{name}_columns"], [name]),
    ]
    return nodes, name


def _give_masks(nodes, number: Iterator[int]) -> None:
    """A mask for every call of this list that has none: one function serves calls with and without."""
    for node in [node for node in nodes if _is_ours(node) and not _has(node, _MASK)]:
        mode = {attribute.name: attribute.i for attribute in node.attribute}["sparse_mode"]
        made, mask = _mask_nodes(f"{DOMAIN}_{OP_TYPE}_{next(number)}", mode)
        node.input.extend([""] * (_MASK + 1 - len(node.input)))
        node.input[_MASK] = mask
        at = list(nodes).index(node)
        for offset, new in enumerate(made):
            nodes.insert(at + offset, new)


def _give_shifts(nodes, number: Iterator[int]) -> None:
    """A shift by a float 0, which pse_type 0 takes beside any query, for every call of this list that has none."""
    for node in [node for node in nodes if _is_ours(node) and not _has(node, _SHIFT)]:
        name = f"{DOMAIN}_{OP_TYPE}_{next(number)}_no_shift"
        node.input.extend([""] * (_SHIFT + 1 - len(node.input)))
        node.input[_SHIFT] = name
        next(attribute for attribute in node.attribute if attribute.name == "pse_type").i = 0
        zero = helper.make_tensor(name, TensorProto.FLOAT, [1, 1], [0.0])
        nodes.insert(list(nodes).index(node), helper.make_node("Constant", [], [name], value=zero))


def _import_domain(imports) -> None:
    if DOMAIN not in {entry.domain for entry in imports}:
        imports.append(helper.make_opsetid(DOMAIN, VERSION))


def add_function(model: onnx.ModelProto) -> onnx.ModelProto:
    """Attach the standard-operator form of npu::FlashAttentionScore to a model, in place; returns the model.

    A runtime that has a kernel for the operator still uses that. Attributes with default values are written out, and if
    only some of several calls have a mask or a shift, the others are given one that changes nothing.

    Raises:
        ValueError: no such node, an input without a portable form, or an opset below 17.
    """
    functions = [function for function in model.functions if not _is_function(function)]
    lists = [*_node_lists(model.graph.node), *(found for f in functions for found in _node_lists(f.node))]
    nodes = [node for found in lists for node in found if _is_ours(node)]
    if not nodes:
        raise ValueError(f"the model has no {DOMAIN}::{OP_TYPE} node")
    hides = False
    for node in nodes:
        _complete_inputs(node)
        hides |= _hides(_complete_attributes(node))
    has_mask, has_shift, has_sink = (any(_has(node, index) for node in nodes) for index in (_MASK, _SHIFT, _SINK))
    if has_sink and not all(_has(node, _SINK) for node in nodes):
        raise ValueError("a portable form needs a sink in every attention call of the model or in none")
    if has_mask:
        number = iter(range(len(nodes)))
        for found in lists:
            _give_masks(found, number)
    if has_shift:
        number = iter(range(len(nodes)))
        for found in lists:
            _give_shifts(found, number)
    opset = next((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), 1)
    function = make_function(opset, has_mask, hides, has_shift, has_sink)
    del model.functions[:]
    model.functions.extend([*functions, function])
    for imports in [model.opset_import, *(f.opset_import for f in functions if any(map(_is_ours, f.node)))]:
        _import_domain(imports)
    return model


def _is_function(function: onnx.FunctionProto) -> bool:
    return function.domain == DOMAIN and function.name == OP_TYPE
