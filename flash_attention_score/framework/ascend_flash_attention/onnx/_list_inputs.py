# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Lists of an exported model, constants of the call that was exported, as inputs of the model."""

import itertools

import onnx
from onnx import TensorProto, helper, numpy_helper

from ascend_flash_attention.onnx._calls import NAMES, given, is_call, node_lists

_BECOME_INPUTS = ("prefix", "actual_seq_qlen", "actual_seq_kvlen")


def _constants(graph: onnx.GraphProto, lists) -> dict[str, tuple[int, ...]]:
    """Values of the constant lists of integers by name."""
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    for node in (node for nodes in lists for node in nodes if node.op_type == "Constant"):
        attribute = node.attribute[0]
        if attribute.name == "value":
            tensors[node.output[0]] = attribute.t
        elif attribute.name == "value_ints":
            tensors[node.output[0]] = helper.make_tensor("", TensorProto.INT64, [len(attribute.ints)], attribute.ints)
    return {
        name: tuple(numpy_helper.to_array(tensor).tolist())
        for name, tensor in tensors.items()
        if tensor.data_type == TensorProto.INT64 and len(tensor.dims) == 1
    }


def _remove_unused(graph: onnx.GraphProto, lists, constants) -> None:
    used = {name for nodes in lists for node in nodes for name in node.input} | {value.name for value in graph.output}
    unused = set(constants) - used
    for nodes in lists:
        for node in [node for node in nodes if node.op_type == "Constant" and node.output[0] in unused]:
            nodes.remove(node)
    for tensor in [tensor for tensor in graph.initializer if tensor.name in unused]:
        graph.initializer.remove(tensor)


def lists_to_inputs(model: onnx.ModelProto) -> None:
    """Replace the constant lists of all calls by inputs of the model, named like those of the node.

    Calls whose lists are equal share an input; further ones are numbered, as actual_seq_qlen_1.
    """
    graph, made = model.graph, {}
    lists = list(node_lists(graph.node))
    values = _constants(graph, lists)
    taken = {value.name for value in graph.input} | {name for nodes in lists for node in nodes for name in node.output}
    for node in (node for nodes in lists for node in nodes if is_call(node)):
        for name in _BECOME_INPUTS:
            index = NAMES.index(name)
            if not given(node, name) or node.input[index] not in values:
                continue
            key = name, values[node.input[index]]
            if key not in made:
                names = itertools.chain([name], (f"{name}_{i}" for i in itertools.count(1)))
                made[key] = next(each for each in names if each not in taken)
                taken.add(made[key])
                graph.input.append(helper.make_tensor_value_info(made[key], TensorProto.INT64, [None]))
            node.input[index] = made[key]
    _remove_unused(graph, lists, values)
