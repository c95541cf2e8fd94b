# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Each condition under which CANN's host code refuses a call, or accepts one silently, as a call that meets it."""

from tests.unit.op_host.call import Call
from tests.unit.op_host.contract_rows import (
    ANY_LENGTHS,
    COMPRESSED,
    FLAT_SHIFT,
    FLOAT_SHIFT,
    HALF,
    NO_MASK_NEEDED,
    NO_SILENT_DROPOUT,
    NO_SILENT_PREFIX,
    NOT_IGNORED,
    NOTHING_SEEN,
    ONE_OR_FULL,
    PREFIX_COMPRESSED,
    Row,
    packed,
    values,
)  # fmt: skip
from tests.unit.op_host.packed_call import PackedCall

FULL = (100, 300)  # [S1, S2] of the default call: B 2, N1 4, N2 2, D 64


def window(mode, pre, following, mask=FULL, **call):
    return Call(mask=mask, attrs={"sparse_mode": mode, "pre_tockens": pre, "next_tockens": following}, **call)


def shift(shape, dtype="float32", pse_type=1, name="real_shift", kind=Call, **call):
    return kind(inputs={name: (shape, dtype)}, attrs={"pse_type": pse_type} | call.pop("attrs", {}), **call)


def given(name, shape, dtype="float32", **call):
    return Call(inputs={name: (shape, dtype)}, **call)


def lists(**call):
    return PackedCall(lengths=((40, 70), (60, 230)), **call)


def prefix(mode, *numbers, mask=FULL, **call):
    return Call(mask=mask, attrs={"sparse_mode": mode}, inputs={"prefix": values(*numbers)}, **call)


SQUARE = dict(s1=2048, s2=2048)
CAUSAL = {"sparse_mode": 2}

