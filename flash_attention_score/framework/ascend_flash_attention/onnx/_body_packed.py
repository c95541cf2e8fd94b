# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Parts of the function for models with TND calls: all tokens are one batch, seen within a sequence only.

A call of another layout has empty lists, and so one sequence. T: all tokens of a side, C: listed sequences.
"""

# Of each token its sequence [T] and its place in it [T]. What follows the last listed sequence is sequence C.
_SIDE = """
    {x}_with_zero = Concat <axis = 0> (zero, {ends})
    {x}_before = Slice ({x}_with_zero, zero, last)
    {x}_differences = Sub ({ends}, {x}_before)
    {x}_listed = Max ({x}_differences, zero)
    {x}_listed_and_zero = Concat <axis = 0> ({x}_listed, zero)
    {x}_used = ReduceSum <keepdims = 1> ({x}_listed_and_zero)
    {x}_left = Sub ({tokens}, {x}_used)
    {x}_lengths = Concat <axis = 0> ({x}_listed, {x}_left)
    {x}_ends = CumSum ({x}_lengths, zero_scalar)
    {x}_starts = Sub ({x}_ends, {x}_lengths)
    {x}_tokens = Squeeze ({tokens}, zero)
    {x}_range = Range (zero_scalar, {x}_tokens, one_scalar)
    {x}_column = Unsqueeze ({x}_range, one)
    {x}_passed = GreaterOrEqual ({x}_column, {x}_ends)
    {x}_passed_number = Cast <to = 7> ({x}_passed)
    {x}_sequence = ReduceSum <keepdims = 0> ({x}_passed_number, one)
    {x}_start = Gather ({x}_starts, {x}_sequence)
    {x}_place = Sub ({x}_range, {x}_start)
"""

# As PLACES of _body_layout; more_keys [S1, 1] is that of the own sequence, groups [B, S1] its number.
PLACES = (
    """
    zero_scalar = Constant <value_int = 0> ()
    one_scalar = Constant <value_int = 1> ()
"""
    + _SIDE.format(x="q", ends="actual_seq_qlen", tokens="s1")
    + _SIDE.format(x="k", ends="actual_seq_kvlen", tokens="s2")
    + """
    row_column = Unsqueeze (q_place, one)
    columns = Identity (k_place)
    sequence_column = Unsqueeze (q_sequence, one)
    row_s1 = Gather (q_lengths, sequence_column)
    row_s2 = Gather (k_lengths, sequence_column)
    more_keys = Sub (row_s2, row_s1)
    listed_count = Shape (actual_seq_qlen)
    seeing_count = Where (packed, listed_count, one)
    in_one_sequence = Equal (sequence_column, k_sequence)
    listed_row = Less (sequence_column, seeing_count)
    together = And (in_one_sequence, listed_row)
    apart = Not (together)
    b_scalar = Squeeze (b, zero)
    batches = Range (zero_scalar, b_scalar, one_scalar)
    batch_column = Unsqueeze (batches, one)
    sequence_row = Unsqueeze (q_sequence, zero)
    groups = Where (packed, sequence_row, batch_column)
    batches_and_listed = Add (b, listed_count)
    group_limit = Add (batches_and_listed, one)
"""
)

# sparse_mode 7 and 8: the last or first sequence that has queries goes on from another call.
BAND = """
    q_has_rows = Greater (q_listed_and_zero, zero)
    q_has_rows_number = Cast <to = 6> (q_has_rows)
    first_with_rows = ArgMax <axis = 0, keepdims = 1> (q_has_rows_number)
    last_with_rows = ArgMax <axis = 0, keepdims = 1, select_last_index = 1> (q_has_rows_number)
    seven = Constant <value_ints = [7]> ()
    eight = Constant <value_ints = [8]> ()
    band_is_last = Equal (mode, seven)
    band_is_first = Equal (mode, eight)
    band_sequence = Where (band_is_last, last_with_rows, first_with_rows)
    has_band = Or (band_is_last, band_is_first)
    at_band = Equal (sequence_column, band_sequence)
    in_band = And (at_band, has_band)
    from_bottom = Where (in_band, one, from_bottom_of_mode)
    hi_top = Where (in_band, next, hi_of_mode)
