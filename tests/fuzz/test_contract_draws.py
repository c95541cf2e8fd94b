# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Random problems from the whole contract, other ones in every run; many more: python -m tests.fuzz --cases 20000.

FA_DRAWS: how many (200), FA_CHECKED_DRAWS: how many in the checked mode (150).
"""

import os
import random
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager

import pytest

from tests.fuzz import __main__ as command
from tests.fuzz.check import check, check_findings
from tests.fuzz.contract_draw import draw_call, draw_contract_case
from tests.system.tuned import tuning

DRAWS = int(os.environ.get("FA_DRAWS", "200"))
CHECKED_DRAWS = int(os.environ.get("FA_CHECKED_DRAWS", "150"))


@contextmanager
def drawn(seed):
    """The case of a seed, with its tuning parameters inside."""
    case, parameters = draw_call(seed)
    print(case.name, parameters)  # shown on failure
    with tuning(parameters):
        yield case


@pytest.mark.usefixtures("one_torch_thread")
@pytest.mark.parametrize("draw", range(DRAWS))
def test_contract_draw(draw, seed):
    with drawn(seed) as case:
        check(case, seed, twice=draw % 10 == 0)


@pytest.mark.usefixtures("one_torch_thread")
@pytest.mark.parametrize("draw", range(CHECKED_DRAWS))
def test_nothing_is_found_in_the_checked_mode(draw, seed):
    with drawn(seed) as case:
        check_findings(case, seed)


def test_draws_cover_the_contract(seed):
    """Also that drawing is a function of the seed: a failure could not be repeated otherwise."""
    draws = [draw_contract_case(random.Random(f"{seed} {i}")) for i in range(1500)]
    assert draws[:50] == [draw_contract_case(random.Random(f"{seed} {i}")) for i in range(50)]
    seen = Counter(name for case in draws for name in case.features)
    assert set(seen) == {"tnd", "prefix", "pse", "packed pse", "alibi", "slopes", "dropout", "sink", "rope"}
    assert {case.sparse_mode for case in draws} == set(range(9))
    assert {case.layout for case in draws} == {"BNSD", "BSH", "BSND", "SBH", "TND"}
    more = (draw_contract_case(random.Random(f"{seed} {i}")) for i in range(30_000))
    assert any(case.b > 20 and case.d > 192 for case in more)  # one in 700: several row blocks a core, O in GM
    assert {bool(draw_call(f"{seed} {i}")[1]) for i in range(50)} == {False, True}
    assert any(0 in pair for case in draws for pair in case.sequences) and any(case.b == 0 for case in draws)
    assert any(case.mask for case in draws if case.is_packed) and any(case.mask for case in draws if not case.is_packed)


def run(*arguments):
    command_line = [sys.executable, "-m", "tests.fuzz", *map(str, arguments)]
    return subprocess.run(command_line, capture_output=True, text=True, timeout=120)


def test_command_counts_and_repeats():
    result = run("--cases", 3, "--seed", 5)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "seed 5, cases 0..2" in result.stdout and "3 cases, 0 wrong, 0 crashes; " in result.stdout


FAKE = """
import os, sys, time
seed, first, step, end, checked = map(int, sys.argv[1:])
for index in range(first, end, step):
    print("case", index, flush=True)
    if index == 2:
        os.abort()
    if index == 5:
        time.sleep(60)
    print(*(("wrong", index, "name", "text") if index == 4 else ("right", index)), flush=True)
"""


@pytest.mark.parametrize("jobs", [1, 3])
def test_crashes_hangs_and_wrong_results_are_reported(jobs, tmp_path, monkeypatch, capsys):
    script = tmp_path / "fake.py"
    script.write_text(FAKE)
    monkeypatch.setattr(command, "WORKER", [sys.executable, str(script)])
    monkeypatch.setattr(command, "PATIENCE", 1)
    before = dict(os.environ)
    assert command.main(["--cases", "7", "--seed", "9", "--jobs", str(jobs)]) == 1
    assert dict(os.environ) == before
    text = capsys.readouterr().out
    assert "7 cases, 1 wrong, 2 crashes" in text
    assert "crash: exit status -6\nreproduce with: python -m tests.fuzz --seed 9 --first 2 --cases 1" in text
    assert "crash: no result in 1 s\nreproduce with: python -m tests.fuzz --seed 9 --first 5 --cases 1" in text
    assert "wrong: name text\nreproduce with: python -m tests.fuzz --seed 9 --first 4 --cases 1" in text
