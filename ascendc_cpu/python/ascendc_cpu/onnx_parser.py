# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A stand-in for CANN's ONNX parser: runs the plugins of a libcust_onnx_parsers.so on single nodes.

host.load("vendors/custom/framework/onnx/libcust_onnx_parsers.so")
onnx_parser.parse_node("npu::1::FlashAttentionScore", '{"attribute": [...]}', ["q", "k", "v"], ["a", "b", "c", "out"])
"""

import ctypes
import json
from collections.abc import Sequence

from .host import answer_of
from .native import runtime


def attributes_json(node) -> str | None:
    """Attributes of an onnx.NodeProto as CANN's parser passes them; None for a node without attributes.

    A value of 0 or "" is left out, a float is text with six digits, or a number when that text has ten characters.
    """
    entries = []
    for attribute in node.attribute:
        entry = {"name": attribute.name, "type": attribute.type}
        if attribute.type == attribute.FLOAT and attribute.f != 0:
            text = f"{attribute.f:g}"
            entry["f"] = text if len(text) < 10 else attribute.f
        elif attribute.type == attribute.INT and attribute.i != 0:
            entry["i"] = attribute.i
        elif attribute.type == attribute.STRING and attribute.s:
            entry["s"] = attribute.s.decode("ascii")
        entries.append(entry)
    return json.dumps({"attribute": entries}, indent=1) if entries else None


def parse_node(
    origin: str, attributes: str | None, inputs: Sequence[str], outputs: Sequence[str], name: str = "node"
) -> dict:
    """What a loaded plugin makes of a node.

    origin: domain::version::type, the version being that of the domain which the model imports. attributes: see
    attributes_json. inputs, outputs: names, "" where one is left out.
    Returns {"node": {"name", "type", "attrs", "inputs", "dynamic_inputs", "dynamic_outputs"}, "graph": None or
    {"inputs": [node], "outputs": [[node, indices]]}}. HostFunctionError when no plugin knows the origin or it refuses;
    the plugin's own text is on stderr.
    """
    text = ctypes.c_char_p()
    status = runtime().AscendcCpuParseOnnxNode(
        origin.encode(),
        name.encode(),
        None if attributes is None else attributes.encode(),
        (ctypes.c_char_p * len(inputs))(*(each.encode() for each in inputs)),
        len(inputs),
        (ctypes.c_char_p * len(outputs))(*(each.encode() for each in outputs)),
        len(outputs),
        ctypes.byref(text),
    )
    return answer_of(status, text)


def origins() -> list[str]:
    """Origin types that loaded plugins have registered."""
    text = ctypes.c_char_p()
    return answer_of(runtime().AscendcCpuOnnxOrigins(ctypes.byref(text)), text)