"""

APART = """
    hidden_by_rule = Or (hidden_by_mode, apart)
"""

# The mask [B|1, N1|1, R, C] at the places inside a sequence or, where its size is not that, at the tokens. Tokens that
# belong to no sequence have a place in a mask without rows or keys too: the padding.
MASK_PLACES = """
    mask_dims = Shape (mask_read)
    mask_ones = Constant <value_ints = [1, 1]> ()
    mask_padded_dims = Concat <axis = 0> (mask_ones, mask_dims)
    unbounded_ends = Unsqueeze (unbounded, zero)
    minus_four = Constant <value_ints = [-4]> ()
    mask_4d_dims = Slice (mask_padded_dims, minus_four, unbounded_ends)
    mask_4d = Reshape <allowzero = 1> (mask_read, mask_4d_dims)
    mask_split = Constant <value_ints = [1, 1, 1, 1]> ()
    mask_b, mask_n, mask_rows, mask_keys = Split (mask_4d_dims, mask_split)
    q_longest = ReduceMax <keepdims = 1> (q_listed_and_zero)
    k_longest = ReduceMax <keepdims = 1> (k_listed_and_zero)
    rows_are_longest = Equal (mask_rows, q_longest)
    keys_are_longest = Equal (mask_keys, k_longest)
    one_mask_row = Equal (mask_rows, one)
    one_mask_key = Equal (mask_keys, one)
    rows_fit = Or (rows_are_longest, one_mask_row)
    keys_fit = Or (keys_are_longest, one_mask_key)
    mask_is_local = And (rows_fit, keys_fit)
    mask_row_wanted = Where (mask_is_local, q_place, q_range)
    mask_key_wanted = Where (mask_is_local, k_place, k_range)
    last_mask_b = Sub (mask_b, one)
    last_mask_row = Sub (mask_rows, one)
    last_mask_key = Sub (mask_keys, one)
    mask_row = Min (mask_row_wanted, last_mask_row)
    mask_key = Min (mask_key_wanted, last_mask_key)
    mask_group = Min (groups, last_mask_b)
    mask_group_dims = Shape (mask_group)
    mask_rows_all = Expand (mask_row, mask_group_dims)
    mask_index_groups = Unsqueeze (mask_group, last)
    mask_index_rows = Unsqueeze (mask_rows_all, last)
    mask_index = Concat <axis = -1> (mask_index_groups, mask_index_rows)
    mask_padding = Constant <value_ints = [0, 0, 0, 0, 0, 0, 1, 1]> ()
    mask_padded = Pad (mask_4d, mask_padding)
    mask_by_row = Transpose <perm = [0, 2, 1, 3]> (mask_padded)
    mask_of_row = GatherND (mask_by_row, mask_index)
    mask_of_pair = Gather <axis = 3> (mask_of_row, mask_key)
    mask_placed = Transpose <perm = [0, 2, 1, 3]> (mask_of_pair)
