# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""npu_acceptance.py without an NPU: calls, crashes and hangs of the worker, the verdict and the report."""

import os
import subprocess
import sys
from pathlib import Path

import ascend_flash_attention
import pytest
import torch

from scripts.acceptance import call, processes, report
from scripts.acceptance.cases import names
from tests.cases import loader
from tests.cases.inputs import make_inputs
from tests.reference.attention import attention
from tests.reference.plain import plain_attention
from tests.reference.tolerance import assert_attention

ROOT = Path(__file__).parents[3]
# A worker that writes what the arguments after it say: a status, or how it dies.
WORKER = """\
#!{python}
import json, os, sys, time
plan = {plan}
_, _, jobs, results, first = sys.argv[1:]
if plan == "no start":
    sys.exit("no torch_npu here")
for index in range(int(first), len(plan)):
    with open(results, "a") as file:
        print(json.dumps({{"index": index}}), file=file)
    if plan[index] == "crash":
        os.abort()
    while plan[index] == "hang":
        time.sleep(1)
    done = {{"index": index, "status": plan[index], "library": os.environ.get("LIBRARY", "")}}
    with open(results, "a") as file:
        print(json.dumps(done), file=file)
"""


def run_plan(folder, plan, count=None):
    worker = folder / "python"
    worker.write_text(WORKER.format(python=sys.executable, plan=repr(plan)))
    worker.chmod(0o755)
    jobs = [{"case": f"case{index}"} for index in range(count or len(plan))]
    return processes.run_jobs(str(worker), jobs, folder / "side", dict(os.environ, LIBRARY="ours"), limit=3)


def test_worker_that_crashes_and_hangs_costs_those_cases(tmp_path):
    plan = ["pass", "crash", "hang", "fail", "crash", "pass"]
    results = run_plan(tmp_path, plan)
    assert [result["status"] for result in results] == plan
    assert [result["case"] for result in results] == [f"case{index}" for index in range(6)]
    assert results[1]["message"].startswith("exit code -6") and results[2]["message"] == "no result within 3 s"
    assert results[0]["library"] == "ours"


def test_worker_that_does_not_start(tmp_path):
    results = run_plan(tmp_path, "no start", count=2)
    assert [result["status"] for result in results] == ["no start"] * 2
    assert results[0]["message"] == "exit code 1: no torch_npu here"


def test_case_names():
    assert names("none", "") == []
    assert names("smoke", "fp16") and all("fp16" in name for name in names("smoke", "fp16"))
    assert set(names("smoke", "")) < set(names("smoke,full", ""))
    with pytest.raises(loader.CaseError, match="allowed smoke, full, bench"):
        names("quick", "")


def sides(package, built_in):
    make = lambda statuses: [{"case": f"c{i}", "status": s, "error": 0.5} for i, s in enumerate(statuses)]  # noqa: E731
    return {"package": make(package), "built-in": make(built_in)}


@pytest.mark.parametrize(
    ("package", "built_in", "good"),
    [
        (["pass", "pass"], ["pass", "fail"], True),
        (["pass", "refused"], ["pass", "refused"], True),
        (["pass", "refused"], ["pass", "pass"], False),  # whoever relies on the built-in operator would notice
        (["pass", "fail"], ["pass", "fail"], False),
        (["pass", "crash"], ["pass", "pass"], False),
        (["pass", "hang"], ["pass", "pass"], False),
        (["no start"], ["pass"], False),
        (["ran", "not comparable"], ["ran", "not comparable"], False),  # nothing was compared
    ],
)
def test_verdict(package, built_in, good):
    passed, text = report.verdict(sides(package, built_in))
    assert passed == good and text.startswith("PASSED" if good else "NOT PASSED")


