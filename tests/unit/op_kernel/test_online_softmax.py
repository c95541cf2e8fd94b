# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Online softmax and mask of the kernel on single tiles: any split of the keys, any rule, against float64."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[3]
ROWS = 8
MAX_PIECES = 32
NEG = -np.finfo(np.float32).max
UNBOUNDED = 1 << 40
TILING = np.dtype(
    [(name, "i8") for name in ("lo", "hi", "prefix", "s1", "s2", "q0", "rows", "pitch", "pieces")]
    + [("ends", "i8", MAX_PIECES)]
)
SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def softmax_probe():
    import ascendc_cpu

    return ascendc_cpu.compile(
        Path(__file__).parent / "kernels" / "online_softmax_probe.cpp",
        "online_softmax_probe",
        include_dirs=[ROOT / "flash_attention_score" / "op_kernel"],
        build_dir=ROOT / "build" / "test_kernels",
    )


def run(probe, scores, ends, q0=0, lo=-UNBOUNDED, hi=UNBOUNDED, prefix=0, s1=4096, s2=4096):
    """P of every key (relative to the max of its piece's step), rescale factors [pieces, rows], max and sum."""
    rows, keys = scores.shape
    pitch = -(-keys // 8) * 8
    padded = np.full((rows, pitch), np.nan, np.float32)
    padded[:, :keys] = scores
    tiling = np.zeros(1, TILING)
    values = dict(lo=lo, hi=hi, prefix=prefix, s1=s1, s2=s2, q0=q0, rows=rows, pitch=pitch, pieces=len(ends))
    for name, value in values.items():
        tiling[name] = value
    tiling["ends"][0, : len(ends)] = ends
    probs = np.full((rows, pitch), np.nan, np.float32)
    factors = np.full((len(ends), ROWS), np.nan, np.float32)
    maxima, sums = np.full((2, ROWS), np.nan, np.float32)
    workspace = np.zeros(512, np.uint8)
    probe.launch(1, padded, probs, factors, maxima, sums, workspace, tiling=tiling)
    return probs[:, :keys], factors[:, :rows], maxima[:rows], sums[:rows]


def softmax_of(probs, factors, ends, sums):
    """The pieces' probabilities brought to the last max and divided by the sum."""
    result = probs.astype(np.float64)
    begin = 0
    for piece, end in enumerate(ends):
        result[:, begin:end] *= factors[piece + 1 :].astype(np.float64).prod(axis=0)[:, None]
        begin = end
    return result / sums[:, None]


@st.composite
def splits(draw):
    pieces = draw(st.lists(st.integers(1, 512), min_size=1, max_size=6))
    return list(np.cumsum(pieces))


@SETTINGS
@given(ends=splits(), rows=st.integers(1, ROWS), spread=st.sampled_from([0.1, 1.0, 30.0]), seed=st.integers(0, 2**32))
def test_any_split_gives_the_softmax(softmax_probe, ends, rows, spread, seed):
    scores = (np.random.default_rng(seed).standard_normal((rows, ends[-1])) * spread).astype(np.float32)
    probs, factors, maxima, sums = run(softmax_probe, scores, ends)
    exact = np.exp(scores.astype(np.float64) - scores.max(axis=1, keepdims=True))
    np.testing.assert_array_equal(maxima, scores.max(axis=1))
    np.testing.assert_allclose(sums, exact.sum(axis=1), rtol=2e-6)
    np.testing.assert_allclose(
        softmax_of(probs, factors, ends, sums), exact / exact.sum(axis=1, keepdims=True), rtol=3e-5, atol=1e-30
    )


@SETTINGS
@given(
    ends=splits(),
    rows=st.integers(1, ROWS),
    q0=st.integers(0, 3000),
    lo=st.integers(-900, 900) | st.just(-UNBOUNDED),
    width=st.integers(-3, 900) | st.just(UNBOUNDED),
    prefix=st.just(0) | st.integers(1, 1200) | st.sampled_from([1, 8, 63, 64, 65, 127, 511, 512, 513]),
    seed=st.integers(0, 2**32),
)
def test_hidden_keys_count_for_nothing(softmax_probe, ends, rows, q0, lo, width, prefix, seed):
    keys = ends[-1]
    hi = min(lo + width, UNBOUNDED) if lo > -UNBOUNDED else width
    # diagonals near the tile: queries are moved so that most draws cut it
    query = q0 % (keys + 1)
    distance = np.arange(keys)[None] - (query + np.arange(rows))[:, None]
    visible = ((distance >= lo) & (distance <= hi)) | (np.arange(keys) < prefix)
    scores = np.random.default_rng(seed).standard_normal((rows, keys)).astype(np.float32)
    hidden_garbage = np.where(visible, scores, np.float32(np.nan))
    probs, factors, maxima, sums = run(softmax_probe, hidden_garbage, ends, q0=query, lo=lo, hi=hi, prefix=prefix)
    seen = visible.any(axis=1)
    top = np.where(visible, scores, NEG).max(axis=1)
    exact = np.exp(np.where(visible, scores.astype(np.float64) - top[:, None], -np.inf))
    np.testing.assert_array_equal(maxima, top)
    np.testing.assert_array_equal(sums[~seen], 0)
    np.testing.assert_allclose(sums, exact.sum(axis=1), rtol=2e-6)
    assert not probs[~visible].any()  # exactly 0, NaN included
    got = softmax_of(probs[seen], factors[:, seen], ends, sums[seen])
    np.testing.assert_allclose(got, exact[seen] / exact[seen].sum(axis=1, keepdims=True), rtol=3e-5, atol=1e-30)