FORWARD_RULES = {
    # shapes and attributes
    "batch": Row(given("key", (3, 2, 300, 64)), "BATCH"),
    "head dim": Row(given("key", (2, 2, 300, 32)), "ONE_HEAD_DIM"),
    "value's head dim": Row(given("value", (2, 2, 300, 65)), "VALUE_HEAD_DIM", ("1..64",)),
    "layout": Row(Call(attrs={"input_layout": "BN"}), "INPUT_LAYOUT", ('"BN"',)),
    "layout in lower case": Row(Call(layout="bnsd"), "INPUT_LAYOUT"),
    "head_num 0": Row(Call(attrs={"head_num": 0}), "HEAD_NUM"),
    "keep_prob 0": Row(Call(attrs={"keep_prob": 0.0}), "KEEP_PROB"),
    "keep_prob 1.2": Row(Call(attrs={"keep_prob": 1.2}), "KEEP_PROB"),
    "pse_type -1": Row(shift((1, 4, 100, 300), pse_type=-1), "PSE_TYPE"),
    "pse_type 4": Row(shift((1, 4, 100, 300), pse_type=4), "PSE_TYPE"),
    "data type": Row(Call(dtype="int8"), "QUERY_TYPE"),
    "rank": Row(given("query", (2, 100, 256)), "RANK", ("query must have 4 dimensions",)),
    "width of query": Row(Call(layout="BSH", attrs={"head_num": 3}), "QUERY_WIDTH", ("multiple of head_num 3",)),
    "no key head": Row(Call(n2=0), "GROUPS"),
    "head dim 769": Row(Call(d=769, dv=769), "HEAD_DIM", ("1..768",)),
    "head dim 0": Row(Call(d=0, dv=0), "HEAD_DIM", ("1..768",)),
    "groups": Row(Call(n1=4, n2=3), "GROUPS"),
    "head_num BNSD": Row(Call(attrs={"head_num": 2}), "HEADS_OF_QUERY"),
    "head_num BSND": Row(Call(layout="BSND", attrs={"head_num": 2}), "HEADS_OF_QUERY"),
    "head_num TND": Row(lists(attrs={"head_num": 2}), "HEADS_OF_QUERY"),
    # lists
    "lists of two lengths": Row(lists(kv_list=(70,)), "LIST_LENGTHS"),
    "no list": Row(lists(inputs={"actual_seq_kvlen": None}), "LIST_MISSING", ("actual_seq_kvlen is required",)),
    "too few tokens": Row(lists(q_list=(40, 101)), "TOKENS"),
    "tokens past the end": Row(lists(extra=(7, 9))),
    "zeros at the end": Row(PackedCall(lengths=((40, 70), (0, 0)), q_list=(40, 0), kv_list=(70, 0))),
    "more than 20000 sequences": Row(PackedCall(lengths=((1, 2),) * 20001)),
    # shift
    "pse_type 0 without shift": Row(Call(attrs={"pse_type": 0}), "PSE_TYPE_ALONE"),
    "shift": Row(shift((2, 4, 100, 300))),
    "shift of one batch": Row(shift((1, 4, 100, 300))),
    "shift of one row": Row(shift((2, 4, 1, 300))),
    "shift of one head": Row(shift((2, 1, 100, 300)), differs=ONE_OR_FULL),
    "shift of one key": Row(shift((2, 4, 100, 1)), differs=ONE_OR_FULL),
    "shift [S1, S2]": Row(shift((100, 300)), differs=ONE_OR_FULL),
    "shift of rank 3": Row(shift((4, 100, 300)), "BROADCAST_RANK", ("real_shift must have 2 or 4 dimensions",)),
    "shift of 3 batches": Row(shift((3, 4, 100, 300)), "BROADCAST_4D", ("real_shift must be [B, N1, S1, S2]",)),
    "shift of key heads": Row(shift((2, 2, 100, 300)), "BROADCAST_4D", ("real_shift must be [B, N1, S1, S2]",)),
    "shift of 99 rows": Row(shift((2, 4, 99, 300)), "BROADCAST_4D", ("real_shift must be [B, N1, S1, S2]",)),
    "shift of 299 keys": Row(shift((2, 4, 100, 299)), "BROADCAST_4D", ("real_shift must be [B, N1, S1, S2]",)),
    "alibi with S1 < 1024": Row(shift((2, 4, 1024, 300)), "ALIBI_ROWS"),
    "shift of 1024 rows": Row(shift((2, 4, 1024, 300), s1=1024)),
    "alibi": Row(shift((2, 4, 1024, 2048), **SQUARE, attrs=CAUSAL)),
    "alibi of one batch": Row(shift((1, 4, 1024, 2048), **SQUARE, attrs=CAUSAL)),
    "alibi with S1 != S2": Row(shift((2, 4, 1024, 2049), s1=2048, s2=2049, attrs=CAUSAL), "ALIBI_LENGTHS"),
    "alibi of fewer keys": Row(
        shift((2, 4, 1024, 2047), **SQUARE, attrs=CAUSAL), "BROADCAST_4D", ("real_shift must be",)
    ),
    "alibi without causality": Row(shift((2, 4, 1024, 2048), **SQUARE), "ALIBI_CAUSAL"),
    "packed shift": Row(lists(inputs={"real_shift": ((4 * 300, 1), "float32")})),
    "packed shift of all rows": Row(lists(inputs={"real_shift": ((4 * (40 * 70 + 60 * 230), 1), "float32")})),
    "packed shift of one dimension": Row(lists(inputs={"real_shift": ((4 * 300,), "float32")}), differs=FLAT_SHIFT),
    "packed shift of another size": Row(
        lists(inputs={"real_shift": ((4 * 300 + 1, 1), "float32")}), "SHIFT_PACKED", ("1200",)
    ),
    "packed alibi of two lengths": Row(
        packed(((1024, 1024), (2048, 2048)), (2, 0, 0), real_shift=((1, 40, 1024, 2048), HALF)), "ALIBI_LENGTHS"
    ),
    "float32 shift before scaling": Row(
        Call(dtype=HALF, inputs={"real_shift": ((2, 4, 100, 300), "float32")}),
        "SHIFT_TYPE",
    ),
    "float32 shift after scaling": Row(
        Call(dtype=HALF, inputs={"real_shift": ((2, 4, 100, 300), "float32")}, attrs={"pse_type": 0}),
        differs=FLOAT_SHIFT,
    ),
    # slopes
    "slopes": Row(shift((4,), pse_type=2, s2=100)),
    "slopes of each batch": Row(shift((2, 4), pse_type=3, s2=100)),
    "slopes of rank 3": Row(shift((1, 2, 4), pse_type=2, s2=100), "SLOPES_SHAPE"),
    "slopes of 3 heads": Row(shift((3,), pse_type=2, s2=100), "SLOPES_SHAPE"),
    "slopes of 3 batches": Row(shift((3, 4), pse_type=2, s2=100), "SLOPES_SHAPE"),
    "half slopes": Row(
        Call(dtype=HALF, s2=100, inputs={"real_shift": ((4,), HALF)}, attrs={"pse_type": 2}), "SLOPES_TYPE"
    ),
    "slopes with S1 != S2": Row(shift((4,), pse_type=2), differs=ANY_LENGTHS),
    "slopes in mode 7": Row(
        packed(((8, 8),), (7, 8, 0), COMPRESSED, n=4, attrs={"pse_type": 2}, real_shift=((4,), "float32")),
        "SLOPES_MODE",
    ),
    "slopes in mode 8, start": Row(
        packed(
            ((8, 10), (9, 9)),
            (8, 10, 0),
            COMPRESSED,
            n=4,
            attrs={"pse_type": 2},
            real_shift=((4,), "float32"),
            q_start_idx=values(5),
            kv_start_idx=values(3),
        )
    ),
    "slopes in mode 8, wrong start": Row(
        packed(((8, 10), (9, 9)), (8, 10, 0), COMPRESSED, n=4, attrs={"pse_type": 2}, real_shift=((4,), "float32")),
        "SLOPES_BAND",
    ),
    "slopes in mode 8, later sequence": Row(
        packed(((8, 8), (9, 10)), (8, 10, 0), COMPRESSED, n=4, attrs={"pse_type": 2}, real_shift=((4,), "float32")),
        "SLOPES_BAND",
        ("sequence 1",),
    ),
    # masks
    "mask data type": Row(Call(mask=FULL, mask_dtype="int32"), "MASK_TYPE"),
    "mask of rank 3": Row(Call(mask=(2, 100, 300)), "BROADCAST_RANK"),
    "mask of rank 1": Row(Call(mask=(300,)), "BROADCAST_RANK"),
    "mask [S1, S2]": Row(Call(mask=FULL)),
    "mask [1, 1, S1, S2]": Row(Call(mask=(1, 1, 100, 300))),
    "mask [B, 1, S1, S2]": Row(Call(mask=(2, 1, 100, 300), mask_dtype="uint8")),
    "mask [B, N1, S1, S2]": Row(Call(mask=(2, 4, 100, 300))),
    "mask [B, 1, 1, S2]": Row(Call(mask=(2, 1, 1, 300)), differs=ONE_OR_FULL),
    "mask [S2, S1]": Row(Call(mask=(300, 100)), "BROADCAST_2D", ("a 2-D atten_mask",)),
    "mask of mode 2": Row(Call(mask=FULL, attrs={"sparse_mode": 2}), "MASK_COMPRESSED", ("[2048, 2048]",)),
    "mask of mode 3": Row(Call(mask=FULL, attrs={"sparse_mode": 3}), "MASK_COMPRESSED", ("[2048, 2048]",)),
    "mask of mode 4": Row(window(4, 300, 300), "MASK_COMPRESSED", ("[2048, 2048]",)),
    "mask of mode 6": Row(prefix(6, 200, 200, mask=COMPRESSED), "MASK_COMPRESSED", ("[3072, 2048]",)),
    "mask of mode 7": Row(packed(((8, 8),), (7, 8, 0), (8, 8)), "MASK_COMPRESSED", ("[2048, 2048]",)),
    "mask of mode 8": Row(packed(((8, 8),), (8, 8, 0), (8, 8)), "MASK_COMPRESSED", ("[2048, 2048]",)),
    "mode 5, shared mask": Row(prefix(5, 200, 200), differs=ONE_OR_FULL),
    "mode 5, mask of each batch": Row(prefix(5, 200, 300, mask=(2, 1, 100, 300))),
    "mode 5, one batch": Row(prefix(5, 200, b=1)),
    "mode 5 without a mask": Row(prefix(5, 200, 200, mask=None)),
    # dropout
    "drop_mask": Row(given("drop_mask", (30000,), "uint8", attrs={"keep_prob": 0.5})),
    "drop_mask of rank 4": Row(given("drop_mask", (2, 4, 100, 38), "uint8")),
    "small drop_mask": Row(
        given("drop_mask", (29999,), "uint8"), "DROP_MASK_SIZE", ("at least 30000 bytes", "240000 scores")
    ),
    "small packed drop_mask": Row(
        lists(inputs={"drop_mask": ((8299,), "uint8")}), "DROP_MASK_SIZE", ("at least 8300 bytes", "66400 scores")
    ),
    "packed drop_mask": Row(lists(inputs={"drop_mask": ((8300,), "uint8")})),
    "keep_prob without drop_mask": Row(Call(attrs={"keep_prob": 0.9}), "DROP_MASK_MISSING", differs=NO_SILENT_DROPOUT),
    # tokens of dense layouts
    "both tokens negative": Row(window(0, -1, -1), "WINDOW_NEGATIVE"),
    "pre < 0, next too small": Row(window(0, -20, 19), "WINDOW_EMPTY"),
    "pre < 0": Row(window(0, -299, 299)),
    "pre < 0, right of the keys": Row(window(0, -300, 300), "WINDOW_RIGHT"),
    "next < 0, pre too small": Row(window(0, 19, -20), "WINDOW_EMPTY"),
    "next < 0": Row(window(0, 99, -99)),
    "next < 0, below the queries": Row(window(0, 100, -100), "WINDOW_BELOW"),
    "both windows large": Row(window(0, 5000, 5000)),
    "band from the bottom": Row(window(4, 20, -20, COMPRESSED)),
    "band from the bottom, empty": Row(window(4, 20, -21, COMPRESSED), "WINDOW_EMPTY"),
    "mode 3 with S1 > S2": Row(Call(s1=300, s2=100, mask=COMPRESSED, attrs={"sparse_mode": 3})),
    "mode 7 outside TND": Row(Call(mask=COMPRESSED, attrs={"sparse_mode": 7}), "SPARSE_MODE", ("got 7",)),
    "mode 9": Row(Call(mask=FULL, attrs={"sparse_mode": 9}), "SPARSE_MODE", ("got 9",)),
    "mode -1": Row(Call(mask=FULL, attrs={"sparse_mode": -1}), "SPARSE_MODE", ("got -1",)),
    "mode 99 without a mask": Row(Call(attrs={"sparse_mode": 99}), "SPARSE_MODE", ("got 99",), differs=NO_MASK_NEEDED),
    "bad window without a mask": Row(window(0, -1, -1, None), "WINDOW_NEGATIVE", differs=NO_MASK_NEEDED),
    # tokens of packed sequences
    "TND next < 0": Row(packed(((8, 8),), (0, 9, -1), (8, 8)), "PACKED_NEXT"),
    "TND pre < 0, next too small": Row(packed(((8, 8),), (0, -3, 2), (8, 8)), "PACKED_EMPTY"),
    "TND pre < 0": Row(packed(((3, 8),), (0, -3, 3), (3, 8))),
    "TND S2 + pre < S1": Row(packed(((8, 8), (8, 3)), (0, 4, 9), (8, 8)), differs=NOTHING_SEEN),
    "TND mode 4, pre < 0": Row(packed(((8, 8),), (4, -1, 9), COMPRESSED), "PACKED_PRE"),
    "TND mode 4, pre + next < 0": Row(packed(((8, 20),), (4, 3, -4), COMPRESSED), "PACKED_EMPTY"),
    "TND mode 4, S1 - next > S2": Row(packed(((8, 8), (8, 9)), (4, 9, -1), COMPRESSED), differs=NOTHING_SEEN),
    "TND mode 5": Row(packed(((8, 8),), (5, 0, 0), (8, 8), prefix=values(3)), "SPARSE_MODE", ("got 5",)),
    "TND mode 6": Row(packed(((2048, 3028),), (6, 0, 0), PREFIX_COMPRESSED, prefix=values(2500))),
    "TND mode 9": Row(packed(((8, 8),), (9, 0, 0), (8, 8)), "SPARSE_MODE", ("got 9",)),
    "mode 7, S1 > S2": Row(packed(((9, 8), (8, 8)), (7, 9, 0), COMPRESSED), "BAND_SEQUENCES"),
    "mode 7, pre": Row(packed(((8, 8), (8, 8)), (7, 7, 0), COMPRESSED), "BAND_PRE"),
    "mode 7, S1 - next > S2": Row(packed(((8, 8), (8, 8)), (7, 8, -1), COMPRESSED), "BAND_LENGTHS"),
    "mode 7, next < 0": Row(packed(((8, 8), (8, 9)), (7, 9, -1), COMPRESSED)),
    "mode 8, pre": Row(packed(((8, 8), (8, 8)), (8, 7, 0), COMPRESSED), "BAND_PRE"),
    "mode 8, S1 - next > S2": Row(packed(((9, 8), (8, 8)), (8, 9, 0), COMPRESSED), "BAND_LENGTHS"),
    "mode 8, later sequence": Row(packed(((8, 8), (9, 8)), (8, 9, 0), COMPRESSED)),
    # prefixes
    "prefix": Row(prefix(6, 200, 300, mask=PREFIX_COMPRESSED)),
    "prefix too small": Row(
        prefix(6, 199, 300, mask=PREFIX_COMPRESSED), "PREFIX_RANGE", ("prefix[0]", "200..300", "199")
    ),
    "prefix too large": Row(
        prefix(6, 200, 301, mask=PREFIX_COMPRESSED), "PREFIX_RANGE", ("prefix[1]", "200..300", "301")
    ),
    "no prefix": Row(
        Call(mask=PREFIX_COMPRESSED, attrs={"sparse_mode": 6}), "PREFIX_COUNT", ("each of the 2 batches, got 0",)
    ),
    "a prefix missing": Row(prefix(6, 200, mask=PREFIX_COMPRESSED), "PREFIX_COUNT", ("each of the 2 batches, got 1",)),
    "prefix too small in mode 5": Row(prefix(5, 199, 300), "PREFIX_RANGE", ("prefix[0]",), differs=NO_SILENT_PREFIX),
    "no prefix in mode 5": Row(
        Call(mask=FULL, attrs={"sparse_mode": 5}), "PREFIX_COUNT", ("got 0",), differs=NO_SILENT_PREFIX
    ),
    "prefix in mode 0": Row(prefix(0, 200, 300), "PREFIX_MODE", differs=NOT_IGNORED),
    # what CANN ignores
    "padding_mask": Row(given("padding_mask", (2, 300)), "PADDING_MASK", differs=NOT_IGNORED),
    "one start": Row(
        Call(s2=100, attrs={"pse_type": 2}, inputs={"real_shift": ((4,), "float32"), "q_start_idx": values(7)}),
        "START_ALONE",
        differs=NOT_IGNORED,
    ),
    "two starts": Row(
        Call(
            s2=100,
            attrs={"pse_type": 2},
            inputs={"real_shift": ((4,), "float32"), "q_start_idx": values(7), "kv_start_idx": values(7, 8)},
        ),
        "START_COUNT",
        ("one element each, got 1 and 2",),
        differs=NOT_IGNORED,
    ),
    "starts without slopes": Row(
        Call(inputs={"q_start_idx": values(7), "kv_start_idx": values(7)}), "START_TYPE", differs=NOT_IGNORED
    ),
    "starts of 0 without slopes": Row(Call(inputs={"q_start_idx": values(0), "kv_start_idx": values(0)})),
    "lists outside TND": Row(
        Call(inputs={"actual_seq_qlen": values(100, 200)}), "LIST_OUTSIDE_TND", differs=NOT_IGNORED
    ),
    "inner_precise": Row(Call(attrs={"inner_precise": 2})),
    # sizes beyond 2^31 elements; nothing is allocated
    "large": Row(Call(b=4, n1=64, n2=64, s1=1 << 20, s2=1 << 20, d=128, dv=128, dtype="bfloat16")),
    "large mask": Row(Call(b=1, n1=1, n2=1, s1=1 << 17, s2=1 << 17, mask=(1 << 17, 1 << 17))),
    "large shift": Row(
        Call(b=1, n1=8, n2=8, s1=1 << 16, s2=1 << 16, inputs={"real_shift": ((1, 8, 1 << 16, 1 << 16), "float32")})
    ),
    "large drop_mask": Row(Call(b=8, n1=8, n2=8, s1=1 << 18, s2=1 << 18, inputs={"drop_mask": ((1 << 39,), "uint8")})),
    "large drop_mask, a byte short": Row(
        Call(b=8, n1=8, n2=8, s1=1 << 18, s2=1 << 18, inputs={"drop_mask": (((1 << 39) - 1,), "uint8")}),
        "DROP_MASK_SIZE",
        ("at least 549755813888 bytes",),
    ),
    "more scores than numbers": Row(
        Call(b=1 << 20, n1=8, n2=8, s1=1 << 20, s2=1 << 20, d=1, dv=1, inputs={"drop_mask": ((1 << 39,), "uint8")}),
        "DROP_MASK_SIZE",
    ),
    "large packed": Row(PackedCall(lengths=((1 << 20, 1 << 20),) * 64, n1=64, n2=64)),
    "large packed shift": Row(
        PackedCall(lengths=((1 << 16, 1 << 16),) * 2, n1=8, n2=8, inputs={"real_shift": ((8 * 2 << 32, 1), "float32")})
    ),
}
