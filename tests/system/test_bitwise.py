# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Bits of a row do not depend on threads, on the platform row (core count), on copies that wait or on what else is in
the batch."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.cases.inputs import make_inputs
from tests.cases.loader import load, select
from tests.reference.attention import from_layout, to_layout
from tests.system.forward_call import call, call_inputs, same_bits
from tests.system.forward_digest import digest

ROOT = Path(__file__).parents[2]
GROUPS = (
    "batch_heads", "mask_kind", "long_kv", "many_blocks", "causal", "gqa_decode", "window", "tnd_borders", "tnd_many",
    "tnd_decode", "prefix", "tnd_split", "dropout_borders", "shift_and_mode", "slopes", "sink",
)  # fmt: skip
ENVIRONMENTS = {  # each in a process of its own: the first launch reads them
    "1 thread": {"ASCENDC_CPU_NUM_THREADS": "1"},
    "2 threads": {"ASCENDC_CPU_NUM_THREADS": "2"},
    "5 threads": {"ASCENDC_CPU_NUM_THREADS": "5"},
    "Ascend910B1": {"ASCENDC_CPU_SOC": "Ascend910B1"},
    "Ascend910B3": {"ASCENDC_CPU_SOC": "Ascend910B3"},
    "cpu": {"ASCENDC_CPU_SOC": "cpu"},
    "eager copies": {"ASCENDC_CPU_EAGER_COPIES": "1"},
}


def chosen_cases(config, groups=GROUPS):
    """Up to six cases of every group, spread over it, of the steps that the run asks for."""
    cases = select(load(), ["smoke", "full"], config.getoption("--case-steps").split(","))
    chosen = []
    for group in groups:
        members = [case for case in cases if case.group == group]
        chosen += members[:: max(1, len(members) // 6)]
    return chosen


def digests_in(environment, seed, names, module="forward_digest"):
    """Case name -> digest, computed by a fresh process with more environment variables."""
    inherited = {k: v for k, v in os.environ.items() if k not in ("ASCENDC_CPU_NUM_THREADS", "ASCENDC_CPU_SOC")}
    command = [sys.executable, "-m", f"tests.system.{module}", str(seed), *names]
    run = subprocess.run(command, cwd=ROOT, env=inherited | environment, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return dict(line.split() for line in run.stdout.splitlines())


def test_same_bits_for_any_threads_and_platform(request, seed):
    names = [case.name for case in chosen_cases(request.config)]
    results = {name: digests_in(variables, seed, names) for name, variables in ENVIRONMENTS.items()}
    base = results.pop("1 thread")
    assert sorted(base) == sorted(names)
    for environment, result in results.items():
        differing = [name for name in names if result[name] != base[name]]
        assert not differing, f"{environment} and 1 thread give different bits: {differing}"


def test_same_bits_for_any_torch_num_threads(request, seed, monkeypatch):
    monkeypatch.delenv("ASCENDC_CPU_NUM_THREADS", raising=False)
    before = torch.get_num_threads()
    cases = chosen_cases(request.config)[::3]
    try:
        digests = []
        for threads in (1, 2, 5):
            torch.set_num_threads(threads)
            digests.append([digest(case, seed) for case in cases])
    finally:
        torch.set_num_threads(before)
    assert digests[0] == digests[1] == digests[2]


def single(x, layout, heads, batch, head):
    """One head of one batch of a tensor, in the same layout: B = N = 1."""
    return to_layout(from_layout(x, layout, heads)[batch : batch + 1, head : head + 1], layout)


@pytest.mark.parametrize("layout", ["BNSD", "BSH"])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize(("s1", "s2"), [(1, 1537), (37, 131), (300, 1100)])
def test_a_head_alone_has_the_bits_it_has_in_a_batch(layout, dtype, s1, s2, seed):
    (template,) = [c for c in load() if c.name == "smoke-BNSD-fp32-b2n3s1x1d64"]
    case = replace(template, layout=layout, dtype=dtype, b=3, n1=4, n2=4, s1=s1, s2=s2)
    alone_case = replace(case, b=1, n1=1, n2=1)
    inputs = make_inputs(case, seed)
    q, k, v = inputs.in_layout(layout)
    mask = torch.rand(3, 1, 1, s2, generator=torch.Generator().manual_seed(seed)) < 0.3
    for hidden in (None, mask):
        out, row_max, row_sum = call(case, q, k, v, hidden)[:3]
        for batch, head in ((0, 0), (1, 2), (2, 3)):
            parts = [single(x, layout, 4, batch, head) for x in (q, k, v)]
            alone = call(alone_case, *parts, None if hidden is None else hidden[batch : batch + 1])
            assert same_bits(single(out, layout, 4, batch, head), alone[0])
            assert same_bits(row_max[batch, head], alone[1][0, 0])
            assert same_bits(row_sum[batch, head], alone[2][0, 0])


def test_broadcast_mask_has_the_bits_of_the_expanded_one(request, seed):
    cases = [c for c in load() if c.group == "mask_broadcast" and len(c.mask.shape) == 4]
    assert len(cases) == 32
    for case in cases:
        inputs = make_inputs(case, seed)
        full = inputs.mask.expand(case.b, case.n1, case.s1, case.s2).contiguous()
        first, second = call_inputs(case, inputs), call_inputs(case, replace(inputs, mask=full))
        assert all(same_bits(a, b) for a, b in zip(first[:3], second[:3], strict=True)), case.name
