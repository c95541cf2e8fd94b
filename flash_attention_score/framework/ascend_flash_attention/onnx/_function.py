# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""npu::FlashAttentionScore as an ONNX function of standard operators, for runtimes without our library.

It stores the score matrix and computes in float32 whatever the inputs are. One body serves every layout and
sparse_mode, because ONNX's reference evaluator knows one function a name: sizes of length-1 tensors come from tables
indexed by the layout, and a tensor of any layout is seen as [S|1, B, S|1, N, S|1, D] with S in one of three places.
"""

from onnx import FunctionProto, helper, parser

from ascend_flash_attention.onnx._schema import ATTRIBUTES, DOMAIN, INPUTS, OP_TYPE, OUTPUTS, attribute_type

MIN_OPSET = 17
_SHIFT_INPUT, _MASK_INPUT, _SINK_INPUT = 3, 6, 17

_HEADER = """
    one = Constant <value_ints = [1]> ()
    zero = Constant <value_ints = [0]> ()
    last = Constant <value_ints = [-1]> ()
    lowest = Constant <value_float = -3.4028234663852886e+38> ()
    largest = Constant <value_float = 3.4028234663852886e+38> ()
    nought = Constant <value_float = 0.0> ()
    names = Constant <value_strings = ["BNSD", "BSND", "BSH", "SBH"]> ()
    own_name = Constant <value_string: string = @input_layout> ()
    own_names = Unsqueeze (own_name, zero)
    candidates = Concat <axis = 0> (names, own_names)
    u0, u1, numbers, u3 = Unique <sorted = 0> (candidates)
    four = Constant <value_ints = [4]> ()
    layout = Gather (numbers, four)
"""

_SIZES = """
    query_shape = Shape (query)
    key_shape = Shape (key)
    value_shape = Shape (value)
    folded_table = Constant <value_ints = [0, 0, 1, 1]> ()
    folded_number = Gather (folded_table, layout)
    folded = Cast <to = 9> (folded_number)
    batch_table = Constant <value_ints = [0, 0, 0, 1]> ()
    batch_axis = Gather (batch_table, layout)
    length_table = Constant <value_ints = [2, 1, 1, 0]> ()
    length_axis = Gather (length_table, layout)
    heads_table = Constant <value_ints = [1, 2, 0, 0]> ()
    heads_axis = Gather (heads_table, layout)
    b = Gather (query_shape, batch_axis)
    s1 = Gather (query_shape, length_axis)
    s2 = Gather (key_shape, length_axis)
    n1_scalar = Constant <value_int: int = @head_num> ()
    n1 = Unsqueeze (n1_scalar, zero)
    query_width = Gather (query_shape, last)
    query_fold = Where (folded, n1, one)
    d = Div (query_width, query_fold)
    key_width = Gather (key_shape, last)
    key_heads_folded = Div (key_width, d)
    key_heads_split = Gather (key_shape, heads_axis)
    n2 = Where (folded, key_heads_folded, key_heads_split)
    value_width = Gather (value_shape, last)
    value_fold = Where (folded, n2, one)
    dv = Div (value_width, value_fold)
    out_width = Mul (dv, query_fold)
    group = Div (n1, n2)
    group_rows = Mul (group, s1)
    three = Constant <value_ints = [3]> ()
    sbh = Equal (layout, three)
    bnsd = Equal (layout, zero)
    sbh_or_bnsd = Or (sbh, bnsd)
    s1_first = Where (sbh, s1, one)
    s1_middle = Where (sbh_or_bnsd, one, s1)
    s1_inner = Where (bnsd, s1, one)
    s2_first = Where (sbh, s2, one)
    s2_middle = Where (sbh_or_bnsd, one, s2)
    s2_inner = Where (bnsd, s2, one)
"""

_SCORES = """
    query_float = Cast <to = 1> (query)
    key_float = Cast <to = 1> (key)
    value_float = Cast <to = 1> (value)
    scale = Constant <value_float: float = @scale_value> ()
    query_places = Concat <axis = 0> (s1_first, b, s1_middle, n1, s1_inner, d)
    query_6d = Reshape <allowzero = 1> (query_float, query_places)
    query_bnsd = Transpose <perm = [1, 3, 0, 2, 4, 5]> (query_6d)
    query_rows = Concat <axis = 0> (b, n2, group_rows, d)
    query_4d = Reshape <allowzero = 1> (query_bnsd, query_rows)
    query_scaled = Mul (query_4d, scale)
    key_places = Concat <axis = 0> (s2_first, b, s2_middle, n2, s2_inner, d)
    key_6d = Reshape <allowzero = 1> (key_float, key_places)
    key_bnds = Transpose <perm = [1, 3, 5, 0, 2, 4]> (key_6d)
    key_columns = Concat <axis = 0> (b, n2, d, s2)
    key_4d = Reshape <allowzero = 1> (key_bnds, key_columns)
    grouped_scores = MatMul (query_scaled, key_4d)
    score_shape = Concat <axis = 0> (b, n1, s1, s2)
    products = Reshape <allowzero = 1> (grouped_scores, score_shape)
