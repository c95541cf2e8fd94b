# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Parts of the function: which keys are hidden from a query."""

# Key j is hidden from query i unless i + lo <= j <= i + hi; the limits are those of op_host/fa_mask_rule.cpp.
LIMITS = """
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
    window_table = Constant <value_ints = [1, 0, 0, 0, 1, 0, 0, 0, 0]> ()
    window_number = Gather (window_table, mode)
    window = Cast <to = 9> (window_number)
    causal_table = Constant <value_ints = [0, 0, 1, 1, 0, 1, 1, 1, 1]> ()
    causal_number = Gather (causal_table, mode)
    causal = Cast <to = 9> (causal_number)
    from_bottom_table = Constant <value_ints = [0, 0, 0, 1, 1, 1, 1, 1, 0]> ()
    from_bottom_of_mode = Gather (from_bottom_table, mode)
    minus_pre = Neg (pre)
    lo_top = Where (window, minus_pre, unbounded_below)
    hi_plain = Where (causal, zero, unbounded)
    hi_of_mode = Where (window, next, hi_plain)
"""

NO_BAND = """
    from_bottom = Identity (from_bottom_of_mode)
    hi_top = Identity (hi_of_mode)
"""

DIAGONALS = """
    origin = Mul (more_keys, from_bottom)
    lo = Add (lo_top, origin)
    hi = Add (hi_top, origin)
    first_visible = Add (row_column, lo)
    last_visible = Add (row_column, hi)
    too_early = Less (columns, first_visible)
    too_late = Greater (columns, last_visible)
"""

NO_PREFIX = """
    hidden_by_mode = Or (too_early, too_late)
"""

# The first prefix[b] keys are visible in any case. A call without prefix gives an empty list.
PREFIX = """
    no_prefix = Expand (zero, group_limit)
    prefixes = Concat <axis = 0> (prefix, no_prefix)
    prefix_of_row = Gather (prefixes, groups)
    prefix_axes = Constant <value_ints = [1, 3]> ()
    prefix_column = Unsqueeze (prefix_of_row, prefix_axes)
    behind_prefix = GreaterOrEqual (columns, prefix_column)
    too_late_and_behind = And (too_late, behind_prefix)
    hidden_by_mode = Or (too_early, too_late_and_behind)
"""

ONE_SEQUENCE = """
    hidden_by_rule = Identity (hidden_by_mode)
"""

# Only sparse_mode 0, 1 and 5 read the tensor.
MASK_READ = """
    read_table = Constant <value_ints = [1, 1, 0, 0, 0, 1, 0, 0, 0]> ()
    read_number = Gather (read_table, mode)
    read = Cast <to = 9> (read_number)
    mask_end = Where (read, unbounded, one)
    mask_ends = Concat <axis = 0> (mask_end, mask_end)
    mask_starts = Constant <value_ints = [0, 0]> ()
    mask_axes = Constant <value_ints = [-2, -1]> ()
    mask_read = Slice (atten_mask, mask_starts, mask_ends, mask_axes)
"""

MASK_PLACES = """
    mask_placed = Identity (mask_read)
"""

MASK_AND_RULE = """
    mask_bool = Cast <to = 9> (mask_placed)
    hidden_by_mask = And (mask_bool, read)
    hidden = Or (hidden_by_rule, hidden_by_mask)
"""

MASK_ONLY = """
    hidden = Cast <to = 9> (atten_mask)
"""

RULE_ONLY = """
    hidden = Identity (hidden_by_rule)
"""

SOME_HIDDEN = """
    masked = Where (hidden, lowest, scores)
"""

NONE_HIDDEN = """
    masked = Identity (scores)
"""
