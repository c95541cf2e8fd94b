// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Every reason for which op_host refuses a call of the forward or of the gradient:
//
//   ROW(id, argument, what is allowed, what is there instead, what CANN does)
//
// The message is "<argument> <allowed>, got <instead>"; holes are filled by the rule that names the id. CANN's host
// code refuses such a call too (REFUSED), takes no notice of the argument (IGNORED), or does not check it (UNCHECKED).
// What CANN's refuses and this operator accepts is not here, but in tests/unit/op_host/contract_rows.py. Included by
// whoever defines ROW. %ld is int64_t on every system of CANN.

// What is given at all
ROW(INPUT_LAYOUT, "input_layout", "must be BSH, SBH, BSND, BNSD or TND (upper case)", "\"%s\"", REFUSED)
ROW(REQUIRED, "%s", "is required", "none", REFUSED)
ROW(PADDING_MASK, "padding_mask", "must not be given: put padding into atten_mask, [B, 1, 1, S2]", "%s", IGNORED)
ROW(D_SCALE, "%s", "must not be given: it belongs to 8-bit inputs, which are not supported", "%s", IGNORED)
ROW(QUERY_TYPE, "query", "must be float32, float16 or bfloat16", "%s", REFUSED)
ROW(ONE_TYPE, "query, key and value", "must have one data type", "%s for query and %s for %s", REFUSED)
ROW(HEAD_NUM, "head_num", "must be > 0", "%ld", REFUSED)
ROW(OUT_DTYPE, "out_dtype", "must be 0 (that of query)", "%ld", IGNORED)
ROW(SOFTMAX_LAYOUT_PACKED, "softmax_out_layout", "must be empty outside input_layout TND", "%s", IGNORED)
ROW(SOFTMAX_LAYOUT, "softmax_out_layout", "must be empty or same_as_input", "%s", IGNORED)

// Shapes of query, key and value
ROW(RANK, "%s", "must have %zu dimensions for input_layout %s", "%s", REFUSED)
ROW(BATCH, "query, key and value", "must have one batch size", "%ld, %ld and %ld", REFUSED)
ROW(KEY_LENGTH, "key and value", "must have one sequence length", "%ld and %ld", UNCHECKED)
ROW(QUERY_WIDTH, "query's last dimension", "must be a positive multiple of head_num %ld for input_layout %s", "%ld",
    REFUSED)
ROW(KEY_WIDTH, "key's last dimension", "must be a positive multiple of the head dim %ld (query's %ld / head_num %ld)",
    "%ld", UNCHECKED)
ROW(VALUE_WIDTH, "value's last dimension", "must be a positive multiple of key's %ld heads", "%ld", UNCHECKED)
ROW(HEADS_OF_QUERY, "head_num", "must equal query's dimension %zu for input_layout %s", "head_num %ld and query %s",
    REFUSED)
ROW(KEY_HEADS, "key and value", "must have one number of heads", "%ld and %ld", UNCHECKED)
ROW(ONE_HEAD_DIM, "query and key", "must have one head dim", "%ld and %ld", REFUSED)
ROW(GROUPS, "query's heads", "must be a multiple of key's heads", "%ld and %ld", REFUSED)
ROW(HEAD_DIM, "head dim of query and key", "must be 1..%ld", "%ld", REFUSED)
ROW(VALUE_HEAD_DIM, "head dim of value", "must be 1..%ld (that of key)", "%ld", REFUSED)
ROW(LENGTH, "%s, the length of %s,", "must be at most %ld", "%ld", UNCHECKED)
ROW(ELEMENTS, "%s", "must have at most 2^56 elements", "%s", UNCHECKED)

// Packed sequences, and lists in general
ROW(LIST_OUTSIDE_TND, "%s", "belongs to input_layout TND", "%s", IGNORED)
ROW(LIST_MISSING, "%s", "is required for input_layout TND: cumulative lengths without a leading 0", "none", REFUSED)
ROW(LIST_RANK, "%s", "must have 1 dimension", "%s", UNCHECKED)
ROW(LIST_VALUES, "%s", "must have values that are known to the host", "a shape alone, %s", REFUSED)
ROW(LIST_NEGATIVE, "%s", "must not be negative", "%ld", UNCHECKED)
ROW(LIST_LENGTHS, "actual_seq_qlen and actual_seq_kvlen", "must have one length", "%zu and %zu", REFUSED)
ROW(TOKENS, "%s", "must have the tokens of all sequences", "%ld tokens, and sequence %zu of %s ends at %ld", REFUSED)

