# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Parts of the function: which keys are hidden from a query."""

# Key j is hidden from query i unless i + lo <= j <= i + hi; the limits are those of op_host/fa_mask_rule.cpp.
RULE = """
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
    window_table = Constant <value_ints = [1, 0, 0, 0, 1, 0, 0]> ()
    window_number = Gather (window_table, mode)
    window = Cast <to = 9> (window_number)
    causal_table = Constant <value_ints = [0, 0, 1, 1, 0, 1, 1]> ()
    causal_number = Gather (causal_table, mode)
    causal = Cast <to = 9> (causal_number)
    from_bottom_table = Constant <value_ints = [0, 0, 0, 1, 1, 1, 1]> ()
    from_bottom = Gather (from_bottom_table, mode)
    more_keys = Sub (s2, s1)
    origin = Mul (more_keys, from_bottom)
    minus_pre = Neg (pre)
    lo_top = Where (window, minus_pre, unbounded_below)
    lo = Add (lo_top, origin)
    hi_plain = Where (causal, zero, unbounded)
    hi_top = Where (window, next, hi_plain)
    hi = Add (hi_top, origin)
    first_visible = Add (row_column, lo)
    last_visible = Add (row_column, hi)
    too_early = Less (columns, first_visible)
    too_late = Greater (columns, last_visible)
"""

NO_PREFIX = """
    hidden_by_rule = Or (too_early, too_late)
"""

# The first prefix[b] keys are visible in any case. A call without prefix gives an empty list.
PREFIX = """
    no_prefix = Expand (zero, b)
    all_prefixes = Concat <axis = 0> (prefix, no_prefix)
    prefixes = Slice (all_prefixes, zero, b)
    prefix_axes = Constant <value_ints = [1, 2, 3]> ()
    prefix_column = Unsqueeze (prefixes, prefix_axes)
    behind_prefix = GreaterOrEqual (columns, prefix_column)
    too_late_and_behind = And (too_late, behind_prefix)
    hidden_by_rule = Or (too_early, too_late_and_behind)
"""

# Only sparse_mode 0, 1 and 5 read the tensor.
MASK_AND_RULE = """
    read_table = Constant <value_ints = [1, 1, 0, 0, 0, 1, 0]> ()
    read_number = Gather (read_table, mode)
    read = Cast <to = 9> (read_number)
    mask_end = Where (read, unbounded, one)
    mask_ends = Concat <axis = 0> (mask_end, mask_end)
    mask_starts = Constant <value_ints = [0, 0]> ()
    mask_axes = Constant <value_ints = [-2, -1]> ()
    mask_read = Slice (atten_mask, mask_starts, mask_ends, mask_axes)
    mask_bool = Cast <to = 9> (mask_read)
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
