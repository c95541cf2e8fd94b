# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""npu::FlashAttentionScore as an ONNX function of standard operators, for runtimes without our library.

It stores the score matrix and computes in float32 whatever the inputs are. One body serves every layout and
sparse_mode, because ONNX's reference evaluator knows one function a name: sizes of length-1 tensors come from tables
indexed by the layout, and a tensor of any layout is seen as [S|1, B, S|1, N, S|1, D] with S in one of three places.
"""

from dataclasses import dataclass

from onnx import FunctionProto, helper, parser

from ascend_flash_attention.onnx import _body_layout, _body_packed, _body_rule, _body_shift, _body_softmax
from ascend_flash_attention.onnx._schema import ATTRIBUTES, DOMAIN, INPUTS, OP_TYPE, OUTPUTS, attribute_type

MIN_OPSET = 17
# Kinds of real_shift: [B, N1, S1, S2], [B, N1, 1024, S2], [N1] or [B, N1], flat.
KINDS = OF_SCORES, TABLES, SLOPES, PACKED = "shifts of scores", "tables of 1024 rows", "slopes", "those of TND"
_SHIFTS = {OF_SCORES: _body_shift.FULL_SHIFT, TABLES: _body_shift.TABLE_SHIFT, PACKED: _body_packed.SHIFT}


@dataclass(frozen=True)
class Features:
    """What a function has to know.

    inputs: those that every call gives. rule: some call's sparse_mode, window or packed sequences hide keys. packed:
    some call has input_layout TND. shift: kind of real_shift, if there is one.
    """

    inputs: frozenset[str]
    rule: bool
    packed: bool
    shift: str | None


def _rule(features: Features) -> list[str]:
    """`hidden_by_rule`."""
    band, apart = (
        (_body_packed.BAND, _body_packed.APART) if features.packed else (_body_rule.NO_BAND, _body_rule.ONE_SEQUENCE)
    )
    prefix = _body_rule.PREFIX if "prefix" in features.inputs else _body_rule.NO_PREFIX
    return [_body_rule.LIMITS, band, _body_rule.DIAGONALS, prefix, apart]


def _scores(features: Features) -> list[str]:
    """`scores`, those with what is added."""
    if features.shift is None:
        return [_body_shift.NO_SHIFT]
    if features.shift != SLOPES:
        return [_SHIFTS[features.shift], _body_shift.SHIFT]
    starts = _body_shift.STARTS if "q_start_idx" in features.inputs else _body_shift.NO_STARTS
    return [starts, _body_packed.STARTS_OF_ROWS if features.packed else _body_shift.ONE_START, _body_shift.SLOPES]


def _masked(features: Features) -> list[str]:
    """`masked`, the scores with the lowest number where a key is hidden."""
    if "atten_mask" not in features.inputs:
        return [_body_rule.RULE_ONLY, _body_rule.SOME_HIDDEN] if features.rule else [_body_rule.NONE_HIDDEN]
    if not features.rule:
        return [_body_rule.MASK_ONLY, _body_rule.SOME_HIDDEN]
    places = _body_packed.MASK_PLACES if features.packed else _body_rule.MASK_PLACES
    return [_body_rule.MASK_READ, places, _body_rule.MASK_AND_RULE, _body_rule.SOME_HIDDEN]


def _softmax(opset: int, features: Features) -> list[str]:
    largest = _body_softmax.MAX_BY_INPUT if opset >= 18 else _body_softmax.MAX_BY_ATTRIBUTE
    if "sink" in features.inputs:
        return [largest, _body_softmax.SEEN, _body_softmax.SINK_MAX, _body_softmax.WEIGHTS, _body_softmax.SINK]
    return [largest, _body_softmax.SEEN, _body_softmax.NO_SINK_MAX, _body_softmax.WEIGHTS, _body_softmax.NO_SINK]


def _body(opset: int, features: Features) -> str:
    by_layout = _body_packed if features.packed else _body_layout
    rope = "query_rope" in features.inputs
    query_and_key = _body_layout.QUERY_AND_KEY_WITH_ROPE if rope else _body_layout.QUERY_AND_KEY
    parts = [_body_layout.HEADER, _body_layout.SIZES, query_and_key, _body_layout.SCORES]
    if features.rule or features.shift in (SLOPES, TABLES):
        parts.append(by_layout.PLACES)
    if features.rule:
        parts += _rule(features)
    parts += [*_scores(features), *_masked(features), *_softmax(opset, features)]
    return "".join([*parts, _body_layout.ROWS, by_layout.STATISTICS, _body_layout.RESULTS])


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
