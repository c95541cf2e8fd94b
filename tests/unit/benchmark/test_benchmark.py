# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The benchmark's arithmetic, its contenders and its judge; no times are judged here."""

import csv

import pytest
import torch

from tests.benchmark import judge, measure
from tests.benchmark.contenders import sdpa, unfused, useful_flops, visible_pairs
from tests.benchmark.measure import Timing, alternate
from tests.cases.inputs import make_inputs
from tests.cases.loader import expand, load, select
from tests.reference.attention import attention


def one(**axes):
    (case,) = expand({"name": "g", "step": "slice", "tags": ["bench"], "s": [[6, 6]], "d": 8} | axes, "here")
    return case


@pytest.mark.parametrize("contender", [sdpa, unfused])
@pytest.mark.parametrize(
    "axes",
    [
        {},
        {"heads": [[4, 2]], "b": 2},
        {"sparse": [{"mode": 2}]},
        {"sparse": [{"mode": 3}], "s": [[4, 9]]},
        {"sparse": [{"mode": 4, "pre": 2, "next": 1}]},
        {"mask": [{"shape": ["B", 1, 1, "S2"], "kind": "padding"}], "b": 2},
    ],
)
def test_contenders_compute_the_same_problem(contender, axes, seed):
    case = one(**axes)
    inputs = make_inputs(case, seed)
    expected = attention(inputs.query, inputs.key, inputs.value, scale=case.scale, mask=inputs.mask, **case.sparse)
    torch.testing.assert_close(contender(case, inputs)().double(), expected.out, rtol=0, atol=1e-5)


def test_useful_flops():
    assert visible_pairs(one()) == 36
    assert visible_pairs(one(sparse=[{"mode": 2}])) == 21
    assert visible_pairs(one(s=[[3000, 2]], sparse=[{"mode": 2}])) == 1 + 2 * 2999
    assert useful_flops(one(b=2, heads=3, d=[[8, 4]])) == 4 * 6 * 36 * 6


def test_alternate_changes_the_order_every_round(monkeypatch):
    monkeypatch.setattr(measure, "MIN_SAMPLE_SECONDS", 0.0)
    order, ticks = [], iter(range(1000))
    monkeypatch.setitem(measure.CLOCKS, "wall", lambda: next(ticks))
    timings = alternate({name: lambda name=name: order.append(name) for name in "ab"}, 4, "wall", 1)
    assert "".join(order) == "ab" + "abbaabba"  # the first call of each is not counted
    assert [t.samples for t in timings.values()] == [[1.0] * 4] * 2


def test_ratio_is_taken_within_rounds():
    """A round that the machine slowed down for both contenders does not count against one of them."""
    assert Timing([1.0, 10.0, 1.0]).speed_over(Timing([2.0, 20.0, 2.0])) == 2.0


def write(path, ratios):
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["case", "metric", "contender", "ratio"])
        writer.writerows([case, "cpu_1_thread", "ours", ratio] for case, ratio in ratios.items())


@pytest.mark.parametrize(
    ("ratios", "code", "words"),
    [
        ({"x": 0.51}, 0, "above floor"),
        ({"x": 1.2}, 0, "goal reached"),
        ({"x": 0.49}, 1, "below floor"),
        ({"x": "nan"}, 1, "below floor"),
        ({"y": 2.0}, 1, "missing"),
    ],
)
def test_judge(ratios, code, words, tmp_path, capsys):
    write(tmp_path / "r.csv", ratios)
    floors = tmp_path / "floors.yaml"
    floors.write_text("- {case: x, metric: cpu_1_thread, contender: ours, floor: 0.5, goal: 1.0}\n")
    assert judge.main([str(tmp_path / "r.csv"), str(floors)]) == code
    assert words in capsys.readouterr().out


def test_floors_name_cases_of_the_table():
    names = {case.name for case in select(load(), ["bench"], ["slice", "breadth"])}
    assert {floor["case"] for floor in judge.read_floors(judge.FLOORS)} <= names
