# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What users of other attention implementations have reported (torch_npu, vllm-ascend, sglang, diffusers, MindSpeed,
flash-attention, PyTorch, onnxruntime, xformers, Triton), and the test that would see the same mistake here.

A test is module::function, or a group of the case table as cases::group. The modules are those of this folder unless a
path stands before them.
"""

HERE, UNIT = "tests/system/", "tests/unit/op_host/"

MASKS = {
    "key padding masks [B, 1, 1, S2] are refused": [
        "test_reported_masks::test_key_padding_mask_of_every_batch_is_taken"
    ],
    "a mask [B, S2] is read as [S1, S2]": ["test_reported_masks::test_mask_of_batch_by_keys_is_refused_with_advice"],
    "masks [B, N, 1, S2] of cross attention": ["test_reported_masks::test_cross_attention_mask_of_heads_by_keys"],
    "a float mask is cast to bool and inverted": ["test_reported_masks::test_float_mask_is_added_and_not_inverted"],
    "a position bias given as mask is lost": ["test_reported_masks::test_relative_position_bias_as_a_mask_is_not_lost"],
    "bool and float masks differ": ["test_reported_masks::test_bool_mask_and_equal_float_mask_agree"],
    "an argument is ignored": [
        "test_reported_masks::test_every_argument_changes_the_result",
        "test_reported_masks::test_reserved_argument_is_refused",
    ],
    "causal is ignored": ["test_reported_masks::test_future_keys_do_not_matter"],
    "rows above the first key": [
        "test_reported_masks::test_four_queries_over_two_keys_from_the_bottom_right",
        "test_reported_masks::test_more_queries_than_keys_from_the_bottom_right",
        "cases::rows_above",
    ],
    "key and value are repeated for grouped heads": [
        "test_reported_masks::test_grouped_heads_are_not_repeated_in_memory"
    ],
    "packed, no mask, no mode: mean of V, or a null pointer": [
        "test_reported_masks::test_packed_sequences_without_a_mask_see_their_own_keys",
        "cases::tnd_smoke",
    ],
    "the reason of a refusal is only in a device log": [UNIT + "test_contract::test_the_caller_reads_the_reason"],
    "a window is a key too wide or narrow": [
        "test_reported_masks::test_window_is_inclusive",
        "test_reported_masks::test_next_tokens_show_exactly_so_many_successors",
        "cases::window_widths",
    ],
    "-1 as a window means unlimited": [
        "test_reported_masks::test_window_of_minus_one_on_both_sides_is_refused",
        "test_reported_masks::test_window_left_of_the_diagonal",
    ],
    "memory of S x S": [
        "test_reported_masks::test_workspace_of_a_million_queries",
        UNIT + "test_tiling::test_workspace_does_not_grow_with_the_sequence",
        "test_memory::test_peak_memory_of_a_long_call",
    ],
    "causal without a mask tensor is dense": [
        "test_reported_masks::test_causal_without_a_mask_tensor_warns_where_it_is_dense",
        "test_torch_api::test_fusion_attention_is_dense_without_mask_and_says_so_once",
    ],
    "the default scale is 1": ["test_reported_masks::test_scale_of_the_vendor_entry_is_one_by_default"],
    "mask and window disagree": ["cases::window_and_mask"],
    "a row of a mask that is all True is NaN": [
        "test_reported_masks::test_row_of_a_mask_that_is_all_true",
        "cases::mask_kind",
    ],
    "uint8 masks with other values than 1": ["test_reported_masks::test_any_nonzero_byte_hides"],
    "a mask of one batch is read out of bounds": ["test_reported_masks::test_mask_of_one_batch_holds_for_every_batch"],
    "which corner causal counts from": [
        "test_reported_masks::test_both_corners_of_causal",
        "test_reported_masks::test_causal_of_torch_and_onnx_is_top_left",
        "test_torch_sdpa::test_causal_is_top_left",
    ],
}

SHAPES = {
    "only some head dims": [
        "test_reported_shapes::test_packed_head_dims",
        "test_reported_shapes::test_dense_head_dims",
        "test_reported_shapes::test_every_eighth_head_dim",
        "cases::tnd_head_dim",
    ],
    "only the first 64 columns of a head are used": ["test_reported_shapes::test_last_columns_of_the_head_dim_count"],
    "lengths that are no power of two": ["test_reported_shapes::test_lengths_around_a_power_of_two", "cases::primes"],
    "layouts are mixed up silently": ["test_reported_shapes::test_layouts_that_are_mixed_up_are_refused"],
    "empty sequences crash, hang or give NaN": [
        "test_reported_shapes::test_empty_sequences",
        "test_reported_shapes::test_empty_sequences_of_wide_heads",
    ],
    "empty batches are refused": [
        "test_reported_shapes::test_empty_batches_and_lengths",
        "test_reported_shapes::test_packed_calls_without_tokens",
        "cases::tnd_empty",
    ],
    "lists with and without a leading 0": [
        "test_reported_shapes::test_list_with_a_leading_zero_beside_one_without",
        "test_torch_flash_attn::test_packed_sequences_refused_by_name",
    ],
    "only lists, not arrays or tensors": ["test_reported_shapes::test_lists_of_any_kind"],
    "lists beyond the tokens, negative or falling": ["test_reported_shapes::test_lists_that_do_not_fit_are_refused"],
    "offsets of 32 bits": [
        "test_far_offsets::test_keys",
        "test_far_offsets::test_queries",
        "test_far_offsets::test_packed_keys",
        "test_far_offsets::test_scores",
        UNIT + "test_tiling::test_strides_beyond_32_bits",
    ],
    "very many keys": ["test_reported_shapes::test_batches_of_many_keys_do_not_depend_on_each_other"],
    "mixed data types": ["test_torch_api::test_mixed_dtypes"],
    "views are read as if they were contiguous": [
        "test_reported_shapes::test_views_of_any_strides",
        "test_torch_api::test_views",
    ],
    "masks and biases must be aligned": [
        "test_reported_shapes::test_masks_that_are_slices_of_a_wider_tensor",
        "test_reported_shapes::test_biases_that_are_slices_of_a_wider_tensor",
    ],
    "garbage behind a tail, or a tail that is dropped": [
        "test_reported_shapes::test_tails_of_rows_and_keys",
        "test_nan::test_other_heads_and_batches_never_leak",
    ],
    "padding rows of packed calls hold NaN": ["test_reported_shapes::test_padding_rows_are_zero"],
    "packed training drifts": ["test_reported_shapes::test_packed_training_shape"],
    "repetitions differ": ["test_reported_shapes::test_a_hundred_repetitions_give_the_same_bits"],
}

SEMANTICS = {
    "a window begins inside a split of the keys": [
        "test_reported_semantics::test_window_begins_inside_a_split_of_the_keys",
        "cases::decode_window",
    ],
    "the sign of slopes, slopes of every batch": [
        "test_reported_semantics::test_nearer_keys_never_lose_to_farther_equal_ones",
        "test_reported_semantics::test_start_indices_shift_distances",
    ],
    "a bias after the mask brings keys back": ["test_reported_semantics::test_order_of_bias_scale_and_mask"],
    "masked scores win against low visible ones": [
        "test_nan::test_hidden_scores_lose_against_any_visible_score",
        "test_nan::test_rows_of_the_lowest_scores",
    ],
    "NaN where both are NaN counts as equal, elsewhere not at all": [
        "tests/unit/reference/test_tolerance::test_nan_positions_come_first",
    ],
    "dropout of both passes, its seed and scaling": [
        "test_reported_semantics::TestDropout",
        "tests/unit/reference/test_contract_reference::test_bits_are_least_significant_first",
        "cases::dropout_bit_phases",
    ],
    "compiled and eager calls differ": [
        "test_reported_semantics::test_eager_and_compiled_agree",
        "test_torch_api::test_meta_agrees_with_the_operator",
    ],
    "gradients are silently wrong or missing": [
        "test_reported_semantics::test_inputs_that_require_grad_get_one",
        "test_gradient_torch::test_differentiating_twice_is_refused",
    ],
}

# What others have reported and cannot happen here, and why.
NOT_OURS = {
    "soft capping is passed on and dropped": "no entry has such an argument; flash_attn_func refuses any but 0",
    "a GPU backend and a CPU backend of one graph differ in causal": "there is one kernel",
    "an attention cache of pages": "belongs to other operators",
}
