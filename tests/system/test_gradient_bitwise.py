# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Bits of a gradient do not depend on threads, on the platform row (core count) or on what else is in the batch."""

from dataclasses import replace

import pytest
import torch

from tests.cases.inputs import make_inputs
from tests.cases.loader import load
from tests.reference.gradient import GradientResult
from tests.system.gradient_check import assert_same_gradients, draw_dy, gradients
from tests.system.gradient_digest import digest
from tests.system.test_bitwise import ENVIRONMENTS, chosen_cases, digests_in

GROUPS = (
    "batch_heads", "mask_kind", "many_blocks", "causal", "gqa", "chunks", "tnd_borders", "tnd_shift",
    "dropout_and_shift", "sink_more", "prefix_more",
)  # fmt: skip


def test_same_bits_for_any_threads_and_platform(request, seed):
    names = [case.name for case in chosen_cases(request.config, GROUPS)]
    results = {name: digests_in(variables, seed, names, "gradient_digest") for name, variables in ENVIRONMENTS.items()}
    base = results.pop("1 thread")
    assert sorted(base) == sorted(names)
    for environment, result in results.items():
        differing = [name for name in names if result[name] != base[name]]
        assert not differing, f"{environment} and 1 thread give different bits: {differing}"


def test_same_bits_for_any_torch_num_threads(request, seed, monkeypatch):
    monkeypatch.delenv("ASCENDC_CPU_NUM_THREADS", raising=False)
    before = torch.get_num_threads()
    cases = chosen_cases(request.config, GROUPS)[::3]
    try:
        digests = []
        for threads in (1, 2, 5):
            torch.set_num_threads(threads)
            digests.append([digest(case, seed) for case in cases])
    finally:
        torch.set_num_threads(before)
    assert digests[0] == digests[1] == digests[2]


def part(result, batch, heads, key_heads):
    return GradientResult(
        result.dq[batch, heads], result.dk[batch, key_heads], result.dv[batch, key_heads], result.magnitudes
    )


@pytest.mark.parametrize("layout", ["BNSD", "SBH"])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize(("s1", "s2"), [(37, 131), (300, 1100)])
def test_a_group_alone_has_the_bits_it_has_in_a_batch(layout, dtype, s1, s2, seed):
    """A key head with its query heads: the smallest problem that has a gradient of its own."""
    (template,) = [c for c in load() if c.name == "smoke-BNSD-fp32-b2n3s1x1d64"]
    case = replace(template, layout=layout, dtype=dtype, b=3, n1=4, n2=2, s1=s1, s2=s2)
    alone_case = replace(case, b=1, n1=2, n2=1)
    inputs, dy = make_inputs(case, seed), draw_dy(case, seed)
    mask = torch.rand(3, 1, s1, s2, generator=torch.Generator().manual_seed(seed)) < 0.3
    for hidden in (None, mask):
        together = gradients(case, inputs.query, inputs.key, inputs.value, dy, hidden)
        for batch, group in ((0, 0), (1, 1), (2, 0)):
            at, heads, key_heads = slice(batch, batch + 1), slice(2 * group, 2 * group + 2), slice(group, group + 1)
            alone = gradients(
                alone_case,
                inputs.query[at, heads],
                inputs.key[at, key_heads],
                inputs.value[at, key_heads],
                dy[at, heads],
                None if hidden is None else hidden[at],
            )
            assert_same_gradients(alone, part(together, at, heads, key_heads), f"batch {batch}, group {group}")


def test_broadcast_mask_has_the_bits_of_the_expanded_one(seed):
    for case in [c for c in load() if c.group == "mask_broadcast" and len(c.mask.shape) == 4][::3]:
        inputs, dy = make_inputs(case, seed), draw_dy(case, seed)
        tensors = (inputs.query, inputs.key, inputs.value, dy)
        expanded = inputs.mask.expand(case.b, case.n1, case.s1, case.s2)
        expected = gradients(case, *tensors, inputs.mask)
        assert_same_gradients(gradients(case, *tensors, expanded), expected, f"{case.name}, expanded view")
        assert_same_gradients(gradients(case, *tensors, expanded.contiguous()), expected, f"{case.name}, copy")
