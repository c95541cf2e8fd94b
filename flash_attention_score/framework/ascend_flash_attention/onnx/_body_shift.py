# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Parts of the function: what is added to the scores."""

FULL_SHIFT = """
    shift_float = Cast <to = 1> (real_shift)
"""

# For models with tables: the last 1024 rows [B|1, N1|1, 1024, S2] of a shift that is a function of j - i, S1 = S2. Row
# i further up is row i mod 1024, moved to the same j - i. Other shifts are read at their places.
TABLE_SHIFT = """
    table_dims_given = Shape (real_shift)
    table_ones = Constant <value_ints = [1, 1]> ()
    table_padded_dims = Concat <axis = 0> (table_ones, table_dims_given)
    table_four = Constant <value_ints = [-4]> ()
    table_all = Constant <value_ints = [1048576]> ()
    table_dims = Slice (table_padded_dims, table_four, table_all)
    table_split = Constant <value_ints = [1, 1, 1, 1]> ()
    table_b, table_n, table_rows, table_keys = Split (table_dims, table_split)
    table_4d = Reshape <allowzero = 1> (real_shift, table_dims)
    table_height = Constant <value_ints = [1024]> ()
    table_is_high = Equal (table_rows, table_height)
    all_rows = Equal (s1, table_height)
    not_all_rows = Not (all_rows)
    table_may_be = Or (not_all_rows, packed)
    is_table = And (table_is_high, table_may_be)
    rows_above = Sub (table_keys, table_height)
    in_last_rows = GreaterOrEqual (row_column, rows_above)
    row_of_last = Sub (row_column, rows_above)
    row_repeated = Mod (row_column, table_height)
    row_in_table = Where (in_last_rows, row_of_last, row_repeated)
    row_moved = Sub (row_of_last, row_in_table)
    moved_columns = Sub (columns, row_moved)
    row_wanted = Where (is_table, row_in_table, row_column)
    key_wanted = Where (is_table, moved_columns, columns)
    last_table_row = Sub (table_rows, one)
    last_table_key = Sub (table_keys, one)
    row_read = Min (row_wanted, last_table_row)
    key_read = Min (key_wanted, last_table_key)
    row_read_start = Mul (row_read, table_keys)
    place_in_table = Add (row_read_start, key_read)
    last_table_b = Sub (table_b, one)
    table_group = Min (groups, last_table_b)
    table_size = Mul (table_rows, table_keys)
    table_start = Mul (table_group, table_size)
    table_start_column = Unsqueeze (table_start, last)
    table_place = Add (table_start_column, place_in_table)
    table_by_head = Transpose <perm = [1, 0, 2, 3]> (table_4d)
    table_flat_dims = Concat <axis = 0> (table_n, last)
    table_flat = Reshape (table_by_head, table_flat_dims)
    table_of_heads = Gather <axis = 1> (table_flat, table_place)
    table_of_batches = Transpose <perm = [1, 0, 2, 3]> (table_of_heads)
    shift_float = Cast <to = 1> (table_of_batches)
"""

# pse_type 0: scale * QK + pse; 1: scale * (QK + pse)
SHIFT = """
    shift_type = Constant <value_int: int = @pse_type> ()
    after_scale_type = Constant <value_int = 0> ()
    after_scale = Equal (shift_type, after_scale_type)
    one_float = Constant <value_float = 1.0> ()
    shift_factor = Where (after_scale, one_float, scale)
    shift = Mul (shift_float, shift_factor)
    scores = Add (products, shift)
"""

NO_SHIFT = """
    scores = Identity (products)
"""

# The start indices count in one direction each: distances are |j + kv_start - i - q_start|.
STARTS = """
    query_starts = Concat <axis = 0> (q_start_idx, zero)
    query_start = ReduceSum <keepdims = 1> (query_starts)
    key_starts = Concat <axis = 0> (kv_start_idx, zero)
    key_start = ReduceSum <keepdims = 1> (key_starts)
    start = Sub (key_start, query_start)
"""

NO_STARTS = """
    start = Identity (zero)
"""

ONE_START = """
    row_start = Identity (start)
"""

# pse_type 2: scale * QK - slope * distance, 3: with its root. [N1], [B, N1], or without elements for a call without.
SLOPES = """
    given_slopes = Reshape (real_shift, last)
    no_slopes = Expand (nought, n1)
    padded_slopes = Concat <axis = 0> (given_slopes, no_slopes)
    given_count = Shape (given_slopes)
    slope_count = Max (given_count, n1)
    flat_slopes = Slice (padded_slopes, zero, slope_count)
    slope_places = Concat <axis = 0> (last, n1)
    slopes = Reshape (flat_slopes, slope_places)
    slopes_shape = Shape (slopes)
    slope_rows = Gather (slopes_shape, zero)
    last_slope_row = Sub (slope_rows, one)
    slope_groups = Min (groups, last_slope_row)
    slopes_of_rows = Gather <axis = 0> (slopes, slope_groups)
    slopes_by_head = Transpose <perm = [0, 2, 1]> (slopes_of_rows)
    slope_column = Unsqueeze (slopes_by_head, last)
    steps = Sub (columns, row_column)
    steps_from_start = Add (steps, row_start)
    distance_number = Abs (steps_from_start)
    distance = Cast <to = 1> (distance_number)
    distance_root = Sqrt (distance)
    slope_type = Constant <value_int: int = @pse_type> ()
    root_type = Constant <value_int = 3> ()
    rooted = Equal (slope_type, root_type)
    length = Where (rooted, distance_root, distance)
    slope_shift = Mul (slope_column, length)
    scores = Sub (products, slope_shift)
"""
