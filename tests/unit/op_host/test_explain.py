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
    capacity=65536,
):  # fmt: skip
    request = Request(
        dtype.encode(),
        b"BNSD",
        ints((b, n1, s1, d)),
        ints((b, n2, s2, d)),
        ints((b, n2, s2, d)),
        4,
        ints(mask) if mask else None,
        len(mask),
        n1,
        mode,
        2147483647,
        2147483647,
        f"strategy={strategy}".encode() if strategy else None,
        24,
        l1,
        192 << 10,
        16 << 20,
    )
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
