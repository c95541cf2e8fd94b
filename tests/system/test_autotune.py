# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The autotuner's choice, its cache, and the bench command."""

import json

import ascend_flash_attention.autotuner as module
import pytest
import torch
from ascend_flash_attention import autotune, npu_flash_attention, npu_get_flash_attention_tuning_params
from ascend_flash_attention.__main__ import main

FAST = {"block_size_q": 64, "block_size_kv": 256, "preload": 2}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ASCEND_FLASH_ATTENTION_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("FLASH_ATTENTION_SCORE_TUNING", "")
    return tmp_path / "cache/tuning.json"


@pytest.fixture
def clock(monkeypatch):
    """A clock by which a call takes as long as `seconds` says for the setting of the moment; counts its readings."""

    class Clock:
        now, calls = 0.0, 0

        def seconds(self):
            setting = npu_get_flash_attention_tuning_params()
            return 1.0 if setting == FAST | {"strategy": None} else 2.0

        def perf_counter(self):
            self.calls += 1
            self.now += self.seconds()
            return self.now

    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


def test_takes_the_fastest_and_remembers_it(clock, cache):
    q = torch.randn(1, 2, 300, 32)
    assert autotune(q, q, q, rounds=2) == FAST
    measured = clock.calls
    assert autotune(q, q, q) == FAST and clock.calls == measured
    assert list(json.loads(cache.read_text()).values()) == [FAST]
    assert autotune(q, q, q, sparse_mode=2) == FAST and clock.calls > measured
    assert len(json.loads(cache.read_text())) == 2
    measured = clock.calls
    assert autotune(q, q, q, rounds=2, refresh=True) == FAST and clock.calls > measured
    cache.write_text("{cut")
    assert autotune(q, q, q, rounds=2) == FAST and len(json.loads(cache.read_text())) == 1
    assert set(npu_get_flash_attention_tuning_params().values()) == {None}


def test_small_gains_leave_the_table(clock, monkeypatch):
    monkeypatch.setattr(clock, "seconds", lambda: 1.0)
    q = torch.randn(1, 1, 20, 32)
    assert autotune(q, q, q, rounds=1) == {}
    assert module.fastest([({}, 1.0), (FAST, 0.98)]) == {}
    assert module.fastest([({}, 1.0), (FAST, 0.96)]) == FAST


def test_tunings_that_do_not_fit_are_left_out():
    q = torch.randn(1, 1, 200, 760)
    tried = [candidate for candidate, _ in module.measure((q, q, q), {}, 1)]
    assert {} in tried and FAST in tried
    assert {"block_size_q": 128, "block_size_kv": 512, "preload": 1} not in tried


def test_errors_of_the_call_are_not_swallowed(cache):
    q = torch.randn(1, 3, 5, 8)
    with pytest.raises(ValueError, match="must be a multiple of key's heads, got 3 and 2"):
        autotune(q, q[:, :2], q[:, :2])
    with pytest.raises(ValueError, match="rounds must be at least 1, got 0"):
        autotune(q, q, q, rounds=0)
    assert not cache.exists()


def test_choice_can_be_used(clock):
    q = torch.randn(1, 2, 300, 32)
    with module.flash_attention_tuning(**autotune(q, q, q)):
        out = npu_flash_attention(q, q, q)[0]
    torch.testing.assert_close(out, torch.nn.functional.scaled_dot_product_attention(q, q, q))


def test_command(capsys):
    assert main("bench --shape 1,2,40,16 --kv-shape 1,1,70,16 --dtype bf16 --sparse-mode 3 --rounds 1".split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + len(module.CANDIDATES) and lines[0].startswith("the table ")
    assert lines[-1].startswith("fastest: ")
    assert main("bench --shape 1,2,40,16 --rounds 0".split()) == 1
    assert "--rounds must be at least 1, got 0" in capsys.readouterr().err