"""

# real_shift sequence after sequence: [N1][S1][S2], or [N1][1][S2] for all rows; without elements for a call without.
# Of another size, a table of 1024 rows whose shape was not known for instance, that index fails.
SHIFT = """
    shift_given = Reshape (real_shift, last)
    shift_given_float = Cast <to = 1> (shift_given)
    shift_end = Constant <value_floats = [0.0]> ()
    shift_flat = Concat <axis = 0> (shift_given_float, shift_end)
    shift_count = Shape (shift_given)
    key_sum = ReduceSum <keepdims = 1> (k_listed_and_zero)
    row_form_count = Mul (key_sum, n1)
    shift_has_one_row = Equal (shift_count, row_form_count)
    shift_rows = Where (shift_has_one_row, one, q_lengths)
    shift_block = Mul (shift_rows, k_lengths)
    shift_block_ends = CumSum (shift_block, zero_scalar)
    shift_block_starts = Sub (shift_block_ends, shift_block)
    shift_starts = Mul (shift_block_starts, n1)
    shift_start = Gather (shift_starts, sequence_column)
    shift_row = Where (shift_has_one_row, zero, row_column)
    shift_row_start = Mul (shift_row, row_s2)
    shift_first = Add (shift_start, shift_row_start)
    shift_head_size = Gather (shift_block, sequence_column)
    shift_heads = Range (zero_scalar, n1_scalar, one_scalar)
    shift_head_axes = Constant <value_ints = [1, 2]> ()
    shift_head = Unsqueeze (shift_heads, shift_head_axes)
    shift_head_start = Mul (shift_head, shift_head_size)
    shift_first_of_head = Add (shift_head_start, shift_first)
    shift_index = Add (shift_first_of_head, columns)
    shift_is_absent = Equal (shift_count, zero)
    shift_not_read = Or (apart, shift_is_absent)
    shift_index_read = Where (shift_not_read, shift_count, shift_index)
    full_blocks = Mul (q_listed_and_zero, k_listed_and_zero)
    full_sum = ReduceSum <keepdims = 1> (full_blocks)
    full_form_count = Mul (full_sum, n1)
    shift_has_all_rows = Equal (shift_count, full_form_count)
    shift_has_rows = Or (shift_has_one_row, shift_has_all_rows)
    shift_is_known = Or (shift_has_rows, shift_is_absent)
    shift_index_or_error = Where (shift_is_known, shift_index_read, unbounded)
    shift_float = Gather (shift_flat, shift_index_or_error)
"""

# Only the band of sparse_mode 8 counts from the start indices.
STARTS_OF_ROWS = """
    outside_band = Not (in_band)
    at_its_own_start = And (band_is_first, outside_band)
    row_start = Where (at_its_own_start, zero, start)
"""

# softmax_max and softmax_sum, [T1, N1, 8] of TND: sequence after sequence [N1][S1], or like the input [T1][N1].
STATISTICS = """
    statistics_names = Constant <value_strings = ["", "same_as_input"]> ()
    statistics_name = Constant <value_string: string = @softmax_out_layout> ()
    statistics_own_name = Unsqueeze (statistics_name, zero)
    statistics_candidates = Concat <axis = 0> (statistics_names, statistics_own_name)
    v0, v1, statistics_numbers, v3 = Unique <sorted = 0> (statistics_candidates)
    statistics_index = Constant <value_ints = [2]> ()
    statistics_number = Gather (statistics_numbers, statistics_index)
    like_input = Equal (statistics_number, one)
    statistics_heads = Range (zero_scalar, n1_scalar, one_scalar)
    head_column = Unsqueeze (statistics_heads, one)
    sequence_first = Mul (q_start, n1)
    sequence_length = Gather (q_lengths, q_sequence)
    head_first = Mul (head_column, sequence_length)
    place_of_head = Add (head_first, q_place)
    place_by_sequence = Add (place_of_head, sequence_first)
    token_first = Mul (q_range, n1)
    place_by_token = Add (token_first, head_column)
    place_of_row = Where (like_input, place_by_token, place_by_sequence)
    flat_rows = Mul (n1, s1)
    flat_statistics = Concat <axis = 0> (b, flat_rows)
    flat_place_shape = Concat <axis = 0> (one, flat_rows)
    flat_place = Reshape <allowzero = 1> (place_of_row, flat_place_shape)
    places = Expand (flat_place, flat_statistics)
    flat_max = Reshape <allowzero = 1> (row_max, flat_statistics)
    flat_sum = Reshape <allowzero = 1> (seen_sum, flat_statistics)
    ordered_max = ScatterElements <axis = 1> (flat_max, places, flat_max)
    ordered_sum = ScatterElements <axis = 1> (flat_sum, places, flat_sum)
    statistics_dims = Concat <axis = 0> (b, n1, s1, one, s1, n1, one)
    dims_of_packed = Constant <value_ints = [4]> ()
    dims_end_of_packed = Constant <value_ints = [7]> ()
    dims_begin = Where (packed, dims_of_packed, zero)
    dims_end = Where (packed, dims_end_of_packed, dims_of_packed)
    statistics_shape = Slice (statistics_dims, dims_begin, dims_end)
    stored_max = Reshape <allowzero = 1> (ordered_max, statistics_shape)
    stored_sum = Reshape <allowzero = 1> (ordered_sum, statistics_shape)
"""
