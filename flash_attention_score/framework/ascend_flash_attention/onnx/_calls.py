# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The npu::FlashAttentionScore nodes of a model."""

from collections.abc import Iterator

import onnx

from ascend_flash_attention.onnx._schema import DOMAIN, INPUTS, OP_TYPE

NAMES = [name for name, *_ in INPUTS]


def is_call(node: onnx.NodeProto) -> bool:
    return node.domain == DOMAIN and node.op_type == OP_TYPE


def given(node: onnx.NodeProto, name: str) -> bool:
    """Whether a call has the input of this name."""
    index = NAMES.index(name)
    return len(node.input) > index and node.input[index] != ""


def node_lists(nodes) -> Iterator:
    """The list itself and those of all graphs below it."""
    yield nodes
    for node in nodes:
        for attribute in node.attribute:
            graphs = [attribute.g] if attribute.HasField("g") else attribute.graphs
            for graph in graphs:
                yield from node_lists(graph.node)
