# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The gradient kernel on packed sequences: against float64, bits of a sequence alone, cores, threads, checked mode."""

from dataclasses import replace

import pytest
import torch

from tests.reference.tolerance import assert_gradients
from tests.unit.op_kernel.gradient_kernel import Packed

pytestmark = pytest.mark.usefixtures("operator")
LENGTHS = ((5, 9), (300, 17), (0, 4), (1, 1), (130, 700), (7, 0), (64, 64))
REST = (11, 3)
CAUSAL = {"sparse_mode": 3}
DTYPES = [torch.float32, torch.bfloat16]


def assert_right(packed):
    actual, _ = packed.run()
    assert_gradients(actual, packed.reference(), packed.reference(plain=True), packed.dtype)
    return actual


def with_sinks(seed, **packed):
    sink = torch.randn(4, generator=torch.Generator().manual_seed(seed)) * 3
    return Packed(LENGTHS, REST, problem={**CAUSAL, "sink": sink}, seed=seed, **packed)


def parts(result, rows, keys):
    return result.dq[:, :, rows], result.dk[:, :, keys], result.dv[:, :, keys]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("problem", [{}, CAUSAL], ids=["dense", "causal"])
@pytest.mark.parametrize("stats_like_input", [False, True])
def test_packed_sequences(dtype, problem, stats_like_input, seed):
    packed = Packed(LENGTHS, REST, dtype=dtype, problem=problem, stats_like_input=stats_like_input, seed=seed)
    actual = assert_right(packed)
    for x, end in ((actual.dq, packed.ends[0][-1]), (actual.dk, packed.ends[1][-1]), (actual.dv, packed.ends[1][-1])):
        assert (x[:, :, end:] == 0).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_sinks(dtype, seed):
    first = assert_right(with_sinks(seed, dtype=dtype))
    for cores in (1, 5):
        assert torch.equal(with_sinks(seed, dtype=dtype, cores=cores).run()[0].dsink, first.dsink)


def test_masks_and_prefixes(seed):
    rng = torch.Generator().manual_seed(seed)
    mask = torch.rand(300, 700, generator=rng) < 0.3
    prefix = [int(torch.randint(0, s2 + 1, (), generator=rng)) for _, s2 in LENGTHS]
    assert_right(Packed(LENGTHS, REST, problem={"mask": mask}, seed=seed))
    assert_right(Packed(LENGTHS, REST, problem={"sparse_mode": 6, "prefix": prefix}, seed=seed))
    assert_right(Packed(LENGTHS, REST, problem={"sparse_mode": 6, "prefix": prefix, "mask": mask}, seed=seed))


@pytest.mark.parametrize("dtype", DTYPES)
def test_bits_of_a_sequence_do_not_depend_on_the_others(dtype, seed):
    packed = Packed(LENGTHS, REST, dtype=dtype, problem=CAUSAL, seed=seed)
    together, _ = packed.run()
    begins = [[0, *ends] for ends in packed.ends]
    for index, lengths in enumerate(LENGTHS):
        if not all(lengths):
            continue
        rows, keys = (slice(begins[side][index], begins[side][index + 1]) for side in (0, 1))
        alone = Packed((lengths,), dtype=dtype, problem=CAUSAL, cores=1)
        alone.q, alone.dy, alone.k, alone.v = (
            x[:, :, at] for x, at in ((packed.q, rows), (packed.dy, rows), (packed.k, keys), (packed.v, keys))
        )
        alone.forward = replace(
            packed.forward,
            **{name: getattr(packed.forward, name)[:, :, rows] for name in ("out", "softmax_max", "softmax_sum")},
        )
        for x, y in zip(parts(together, rows, keys), parts(alone.run()[0], slice(None), slice(None)), strict=True):
            assert torch.equal(x, y), index


def test_bits_do_not_depend_on_cores_and_threads(seed):
    results = [
        Packed(LENGTHS, REST, problem=CAUSAL, cores=cores, threads=threads, seed=seed).run()[0]
        for cores, threads in ((1, 1), (2, 2), (7, 1), (24, 3))
    ]
    for result in results[1:]:
        for x, y in zip(
            parts(result, slice(None), slice(None)), parts(results[0], slice(None), slice(None)), strict=True
        ):
            assert torch.equal(x, y)


@pytest.mark.parametrize("dtype", DTYPES)
def test_checked_mode_finds_nothing(dtype, seed):
    report = with_sinks(seed, dtype=dtype, stats_like_input=dtype == torch.bfloat16).run(check=True)[1]
    assert not report.findings, report