// What a query sees
ROW(SPARSE_MODE, "sparse_mode", "must be %s for input_layout %s", "%ld", REFUSED)
ROW(PREFIX_MODE, "prefix", "belongs to sparse_mode 5 and 6", "sparse_mode %ld", IGNORED)
ROW(PREFIX_COUNT, "prefix", "must have one element for each of the %ld batches", "%ld", REFUSED)
ROW(PREFIX_RANGE, "prefix[%ld]", "must be max(0, S2 - S1)..S2 = %ld..%ld", "%ld", REFUSED)
#define TOKENS_GOT "pre_tokens %ld and next_tokens %ld for sparse_mode %ld"
#define WINDOW_GOT TOKENS_GOT ", S1 %ld, S2 %ld: %ld keys before, %ld after the diagonal from the top left"
ROW(WINDOW_NEGATIVE, "pre_tokens and next_tokens", "must not both be negative", WINDOW_GOT, REFUSED)
ROW(WINDOW_EMPTY, "pre_tokens and next_tokens", "must not leave an empty window", WINDOW_GOT, REFUSED)
ROW(WINDOW_RIGHT, "pre_tokens", "must not move the window right of every key", WINDOW_GOT, REFUSED)
ROW(WINDOW_BELOW, "next_tokens", "must not move the window below every query", WINDOW_GOT, REFUSED)
#define PACKED_GOT TOKENS_GOT " of input_layout TND"
ROW(PACKED_NEXT, "next_tokens", "must not be negative", PACKED_GOT, REFUSED)
ROW(PACKED_PRE, "pre_tokens", "must not be negative", PACKED_GOT, REFUSED)
ROW(PACKED_EMPTY, "pre_tokens and next_tokens", "must not leave an empty window", PACKED_GOT, REFUSED)
ROW(BAND_NEXT, "next_tokens", "must not be positive", PACKED_GOT, REFUSED)
#define SEQUENCE_GOT PACKED_GOT ", S1 %ld and S2 %ld of sequence %ld"
ROW(BAND_SEQUENCES, "S1", "must not be larger than S2", SEQUENCE_GOT, REFUSED)
ROW(BAND_LENGTHS, "S1 - next_tokens", "must not be larger than S2", SEQUENCE_GOT, REFUSED)
ROW(BAND_PRE, "pre_tokens", "must not be less than S2", SEQUENCE_GOT, REFUSED)
ROW(MASK_TYPE, "atten_mask",
    "must be bool or uint8 (nonzero = masked out); an additive float mask is a real_shift with pse_type 0", "%s",
    REFUSED)
ROW(MASK_COMPRESSED, "atten_mask", "must be [%ld, %ld] or absent for sparse_mode %ld", "%s", REFUSED)
ROW(MASK_PACKED, "atten_mask",
    "must be [max S1, max S2] = [%ld, %ld] or [sum of S1, sum of S2] = [%ld, %ld] (a dimension may be 1)", "%s",
    REFUSED)

// Shapes of atten_mask and real_shift
ROW(BROADCAST_RANK, "%s", "must have 2 or 4 dimensions", "%s", REFUSED)
ROW(BROADCAST_2D, "a 2-D %s", "is [S1, S2] = [%ld, %ld] (a dimension may be 1); pass one per batch as [B, 1, 1, S2]",
    "%s", REFUSED)
ROW(BROADCAST_4D, "%s", "must be [B, N1, S1, S2] = %s (a dimension may be 1)", "%s", REFUSED)

// What is added to the scores
ROW(PSE_TYPE, "pse_type", "must be 0, 1, 2 or 3", "%ld", REFUSED)
ROW(PSE_TYPE_ALONE, "pse_type", "must be 1 when real_shift (pse) is absent", "%ld", REFUSED)
ROW(START_COUNT, "q_start_idx and kv_start_idx", "must have one element each", "%zu and %zu", IGNORED)
ROW(START_ALONE, "q_start_idx and kv_start_idx", "must be given both", "%s alone", IGNORED)
ROW(START_TYPE, "q_start_idx and kv_start_idx", "belong to pse_type 2 and 3", "%ld and %ld with pse_type %ld", IGNORED)
ROW(START_RANGE, "q_start_idx and kv_start_idx", "must be within -2^24..2^24", "%ld", UNCHECKED)
ROW(SHIFT_TYPE, "real_shift", "must be query's %s for pse_type %ld%s", "%s", REFUSED)
ROW(SHIFT_PACKED, "real_shift",
    "must be [N1 * sum of S2] = [%ld], [N1 * sum of S1 * S2] = [%ld], [B, N1, 1024, S2] or of the longest sequence, "
    "[B, N1, %ld, %ld] or its last two (a dimension may be 1), for input_layout TND",
    "%s", REFUSED)
