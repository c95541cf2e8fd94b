# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""explain_tiling and its command: the decision is the one that the tiling of a real call takes."""

import importlib.util
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from ascend_flash_attention import explain_tiling, npu_flash_attention
from ascend_flash_attention.__main__ import main

from ascendc_cpu import host
from tests.fuzz.draw import draw_case

CAUSAL = {"dtype": "bf16", "sparse_mode": 3, "soc": "Ascend910B1"}
SOCS = ("Ascend910B1", "Ascend910B3", "cpu")


@pytest.fixture(scope="module", autouse=True)
def operator():
    """The installed operator's host functions, for comparison."""
    package = importlib.util.find_spec("ascend_flash_attention").submodule_search_locations[0]
    host.load(Path(package) / "vendors/custom/op_api/lib/libcust_opapi.so")


def shape_of(case, heads, length, width):
    return {
        "BNSD": (case.b, heads, length, width),
        "BSND": (case.b, length, heads, width),
        "BSH": (case.b, length, heads * width),
        "SBH": (length, case.b, heads * width),
    }[case.layout]


def shapes_of(case):
    return [
        shape_of(case, *sizes)
        for sizes in ((case.n1, case.s1, case.d), (case.n2, case.s2, case.d), (case.n2, case.s2, case.dv))
    ]


def test_reports_what_the_tiling_decides(seed):
    """Random problems: key, cores and workspace of the report are those of the tiling itself."""
    draws = random.Random(seed)
    for draw in range(60):
        case, soc = draw_case(draws, "breadth"), draws.choice(SOCS)
        mask = case.mask_shape
        report = explain_tiling(
            *shapes_of(case),
            dtype=getattr(torch, case.dtype),
            head_num=case.n1,
            input_layout=case.layout,
            atten_mask_shape=mask,
            soc=soc,
            **case.sparse,
        )
        inputs = [(shape, case.dtype) for shape in shapes_of(case)] + [None] * 3 + [(mask, "bool") if mask else None]
        attributes = {"head_num": case.n1, "input_layout": case.layout, "sparse_mode": case.sparse_mode,
                      "pre_tockens": case.pre_tokens, "next_tockens": case.next_tokens}  # fmt: skip
        tiling = host.run_tiling("FlashAttentionScore", inputs, attributes, soc=soc)
        reported = report.tiling_key, report.block_dim, report.workspace_bytes
        assert reported == (tiling.key, tiling.block_dim, tiling.workspace), f"draw {draw}: {case.name} on {soc}"


def test_causal_prefill():
    report = explain_tiling((2, 4, 4096, 128), (2, 2, 4096, 128), **CAUSAL)
    assert (report.soc, report.cores, report.block_dim, report.strategy) == ("Ascend910B1", 24, 24, "default")
    assert (report.block_size_q, report.block_size_kv, report.num_blocks_q, report.num_blocks_kv) == (128, 512, 32, 8)
    assert report.use_double_buffer and report.heads_per_tile == 1 and report.kv_chunks == 1
    assert [refusal.strategy for refusal in report.refusals] == ["short_seq", "long_seq"]
    assert report.core_work_mean * 24 == sum(report.core_weights) == 2 * 4 * 32 * 33 // 2
    assert report.core_work_max == max(report.core_weights)
    assert report.imbalance == pytest.approx(report.core_work_max / report.core_work_mean, abs=1e-6)
    assert 1.0 <= report.imbalance <= 1.05
    assert report.l1_used <= report.l1_bytes == 512 << 10 and report.ub_used <= report.ub_bytes == 184 << 10


@pytest.mark.parametrize("heads", [1, 8])
def test_causal_16k_is_even_on_24_cores(heads):
    report = explain_tiling((1, heads, 16384, 128), **CAUSAL)
    assert report.block_dim == 24 and report.imbalance <= 1.05


@pytest.mark.parametrize(
    ("s1", "s2", "strategy"), [(100, 512, "short_seq"), (1, 8192, "long_seq"), (1000, 8192, "default")]
)
def test_strategy_of_lengths(s1, s2, strategy):
    report = explain_tiling((1, 1, s1, 64), (1, 1, s2, 64), soc="Ascend910B1")
    assert report.strategy == strategy
    assert explain_tiling((1, 1, s1, 64), (1, 1, s2, 64), strategy="default", soc="Ascend910B1").strategy == "default"


