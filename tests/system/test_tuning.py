# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Tuning parameters: set, get, reset; every legal setting gives right results and bits that threads cannot change."""

import itertools
import os
import random
from dataclasses import replace

import pytest
import torch
from ascend_flash_attention import (
    explain_tiling,
    flash_attention_tuning,
    npu_flash_attention,
    npu_get_flash_attention_tuning_params,
    npu_reset_flash_attention_tuning_params,
    npu_set_flash_attention_tuning_params,
)

from tests.cases.inputs import make_inputs
from tests.cases.loader import MaskSpec, load
from tests.system.forward_call import call_inputs, same_bits
from tests.system.forward_check import check_case
from tests.system.test_strategies import report_of

VARIABLE = "FLASH_ATTENTION_SCORE_TUNING"
NONE = dict.fromkeys(("block_size_q", "block_size_kv", "preload", "strategy"))
ROWS, KEYS = range(16, 129, 16), range(128, 513, 128)
SETTINGS = list(itertools.product(ROWS, KEYS, (1, 2)))
MASK = MaskSpec((1, 1, "S1", "S2"), "blind_rows")
MACHINES = [  # threads, platform row, preload, strategy
    (1, "cpu", 1, None),
    (2, "Ascend910B1", 2, None),
    (5, "Ascend910B3", 1, "default"),
    (2, "cpu", 2, "default"),
]
PROBLEMS = [
    {"s1": 261, "s2": 517, "sparse_mode": 3},
    {"s1": 145, "s2": 900, "mask": MASK, "layout": "BSND"},
    {"s1": 13, "s2": 2300, "n1": 6, "n2": 2, "layout": "BSH"},  # packed heads, KV chunks
    {"s1": 1, "s2": 1537, "b": 2, "n1": 8, "n2": 1},
    {"s1": 300, "s2": 300, "sparse_mode": 4, "pre_tokens": 90, "next_tokens": 20, "d": 80, "dv": 72},
    {"s1": 200, "s2": 260, "d": 256, "dv": 256},
    {"s1": 150, "s2": 260, "d": 520, "dv": 520},
]


@pytest.fixture(autouse=True)
def untuned(monkeypatch):
    monkeypatch.setenv(VARIABLE, "")


def case_of(dtype, changes):
    (template,) = [case for case in load() if case.name == "smoke-BNSD-fp32-b2n3s65x129d32"]
    return replace(template, dtype=dtype, **({"b": 1, "n1": 2, "n2": 2} | changes))


def test_set_get_reset():
    assert npu_get_flash_attention_tuning_params() == NONE
    npu_set_flash_attention_tuning_params(64, 256, strategy="default")
    setting = {"block_size_q": 64, "block_size_kv": 256, "preload": None, "strategy": "default"}
    assert npu_get_flash_attention_tuning_params() == setting
    with flash_attention_tuning(preload=2):
        assert npu_get_flash_attention_tuning_params() == NONE | {"preload": 2}
        with pytest.raises(ZeroDivisionError), flash_attention_tuning(block_size_kv=384):
            assert explain_tiling((1, 1, 99, 64)).block_size_kv == 384
            raise ZeroDivisionError
    assert npu_get_flash_attention_tuning_params() == setting
    report = explain_tiling((1, 1, 999, 64), preload=2)
    assert (report.block_size_q, report.block_size_kv, report.strategy) == (64, 256, "default")
    npu_set_flash_attention_tuning_params()
    assert npu_get_flash_attention_tuning_params() == NONE and VARIABLE not in os.environ
    npu_reset_flash_attention_tuning_params()
    assert npu_get_flash_attention_tuning_params() == NONE


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"block_size_q": 0}, "block_size_q must be a multiple of 16 from 16 to 128, got 0"),
        ({"block_size_q": 144}, "block_size_q must be a multiple of 16 from 16 to 128, got 144"),
        ({"block_size_kv": 200}, "block_size_kv must be a multiple of 128 from 128 to 512, got 200"),
        ({"block_size_q": 1 << 64}, "block_size_q must be an integer of"),
        ({"strategy": "fastest"}, "allowed: short_seq, long_seq, default"),
        ({"strategy": "default,preload=2"}, "strategy must be short_seq, long_seq or default"),
    ],
)
def test_errors_leave_the_setting(parameters, text):
    npu_set_flash_attention_tuning_params(block_size_kv=384)
    with pytest.raises(ValueError) as caught:
        npu_set_flash_attention_tuning_params(**parameters)
    assert text in str(caught.value)
    assert npu_get_flash_attention_tuning_params() == NONE | {"block_size_kv": 384}


