# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What op_host refuses, and that the text names the argument, what it got and what is allowed."""

import numpy as np
import pytest

from tests.unit.op_host.call import Call

ANY = (2, 4, 100, 300)  # [B, N1, S1, S2] of the default call
SQUARE = (2048, 2048)


def with_input(name, shape, dtype="float32", **call):
    return Call(inputs={name: (shape, dtype)}, **call)


def with_list(name, *values):
    return Call(inputs={name: ((len(values),), "int64", np.array(values, np.int64))})


REFUSED = {
    # layout and ranks
    "layout_unknown": (Call(attrs={"input_layout": "BHSD"}), ["input_layout", "BNSD", '"BHSD"']),
    "layout_lower_case": (Call(layout="bnsd"), ["input_layout", '"bnsd"', "upper case"]),
    "layout_empty": (Call(attrs={"input_layout": ""}), ["input_layout", '""']),
    "tnd_without_lists": (Call(layout="TND"), ["actual_seq_qlen", "required", "TND"]),
    "query_rank": (with_input("query", (2, 100, 256)), ["query", "4 dimensions", "[2, 100, 256]"]),
    "key_rank": (with_input("key", (2, 300, 128), layout="BSND"), ["key", "4 dimensions", "[2, 300, 128]"]),
    "value_rank": (with_input("value", (2, 2, 300, 64), layout="BSH"), ["value", "3 dimensions", "[2, 2, 300, 64]"]),
    # sizes that must agree
    "batch": (with_input("key", (3, 2, 300, 64)), ["batch", "2, 3 and 2"]),
    "value_batch": (with_input("value", (1, 2, 300, 64)), ["batch", "2, 2 and 1"]),
    "kv_length": (with_input("value", (2, 2, 301, 64)), ["key and value", "300 and 301"]),
    "kv_heads": (with_input("value", (2, 1, 300, 64)), ["key and value", "heads", "2 and 1"]),
    "head_dims": (with_input("key", (2, 2, 300, 32)), ["query and key", "head dim", "64 and 32"]),
    "gqa": (Call(n1=4, n2=3), ["multiple", "4 and 3"]),
    "no_kv_head": (Call(n2=0), ["multiple", "0"]),
    "more_kv_heads": (Call(n1=2, n2=4), ["multiple", "2 and 4"]),
    # head dims
    "d_large": (Call(d=769, dv=769), ["head dim", "1..768", "769"]),
    "d_zero": (Call(d=0, dv=0), ["head dim", "1..768", "0"]),
    "dv_large": (Call(d=64, dv=65), ["value", "1..64", "65"]),
    "dv_zero": (Call(dv=0), ["value", "1..64", "0"]),
    "bsh_width": (Call(layout="BSH", attrs={"head_num": 3}), ["query", "head_num 3", "256"]),
    "bsh_key_width": (with_input("key", (2, 300, 100), layout="BSH"), ["key", "head dim 64", "100"]),
    "bsh_value_width": (with_input("value", (2, 300, 127), layout="SBH", b=300, s2=2), ["value", "2 heads", "127"]),
    # sizes that no count of bytes holds
    "elements": (Call(b=1 << 30, n1=1 << 20, n2=1, s1=16, s2=1), ["query", "2^56 elements", "B 1073741824"]),
    "elements_of_an_empty_key": (
        Call(b=1 << 31, n1=1 << 20, n2=1 << 20, s1=1, s2=0),
        ["query", "2^56 elements", "N 1048576"],
    ),
    "elements_of_key": (Call(b=1 << 20, n1=4, n2=4, s1=1, s2=1 << 30), ["key", "2^56 elements", "S 1073741824"]),
    "s1_large": (Call(b=1, s1=1 << 31), ["S1", "at most 2147483647", "2147483648"]),
    "s2_large": (Call(b=1, s2=1 << 31), ["S2", "at most 2147483647", "2147483648"]),
    # head_num
    "head_num_zero": (Call(attrs={"head_num": 0}), ["head_num", "> 0", "got 0"]),
    "head_num_negative": (Call(attrs={"head_num": -4}), ["head_num", "> 0", "got -4"]),
    "head_num_bnsd": (Call(attrs={"head_num": 100}), ["head_num 100", "dimension 1", "[2, 4, 100, 64]"]),
    "head_num_bsnd": (Call(layout="BSND", attrs={"head_num": 2}), ["head_num 2", "dimension 2", "[2, 100, 4, 64]"]),
    # dtypes
    "mixed_dtypes": (with_input("key", (2, 2, 300, 64), "float16"), ["query=DT_FLOAT key=DT_FLOAT16"]),
    # attributes
    "keep_prob_zero": (Call(attrs={"keep_prob": 0.0}), ["keep_prob", "(0, 1]", "0"]),
    "keep_prob_large": (Call(attrs={"keep_prob": 1.2}), ["keep_prob", "(0, 1]", "1.2"]),
    "keep_prob_nan": (Call(attrs={"keep_prob": float("nan")}), ["keep_prob", "(0, 1]", "nan"]),
    "dropout": (Call(attrs={"keep_prob": 0.9}), ["keep_prob", "0.9", "needs drop_mask"]),
    "pse_type": (Call(attrs={"pse_type": 4}), ["pse_type", "0, 1, 2 or 3", "4"]),
    "pse_type_without_pse": (Call(attrs={"pse_type": 2}), ["pse_type", "real_shift", "2"]),
    "out_dtype": (Call(attrs={"out_dtype": 1}), ["out_dtype", "0", "1"]),
    "softmax_out_layout": (Call(attrs={"softmax_out_layout": "same_as_input"}), ["softmax_out_layout", "TND"]),
    # sparse modes
    "sparse_mode_negative": (Call(attrs={"sparse_mode": -1}), ["sparse_mode", "0, 1, 2, 3, 4, 5 or 6", "-1"]),
    "sparse_mode_large": (Call(attrs={"sparse_mode": 99}), ["sparse_mode", "0, 1, 2, 3, 4, 5 or 6", "99"]),
    **{
        f"sparse_mode_{mode}": (Call(attrs={"sparse_mode": mode}), ["sparse_mode", "BNSD", f"got {mode}"])
        for mode in (7, 8)
    },
    "sparse_mode_5": (Call(attrs={"sparse_mode": 5}), ["prefix", "each of the 2 batches", "got 0"]),
    "sparse_mode_6": (Call(attrs={"sparse_mode": 6}), ["prefix", "each of the 2 batches", "got 0"]),
    # windows
    "window_both_negative": (
        Call(b=24, n1=10, n2=10, s1=1024, s2=1024, d=128, dv=128, attrs={"pre_tockens": -512, "next_tockens": -512}),
        ["pre_tokens -512", "next_tokens -512", "both are negative"],
    ),
    "band_both_minus_one": (
        Call(s1=4, s2=4, attrs={"sparse_mode": 4, "pre_tockens": -1, "next_tockens": -1}),
        ["pre_tokens -1", "sparse_mode 4", "both are negative"],
    ),
    "band_empty": (
        Call(s1=1024, s2=1024, attrs={"sparse_mode": 4, "pre_tockens": 512, "next_tockens": -1024}),
        ["next_tokens -1024", "the window is empty"],
    ),
    "window_empty": (
        Call(attrs={"pre_tockens": -20, "next_tockens": 10}),
        ["pre_tokens -20", "next_tokens 10", "the window is empty"],
    ),
    "window_right_of_keys": (Call(attrs={"pre_tockens": -300}), ["pre_tokens -300", "S2 300", "right of every key"]),
    "window_below_queries": (Call(attrs={"next_tockens": -100}), ["next_tokens -100", "S1 100", "below every query"]),
    # mask
    "mask_dtype": (
        Call(mask=ANY, mask_dtype="int64"),
        ["atten_mask=DT_INT64", "atten_mask=DT_BOOL", "atten_mask=DT_UINT8"],
    ),
    "mask_float": (Call(mask=ANY, mask_dtype="float32"), ["atten_mask=DT_FLOAT;", "atten_mask=DT_BOOL"]),
    "mask_rank_1": (Call(mask=(300,)), ["atten_mask", "2 or 4 dimensions", "[300]"]),
    "mask_rank_3": (Call(mask=(2, 100, 300)), ["atten_mask", "2 or 4 dimensions", "[2, 100, 300]"]),
    "mask_batch_keys": (Call(mask=(2, 300)), ["[S1, S2] = [100, 300]", "[2, 300]", "[B, 1, 1, S2]"]),
    "mask_kv_heads": (Call(mask=(2, 2, 100, 300)), ["[B, N1, S1, S2] = [2, 4, 100, 300]", "[2, 2, 100, 300]"]),
    "mask_transposed": (Call(mask=(300, 100)), ["[S1, S2] = [100, 300]", "[300, 100]"]),
    "mask_keys": (Call(mask=(2, 4, 100, 299)), ["[2, 4, 100, 300]", "[2, 4, 100, 299]"]),
    **{
        f"compressed_mask_mode_{mode}": (
            Call(mask=shape, attrs={"sparse_mode": mode}),
            ["atten_mask", "[2048, 2048]", f"sparse_mode {mode}"],
        )
        for mode, shape in ((2, (100, 300)), (3, (2, 1, 2048, 2048)), (4, (3072, 2048)))
    },
    # inputs that are reserved, or belong to other modes
    "padding_mask": (with_input("padding_mask", (2, 300)), ["padding_mask", "atten_mask"]),
    "prefix": (with_list("prefix", 200, 200), ["prefix", "sparse_mode 5 and 6", "sparse_mode 0"]),
    "actual_seq_qlen": (with_list("actual_seq_qlen", 100, 200), ["actual_seq_qlen", "TND", "BNSD"]),
    "actual_seq_kvlen": (with_list("actual_seq_kvlen", 100, 200), ["actual_seq_kvlen", "TND", "BNSD"]),
    "q_start_idx": (with_list("q_start_idx", 7), ["must be given both", "q_start_idx alone"]),
    "kv_start_idx": (with_list("kv_start_idx", 7), ["must be given both", "kv_start_idx alone"]),
    "d_scale_q": (with_input("d_scale_q", (1,)), ["d_scale_q", "not supported"]),
    "query_rope": (with_input("query_rope", (2, 4, 100, 64)), ["must be given both", "query_rope alone"]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_a_text_that_helps(name):
    call, words = REFUSED[name]
    with pytest.raises(ValueError) as error:
        call.tile()
    missing = [word for word in words if word not in str(error.value)]
    assert not missing, f"{missing} not in: {error.value}"


@pytest.mark.parametrize("index, name", [(0, "softmax_max"), (1, "softmax_sum"), (3, "attention_out")])
def test_an_output_that_does_not_fit_is_refused(index, name):
    call = Call()
    outputs = call.output_list()
    call.tile(outputs=outputs)
    shape, dtype = outputs[index]
    outputs[index] = ((*shape[:-2], shape[-2] - 1, shape[-1]), dtype)
    with pytest.raises(ValueError, match=name):
        call.tile(outputs=outputs)
