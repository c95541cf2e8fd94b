# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""npu::FlashAttentionScore as an ONNX function of standard operators, for runtimes without our library.

It stores the score matrix and computes in float32 whatever the inputs are. One body serves every layout and
sparse_mode, because ONNX's reference evaluator knows one function a name: sizes of length-1 tensors come from tables
indexed by the layout, and a tensor of any layout is seen as [S|1, B, S|1, N, S|1, D] with S in one of three places.
"""

from dataclasses import dataclass

from onnx import FunctionProto, helper, parser

from ascend_flash_attention.onnx import _body_layout, _body_rule, _body_shift, _body_softmax
from ascend_flash_attention.onnx._schema import ATTRIBUTES, DOMAIN, INPUTS, OP_TYPE, OUTPUTS, attribute_type

MIN_OPSET = 17


@dataclass(frozen=True)
class Features:
    """What a function has to know.

    inputs: those that every call gives; rule: some call's sparse_mode or window hides keys; slopes: real_shift is such.
    """

    inputs: frozenset[str]
    rule: bool
    slopes: bool


def _body(opset: int, features: Features) -> str:
    def part(name: str, given: str, absent: str) -> str:
        return given if name in features.inputs else absent

    masked, rule = "atten_mask" in features.inputs, features.rule
    parts = [_body_layout.HEADER, _body_layout.SIZES, _body_layout.SCORES]
    if rule or features.slopes:
        parts.append(_body_layout.PLACES)
    if features.slopes:
        parts += [part("q_start_idx", _body_shift.STARTS, _body_shift.NO_STARTS), _body_shift.SLOPES]
    else:
        parts.append(part("real_shift", _body_shift.SHIFT, _body_shift.NO_SHIFT))
    if rule:
        parts += [_body_rule.RULE, part("prefix", _body_rule.PREFIX, _body_rule.NO_PREFIX)]
    if masked:
        parts.append(_body_rule.MASK_AND_RULE if rule else _body_rule.MASK_ONLY)
    elif rule:
        parts.append(_body_rule.RULE_ONLY)
    parts.append(_body_rule.SOME_HIDDEN if masked or rule else _body_rule.NONE_HIDDEN)
    parts.append(_body_softmax.MAX_BY_INPUT if opset >= 18 else _body_softmax.MAX_BY_ATTRIBUTE)
    parts += [_body_softmax.SEEN, part("sink", _body_softmax.SINK_MAX, _body_softmax.NO_SINK_MAX)]
    parts += [_body_softmax.WEIGHTS, part("sink", _body_softmax.SINK, _body_softmax.NO_SINK)]
    return "".join([*parts, _body_layout.ROWS, _body_layout.RESULTS])


def make_function(opset: int, features: Features) -> FunctionProto:
    """The function for a model of this opset. ValueError for an opset below 17."""
    if opset < MIN_OPSET:
        raise ValueError(f"the model's opset must be at least {MIN_OPSET}, got {opset}")
    names = [name for name, *_ in INPUTS]
    inputs = ", ".join(names[: 1 + max(names.index(name) for name in features.inputs)])
    outputs = ", ".join(name for name, *_ in OUTPUTS)
    function = parser.parse_function(
        f'<opset_import: ["" : {opset}], domain: "{DOMAIN}">\n{OP_TYPE} ({inputs}) => ({outputs}) {{\n'
        f"{_body(opset, features)}\n}}"
    )
    for name, (default, _) in ATTRIBUTES.items():
        if default is None:
            function.attribute.append(name)
        else:
            function.attribute_proto.append(helper.make_attribute(name, default, attr_type=attribute_type(name)))
    function.doc_string = "Standard operators only; the score matrix is stored."
    return function