def test_report():
    results = sides(["pass", "fail"], ["refused", "pass"])
    results["package"][0] |= {"ms": 2.0, "library": "/opp/libcust_opapi.so"}
    results["built-in"][0]["ms"] = 3.0
    results["package"][1] |= {"message": "out: too far", "direction": "gradient"}
    text = report.markdown({"driver": "25.0"}, results, ["a note"], emulation=True)
    assert "npu:0 was emulated. This says nothing about an NPU." in text
    assert "**NOT PASSED: 1 cases pass, 1 fail, 0 that" in text and "| driver | 25.0 |" in text
    assert "| c0 | pass, error 0.5 | refused | 2.000 | 3.000 | 1.50 |" in text
    assert "- c1 (gradient): fail: out: too far" in text and "code: /opp/libcust_opapi.so" in text
    assert "emulated" not in report.markdown({}, results, [], emulation=False)


def small_cases(rng):
    """Small cases of different groups, layouts and modes, in any order."""
    chosen = {}
    for case in loader.load():
        if 20 * 20 <= case.s1 * case.s2 <= 300 * 300 and "bench" not in case.tags:
            chosen.setdefault((case.group, case.layout, case.sparse_mode, case.mask is None), case)
    order = torch.randperm(len(chosen), generator=rng).tolist()
    cases = list(chosen.values())
    return [cases[i] for i in order]


def test_calls_mean_what_the_case_says(rng):
    """Our own npu_fusion_attention has torch_npu's arguments; on the CPU it must give the case's result."""
    compared = 0
    for case in small_cases(rng):
        if compared == 5:
            break
        inputs = make_inputs(case, 5)
        try:
            positional, keywords = call.arguments(case, inputs, "cpu")
        except call.NotComparable:
            continue
        results = ascend_flash_attention.npu_fusion_attention(*positional, **keywords)
        problem = {"scale": case.scale, "mask": inputs.mask, **case.sparse}
        tensors = (inputs.query, inputs.key, inputs.value)
        actual = call.as_result(case, results)
        assert_attention(actual, attention(*tensors, **problem), plain_attention(*tensors, **problem))
        compared += 1
    assert compared == 5


def test_windows_that_torch_npu_ignores_are_not_compared():
    case = next(case for case in loader.load() if case.sparse_mode == 0 and case.next_tokens == 0 and not case.mask)
    with pytest.raises(call.NotComparable, match="window"):
        call.arguments(case, make_inputs(case, 1), "cpu")
    causal = next(case for case in loader.load() if case.sparse_mode == 3 and not case.mask)
    _, keywords = call.arguments(causal, make_inputs(causal, 1), "cpu")
    assert keywords["atten_mask"].shape == (2048, 2048) and keywords["atten_mask"].dtype == torch.bool


def test_environments(tmp_path, monkeypatch):
    vendor = tmp_path / "vendors/mine"
    (vendor / "bin").mkdir(parents=True)
    (vendor / "bin/set_env.bash").write_text((ROOT / "scripts/package/set_env.bash").read_text())
    (vendor / "op_api/lib").mkdir(parents=True)
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", "/other")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/cann/lib64")
    package = processes.package_environment(vendor)
    assert package["ASCEND_CUSTOM_OPP_PATH"] == f"{vendor}:/other"
    assert package["LD_LIBRARY_PATH"] == f"{vendor}/op_api/lib:/cann/lib64"
    built_in = processes.built_in_environment(vendor)
    assert "ASCEND_CUSTOM_OPP_PATH" not in built_in and built_in["LD_LIBRARY_PATH"] == "/cann/lib64"


def test_command_line(tmp_path):
    script = ROOT / "scripts/npu_acceptance.py"
    shown = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True)
    assert shown.returncode == 0 and "built-in operator" in shown.stdout
    wrong = subprocess.run([sys.executable, script, "--directions=up"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "got 'up', allowed: forward, gradient" in wrong.stderr
    missing = subprocess.run(
        [sys.executable, script, "--run-file=/no/file.run", f"--out={tmp_path}"], capture_output=True, text=True
    )
    assert missing.returncode == 2 and missing.stderr == "npu_acceptance: no package /no/file.run\n"
