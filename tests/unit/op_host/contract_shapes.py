# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Calls whose parts do not fit each other, most of which CANN's host code does not check."""

from tests.unit.op_host.call import Call
from tests.unit.op_host.contract_rows import BF16, HALF, PREFIX_COMPRESSED, Row, packed, values
from tests.unit.op_host.contract_rules import CAUSAL, SQUARE, given, lists, shift, window
from tests.unit.op_host.packed_call import PackedCall


def rope(query=32, key=None, d=64, n=(4, 1), **call):
    """Rotary parts of `query` and `key` channels."""
    call = PackedCall(n1=n[0], n2=n[1], d=d, dv=min(d, 128), **{"dtype": BF16} | call)
    call.inputs |= {
        "query_rope": (call.tokens(0, n[0], query), BF16),
        "key_rope": (call.tokens(1, n[1], key or query), BF16),
    }
    return call


def with_list(name, *numbers, **call):
    return Call(inputs={name: values(*numbers)}, **call)


SHAPE_RULES = {
    # ranks and sizes
    "no layout": Row(Call(attrs={"input_layout": ""}), "INPUT_LAYOUT", ('""',)),
    "no query": Row(Call(inputs={"query": None}), "REQUIRED", ("query",)),
    "key's rank": Row(given("key", (2, 300, 128), layout="BSND"), "RANK", ("key", "4 dimensions", "[2, 300, 128]")),
    "value's rank": Row(given("value", (2, 2, 300, 64), layout="BSH"), "RANK", ("value", "3 dimensions", "64]")),
    "rank in TND": Row(lists(inputs={"query": ((1, 4, 100, 64), "float32")}), "RANK", ("query", "3 dimensions", "TND")),
    "value's batch": Row(given("value", (1, 2, 300, 64)), "BATCH", ("2, 2 and 1",)),
    "value's length": Row(given("value", (2, 2, 301, 64)), "KEY_LENGTH", ("300 and 301",)),
    "value's tokens": Row(lists(inputs={"value": ((299, 2, 64), "float32")}), "KEY_LENGTH", ("300 and 299",)),
    "value's heads": Row(given("value", (2, 1, 300, 64)), "KEY_HEADS", ("2 and 1",)),
    "more key heads": Row(Call(n1=2, n2=4), "GROUPS", ("2 and 4",)),
    "Dv 0": Row(Call(dv=0), "VALUE_HEAD_DIM", ("1..64", "got 0")),
    "key's width": Row(given("key", (2, 300, 100), layout="BSH"), "KEY_WIDTH", ("head dim 64", "100")),
    "value's width": Row(given("value", (2, 300, 127), layout="SBH", b=300, s2=2), "VALUE_WIDTH", ("2 heads", "127")),
    "data types": Row(given("key", (2, 2, 300, 64), HALF), "ONE_TYPE", ("got float32 for query and float16 for key",)),
    "head_num -4": Row(Call(attrs={"head_num": -4}), "HEAD_NUM", ("got -4",)),
    # what no count of bytes holds
    "elements": Row(Call(b=1 << 30, n1=1 << 20, n2=1, s1=16, s2=1), "ELEMENTS", ("query", "[1073741824, ")),
    "elements of an empty key": Row(
        Call(b=1 << 31, n1=1 << 20, n2=1 << 20, s1=1, s2=0), "ELEMENTS", ("query", "1048576, 1, 64]")
    ),
    "elements of key": Row(Call(b=1 << 20, n1=4, n2=4, s1=1, s2=1 << 30), "ELEMENTS", ("key", "1073741824, 64]")),
    "S1": Row(Call(b=1, s1=1 << 31), "LENGTH", ("S1", "at most 2147483647", "2147483648")),
    "S2": Row(Call(b=1, s2=1 << 31), "LENGTH", ("S2", "at most 2147483647", "2147483648")),
    # outputs
    **{
        f"{name} of {layout}": Row(kind(outputs={name: (shape, "float32")}), "OUTPUT_SHAPE", (name, str(list(shape))))
        for layout, kind, statistics, attention in (
            ("BNSD", Call, (2, 4, 99, 8), (2, 4, 99, 64)),
            ("TND", lists, (100, 4, 7), (100, 4, 63)),
        )
        for name, shape in (("softmax_max", statistics), ("softmax_sum", statistics), ("attention_out", attention))
    },
    # attributes
    "keep_prob NaN": Row(Call(attrs={"keep_prob": float("nan")}), "KEEP_PROB", ("nan",)),
    "out_dtype": Row(Call(attrs={"out_dtype": 1}), "OUT_DTYPE", ("got 1",)),
    "softmax_out_layout": Row(Call(attrs={"softmax_out_layout": "same_as_input"}), "SOFTMAX_LAYOUT_PACKED"),
    "softmax_out_layout of TND": Row(lists(attrs={"softmax_out_layout": "TND"}), "SOFTMAX_LAYOUT", ("got TND",)),
    "band, both negative": Row(window(4, -1, -1, None, s1=4, s2=4), "WINDOW_NEGATIVE", ("sparse_mode 4",)),
    # lists
    "no list of queries": Row(lists(inputs={"actual_seq_qlen": None}), "LIST_MISSING", ("actual_seq_qlen",)),
    "empty list": Row(lists(kv_list=()), "LIST_LENGTHS", ("2 and 0",)),
    "too few keys": Row(lists(kv_list=(301, 301)), "TOKENS", ("key", "300 tokens", "sequence 0", "at 301")),
    "sum of lengths": Row(
        lists(q_list=(60, 0, 50), kv_list=(1, 2, 3)), "TOKENS", ("query", "100 tokens", "sequence 2")
    ),
    "negative length": Row(lists(q_list=(-3, 100)), "LIST_NEGATIVE", ("actual_seq_qlen", "-3")),
    "list without values": Row(lists(inputs={"actual_seq_qlen": ((2,), "int64")}), "LIST_VALUES", ("actual_seq_qlen",)),
    "list of rank 2": Row(lists(inputs={"actual_seq_kvlen": ((2, 1), "int64")}), "LIST_RANK", ("[2, 1]",)),
    "keys' list outside TND": Row(
        with_list("actual_seq_kvlen", 100, 200), "LIST_OUTSIDE_TND", ("actual_seq_kvlen", "BNSD")
    ),
    # masks
    "mask [B, S2]": Row(Call(mask=(2, 300)), "BROADCAST_2D", ("[100, 300]", "[2, 300]")),
    "mask of key heads": Row(Call(mask=(2, 2, 100, 300)), "BROADCAST_4D", ("[2, 4, 100, 300]", "[2, 2, 100, 300]")),
    "mask of 299 keys": Row(Call(mask=(2, 4, 100, 299)), "BROADCAST_4D", ("[2, 4, 100, 299]",)),
    "float mask": Row(Call(mask=(2, 4, 100, 300), mask_dtype="float32"), "MASK_TYPE", ("got float32",)),
    "compressed mask of each batch": Row(
        Call(mask=(2, 1, 2048, 2048), attrs={"sparse_mode": 3}), "MASK_COMPRESSED", ("sparse_mode 3",)
    ),
    "compressed mask of mode 6": Row(window(4, 9, 9, PREFIX_COMPRESSED), "MASK_COMPRESSED", ("[3072, 2048]",)),
    "packed mask": Row(lists(mask=(60, 300)), "MASK_PACKED", ("[60, 230]", "[100, 300]", "[60, 300]")),
    # shifts
    "alibi of one key": Row(shift((2, 4, 1024, 1), **SQUARE, attrs=CAUSAL), "ALIBI_KEYS", ("S2 2048",)),
    "packed shift of two readings": Row(
        packed(((1, 3), (2, 0), (2, 2), (0, 2)), (0, 9, 9), n=4, real_shift=((28, 1), HALF)),
        "SHIFT_AMBIGUOUS",
        ("[28, 1]",),
    ),
    "start beyond float32": Row(
        Call(
            attrs={"pse_type": 2},
            inputs={"real_shift": ((4,), "float32"), "q_start_idx": values(0), "kv_start_idx": values((1 << 24) + 1)},
        ),
        "START_RANGE",
        ("got 16777217",),
    ),
    "distance beyond float32": Row(
        Call(
            b=1,
            s2=1 << 24,
            attrs={"pse_type": 2},
            inputs={"real_shift": ((4,), "float32"), "q_start_idx": values(1), "kv_start_idx": values(0)},
        ),
        "SLOPES_DISTANCE",
        ("S2 16777216", "start -1"),
    ),
    "start of keys alone": Row(with_list("kv_start_idx", 7), "START_ALONE", ("kv_start_idx alone",)),
    # sinks, scales and rotary parts
    "sink of 3 heads": Row(given("sink", (3,)), "SINK", ("[4]", "[3]")),
    "half sink": Row(Call(inputs={"sink": ((4,), HALF)}), "SINK", ("got float16 and",)),
    "d_scale_q": Row(given("d_scale_q", (1,)), "D_SCALE", ("d_scale_q",)),
    "query_rope alone": Row(given("query_rope", (2, 4, 100, 64)), "ROPE_ALONE", ("query_rope alone",)),
    "rotary parts outside TND": Row(
        Call(dtype=BF16, inputs={"query_rope": ((2, 4, 100, 16), BF16), "key_rope": ((2, 2, 300, 16), BF16)}),
        "ROPE_LAYOUT",
        ("BNSD",),
    ),
    "rotary parts in half": Row(rope(dtype=HALF), "ROPE_QUERY_TYPE", ("got float16",)),
    "rotary parts and shift": Row(rope(inputs={"real_shift": ((4 * 300, 1), BF16)}), "ROPE_SHIFT", ("[1200, 1]",)),
    "rotary parts and dropout": Row(rope(inputs={"drop_mask": ((9999,), "uint8")}), "ROPE_DROPOUT", ("drop_mask",)),
    "rotary parts in mode 6": Row(
        rope(attrs={"sparse_mode": 6}, inputs={"prefix": values(50, 200)}), "ROPE_MODE", ("got sparse_mode 6",)
    ),
    "rotary parts of another type": Row(
        lists(dtype=BF16, inputs={"query_rope": ((100, 4, 16), HALF), "key_rope": ((300, 2, 16), HALF)}),
        "ROPE_TYPE",
        ("query_rope", "got float16"),
    ),
    "rotary parts beyond D": Row(rope(65), "ROPE_SHAPE", ("query_rope", "1..64", "65]")),
    "two rotary parts": Row(rope(32, 16), "ROPE_DIMS", ("32 and 16",)),
    **{
        f"rotary parts of D {d}": Row(rope(each, d=d), "ROPE_L1", (f"got {d} and {each}",))
        for d, each in ((768, 16), (705, 64))
    },
}
