# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Parts of the function: sizes by layout, scores, rows of the result and their place in it."""

HEADER = """
    one = Constant <value_ints = [1]> ()
    zero = Constant <value_ints = [0]> ()
    last = Constant <value_ints = [-1]> ()
    lowest = Constant <value_float = -3.4028234663852886e+38> ()
    largest = Constant <value_float = 3.4028234663852886e+38> ()
    nought = Constant <value_float = 0.0> ()
    names = Constant <value_strings = ["BNSD", "BSND", "BSH", "SBH", "TND"]> ()
    own_name = Constant <value_string: string = @input_layout> ()
    own_names = Unsqueeze (own_name, zero)
    candidates = Concat <axis = 0> (names, own_names)
    u0, u1, numbers, u3 = Unique <sorted = 0> (candidates)
    own_place = Constant <value_ints = [5]> ()
    layout = Gather (numbers, own_place)
    four = Constant <value_ints = [4]> ()
    packed = Equal (layout, four)
"""

SIZES = """
    query_shape = Shape (query)
    key_shape = Shape (key)
    value_shape = Shape (value)
    folded_table = Constant <value_ints = [0, 0, 1, 1, 0]> ()
    folded_number = Gather (folded_table, layout)
    folded = Cast <to = 9> (folded_number)
    batch_table = Constant <value_ints = [0, 0, 0, 1, 0]> ()
    batch_axis = Gather (batch_table, layout)
    length_table = Constant <value_ints = [2, 1, 1, 0, 0]> ()
    length_axis = Gather (length_table, layout)
    heads_table = Constant <value_ints = [1, 2, 0, 0, 1]> ()
    heads_axis = Gather (heads_table, layout)
    batch_size = Gather (query_shape, batch_axis)
    b = Where (packed, one, batch_size)
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

# Places of queries [S1, 1] and keys [S2]; groups [B, 1]: numbers of the batches, below group_limit.
PLACES = """
    zero_scalar = Constant <value_int = 0> ()
    one_scalar = Constant <value_int = 1> ()
    s1_scalar = Squeeze (s1, zero)
    s2_scalar = Squeeze (s2, zero)
    rows = Range (zero_scalar, s1_scalar, one_scalar)
    columns = Range (zero_scalar, s2_scalar, one_scalar)
    row_column = Unsqueeze (rows, one)
    more_keys = Sub (s2, s1)
    b_scalar = Squeeze (b, zero)
    batches = Range (zero_scalar, b_scalar, one_scalar)
    groups = Unsqueeze (batches, one)
    group_limit = Identity (b)
"""

QUERY_AND_KEY = """
    query_float = Cast <to = 1> (query)
    key_float = Cast <to = 1> (key)
    score_dim = Identity (d)
"""

# Rotary parts, of TND only, are the end of the head dims that scores are made of.
QUERY_AND_KEY_WITH_ROPE = """
    query_part_float = Cast <to = 1> (query)
    key_part_float = Cast <to = 1> (key)
    query_rope_float = Cast <to = 1> (query_rope)
    key_rope_float = Cast <to = 1> (key_rope)
    query_float = Concat <axis = -1> (query_part_float, query_rope_float)
    key_float = Concat <axis = -1> (key_part_float, key_rope_float)
    rope_shape = Shape (query_rope)
    rope_dim = Gather (rope_shape, last)
    score_dim = Add (d, rope_dim)
"""

SCORES = """
    value_float = Cast <to = 1> (value)
    scale = Constant <value_float: float = @scale_value> ()
    query_places = Concat <axis = 0> (s1_first, b, s1_middle, n1, s1_inner, score_dim)
    query_6d = Reshape <allowzero = 1> (query_float, query_places)
    query_bnsd = Transpose <perm = [1, 3, 0, 2, 4, 5]> (query_6d)
    query_rows = Concat <axis = 0> (b, n2, group_rows, score_dim)
    query_4d = Reshape <allowzero = 1> (query_bnsd, query_rows)
    query_scaled = Mul (query_4d, scale)
    key_places = Concat <axis = 0> (s2_first, b, s2_middle, n2, s2_inner, score_dim)
    key_6d = Reshape <allowzero = 1> (key_float, key_places)
    key_bnds = Transpose <perm = [1, 3, 5, 0, 2, 4]> (key_6d)
    key_columns = Concat <axis = 0> (b, n2, score_dim, s2)
    key_4d = Reshape <allowzero = 1> (key_bnds, key_columns)
    grouped_scores = MatMul (query_scaled, key_4d)
    score_shape = Concat <axis = 0> (b, n1, s1, s2)
    products = Reshape <allowzero = 1> (grouped_scores, score_shape)
"""

ROWS = """
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

STATISTICS = """
    stored_max = Identity (row_max)
    stored_sum = Identity (seen_sum)
"""

RESULTS = """
    out_places = Concat <axis = 0> (b, n1, s1_first, s1_middle, s1_inner, dv)
    out_6d = Reshape <allowzero = 1> (out, out_places)
    out_layout = Transpose <perm = [2, 0, 3, 1, 4, 5]> (out_6d)
    query_dims = Slice (query_shape, zero, last)
    out_shape = Concat <axis = 0> (query_dims, out_width)
    out_float = Reshape <allowzero = 1> (out_layout, out_shape)
    attention_out = CastLike (out_float, query)
    copies = Constant <value_ints = [8]> ()
    softmax_max = Expand (stored_max, copies)
    softmax_sum = Expand (stored_sum, copies)
    nothing = ConstantOfShape (zero)
    softmax_out = CastLike (nothing, query)
"""