"""

# pse_type 0: scale * QK + pse; 1: scale * (QK + pse)
_SHIFT = """
    shift_float = Cast <to = 1> (real_shift)
    shift_type = Constant <value_int: int = @pse_type> ()
    after_scale_type = Constant <value_int = 0> ()
    after_scale = Equal (shift_type, after_scale_type)
    one_float = Constant <value_float = 1.0> ()
    shift_factor = Where (after_scale, one_float, scale)
    shift = Mul (shift_float, shift_factor)
    scores = Add (products, shift)
"""

_NO_SHIFT = """
    scores = Identity (products)
"""

# Key j is hidden from query i unless i + lo <= j <= i + hi; the limits are those of op_host/fa_mask_rule.cpp.
_RULE = """
    mode_scalar = Constant <value_int: int = @sparse_mode> ()
    mode = Unsqueeze (mode_scalar, zero)
    pre_attribute = Constant <value_int: int = @pre_tockens> ()
    next_attribute = Constant <value_int: int = @next_tockens> ()
    unbounded = Constant <value_int = 1099511627776> ()
    unbounded_below = Neg (unbounded)
    pre_limited = Min (pre_attribute, unbounded)
    pre = Max (pre_limited, unbounded_below)
    next_limited = Min (next_attribute, unbounded)
    next = Max (next_limited, unbounded_below)
    window_table = Constant <value_ints = [1, 0, 0, 0, 1]> ()
    window_number = Gather (window_table, mode)
    window = Cast <to = 9> (window_number)
    causal_table = Constant <value_ints = [0, 0, 1, 1, 0]> ()
    causal_number = Gather (causal_table, mode)
    causal = Cast <to = 9> (causal_number)
    from_bottom_table = Constant <value_ints = [0, 0, 0, 1, 1]> ()
    from_bottom = Gather (from_bottom_table, mode)
    more_keys = Sub (s2, s1)
    origin = Mul (more_keys, from_bottom)
    minus_pre = Neg (pre)
    lo_top = Where (window, minus_pre, unbounded_below)
    lo = Add (lo_top, origin)
    hi_plain = Where (causal, zero, unbounded)
    hi_top = Where (window, next, hi_plain)
    hi = Add (hi_top, origin)
    zero_scalar = Constant <value_int = 0> ()
    one_scalar = Constant <value_int = 1> ()
    s1_scalar = Squeeze (s1, zero)
    s2_scalar = Squeeze (s2, zero)
    rows = Range (zero_scalar, s1_scalar, one_scalar)
    columns = Range (zero_scalar, s2_scalar, one_scalar)
    row_column = Unsqueeze (rows, one)
    first_visible = Add (row_column, lo)
    last_visible = Add (row_column, hi)
    too_early = Less (columns, first_visible)
    too_late = Greater (columns, last_visible)
    hidden_by_rule = Or (too_early, too_late)
"""

# The tensor of sparse_mode 2 and up is not read.
_MASK_AND_RULE = """
    two = Constant <value_ints = [2]> ()
    read = Less (mode, two)
    mask_end = Where (read, unbounded, one)
    mask_ends = Concat <axis = 0> (mask_end, mask_end)
    mask_starts = Constant <value_ints = [0, 0]> ()
    mask_axes = Constant <value_ints = [-2, -1]> ()
    mask_read = Slice (atten_mask, mask_starts, mask_ends, mask_axes)
    mask_bool = Cast <to = 9> (mask_read)
    hidden_by_mask = And (mask_bool, read)
    hidden = Or (hidden_by_rule, hidden_by_mask)
"""

_MASK_ONLY = """
    hidden = Cast <to = 9> (atten_mask)
"""

_RULE_ONLY = """
    hidden = Identity (hidden_by_rule)
"""

_SOME_HIDDEN = """
    masked = Where (hidden, lowest, scores)
"""

_NONE_HIDDEN = """
    masked = Identity (scores)
"""

_SEEN = """
    seen_max = Max (some_max, lowest)
    blind = Equal (seen_max, lowest)
"""

_WEIGHTS = """
    shifted = Sub (masked, row_max)
    weights = Exp (shifted)
    weight_sum = ReduceSum <keepdims = 1> (weights, last)
"""

_NO_SINK_MAX = """
    row_max = Identity (seen_max)
"""

_SINK_MAX = """
    sink_places = Constant <value_ints = [1, -1, 1, 1]> ()
    sink_logit = Reshape (sink, sink_places)
    row_max = Max (seen_max, sink_logit)
