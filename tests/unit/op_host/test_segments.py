# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The walk over the segments of a call, against a listing in Python."""

import ctypes

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.packed import lengths_of, segments_of
from tests.unit.op_host.host_shim import MaskParam, Problem, RowTiles, Segment, row_tiles

UNBOUNDED = 1 << 40
INT64S = ctypes.POINTER(ctypes.c_int64)
LIMIT = st.one_of(st.integers(-50, 50), st.sampled_from([-UNBOUNDED, UNBOUNDED]))
BIT = st.integers(0, 1)


def array(values):
    return ctypes.cast((ctypes.c_int64 * max(1, len(values)))(*values), INT64S)


def problem_of(lengths, rule, n1, n2, extra_tokens=0, prefixes=(), ends=None):
    """A problem of TND; lengths: (S1, S2) of each sequence; ends: cumulative lists that mean the same."""
    query_ends, key_ends = ends or ([sum(x[side] for x in lengths[: i + 1]) for i in range(len(lengths))]
                                    for side in (0, 1))  # fmt: skip
    tokens = sum(s1 for s1, _ in lengths) + extra_tokens
    segments = len(lengths) + (extra_tokens > 0)
    most = [max((x[side] for x in lengths), default=0) for side in (0, 1)]
    return Problem(len(lengths), n1, n2, *most, (ctypes.c_int64 * 7)(*rule), segments, len(lengths), tokens, 128, 512,
                   array(query_ends), array(key_ends), array(list(prefixes)))  # fmt: skip


def walk(library, problem):
    """[(segment, copies)]"""
    segments = (Segment * max(1, problem.segments))()
    copies = (ctypes.c_int64 * max(1, problem.segments))()
    count = library.ShimSegments(ctypes.byref(problem), segments, copies)
    return list(zip(segments[:count], copies[:count], strict=True))


def plain(segment):
    """Fields in order, nested ones as tuples."""
    values = []
    for name, _ in segment._fields_:
        value = getattr(segment, name)
        nested = isinstance(value, (MaskParam, RowTiles))
        values.append(tuple(getattr(value, field) for field, _ in value._fields_) if nested else value)
    return tuple(values)


def mask_of(rule, index, s1, s2, prefix):
    lo, hi, lo_from_bottom, hi_from_bottom, band_segment, band_hi, _ = rule
    delta = s2 - s1
    hi = band_hi + delta if index == band_segment else hi + delta * hi_from_bottom
    return lo + delta * lo_from_bottom, hi, prefix


def cut(library, group, s1, s2):
    tiles = row_tiles(library, 128, 512, group, s1, s2)
    return tuple(getattr(tiles, field) for field, _ in tiles._fields_)


length = st.one_of(st.integers(0, 40), st.integers(0, 4000), st.sampled_from([0, 1, 127, 128, 129, 512, 513]))


