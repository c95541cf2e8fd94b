# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Inputs that change nothing, for calls that lack what others of the model have: one function serves all of them."""

from onnx import NodeProto, TensorProto, helper

from ascend_flash_attention.onnx._calls import NAMES, given
from ascend_flash_attention.onnx._schema import DOMAIN, LISTS, OP_TYPE

_COMPRESSED_KEYS = 2048  # of the masks of sparse modes that do not read them
_COMPRESSED_ROWS = {6: 3072}  # by sparse_mode; others 2048
_READ_MODES = (0, 1, 5)


def _constant(name: str, element_type: int, dims: list[int], values: list) -> list[NodeProto]:
    tensor = helper.make_tensor(name, element_type, dims, values)
    return [helper.make_node("Constant", [], [name], value=tensor)]


def _mask(node: NodeProto, name: str) -> list[NodeProto]:
    mode = next(attribute.i for attribute in node.attribute if attribute.name == "sparse_mode")
    if mode in _READ_MODES:
        return _constant(name, TensorProto.BOOL, [1, 1], [False])
    numbers = {"zero": 0, "one": 1, "keys": _COMPRESSED_KEYS, "rows": _COMPRESSED_ROWS.get(mode, _COMPRESSED_KEYS)}
    nodes = [helper.make_node("Constant", [], [f"{name}_{key}"], value_int=value) for key, value in numbers.items()]
    return [
        *nodes,
        helper.make_node("Constant", [], [f"{name}_axis"], value_ints=[1]),
        helper.make_node("Range", [f"{name}_zero", f"{name}_keys", f"{name}_one"], [f"{name}_columns"]),
        helper.make_node("Range", [f"{name}_zero", f"{name}_rows", f"{name}_one"], [f"{name}_places"]),
        helper.make_node("Unsqueeze", [f"{name}_places", f"{name}_axis"], [f"{name}_column"]),
        helper.make_node("Less", [f"{name}_column", f"{name}_columns"], [name]),
    ]


def _shift(node: NodeProto, name: str) -> list[NodeProto]:
    """A float 0, which pse_type 0 takes beside any query."""
    next(attribute for attribute in node.attribute if attribute.name == "pse_type").i = 0
    return _constant(name, TensorProto.FLOAT, [1, 1], [0.0])


def _no_shift(node: NodeProto, name: str) -> list[NodeProto]:
    """The operator takes a tensor without elements for none."""
    return _constant(name, TensorProto.FLOAT, [0], [])


def _list(node: NodeProto, name: str) -> list[NodeProto]:
    return _constant(name, TensorProto.INT64, [0], [])


_MAKERS = {"atten_mask": _mask, "real_shift": _shift} | dict.fromkeys(LISTS, _list)
FILLABLE = frozenset(_MAKERS)


def fill(nodes, calls: list[NodeProto], inputs: frozenset[str], empty_shift: bool, prefix: str) -> None:
    """Give the calls, all of the list `nodes`, those of the inputs that they lack, made by new nodes before them.

    empty_shift: an absent real_shift has no elements, otherwise it is a 0. prefix: of the new values' names.
    """
    makers = _MAKERS | ({"real_shift": _no_shift} if empty_shift else {})
    for i, node in enumerate(calls):
        for name in sorted(inputs & FILLABLE):
            if given(node, name):
                continue
            index, value = NAMES.index(name), f"{DOMAIN}_{OP_TYPE}_{prefix}{i}_no_{name}"
            made = makers[name](node, value)
            node.input.extend([""] * (index + 1 - len(node.input)))
            node.input[index] = value
            at = list(nodes).index(node)
            for offset, new in enumerate(made):
                nodes.insert(at + offset, new)