@pytest.mark.parametrize("name", NONE)
@pytest.mark.parametrize("value", [True, 128.0, "16,preload=2", "256", [128], b"default"])
def test_values_of_a_wrong_type(name, value):
    npu_set_flash_attention_tuning_params(block_size_kv=384)
    if name == "strategy" and isinstance(value, str):
        kind, text = ValueError, "strategy must be short_seq, long_seq or default, got"
    else:
        kind, text = TypeError, f"{name} must be {'a string' if name == 'strategy' else 'an integer'}, got"
    for refused in (npu_set_flash_attention_tuning_params, lambda **given: explain_tiling((1, 1, 99, 64), **given)):
        with pytest.raises(kind, match=text):
            refused(**{name: value})
    assert npu_get_flash_attention_tuning_params() == NONE | {"block_size_kv": 384}


def test_a_refused_call_names_where_the_setting_comes_from():
    x = torch.zeros(1, 1, 5, 300)
    with flash_attention_tuning(block_size_kv=512):
        with pytest.raises(ValueError, match=r"tuning block_size_kv=512 \(npu_set_flash_attention_tuning_params or "):
            npu_flash_attention(x, x, x)


def test_malformed_variable_is_an_error(monkeypatch):
    monkeypatch.setenv(VARIABLE, "block_size=3")
    case = case_of("float32", {})
    for run in (
        npu_get_flash_attention_tuning_params,
        lambda: call_inputs(case, make_inputs(case, 1)),
        lambda: explain_tiling((1, 1, 1, 8)),
    ):
        with pytest.raises(ValueError, match="allowed are block_size_q=, block_size_kv=, preload= and strategy="):
            run()


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_128_x_256_is_legal_up_to_d_256(dtype):
    with flash_attention_tuning(block_size_q=128, block_size_kv=256):
        for d in range(1, 257):
            report = explain_tiling((1, 1, 999, d), dtype=dtype)
            assert (report.block_size_q, report.block_size_kv) == (128, 256) and report.l1_used <= report.l1_bytes


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("changes", PROBLEMS)
def test_results_of_settings(changes, dtype, seed):
    """Smallest, largest and three drawn settings of a problem."""
    case = case_of(dtype, changes)
    legal = []
    for rows, keys, preload in SETTINGS:
        try:
            explain = report_of(case, block_size_q=rows, block_size_kv=keys, preload=preload)
        except ValueError as error:
            assert "bytes of L1" in str(error) and case.d > 256 and dtype == "float32"
            continue
        assert explain.l1_used < explain.l1_bytes
        legal.append((rows, keys, preload))
    assert len(legal) == len(SETTINGS) or (dtype == "float32" and case.d > 256)
    chosen = random.Random(seed).sample(legal, 3)
    for rows, keys, preload in {legal[0], legal[-1], *chosen}:
        print(f"block_size_q={rows},block_size_kv={keys},preload={preload}")
        with flash_attention_tuning(block_size_q=rows, block_size_kv=keys, preload=preload):
            check_case(case, seed)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("changes", PROBLEMS[:5])
def test_bits_depend_on_sizes_only(changes, dtype, seed, monkeypatch):
    """Threads, cores, preload and strategy change nothing, for any sizes."""
    case = case_of(dtype, changes)
    inputs = make_inputs(case, seed)
    threads = torch.get_num_threads()
    draws = random.Random(seed)
    try:
        for rows, keys in ((16, 128), (draws.choice(ROWS), draws.choice(KEYS)), (128, 384)):
            results = []
            for count, soc, preload, strategy in MACHINES:
                torch.set_num_threads(count)
                monkeypatch.setenv("ASCENDC_CPU_SOC", soc)
                with flash_attention_tuning(block_size_q=rows, block_size_kv=keys, preload=preload, strategy=strategy):
                    results.append(call_inputs(case, inputs)[:3])
            for result in results[1:]:
                assert all(same_bits(a, b) for a, b in zip(results[0], result, strict=True)), (rows, keys)
    finally:
        torch.set_num_threads(threads)
