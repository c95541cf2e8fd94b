# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The gradient kernel on packed sequences: against float64, bits of a sequence alone, cores, threads, checked mode."""

from dataclasses import replace

import pytest
import torch

from tests.reference.packed import PackedShift
from tests.reference.shift import AlibiShift, SlopeShift, TensorShift
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


def dropout(seed, lengths, n1):
    scores = n1 * sum(s1 * s2 for s1, s2 in lengths)
    keep = torch.rand(scores, generator=torch.Generator().manual_seed(seed)) < 0.8
    return {"keep": keep, "keep_prob": 0.8}


def shift(kind, dtype, seed):
    """(lengths, shift) for 4 heads."""
    rng = torch.Generator().manual_seed(seed)
    before = kind.endswith("before")
    if kind.startswith("packed"):
        full = "full" in kind
        numbers = 4 * sum(s2 * (s1 if full else 1) for s1, s2 in LENGTHS)
        return LENGTHS, PackedShift(torch.randn(numbers, generator=rng).to(dtype), full, before)
    if kind.startswith("slopes"):
        slopes = torch.rand((len(LENGTHS), 4) if "batch" in kind else (4,), generator=rng)
        return LENGTHS, SlopeShift(slopes, "root" in kind, 3, 7)
    shape = [1 if dim == "1" else size for dim, size in zip(kind.split("_")[1], (3, 4, 65, 130), strict=True)]
    return ((65, 130),) * 3, TensorShift(torch.randn(shape, generator=rng).to(dtype), before)


SHIFTS = ("packed_full_before", "packed_full_after", "packed_row_after", "slopes", "slopes_root_batch",
          "strided_bnst_before", "strided_1nst_after", "strided_1n1t_before", "strided_bns1_after")  # fmt: skip


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


@pytest.mark.parametrize("dtype", DTYPES)
def test_dropout(dtype, seed):
    assert_right(Packed(LENGTHS, REST, dtype=dtype, problem={**CAUSAL, **dropout(seed, LENGTHS, 4)}, seed=seed))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", SHIFTS)
def test_shifts(kind, dtype, seed):
    lengths, values = shift(kind, dtype, seed)
    assert_right(Packed(lengths, REST, dtype=dtype, problem={**CAUSAL, "shift": values}, seed=seed))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", ["packed_full_before", "packed_full_after", "strided_bnst_before"])
def test_shifts_whose_gradient_is_stored_with_ds(kind, dtype, seed):
    lengths, values = shift(kind, dtype, seed)
    for problem in ({"shift": values}, {**CAUSAL, "shift": values}):
        stored = assert_right(Packed(lengths, REST, dtype=dtype, problem=problem, stores_dpse=True, seed=seed))
        summed = Packed(lengths, REST, dtype=dtype, problem=problem, seed=seed).run()[0]
        for name in ("dq", "dk", "dv", "dpse"):
            assert torch.equal(getattr(stored, name), getattr(summed, name)), name


@pytest.mark.parametrize(("length", "sequences", "tables"), [(1300, 1, 1), (2100, 1, 1), (1100, 2, 1), (1100, 2, 2)])
def test_alibi_compression(length, sequences, tables, seed):
    """The table of the last 1024 rows; a row further up reads, and adds to, one of the same number modulo 1024."""
    bias = torch.randn(tables, 2, 1024, length, generator=torch.Generator().manual_seed(seed))
    problem = {**CAUSAL, "shift": AlibiShift(bias, True)}
    assert_right(Packed(((length, length),) * sequences, n1=2, n2=1, problem=problem, seed=seed))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rope", [5, 32])
def test_rotary_parts(dtype, rope, seed):
    assert_right(Packed(LENGTHS, REST, rope=rope, dtype=dtype, problem=CAUSAL, seed=seed))


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


CORES_AND_THREADS = ((1, 1), (2, 2), (7, 1), (24, 3))


def everything(seed, **packed):
    """Shift, dropout, mask and sinks at once."""
    rng = torch.Generator().manual_seed(seed)
    problem = {
        "sparse_mode": 3,
        "shift": shift("packed_row_before", packed.get("dtype", torch.float32), seed)[1],
        "mask": torch.rand(300, 700, generator=rng) < 0.2,
        "sink": torch.randn(4, generator=rng),
        **dropout(seed, LENGTHS, 4),
    }
    return Packed(LENGTHS, REST, problem=problem, seed=seed, **packed)


def test_bits_do_not_depend_on_cores_and_threads(seed):
    first, *others = (everything(seed, cores=cores, threads=threads).run()[0] for cores, threads in CORES_AND_THREADS)
    for result in others:
        for name in ("dq", "dk", "dv", "dpse", "dsink"):
            assert torch.equal(getattr(result, name), getattr(first, name)), name


@pytest.mark.parametrize("kind", ["strided_1nst_after", "strided_1111_before", "slopes"])
def test_bits_of_a_shared_shift_do_not_depend_on_cores(kind, seed):
    lengths, values = shift(kind, torch.float32, seed)
    first, *others = (
        Packed(lengths, REST, problem={**CAUSAL, "shift": values}, cores=cores, threads=threads, seed=seed).run()[0]
        for cores, threads in CORES_AND_THREADS
    )
    for result in others:
        assert torch.equal(result.dpse, first.dpse)


@pytest.mark.parametrize("dtype", DTYPES)
def test_checked_mode_finds_nothing(dtype, seed):
    for packed in (
        with_sinks(seed, dtype=dtype, stats_like_input=dtype == torch.bfloat16),
        everything(seed, dtype=dtype),
        Packed(LENGTHS, REST, dtype=dtype, rope=8, seed=seed),
    ):
        report = packed.run(check=True)[1]
        assert not report.findings, report


@pytest.mark.parametrize("kind", SHIFTS)
def test_checked_mode_finds_nothing_in_shifts(kind, seed):
    dtype = DTYPES[SHIFTS.index(kind) % 2]
    lengths, values = shift(kind, dtype, seed)
    problem = {**CAUSAL, "shift": values}
    for stores_dpse in [False, True] if "full" in kind else [False]:
        packed = Packed(lengths, dtype=dtype, problem=problem, stores_dpse=stores_dpse, seed=seed)
        report = packed.run(check=True)[1]
        assert not report.findings, report


@pytest.mark.parametrize("dtype", DTYPES)
def test_everything_fits_into_ub(dtype, seed):
    """Tiles of 512 keys, the widest ones, with every buffer that a call can ask for."""
    lengths = ((16, 12400),)
    rng = torch.Generator().manual_seed(seed)
    problem = {
        "sparse_mode": 3,
        "shift": PackedShift(torch.randn(2 * 16 * 12400, generator=rng).to(dtype), True, True),
        "mask": torch.rand(16, 12400, generator=rng) < 0.2,
        "sink": torch.randn(2, generator=rng),
        **dropout(seed, lengths, 2),
    }
    stores = dtype == torch.bfloat16
    packed = Packed(lengths, n1=2, n2=1, d=16, dv=16, dtype=dtype, problem=problem, stores_dpse=stores, seed=seed)
    assert packed.tiling_data()[0]["tile"]["kv_tile"] == 512
    assert_right(packed)
    report = packed.run(check=True)[1]
    assert not report.findings, report
