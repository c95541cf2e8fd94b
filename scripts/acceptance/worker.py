# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Runs cases on npu:0 in a process of its own and writes one JSON line at each start and end of a case.

    python -m scripts.acceptance.worker JOBS.json RESULTS.jsonl FIRST

A kernel may hang or bring the process down; npu_acceptance.py then goes on behind that case.
"""

import json
import statistics
import sys
import time
from pathlib import Path

import torch
import torch_npu

from tests.cases import loader
from tests.cases.inputs import make_inputs
from tests.reference.attention import attention
from tests.reference.plain import plain_attention
from tests.reference.tolerance import assert_attention

from .call import NotComparable, arguments, as_result

DEVICE = "npu:0"
ROUNDS = 5
ROUND_SECONDS = 0.05


def operator_library() -> str:
    """The libcust_opapi.so that this process has loaded; "" for CANN's built-in operator."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    return next((line.split()[-1] for line in lines if line.endswith("libcust_opapi.so")), "")


def milliseconds(call) -> float:
    """Median time of a call, the device's queue included, after a warm-up."""
    call()
    torch.npu.synchronize()
    began = time.perf_counter()
    call()
    torch.npu.synchronize()
    count = max(1, min(100, int(ROUND_SECONDS / (time.perf_counter() - began))))
    rounds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(count):
            call()
        torch.npu.synchronize()
        rounds.append((time.perf_counter() - began) / count * 1000)
    return statistics.median(rounds)


def judge(case, inputs, results) -> dict:
    """pass or fail against the float64 reference, with the largest error of the output."""
    problem = {"scale": case.scale, "mask": inputs.mask, **case.sparse}
    expected = attention(inputs.query, inputs.key, inputs.value, **problem)
    actual = as_result(case, results)
    error = (actual.out.double() - expected.out).abs().max().item() if expected.out.numel() else 0.0
    try:
        assert_attention(actual, expected, plain_attention(inputs.query, inputs.key, inputs.value, **problem))
    except AssertionError as failure:
        return {"status": "fail", "message": str(failure), "error": error}
    return {"status": "pass", "error": error}


def run(case, seed: int, check: bool, timed: bool) -> dict:
    """Result of one case."""
    inputs = make_inputs(case, seed)
    try:
        positional, keywords = arguments(case, inputs, DEVICE)
    except NotComparable as reason:
        return {"status": "not comparable", "message": str(reason)}
    try:
        results = torch_npu.npu_fusion_attention(*positional, **keywords)
        torch.npu.synchronize()
    except (RuntimeError, ValueError) as error:
        return {"status": "refused", "message": str(error).strip().split("\n")[0]}
    outcome = judge(case, inputs, results) if check else {"status": "ran"}
    if timed and outcome["status"] != "fail":
        outcome["ms"] = milliseconds(lambda: torch_npu.npu_fusion_attention(*positional, **keywords))
    return outcome


def main(jobs_file: str, results_file: str, first: str) -> None:
    cases = {case.name: case for case in loader.load()}
    jobs = json.loads(Path(jobs_file).read_text())
    with open(results_file, "a") as file:
        for index in range(int(first), len(jobs)):
            job = jobs[index]
            print(json.dumps({"index": index}), file=file, flush=True)
            outcome = run(cases[job["case"]], job["seed"], job["check"], job["timed"])
            line = {"index": index, "library": operator_library(), **outcome}
            print(json.dumps(line), file=file, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
