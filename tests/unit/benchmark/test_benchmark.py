# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The benchmark's arithmetic, its contenders and its judge; no times are judged here."""

import argparse
import csv
import io
import itertools
import re

import pytest
import torch

from tests.benchmark import __main__ as benchmark
from tests.benchmark import bench, judge, measure, memory, plots, publish, quiet, tables
from tests.benchmark.contenders import (
    folded,
    onnxruntime,
    read,
    sdpa,
    training,
    unfused,
    useful_flops,
    visible_pairs,
)
from tests.benchmark.measure import Timing, alternate
from tests.benchmark.not_applicable import NotApplicable
from tests.benchmark.progress import WIDTH, Progress
from tests.cases.inputs import make_inputs
from tests.cases.loader import expand, load, select
from tests.reference.attention import attention


def one(**axes):
    (case,) = expand({"name": "g", "step": "slice", "tags": ["bench"], "s": [[6, 6]], "d": 8} | axes, "here")
    return case


def plain_case(case):
    return case.mask is None and case.sparse_mode in (0, 2)


@pytest.mark.parametrize("contender", [sdpa, unfused, folded, onnxruntime])
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
    try:
        run = contender(case, inputs)
    except NotApplicable as reason:
        assert (contender is folded and case.n1 == case.n2) or (contender is onnxruntime and not plain_case(case)), (
            reason
        )
        return
    expected = attention(inputs.query, inputs.key, inputs.value, scale=case.scale, mask=inputs.mask, **case.sparse)
    torch.testing.assert_close(run().double(), expected.out, rtol=0, atol=1e-5)


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