"""

_NO_SINK = """
    row_sum = Identity (weight_sum)
    seen_sum = Where (blind, largest, row_sum)
"""

# A logit of each head without a value.
_SINK = """
    sink_shifted = Sub (sink_logit, row_max)
    sink_weight = Exp (sink_shifted)
    row_sum = Add (weight_sum, sink_weight)
    seen_sum = Identity (row_sum)
"""

_ROWS = """
    grouped_shape = Concat <axis = 0> (b, n2, group_rows, s2)
    grouped_weights = Reshape <allowzero = 1> (weights, grouped_shape)
    value_places = Concat <axis = 0> (s2_first, b, s2_middle, n2, s2_inner, dv)
    value_6d = Reshape <allowzero = 1> (value_float, value_places)
    value_bnsd = Transpose <perm = [1, 3, 0, 2, 4, 5]> (value_6d)
    value_rows = Concat <axis = 0> (b, n2, s2, dv)
    value_4d = Reshape <allowzero = 1> (value_bnsd, value_rows)
    grouped_out = MatMul (grouped_weights, value_4d)
    out_rows = Concat <axis = 0> (b, n1, s1, dv)
    unscaled_out = Reshape <allowzero = 1> (grouped_out, out_rows)
    divided_out = Div (unscaled_out, row_sum)
    out = Where (blind, nought, divided_out)
"""

_RESULTS = """
    out_places = Concat <axis = 0> (b, n1, s1_first, s1_middle, s1_inner, dv)
    out_6d = Reshape <allowzero = 1> (out, out_places)
    out_layout = Transpose <perm = [2, 0, 3, 1, 4, 5]> (out_6d)
    query_dims = Slice (query_shape, zero, last)
    out_shape = Concat <axis = 0> (query_dims, out_width)
    out_float = Reshape <allowzero = 1> (out_layout, out_shape)
    attention_out = CastLike (out_float, query)
    copies = Constant <value_ints = [1, 1, 1, 8]> ()
    softmax_max = Expand (row_max, copies)
    softmax_sum = Expand (seen_sum, copies)
    nothing = ConstantOfShape (zero)
    softmax_out = CastLike (nothing, query)
"""


def _text(value) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _body(opset: int, has_mask: bool, has_rule: bool, has_shift: bool, has_sink: bool) -> str:
    parts = [_HEADER, _SIZES, _SCORES, _SHIFT if has_shift else _NO_SHIFT]
    if has_rule:
        parts.append(_RULE)
    if has_mask:
        parts.append(_MASK_AND_RULE if has_rule else _MASK_ONLY)
    elif has_rule:
        parts.append(_RULE_ONLY)
    parts.append(_SOME_HIDDEN if has_mask or has_rule else _NONE_HIDDEN)
    axes_are_input = opset >= 18
    parts.append(
        "    some_max = ReduceMax <keepdims = 1> (masked, last)\n"
        if axes_are_input
        else "    some_max = ReduceMax <keepdims = 1, axes = [-1]> (masked)\n"
    )
    parts += [_SEEN, _SINK_MAX if has_sink else _NO_SINK_MAX, _WEIGHTS, _SINK if has_sink else _NO_SINK]
    return "".join([*parts, _ROWS, _RESULTS])


def make_function(
    opset: int, has_mask: bool, has_rule: bool, has_shift: bool = False, has_sink: bool = False
) -> FunctionProto:
    """The function for a model of this opset.

    has_mask, has_shift, has_sink: every node has atten_mask, real_shift or sink, otherwise none has. has_rule: some
    node's sparse_mode or window hides keys.
    ValueError for an opset below 17.
    """
    if opset < MIN_OPSET:
        raise ValueError(f"the model's opset must be at least {MIN_OPSET}, got {opset}")
    last = _SINK_INPUT if has_sink else _MASK_INPUT if has_mask else _SHIFT_INPUT if has_shift else _SHIFT_INPUT - 1
    inputs = ", ".join(name for name, *_ in INPUTS[: last + 1])
    outputs = ", ".join(name for name, *_ in OUTPUTS)
    function = parser.parse_function(
        f'<opset_import: ["" : {opset}], domain: "{DOMAIN}">\n{OP_TYPE} ({inputs}) => ({outputs}) {{\n'
        f"{_body(opset, has_mask, has_rule, has_shift, has_sink)}\n}}"
    )
    for name, (default, _) in ATTRIBUTES.items():
        if default is None:
            function.attribute.append(name)
        else:
            function.attribute_proto.append(helper.make_attribute(name, default, attr_type=attribute_type(name)))
    function.doc_string = "Standard operators only; the score matrix is stored."
    return function
