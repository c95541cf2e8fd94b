# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The ONNX operator npu::FlashAttentionScore, version 1: inputs, outputs and attributes of CANN's operator, in order.

CANN's ONNX parser maps inputs and outputs by position, so the order is the contract.
"""

from onnx import AttributeProto, TensorProto, TypeProto, defs

from ascend_flash_attention._layouts import FOLDED_LAYOUTS, MAX_TOKENS, RANKS, statistics_shape

DOMAIN = "npu"
OP_TYPE = "FlashAttentionScore"
VERSION = 1

_FLOATS = ["tensor(float)", "tensor(float16)", "tensor(bfloat16)"]
# name, type, required, what it is
INPUTS = (
    ("query", "T", True, "BNSD [B, N1, S1, D], BSND [B, S1, N1, D], BSH [B, S1, N1*D], SBH [S1, B, N1*D] or "
                         "TND [T1, N1, D]"),
    ("key", "T", True, "As query, with N2 heads and length S2 (T2); N1 is a multiple of N2"),
    ("value", "T", True, "As key; its head dim Dv is 1..D"),
    ("real_shift", "F", False, "Added to the scores: [B, N1, S1, S2], every dimension may be 1; T or float. "
                                "TND: [N1 * sum of S2] or [N1 * sum of S1 * S2]. "
                                "For pse_type 2 and 3 slopes, float [N1] or [B, N1]"),
    ("drop_mask", "tensor(uint8)", False, "Dropout; not supported"),
    ("padding_mask", "T", False, "Reserved"),
    ("atten_mask", "M", False, "Nonzero = hidden: [B, N1, S1, S2] or [S1, S2], every dimension may be 1. "
                               "TND: with the longest sequence's S1 and S2, or [sum of S1, sum of S2]. "
                               "[2048, 2048] for sparse_mode 2, 3, 4, 7 and 8, [3072, 2048] for 6, not needed there"),
    ("prefix", "tensor(int64)", False, "[B], the keys of each batch that every query sees, for sparse_mode 5 and 6"),
    ("actual_seq_qlen", "tensor(int64)", False, "TND: where each sequence ends in query, without a leading 0"),
    ("actual_seq_kvlen", "tensor(int64)", False, "TND: where each ends in key and value"),
    ("q_start_idx", "tensor(int64)", False, "[1], number of the first query in distances of slopes, 0 without it"),
    ("kv_start_idx", "tensor(int64)", False, "[1], number of the first key in them"),
    ("d_scale_q", "tensor(float)", False, "Not supported"),
    ("d_scale_k", "tensor(float)", False, "Not supported"),
    ("d_scale_v", "tensor(float)", False, "Not supported"),
    ("query_rope", "T", False, "TND, bfloat16: [T1, N1, Dr], a rotary part beside query"),
    ("key_rope", "T", False, "[T2, N2, Dr], that of key"),
    ("sink", "tensor(float)", False, "[N1], a logit of each head without a value"),
)  # fmt: skip
LISTS = tuple(name for name, kind, *_ in INPUTS if kind == "tensor(int64)")
OUTPUTS = (
    ("softmax_max", "tensor(float)", "[B, N1, S1, 8], [T1, N1, 8]: largest visible score of a row, eight equal copies"),
    ("softmax_sum", "tensor(float)", "As softmax_max: sum of exp(score - max) of a row"),
    ("softmax_out", "T", "[0], reserved"),
    ("attention_out", "T", "Query's shape with Dv in place of D; a row that sees no key is 0"),
)
# name -> (default or None where it is required, what it is)
ATTRIBUTES = {
    "scale_value": (1.0, "Factor of the scores"),
    "keep_prob": (1.0, "1: no dropout"),
    "pre_tockens": (MAX_TOKENS, "Window of sparse_mode 0, 4, 7 and 8: keys before the diagonal"),
    "next_tockens": (MAX_TOKENS, "Window of sparse_mode 0, 4, 7 and 8: keys after the diagonal"),
    "head_num": (None, "N1"),
    "input_layout": (None, "BNSD, BSND, BSH, SBH or TND"),
    "inner_precise": (0, "Without effect"),
    "sparse_mode": (0, "0 window from the top left, 1 all, 2 causal from the top left, 3 causal from the bottom right, "
                       "4 window from the bottom right, 5 and 6 as 3 and the first prefix keys, "
                       "7 and 8 TND cut in two at the last or first sequence"),
    "pse_type": (1, "1: real_shift is added before scaling, 0: after it. Slopes times 2: distances, 3: their roots are "
                     "subtracted"),
    "seed": (0, "Of dropout, without effect"),
    "offset": (0, "Of dropout, without effect"),
    "out_dtype": (0, "0: query's type"),
    "softmax_out_layout": ("", "TND: same_as_input for max and sum token by token, empty for [N1, S1] of each"),
}  # fmt: skip
_REQUIRED_TYPES = {"head_num": AttributeProto.INT, "input_layout": AttributeProto.STRING}
_PROTO_TYPES = {float: AttributeProto.FLOAT, int: AttributeProto.INT, str: AttributeProto.STRING}


def attribute_type(name: str) -> int:
    """AttributeProto type of an attribute."""
    default = ATTRIBUTES[name][0]
    return _REQUIRED_TYPES[name] if default is None else _PROTO_TYPES[type(default)]


def _attribute(name: str) -> defs.OpSchema.Attribute:
    from onnx import helper

    default, text = ATTRIBUTES[name]
    if default is None:
        kind = (
            defs.OpSchema.AttrType.INT if attribute_type(name) == AttributeProto.INT else defs.OpSchema.AttrType.STRING
        )
        return defs.OpSchema.Attribute(name, kind, text, required=True)
    return defs.OpSchema.Attribute(name, helper.make_attribute(name, default), text)


def _set_output(context, index: int, element_type: int, dims) -> None:
    """dims: TensorShapeProto.Dimension, int, or None for unknown; dims None: rank unknown."""
    result = TypeProto()
    result.tensor_type.elem_type = element_type
    if dims is not None:
        shape = result.tensor_type.shape
        for dim in dims:
            target = shape.dim.add()
            if isinstance(dim, int):
                target.dim_value = dim
            elif dim is not None:
                target.CopyFrom(dim)
    context.set_output_type(index, result)


def _value(dim) -> int | None:
    return dim.dim_value if dim is not None and dim.HasField("dim_value") else None


def _folded_width(query, key, value, head_num: int) -> int | None:
    """N1 * Dv of BSH and SBH, where the sizes are known."""
    widths = [_value(dims[2]) for dims in (query, key, value)]
    if None in widths or head_num <= 0 or widths[0] < head_num:
        return None
    key_heads = widths[1] // (widths[0] // head_num)
    return widths[2] // key_heads * head_num if key_heads else None


def _infer(context) -> None:
    """Types and shapes of the results; unknown dimensions stay unknown, symbolic ones keep their names."""
    types = [context.get_input_type(i).tensor_type for i in range(3)]
    shapes = [list(t.shape.dim) if t.HasField("shape") else None for t in types]
    layout = context.get_attribute("input_layout").s.decode()
    head_num = context.get_attribute("head_num").i
    attention = statistics = None
    if all(shape is not None and len(shape) == RANKS.get(layout) for shape in shapes):
        query, key, value = shapes
        statistics = statistics_shape(query, layout, head_num)
        width = _folded_width(query, key, value, head_num) if layout in FOLDED_LAYOUTS else value[-1]
        attention = [*query[:-1], width]
    results = ((TensorProto.FLOAT, statistics), (TensorProto.FLOAT, statistics), (types[0].elem_type, [0]),
               (types[0].elem_type, attention))  # fmt: skip
    for index, (element_type, dims) in enumerate(results[: context.get_num_outputs()]):
        _set_output(context, index, element_type, dims)


def _make() -> defs.OpSchema:
    parameter, option = defs.OpSchema.FormalParameter, defs.OpSchema.FormalParameterOption
    schema = defs.OpSchema(
        OP_TYPE,
        DOMAIN,
        VERSION,
        "Exact attention softmax(mask(scale_value * Q K^T)) V without the score matrix in memory.",
        inputs=[
            parameter(name, kind, text, param_option=option.Single if required else option.Optional)
            for name, kind, required, text in INPUTS
        ],
        outputs=[parameter(name, kind, text) for name, kind, text in OUTPUTS],
        type_constraints=[
            ("T", _FLOATS, "Type of query, key, value and the result."),
            ("F", _FLOATS, "Type of the shift."),
            ("M", ["tensor(bool)", "tensor(uint8)"], "Type of the mask."),
        ],
        attributes=[_attribute(name) for name in ATTRIBUTES],
    )
    return schema.set_type_and_shape_inference_function(_infer) or schema


def register() -> defs.OpSchema:
    """The schema, registered with onnx.defs (once a process)."""
    if not defs.has(OP_TYPE, DOMAIN):
        defs.register_schema(_make())
    return defs.get_schema(OP_TYPE, VERSION, DOMAIN)