def write(path, ratios, metric="cpu_1_thread", disturbed=""):
    """Ratios of case -> {contender: ratio}; a call of SDPA takes 1 s."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["commit", "machine", "disturbed", "case", "metric", "contender", "ratio", "median_s"])
        for case, contenders in ratios.items():
            for name, ratio in contenders.items():
                writer.writerow(["abc", "cpu", disturbed, case, metric, name, ratio, 1 / float(ratio)])


@pytest.mark.parametrize(
    ("ratios", "keys", "code", "words"),
    [
        ({"x": {"ours": 0.51}}, "floor: 0.5, goal: 1.0", 0, "above floor"),
        ({"x": {"ours": 1.2}}, "floor: 0.5, goal: 1.0", 0, "goal reached"),
        ({"x": {"ours": 0.49}}, "floor: 0.5, goal: 1.0", 1, "below floor"),
        ({"x": {"ours": "nan"}}, "floor: 0.5, goal: 1.0", 1, "below floor"),
        ({"y": {"ours": 2.0}}, "floor: 0.5, goal: 1.0", 1, "missing"),
        ({"x": {"ours": 3.0, "unfused": 0.5}}, "over: unfused, floor: 5.5, goal: 6.5", 0, "above floor     6.000"),
        ({"x": {"ours": 3.0, "unfused": 0.6}}, "over: unfused, floor: 5.5, goal: 6.5", 1, "below floor     5.000"),
        ({"x": {"ours": 3.0}}, "over: unfused, floor: 1, goal: 1", 1, "missing"),
        ({"x": {"ours": 1e5}}, "at_most_us: 11", 0, "goal reached   10.000"),
        ({"x": {"ours": 1e5}}, "at_most_us: 9", 1, "below floor    10.000"),
        ({"x": {"ours": 1e5}, "xx": {"ours": 1e4}}, "case: x+, at_most_us: 11", 1, "below floor   100.000"),
        ({"x": {"ours": 9}, "xx": {"ours": 0.4}}, "case: x+, floor: 0.5, goal: 1.0", 1, "below floor     0.400"),
        ({"x": {"ours": 9}, "xx": {"ours": "nan"}}, "case: x+, floor: 0.5, goal: 1.0", 1, "below floor"),
    ],
)
def test_judge(ratios, keys, code, words, tmp_path, capsys):
    write(tmp_path / "r.csv", ratios)
    floors = tmp_path / "floors.yaml"
    case = "" if "case:" in keys else "case: x, "
    floors.write_text(f"- {{{case}metric: cpu_1_thread, contender: ours, {keys}}}\n")
    assert judge.main([str(tmp_path / "r.csv"), "--floors", str(floors)]) == code
    assert words in capsys.readouterr().out
    if words == "missing":
        assert judge.main([str(tmp_path / "r.csv"), "--floors", str(floors), "--measured"]) == 0


def test_wall_time_of_a_busy_machine_is_not_judged(tmp_path, capsys):
    floors = tmp_path / "floors.yaml"
    floors.write_text("- {case: x, metric: wall_2_threads, contender: ours, at_most_us: 9}\n")
    for disturbed, verdict in (("", "below floor"), ("load 9", "missing")):
        write(tmp_path / "r.csv", {"x": {"ours": 1e5}}, "wall_2_threads", disturbed)
        assert judge.main([str(tmp_path / "r.csv"), "--floors", str(floors)]) == 1
        assert verdict in capsys.readouterr().out


def test_judge_refuses_unknown_keys(tmp_path):
    floors = tmp_path / "floors.yaml"
    floors.write_text("- {case: x, metric: m, contender: ours, floor: 1}\n")
    with pytest.raises(ValueError, match="keys: got"):
        judge.read_floors(floors)


def test_floors_name_cases_and_metrics_that_exist():
    cases = {case.name: case for case in select(load(), ["bench"], ["slice", "breadth"])}
    for floor in judge.read_floors(judge.FLOORS):
        kind = "training" if floor["metric"].startswith("training_") else "forward"
        named = [case for name, case in cases.items() if re.fullmatch(floor["case"], name)]
        assert named and all(bench.takes(case, kind) for case in named)


@pytest.mark.parametrize("contender", [sdpa, unfused, folded])
def test_training_contenders_agree(contender, seed):
    case = one(heads=[[4, 2]], sparse=[{"mode": 2}])
    inputs = make_inputs(case, seed)
    gradients, expected = training(contender, case, inputs)(), training(sdpa, case, inputs)()
    assert [g.shape for g in gradients] == [x.shape for x in (inputs.query, inputs.key, inputs.value)]
    assert bench.difference(gradients, expected) < 1e-5
    assert bench.difference(tuple(g + 1 for g in gradients), expected) == pytest.approx(1, abs=1e-4)
    with pytest.raises(NotApplicable):
        training(read, case, inputs)


def test_passes_of_cases():
    assert bench.takes(one(), "training") and bench.takes(one(sparse=[{"mode": 3}]), "training")
    assert not bench.takes(one(s=[[1, 6]]), "training") and bench.takes(one(s=[[1, 6]]), "forward")
    assert not bench.takes(one(sparse=[{"mode": 4, "pre": 2, "next": 1}]), "training")


def run_bench(capsys, *arguments):
    parser = argparse.ArgumentParser()
    bench.add_arguments(parser)
    path = bench.measure(parser, parser.parse_args([*arguments]))
    with path.open(newline="") as file:
        return list(csv.DictReader(file)), capsys.readouterr()


def test_bench_writes_what_it_measures(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(measure, "MIN_SAMPLE_SECONDS", 0.0)
    monkeypatch.delenv("ASCENDC_CPU_NUM_THREADS", raising=False)
    file = tmp_path / "x.csv"
    rows, printed = run_bench(capsys, "--cases", "^tiny", "--rounds", "2", "--csv", str(file))
    assert {row["contender"] for row in rows} == {"sdpa", "ours", "unfused", "onnxruntime", "read"}
    assert {row["metric"] for row in rows} == {"cpu_1_thread", "wall_2_threads"} and len(rows) == 10
    assert "not folded: no query heads share a key head" in printed.err
    assert all(float(row["difference"]) < 1e-6 for row in rows if row["contender"] != "read")
    plots.draw(file)
    assert file.with_suffix(".png").stat().st_size > 1000
    for wrong in (
        ["--cases", "^nothing"],
        ["--contenders", "ours,theirs"],
        ["--passes", "sideways"],
        ["--rounds", "0"],
    ):
        with pytest.raises(SystemExit):
            run_bench(capsys, *wrong, "--csv", str(file))


@pytest.mark.parametrize(("limit", "code"), [(1e9, 0), (1e-3, 1)])
def test_everything_in_one_go(limit, code, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(measure, "MIN_SAMPLE_SECONDS", 0.0)
    monkeypatch.delenv("ASCENDC_CPU_NUM_THREADS", raising=False)
    floors = tmp_path / "floors.yaml"
    case = "tiny_bench-BNSD-fp32-b1n1s1x1d64"
    floors.write_text(f"- {{case: {case}, metric: cpu_1_thread, contender: ours, at_most_us: {limit}}}\n")
    monkeypatch.setattr(judge, "FLOORS", floors)
    file = tmp_path / "x.csv"
    monkeypatch.setattr("sys.argv", ["bench", "--cases", "^tiny", "--rounds", "1", "--csv", str(file)])
    assert benchmark.main() == code
    assert ("goal reached", "below floor")[code] in capsys.readouterr().out
    assert file.exists() and file.with_suffix(".png").exists()
    monkeypatch.setattr("sys.argv", ["bench", "--publish", "--parts", "nothing"])
    with pytest.raises(SystemExit):
        benchmark.main()
    assert "--parts: got nothing, allowed: forward, " in capsys.readouterr().err


def test_memory_is_measured_and_drawn(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(memory, "LENGTHS", (512, 512))
    monkeypatch.setattr(memory, "HEADS", (2,))
    file = tmp_path / "m.csv"
    memory.write(file, True, {"commit": "abc", "machine": "cpu"})
    rows = list(csv.DictReader(file.open(newline="")))
    sizes = {row["contender"]: float(row["extra_mib"]) for row in rows}
    assert sizes["unfused"] >= 2 * 512 * 512 * 4 / 2**20, "the scores of two heads"
    plots.draw(file)
    assert file.with_suffix(".png").stat().st_size > 1000


def test_busy_machine_is_noticed(monkeypatch):
    monkeypatch.setattr(quiet.os, "getloadavg", lambda: (0.0, 0.0, 0.0))
    monkeypatch.setattr(quiet, "stolen_share", lambda: 0.0)
    assert quiet.disturbance() == [] == quiet.wait_until_quiet(1, pytest.fail)
    monkeypatch.setattr(quiet.os, "getloadavg", lambda: (99.0, 0.0, 0.0))
    assert "load 99.0" in quiet.disturbance()[0]
    said = []
    assert len(quiet.wait_until_quiet(0.001, said.append)) == 1 and said
    monkeypatch.setattr(quiet, "stolen_share", lambda: 0.4)
    assert "40% of a busy loop" in quiet.disturbance()[1]
    monkeypatch.undo()
    assert 0 <= quiet.stolen_share() < 1


def test_progress_is_for_terminals():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for stream in (io.StringIO(), Terminal()):
        progress = Progress(4, stream)
        progress.step()
        progress.show("x", 0.5)
        progress.clear()
        written = stream.getvalue()
        assert (f"[{'#' * 11}{'.' * (WIDTH - 11)}] 1/4 x" in written) == stream.isatty() == bool(written)


def test_parts_to_publish_cover_the_floors_and_tables(monkeypatch):
    """Every floor and every figure of the READMEs is measured by a part, with the contenders that it needs."""
    monkeypatch.delenv("ASCENDC_CPU_NUM_THREADS", raising=False)
    measured = set()
    parser = argparse.ArgumentParser()
    bench.add_arguments(parser)
    for pattern, *arguments in itertools.chain(*publish.SPEED.values()):
        options = parser.parse_args(["--cases", pattern, *arguments])
        cases, names, passes = bench.plan(parser, options)
        for case in cases:
            for kind in (kind for kind in passes if bench.takes(case, kind)):
                prefix = "" if kind == "forward" else f"{kind}_"
                clocks = {"cpu": "cpu_1_thread", "wall": "wall_2_threads"}
                for metric in (prefix + clocks[clock] for clock in options.clocks.split(",")):
                    measured |= {(case.name, metric, name) for name in names}
    for floor in judge.read_floors(judge.FLOORS):
        pattern = re.compile(floor["case"])
        for name in (floor["contender"], floor.get("over", judge.BASELINE)):
            assert any(pattern.fullmatch(case) and (metric, who) == (floor["metric"], name)
                       for case, metric, who in measured), floor  # fmt: skip
    for what, case, metric, over in tables.LINES:
        found = [dtype for dtype in tables.DTYPES if (case.format(dtype), metric, over) in measured]
        assert found and all((case.format(dtype), metric, "ours") in measured for dtype in found), what
    assert tables.TINY in measured


def test_readme_lines(tmp_path, monkeypatch):
    row = {"commit": "abc", "machine": "cpu", "disturbed": "", "median_s": "2e-05"}
    rows = [
        row | {"case": case, "metric": metric, "contender": name, "ratio": ratio}
        for case, metric, name, ratio in (
            (tables.LINES[0][1].format("fp32"), "cpu_1_thread", "sdpa", "1"),
            (tables.LINES[0][1].format("fp32"), "cpu_1_thread", "ours", "1.5"),
            (tables.LINES[0][1].format("fp32"), "cpu_1_thread", "unfused", "0.5"),
            ("head_dims_bench-x", "cpu_1_thread", "ours", "1.25"),
            (*tables.TINY, "0.1"),
        )
    ]
    memory_rows = [
        {"commit": "abc", "machine": "cpu", "contender": name, "heads": heads, "s": s, "extra_mib": size}
        for name, heads, s, size in (("ours", 16, 512, "1"), ("unfused", 16, 512, "9"), ("ours", 40, 4096, "2.5"),
                                     ("unfused", 40, 4096, "5000"))
    ]  # fmt: skip
    monkeypatch.setattr(tables, "ROOT", tmp_path)
    for name in (tables.SPEED_README, tables.MEMORY_README):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(f"before\n{tables.BEGIN}\nold\n{tables.END}\nafter")
    tables.write_readmes(rows, memory_rows)
    speed, used = ((tmp_path / name).read_text() for name in (tables.SPEED_README, tables.MEMORY_README))
    assert used.startswith("before\n") and used.endswith("\nafter")
    speed, used = speed.replace("\n", " "), used.replace("\n", " ")
    assert "| torch SDPA | 1.50 | - | - |" in speed and "| unfused | 3.00 | - | - |" in speed and "old" not in speed
    assert (
        "1.25 to 1.25 times" in speed and "takes 20 microseconds of CPU time" in speed and "commit abc on cpu" in speed
    )
    assert "40 heads of 4096 tokens" in used and "2.5 MiB" in used and "5000 MiB" in used
    (tmp_path / tables.MEMORY_README).write_text("no markers")
    with pytest.raises(ValueError, match="needed are the lines"):
        tables.write_readmes(rows, memory_rows)
