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
from tests.reference.attention import attention, from_layout, to_layout
from tests.reference.gradient import GradientResult, attention_grad, plain_attention_grad
from tests.reference.plain import plain_attention
from tests.reference.tolerance import assert_attention, assert_gradients

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


def _judged(check, error: float) -> dict:
    try:
        check()
    except AssertionError as failure:
        return {"status": "fail", "message": str(failure), "error": error}
    return {"status": "pass", "error": error}


def _largest_error(pairs) -> float:
    return max(((a.double() - b).abs().max().item() for a, b in pairs if b.numel()), default=0.0)


def judge_forward(case, inputs, results) -> dict:
    """pass or fail against the float64 reference, with the largest error of the output."""
    tensors, problem = (
        (inputs.query, inputs.key, inputs.value),
        {"scale": case.scale, "mask": inputs.mask, **case.sparse},
    )
    expected, actual = attention(*tensors, **problem), as_result(case, results)
    plain = plain_attention(*tensors, **problem)
    error = _largest_error([(actual.out, expected.out)])
    return _judged(lambda: assert_attention(actual, expected, plain), error)


def judge_gradient(case, inputs, dy, grads) -> dict:
    """The same for dq, dk and dv. dy: BNSD on the host."""
    tensors, problem = (inputs.query, inputs.key, inputs.value, dy), {"scale": case.scale, "mask": inputs.mask}
    problem |= case.sparse
    expected, plain = attention_grad(*tensors, **problem), plain_attention_grad(*tensors, **problem)
    heads = (case.n1, case.n2, case.n2)
    actual = GradientResult(*(from_layout(x.cpu(), case.layout, n) for x, n in zip(grads, heads, strict=True)), ())
    error = _largest_error([(getattr(actual, name), getattr(expected, name)) for name in ("dq", "dk", "dv")])
    return _judged(lambda: assert_gradients(actual, expected, plain, inputs.query.dtype), error)


def run_forward(case, inputs, positional, keywords, check: bool, timed: bool) -> dict:
    """Result of one forward case."""
    results = torch_npu.npu_fusion_attention(*positional, **keywords)
    torch.npu.synchronize()
    outcome = judge_forward(case, inputs, results) if check else {"status": "ran"}
    if timed and outcome["status"] != "fail":
        outcome["ms"] = milliseconds(lambda: torch_npu.npu_fusion_attention(*positional, **keywords))
    return outcome


def run_gradient(case, inputs, positional, keywords, check: bool, timed: bool) -> dict:
    """Result of one case's gradients; the time is that of the backward call alone."""
    leaves = [x.requires_grad_() for x in positional[:3]]
    out = torch_npu.npu_fusion_attention(*positional, **keywords)[0]
    shape = (case.b, case.n1, case.s1, case.dv)
    dy = torch.randn(shape, generator=torch.Generator().manual_seed(case.s1)).to(inputs.query.dtype)
    seed = to_layout(dy, case.layout).contiguous().to(DEVICE)

    def backward():
        return torch.autograd.grad(out, leaves, seed, retain_graph=True)

    grads = backward()
    torch.npu.synchronize()
    outcome = judge_gradient(case, inputs, dy, grads) if check else {"status": "ran"}
    if timed and outcome["status"] != "fail":
        outcome["ms"] = milliseconds(backward)
    return outcome


def run(case, job: dict) -> dict:
    """Result of one job of npu_acceptance.py."""
    inputs = make_inputs(case, job["seed"])
    try:
        positional, keywords = arguments(case, inputs, DEVICE)
        direction = {"forward": run_forward, "gradient": run_gradient}[job["direction"]]
        return direction(case, inputs, positional, keywords, job["check"], job["timed"])
    except NotComparable as reason:
        return {"status": "not comparable", "message": str(reason)}
    except (RuntimeError, ValueError) as error:
        return {"status": "refused", "message": str(error).strip().split("\n")[0]}


def main(jobs_file: str, results_file: str, first: str) -> None:
    cases = {case.name: case for case in loader.load()}
    jobs = json.loads(Path(jobs_file).read_text())
    with open(results_file, "a") as file:
        for index in range(int(first), len(jobs)):
            job = jobs[index]
            print(json.dumps({"index": index}), file=file, flush=True)
            outcome = run(cases[job["case"]], job)
            line = {"index": index, "library": operator_library(), **outcome}
            print(json.dumps(line), file=file, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