ROW(SHIFT_AMBIGUOUS, "real_shift",
    "must not be one row and S1 rows of every sequence at once: repeat or cut a sequence", "%s", UNCHECKED)
ROW(ALIBI_ROWS, "real_shift of 1024 rows (alibi)", "needs S1 >= 1024", "%ld", REFUSED)
ROW(ALIBI_KEYS, "real_shift", "must be [B, N1, 1024, S2] with S2 %ld", "%s", REFUSED)
ROW(ALIBI_LENGTHS, "real_shift of 1024 rows (alibi)", "needs S1 == S2, the same for all sequences",
    "S1 %ld and S2 %ld with S2 %ld elsewhere", REFUSED)
ROW(ALIBI_CAUSAL, "real_shift of 1024 rows (alibi)",
    "needs a causal mask: sparse_mode 2 or 3, or a window with pre_tokens >= S1 and next_tokens 0",
    "sparse_mode %ld, pre_tokens %ld and next_tokens %ld", REFUSED)
ROW(SLOPES_TYPE, "slopes (real_shift of pse_type %ld)", "must be float32", "%s", REFUSED)
ROW(SLOPES_SHAPE, "slopes (real_shift of pse_type %ld)", "must be [N1] or [B, N1] = [%ld, %ld]", "%s", REFUSED)
ROW(SLOPES_MODE, "slopes (pse_type %ld)", "cannot be used with sparse_mode 7", "both", REFUSED)
ROW(SLOPES_DISTANCE, "distances of slopes", "must be at most 2^24", "S1 %ld, S2 %ld, start %ld", UNCHECKED)
ROW(SLOPES_BAND, "slopes with sparse_mode 8",
    "need S1 - S2 == kv_start_idx - q_start_idx in the first sequence and 0 in the others",
    "S1 %ld, S2 %ld, start %ld in sequence %ld", REFUSED)

// Dropout
ROW(KEEP_PROB, "keep_prob", "must be in (0, 1]", "%g", REFUSED)
ROW(DROP_MASK_MISSING, "keep_prob %g", "needs drop_mask: one bit for every score, 1 = keep", "none", IGNORED)
ROW(DROP_MASK_TYPE, "drop_mask", "must be uint8", "%s", REFUSED)
ROW(DROP_MASK_SIZE, "drop_mask", "must have at least %ld bytes, a bit for each of %ld scores", "%ld", REFUSED)

// Rotary parts and sink
ROW(ROPE_ALONE, "query_rope and key_rope", "must be given both", "%s alone", REFUSED)
ROW(ROPE_LAYOUT, "query_rope and key_rope", "need input_layout TND", "%s", REFUSED)
ROW(ROPE_QUERY_TYPE, "query_rope and key_rope", "need query, key and value of bfloat16", "%s", REFUSED)
ROW(ROPE_SHIFT, "query_rope and key_rope", "need no real_shift (pse)", "%s", REFUSED)
ROW(ROPE_DROPOUT, "query_rope and key_rope", "need no dropout", "%s and keep_prob %g", REFUSED)
ROW(ROPE_MODE, "query_rope and key_rope", "need a sparse_mode other than 6", "sparse_mode %ld", REFUSED)
ROW(ROPE_TYPE, "%s", "must be bfloat16", "%s", REFUSED)
ROW(ROPE_SHAPE, "%s", "must have %s's shape %s with a last dimension of 1..%ld", "%s", REFUSED)
ROW(ROPE_DIMS, "query_rope and key_rope", "must have one last dimension", "%ld and %ld", REFUSED)
ROW(ROPE_L1, "head dims of query and query_rope, each rounded up to %ld,", "must be at most %ld together",
    "%ld and %ld", UNCHECKED)
ROW(SINK, "sink", "must be float32 [N1] = [%ld]", "%s and %s", UNCHECKED)

// What results go to; of the gradient also what the forward has saved
ROW(OUTPUT_SHAPE, "%s", "must be %s", "%s", UNCHECKED)
ROW(SAVED_TYPE, "%s", "must be %s", "%s", REFUSED)
ROW(SAVED_SHAPE, "%s", "must be %s", "%s", REFUSED)
ROW(GRADIENT_ALONE, "%s", "must have no elements without its input", "%s", UNCHECKED)
ROW(GRADIENT_SHAPE, "%s", "must be %s, its input's shape", "%s", UNCHECKED)