def test_environment_is_obeyed_as_in_a_real_call(monkeypatch):
    monkeypatch.setenv("FLASH_ATTENTION_SCORE_TUNING", "strategy=default,block_size_kv=256")
    monkeypatch.setenv("ASCENDC_CPU_SOC", "Ascend910B4")
    report = explain_tiling((1, 1, 7, 64))
    assert (report.strategy, report.soc, report.cores) == ("default", "Ascend910B4", 20)
    assert report.block_size_kv == 256 and explain_tiling((1, 1, 7, 64), block_size_kv=384).block_size_kv == 384


@pytest.mark.parametrize(
    ("shapes", "options", "text"),
    [
        ([(1, 3, 5, 8), (1, 2, 5, 8)], {}, "query's heads must be a multiple of key's heads, got 3 and 2"),
        ([(1, 5, 24)], {}, "head_num is needed for input_layout BSH, query_shape [1, 5, 24]"),
        ([(1, 5)], {}, "query must have 3 or 4 dimensions, got [1, 5]"),
        ([(1, 2, 5, 8), (1, 5, 16)], {}, "must have one number of dimensions, got [1, 2, 5, 8], [1, 5, 16]"),
        ([(1, 2, 5, 8)], {"input_layout": "BNDS"}, "input_layout must be BSH, SBH, BSND, BNSD or TND, got 'BNDS'"),
        ([(1, 2, 5, 8)], {"input_layout": "SBH"}, "query must have 3 dimensions for input_layout SBH"),
        ([(1, 2, -5, 8)], {}, "a size of query must be an integer of 0.."),
        ([(1 << 39, 1 << 39, 16, 64)], {}, "query must have at most 2^56 elements, got [B, N, S, D] = [549755813888, "),
        ([(1, 1, 1 << 31, 1)], {}, "S1, the length of query, must be at most 2147483647, got 2147483648"),
        ([(1, 1, 16, 1), (1, 1, 1 << 33, 1)], {}, "S2, the length of key, must be at most 2147483647, got 8589934592"),
        ([(1, 2, 5, 769)], {}, "head dim of query and key must be 1..768, got 769"),
        ([(1, 2, 5, 8)], {"dtype": "int8"}, "dtype must be float32, float16 or bfloat16, got 'int8'"),
        ([(1, 2, 5, 8)], {"sparse_mode": 9}, "sparse_mode must be"),
        ([(1, 2, 5, 8)], {"pre_tokens": 1 << 63}, "pre_tokens must be an integer of -9223372036854775808.."),
        ([(1, 2, 5, 8)], {"atten_mask_shape": (5, 6)}, "a 2-D atten_mask is [S1, S2] = [5, 5]"),
        ([(1, 2, 5, 8)], {"atten_mask_shape": ()}, "atten_mask_shape must have 2 or 4 dimensions, got []"),
        ([(1, 2, 5, 8)], {"strategy": "fast"}, "allowed: short_seq, long_seq, default"),
        ([(1, 2, 5, 8)], {"block_size_q": 130}, "block_size_q must be a multiple of 16 from 16 to 128, got 130"),
        ([(1, 2, 5, 8)], {"strategy": "long_seq"}, "strategy long_seq is refused: the keys of a row are not split"),
        ([(1, 2, 5, 8)], {"soc": "Ascend310"}, "soc: got 'Ascend310', allowed: Ascend910B1"),
    ],
)
def test_errors(shapes, options, text):
    with pytest.raises(ValueError) as caught:
        explain_tiling(*shapes, **options)
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("shape", "options", "text"),
    [
        ((1, 2, 5.0, 8), {}, "a size of query must be an integer, got 5.0"),
        ((1, 2, 5, 8), {"soc": 5}, "soc must be a string, got 5"),
        ((1, 2, 5, 8), {"input_layout": 5}, "input_layout must be a string, got 5"),
        ((1, 2, 5, 8), {"head_num": "2"}, "head_num must be an integer, got '2'"),
        ((1, 2, 5, 8), {"sparse_mode": "3"}, "sparse_mode must be an integer, got '3'"),
    ],
)
def test_types(shape, options, text):
    with pytest.raises(TypeError) as caught:
        explain_tiling(shape, **options)
    assert text in str(caught.value)


