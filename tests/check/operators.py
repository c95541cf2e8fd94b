# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The operators' kernels in the checked mode, and checked calls of cases."""

import functools
from dataclasses import replace
from pathlib import Path

from ascendc_cpu.compiler import load_checked_operator
from ascendc_cpu.findings import check_session

from tests.cases.inputs import make_inputs
from tests.cases.loader import STEPS, load, select
from tests.reference.gradient import NAMES
from tests.system.forward_call import call_inputs, same_bits
from tests.system.gradient_check import case_gradients, draw_dy
from tests.system.test_strategies import PROBLEMS
from tests.system.tuned import tuning

ROOT = Path(__file__).resolve().parents[2]
FORWARD, GRADIENT = "flash_attention_score", "flash_attention_score_grad"
OP_TYPES = {FORWARD: "FlashAttentionScore", GRADIENT: "FlashAttentionScoreGrad"}
DTYPES = {"float32": "DT_FLOAT", "bfloat16": "DT_BF16", "float16": "DT_FLOAT16"}


def load_kernels(entry, root=ROOT, dtypes=tuple(DTYPES), keys=None, build_dir=None):
    """Checked kernels of one operator out of `root`; keep the result alive."""
    return load_checked_operator(
        OP_TYPES[entry],
        entry,
        root / entry / "op_kernel",
        [{"QUERY": DTYPES[dtype]} for dtype in dtypes],
        keys,
        [root / FORWARD / "op_kernel"],
        build_dir or ROOT / "build" / "check",
    )


@functools.cache
def load_all_kernels():
    return [load_kernels(entry) for entry in OP_TYPES]


def check_forward(case, seed=1):
    """(report, whether a fast call gives the same bits)."""
    inputs = make_inputs(case, seed)
    expected = call_inputs(case, inputs)
    with check_session() as reports:
        actual = call_inputs(case, inputs)
    return reports[0], all(same_bits(x, y) for x, y in zip(expected[:3], actual[:3], strict=True))


def check_gradient(case, seed=1):
    """The same for forward and backward."""
    inputs = make_inputs(case, seed)
    dy = draw_dy(case, seed)
    expected = case_gradients(case, inputs, dy)
    with check_session() as reports:
        actual = case_gradients(case, inputs, dy)
    pairs = [(getattr(expected, name), getattr(actual, name)) for name in NAMES]
    return reports[0], all(same_bits(*pair) for pair in pairs if pair[0] is not None)


def smoke_cases():
    return select(load(), ["smoke"], STEPS)


def strategy_cases():
    """(case, strategy) of every strategy that can take a problem, in every dtype."""
    (template,) = [case for case in load() if case.name == "smoke-BNSD-fp32-b2n3s65x129d32"]
    return [
        (replace(template, dtype=dtype, **changes), strategy)
        for strategies, changes in PROBLEMS
        for dtype in DTYPES
        for strategy in strategies
    ]


def merging_cases():
    """Chunks of keys are merged between blocks of one core, whose P V comes in large slices."""
    (template,) = [case for case in load() if case.name == "smoke-BNSD-fp32-b2n3s65x129d32"]
    return [replace(template, dtype=dtype, b=30, n1=4, n2=4, s1=32, s2=1100, d=64, dv=64) for dtype in DTYPES]


def check_strategy(case, strategy):
    """check_forward with a strategy that is not free."""
    with tuning(f"strategy={strategy}"):
        return check_forward(case)