@settings(max_examples=300, deadline=None)
@given(
    lengths=st.lists(st.tuples(length, length), max_size=300),
    limits=st.tuples(LIMIT, LIMIT, BIT, BIT),
    band=st.tuples(st.integers(-1, 20), LIMIT),
    has_prefix=BIT,
    extra=st.sampled_from([0, 0, 1, 17, 3000]),
    heads=st.sampled_from([(1, 1), (4, 4), (6, 2), (8, 1)]),
    data=st.data(),
)
def test_packed_segments(host_library, lengths, limits, band, has_prefix, extra, heads, data):
    n1, n2 = heads
    rule = (*limits, *band, has_prefix)
    prefixes = [data.draw(st.integers(0, 5000)) for _ in lengths] if has_prefix and len(lengths) < 20 else [7] * 300
    problem = problem_of(lengths, rule, n1, n2, extra, prefixes[: len(lengths)])
    walked = walk(host_library, problem)
    query_ends, key_ends = problem.query_ends[: len(lengths)], problem.key_ends[: len(lengths)]
    expected, rows, keys = [], 0, 0
    for x in segments_of(query_ends, key_ends, problem.tokens):
        prefix = prefixes[x.index] if has_prefix and x.index < len(lengths) else 0
        expected.append((
            x.index, x.s1, x.s2, x.q0, x.k0, x.q0, x.score_base,
            mask_of(rule, x.index, x.s1, x.s2, prefix), cut(host_library, n1 // n2, x.s1, x.s2),
        ))  # fmt: skip
        rows, keys = rows + x.s1, keys + x.s2
    assert rows == problem.tokens
    assert [plain(segment) for segment, _ in walked] == expected
    assert all(copies == 1 for _, copies in walked)


@settings(max_examples=100, deadline=None)
@given(values=st.lists(st.tuples(st.integers(0, 900), st.integers(0, 900)), min_size=1, max_size=20))
def test_a_step_back_is_a_sequence_without_tokens(host_library, values):
    ends = tuple(zip(*values, strict=True))
    lengths = list(zip(*(lengths_of(list(side)) for side in ends), strict=True))
    rule = (-UNBOUNDED, UNBOUNDED, 0, 0, -1, 0, 0)
    walked, plainly = (walk(host_library, problem_of(lengths, rule, 2, 1, ends=given)) for given in (ends, None))
    assert [plain(segment) for segment, _ in walked] == [plain(segment) for segment, _ in plainly]
    assert [(segment.s1, segment.s2) for segment, _ in walked] == lengths


@pytest.mark.parametrize(("b", "prefixes"), [(0, None), (1, None), (5, None), (3, [4, 0, 9]), (0, [])])
def test_batches_of_a_dense_layout_are_copies(host_library, b, prefixes):
    rule = (-3, 0, 0, 1, -1, 0, int(prefixes is not None))
    no_list = INT64S()
    problem = Problem(b, 6, 2, 50, 70, (ctypes.c_int64 * 7)(*rule), b, 0, 0, 128, 512, no_list, no_list,
                      array(prefixes or []))  # fmt: skip
    walked = walk(host_library, problem)
    alike = [b] if prefixes is None and b else [1] * b
    assert [copies for _, copies in walked] == alike
    for (segment, _), index in zip(walked, range(b), strict=False):
        expected = (index, 50, 70, 0, 0, 50 * index, 3500 * index, (-3, 20, (prefixes or [0] * b)[index]),
                    cut(host_library, 3, 50, 70))  # fmt: skip
        assert plain(segment) == expected


@settings(max_examples=500, deadline=None)
@given(
    q_tile=st.sampled_from([16, 64, 128]),
    stack=st.sampled_from([128, 256, 384, 512]),
    group=st.integers(1, 200),
    s1=st.integers(0, 1000),
    s2=st.one_of(st.integers(0, 10**4), st.integers(0, 2**31 - 1)),
)
def test_row_tiles(host_library, q_tile, stack, group, s1, s2):
    tiles = row_tiles(host_library, q_tile, stack, group, s1, s2)
    few = group * s1 <= 128
    assert tiles.heads_per_tile == (group if few else 1)
    rows = s1 * tiles.heads_per_tile
    assert tiles.q_tile % 16 == 0 and 16 <= tiles.q_tile <= max(16, q_tile)
    assert tiles.q_tile >= min(rows, q_tile)
    assert (tiles.row_blocks - 1) * tiles.q_tile < rows <= tiles.row_blocks * tiles.q_tile
    if tiles.kv_chunk == 0:
        assert tiles.kv_chunks == 1
        assert not few or s2 <= max(1024, 8 * 128 + stack, s2 // 64 + 768)
    else:
        assert few and tiles.kv_chunk % stack == 0 and tiles.kv_chunk >= max(512, 8 * group * s1)
        assert (tiles.kv_chunks - 1) * tiles.kv_chunk < s2 <= tiles.kv_chunks * tiles.kv_chunk
        assert 2 <= tiles.kv_chunks <= 64