def test_default_tokens_hide_no_key_of_the_longest_sequence():
    report = explain_tiling((1, 1, 16, 1), (1, 1, (1 << 31) - 1, 1), dtype="bf16", soc="Ascend910B1")
    assert sum(report.core_weights) * 128 == 1 << 31


def test_many_heads_are_counted_at_once():
    report = explain_tiling((1 << 30, 1, 16, 64), dtype="bf16", soc="Ascend910B1")
    assert sum(report.core_weights) == 1 << 30 and report.imbalance < 1.000001


def test_refusals_are_those_of_the_operator():
    q, k = torch.zeros(1, 2, 5, 8), torch.zeros(1, 2, 7, 8)
    window = {"sparse_mode": 4, "pre_tokens": -3, "next_tokens": 1}
    with pytest.raises(ValueError) as explained:
        explain_tiling(q.shape, k.shape, dtype=q.dtype, **window)
    with pytest.raises(ValueError) as called:
        npu_flash_attention(q, k, k, **window)
    assert str(explained.value) in str(called.value)


def command(*arguments):
    return main(["explain", *arguments])


def test_command_as_json(capsys):
    arguments = (
        "--shape 1,8,4096,128 --kv-shape 1,2,4096,128 --dtype bf16 --layout BNSD --sparse-mode 3 --soc Ascend910B1"
    )
    assert command(*arguments.split(), "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(json.dumps(explain_tiling((1, 8, 4096, 128), (1, 2, 4096, 128), **CAUSAL).to_dict()))
    assert printed["core_work_max"] == max(printed["core_weights"]) and printed["refusals"][0]["reason"]


def test_command_as_text(capsys):
    assert command(*"--shape 2,1,4096 --kv-shape 2,8192,1024 --heads 32 --dtype fp32 --layout BSH".split()) == 0
    text = capsys.readouterr().out
    assert "tile       16 query rows x 512 keys" in text and "the rows of 4 heads share a tile" in text
    assert "not short_seq: S2 8192 exceeds one stack of 512 keys" in text


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        ("explain --shape 1,2,5,769", 1, "explain: head dim of query and key must be 1..768, got 769"),
        ("explain --shape 1,2,x,8", 2, "needed are integers with commas between, got '1,2,x,8'"),
        ("explain", 2, "the following arguments are required: --shape"),
        ("train", 2, "invalid choice: 'train'"),
        ("", 2, "the following arguments are required"),
    ],
)
def test_command_errors(arguments, code, text):
    run = subprocess.run(
        [sys.executable, "-m", "ascend_flash_attention", *arguments.split()],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == code and text in run.stderr, run.stderr
    assert "Traceback" not in run.stderr


def test_command_of_packed_sequences(capsys):
    arguments = "--shape 108,4,64 --kv-shape 303,2,64 --layout TND --actual-seq-qlen 40,100 --actual-seq-kvlen 70,300"
    assert command(*arguments.split(), "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    ends = {"actual_seq_qlen": [40, 100], "actual_seq_kvlen": torch.tensor([70, 300])}
    report = explain_tiling((108, 4, 64), (303, 2, 64), input_layout="TND", **ends)
    assert printed == json.loads(json.dumps(report.to_dict()))
    assert report.strategy == "short_seq"
    assert report.num_blocks_q == 1 + 1 + 1  # 2 x 40 rows share a tile, then 2 x 60, then 2 x 8 behind the last end
    with pytest.raises(ValueError, match="key must have the tokens of all sequences, got 303 tokens"):
        explain_tiling((108, 4, 64), (303, 2, 64), input_layout="TND", **ends | {"actual_seq_kvlen": [70, 304]})


@pytest.mark.parametrize("mode", [5, 6])
def test_prefix(mode):
    shape = (2, 4, 1000, 64)
    mask = {"atten_mask_shape": (2, 1, 1000, 1000) if mode == 5 else None}
    causal, dense = (explain_tiling(shape, sparse_mode=mode, prefix=[keys, keys], **mask) for keys in (0, 1000))
    assert sum(dense.core_weights) == 2 * 4 * 8 * 8 and sum(causal.core_weights) == 2 * 4 * 8 * 9 // 2
    with pytest.raises(ValueError, match="prefix"):
        explain_tiling(shape, sparse_mode=6)
