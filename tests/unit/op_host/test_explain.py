# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The tiling report: the decision, why other strategies were refused, and what it costs."""

import ctypes
import json

import pytest

_INTS = ctypes.POINTER(ctypes.c_int64)


class Request(ctypes.Structure):
    _fields_ = [
        ("dtype", ctypes.c_char_p),
        ("layout", ctypes.c_char_p),
        ("query", _INTS),
        ("key", _INTS),
        ("value", _INTS),
        ("rank", ctypes.c_int64),
        ("atten_mask", _INTS),
        ("atten_mask_rank", ctypes.c_int64),
        ("query_ends", _INTS),
        ("query_end_count", ctypes.c_int64),
        ("key_ends", _INTS),
        ("key_end_count", ctypes.c_int64),
        ("prefix", _INTS),
        ("prefix_count", ctypes.c_int64),
        ("head_num", ctypes.c_int64),
        ("sparse_mode", ctypes.c_int64),
        ("pre_tokens", ctypes.c_int64),
        ("next_tokens", ctypes.c_int64),
        ("tuning", ctypes.c_char_p),
        ("cores", ctypes.c_int64),
        ("l1_bytes", ctypes.c_uint64),
        ("ub_bytes", ctypes.c_uint64),
        ("system_workspace", ctypes.c_uint64),
    ]


def ints(values):
    return (ctypes.c_int64 * len(values))(*values)


def explain(
    library, b=1, n1=1, n2=1, s1=1, s2=1, d=64, dtype="float32", mask=(), mode=0, strategy=None, l1=512 << 10,
    capacity=65536, ends=None, tokens=None,
):  # fmt: skip
    """The report of BNSD, or of TND with cumulative ends of queries and keys and the tokens of both."""
    shapes = [(b, n1, s1, d), (b, n2, s2, d)] if ends is None else [(tokens[0], n1, d), (tokens[1], n2, d)]
    queries, keys = ((), ()) if ends is None else ends
    request = Request(
        dtype=dtype.encode(), layout=b"BNSD" if ends is None else b"TND", query=ints(shapes[0]), key=ints(shapes[1]),
        value=ints(shapes[1]), rank=len(shapes[0]), atten_mask=ints(mask) if mask else None, atten_mask_rank=len(mask),
        query_ends=ints(queries) if ends else None, query_end_count=len(queries),
        key_ends=ints(keys) if ends else None, key_end_count=len(keys), head_num=n1, sparse_mode=mode,
        pre_tokens=2147483647, next_tokens=2147483647,
        tuning=f"strategy={strategy}".encode() if strategy else None, cores=24, l1_bytes=l1, ub_bytes=192 << 10,
        system_workspace=16 << 20,
    )  # fmt: skip
    text = ctypes.create_string_buffer(capacity)
    length = library.FlashAttentionScoreExplainTiling(ctypes.byref(request), text, ctypes.c_size_t(capacity))
    return json.loads(text.value) if length < capacity else length


def test_causal_report(host_library):
    report = explain(host_library, b=2, n1=4, n2=2, s1=4096, s2=4096, d=128, dtype="bfloat16", mode=2)
    assert report["block_size_q"] == 128 and report["block_size_kv"] == 512
    assert report["num_blocks_q"] == 32 and report["num_blocks_kv"] == 8
    assert report["use_double_buffer"] is True and report["strategy"] == "default"
    assert {refusal["strategy"]: refusal["reason"] for refusal in report["refusals"]} == {
        "short_seq": "S2 4096 exceeds one stack of 512 keys",
        "long_seq": "the keys of a row are not split for G * S1 = 8192 rows and S2 4096",
    }
    assert report["l1_used"] == (32 + 128 + 4 * 32) << 10 and report["l1_used"] <= report["l1_bytes"]
    assert report["ub_used"] <= report["ub_bytes"] and report["acc_in_ub"] is True
    assert sum(report["core_weights"]) == 2 * 4 * 32 * 33 // 2
    assert len(report["core_weights"]) == report["block_dim"] == 24
    assert 1.0 <= report["imbalance"] <= 1.05


