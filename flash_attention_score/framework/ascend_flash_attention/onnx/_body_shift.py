# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Parts of the function: what is added to the scores."""

FULL_SHIFT = """
    shift_float = Cast <to = 1> (real_shift)
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