@pytest.mark.parametrize(
    "s1, s2, b, strategy, reason",
    [
        (100, 512, 1, "short_seq", None),
        (100, 513, 1, "default", "the keys of a row are not split for G * S1 = 100 rows and S2 513"),
        (1, 8192, 1, "long_seq", None),
        (1, 8192, 24, "default", "24 row blocks keep 24 cores busy"),
        (129, 8192, 1, "default", "the keys of a row are not split for G * S1 = 129 rows and S2 8192"),
    ],
)
def test_strategies_and_reasons(host_library, s1, s2, b, strategy, reason):
    report = explain(host_library, b=b, s1=s1, s2=s2)
    assert report["strategy"] == strategy
    assert report["tiling_key"] == {"default": 0, "short_seq": 1, "long_seq": 2}[strategy]
    reasons = {refusal["strategy"]: refusal["reason"] for refusal in report["refusals"]}
    assert reasons.get("long_seq") == reason


@pytest.mark.parametrize(
    "lengths, tail, strategy, chunks, blocks, reason",
    [
        (((100, 512), (0, 3), (300, 7)), 0, "short_seq", (0, 1), 1 + 3, None),
        (((100, 513), (7, 1)), 5, "default", (0, 1), 3, "not split in any sequence up to S1 100 and S2 513"),
        (((1, 8192), (3, 5)), 0, "long_seq", (512, 16), 2, None),
        (((1, 8192),) * 12 + ((7, 1),), 0, "default", (512, 16), 13, "26 row blocks keep 24 cores busy"),
        (((1, 60000),) + ((1, 4),) * 100, 300, "long_seq", (1024, 59), 104, None),  # one long among many
        ((), 130, "short_seq", (0, 1), 2, None),
    ],
)
def test_packed_report(host_library, lengths, tail, strategy, chunks, blocks, reason):
    ends = [tuple(sum(pair[side] for pair in lengths[: i + 1]) for i in range(len(lengths))) for side in (0, 1)]
    tokens = [sum(pair[side] for pair in lengths) + tail for side in (0, 1)]
    report = explain(host_library, n1=2, n2=2, ends=ends, tokens=tokens)
    assert report["strategy"] == strategy
    assert (report["kv_chunk"], report["kv_chunks"]) == chunks
    assert report["num_blocks_q"] == blocks
    reasons = {refusal["strategy"]: refusal["reason"] for refusal in report["refusals"]}
    assert (reason or "") in reasons.get("long_seq", "") and ("long_seq" in reasons) == (reason is not None)
    visible = [-(-s2 // 128) * -(-s1 // min(128, max(16, -(-s1 // 16) * 16))) for s1, s2 in lengths]
    assert sum(report["core_weights"]) == 2 * sum(visible)


def test_work_is_proportional_to_what_is_visible(host_library):
    dense = sum(explain(host_library, s1=8192, s2=8192)["core_weights"])
    causal = sum(explain(host_library, s1=8192, s2=8192, mode=2)["core_weights"])
    assert dense == 64 * 64 and causal == 64 * 65 // 2


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_every_head_dim_fits_the_memories(host_library, dtype):
    for d in range(1, 769):
        report = explain(host_library, d=d, dtype=dtype)
        assert report["l1_used"] <= report["l1_bytes"] and report["ub_used"] <= report["ub_bytes"], d


@pytest.mark.parametrize(
    "strategy, s2, error",
    [
        ("short_seq", 512, None),
        ("default", 512, None),
        ("long_seq", 512, "the keys of a row are not split for G * S1 = 1 rows and S2 512"),
        ("short_seq", 8192, "S2 8192 exceeds one stack of 512 keys"),
        ("default", 8192, None),
        ("long_seq", 8192, None),
        ("fast", 8192, "there is no such strategy; allowed: short_seq, long_seq, default"),
    ],
)
def test_forced_strategy(host_library, strategy, s2, error):
    report = explain(host_library, s2=s2, strategy=strategy)
    if error:
        assert report == {"error": f"strategy {strategy} is refused: {error}"}
    else:
        assert report["strategy"] == strategy and report["refusals"] == []


def test_platform_that_is_too_small(host_library):
    report = explain(host_library, l1=256 << 10)
    assert report == {"error": "a core needs 524288 bytes of L1 and 188416 of UB, this platform has 262144 and 196608"}


def test_refused_call_and_small_buffer(host_library):
    report = explain(host_library, n1=3, n2=2)
    assert report == {"error": "query's heads must be a multiple of key's heads, got 3 and 2"}
    length = explain(host_library, capacity=10)
    assert length > 10 and isinstance(explain(host_library, capacity=length + 1), dict)
    assert explain(host_library, capacity=length) == length
