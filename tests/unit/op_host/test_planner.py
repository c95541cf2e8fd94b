# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Row blocks of a segment, heaviest first, and the snake that deals them."""

import ctypes

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.op_host.host_shim import MaskParam, Problem, Segment, row_tiles

UNBOUNDED = 1 << 40
GRANULE = 128
NO_LIST = ctypes.POINTER(ctypes.c_int64)()


def segment_of(library, lo, hi, s1, s2, q_tile=128, group=1):
    tiles = row_tiles(library, q_tile, 512, group, s1, s2)
    return Segment(0, s1, s2, 0, 0, 0, 0, MaskParam(lo, hi, 0), tiles)


def dense(lo, hi, s1, s2, b=1, n1=1, n2=1):
    """A dense problem with a rule that counts from the top left."""
    rule = (ctypes.c_int64 * 7)(lo, hi, 0, 0, -1, 0, 0)
    return Problem(b, n1, n2, s1, s2, rule, b, 0, 0, 128, 512, NO_LIST, NO_LIST, NO_LIST)


def order_of(library, segment):
    order = (ctypes.c_int64 * max(1, segment.tiles.row_blocks))()
    library.ShimOrder(ctypes.byref(segment), order)
    return list(order[: segment.tiles.row_blocks])


def core_weights(library, problem, cores, chunks_are_dealt=False):
    weights = (ctypes.c_int64 * cores)()
    imbalance = library.ShimCoreWeights(ctypes.byref(problem), cores, int(chunks_are_dealt), weights)
    return list(weights), imbalance


def granules(mask, q0, q1, s2, first, last):
    """Granules of 128 keys from the first to the last key of [first, last) that some query of [q0, q1) sees."""
    begin, end = max(q0 + mask.lo, 0), min(q1 + mask.hi, s2)
    if begin >= end:
        return 0
    begin, end = max(begin // 16 * 16, first), min(end, last)
    return int(-(-end // GRANULE) - begin // GRANULE) if begin < end else 0


def weight_by_counting(segment, block):
    tiles = segment.tiles
    q0, q1 = block * tiles.q_tile, min((block + 1) * tiles.q_tile, segment.s1)
    if tiles.heads_per_tile > 1:
        q0, q1 = 0, segment.s1
    return granules(segment.mask, q0, q1, segment.s2, 0, segment.s2)


limits = st.one_of(st.integers(-2000, 2000), st.sampled_from([-UNBOUNDED, UNBOUNDED]))
shapes = st.tuples(
    limits.map(lambda v: -abs(v)),
    limits.map(abs),
    st.integers(1, 3000),
    st.integers(1, 3000),
    st.sampled_from([64, 128]),
    st.sampled_from([1, 1, 4]),
)


@settings(max_examples=300, deadline=None)
@given(shape=shapes)
def test_weights_and_order(host_library, shape):
    segment = segment_of(host_library, *shape)
    blocks = range(segment.tiles.row_blocks)
    weights = [host_library.ShimBlockWeight(ctypes.byref(segment), block) for block in blocks]
    assert weights == [weight_by_counting(segment, block) for block in blocks]
    assert [host_library.ShimBlockWeight(ctypes.byref(segment), block) for block in (-1, len(weights))] == [-1, -1]
    heaviest = host_library.ShimHeaviestBlock(ctypes.byref(segment))
    assert heaviest == weights.index(max(weights))
    order = order_of(host_library, segment)
    assert sorted(order) == list(blocks)
    sorted_weights = [weights[block] for block in order]
    slack = 0 if segment.tiles.q_tile == GRANULE else 1  # blocks that are no granules alternate by one
    assert all(later <= earlier + slack for earlier, later in zip(sorted_weights, sorted_weights[1:], strict=False))


@pytest.mark.parametrize("cores", [1, 2, 7, 24])
def test_the_deal_is_a_snake(host_library, cores):
    dealt = [host_library.ShimDealtCore(position, cores) for position in range(6 * cores)]
    assert dealt == 3 * (list(range(cores)) + list(reversed(range(cores))))


@pytest.mark.parametrize("heads", [1, 2, 8])
def test_causal_16k_is_even_on_24_cores(host_library, heads):
    _, imbalance = core_weights(host_library, dense(-UNBOUNDED, 0, 16384, 16384, n1=heads, n2=heads), 24)
    assert 1.0 <= imbalance <= 1.05


@pytest.mark.parametrize("cores", [1, 7, 24])
def test_rows_that_see_nothing_are_still_dealt(host_library, cores):
    assert len(order_of(host_library, segment_of(host_library, -UNBOUNDED, -300, 1000, 1000))) == 8
    assert core_weights(host_library, dense(-UNBOUNDED, -300, 1000, 1000), cores)[1] >= 1.0


def test_chunks_are_dealt_one_by_one(host_library):
    problem = dense(-UNBOUNDED, UNBOUNDED, 1, 16 * 512, n1=3, n2=3)
    assert core_weights(host_library, problem, 24, True)[1] == 1.0
    assert core_weights(host_library, problem, 24)[1] == 8.0


@settings(max_examples=200, deadline=None)
@given(
    shape=shapes,
    heads=st.integers(1, 60),
    batches=st.integers(1, 3),
    chunked=st.booleans(),
    cores=st.integers(1, 24),
)
def test_weights_are_those_of_the_deal(host_library, shape, heads, batches, chunked, cores):
    """Counted piece by piece, for more heads than the deal takes to repeat."""
    lo, hi, s1, s2 = shape[:4]
    s1 = min(s1, 500)
    segment = segment_of(host_library, lo, hi, s1, s2)
    tiles = segment.tiles
    pieces = tiles.kv_chunks if chunked else 1
    keys = tiles.kv_chunk if pieces > 1 else s2
    expected, position = [0] * cores, 0
    for block in order_of(host_library, segment):
        rows = block * tiles.q_tile, min((block + 1) * tiles.q_tile, s1)
        for _ in range(batches * heads):
            for piece in range(pieces):
                work = granules(segment.mask, *rows, s2, piece * keys, min((piece + 1) * keys, s2))
                expected[host_library.ShimDealtCore(position, cores)] += work
                position += 1
    problem = dense(lo, hi, s1, s2, b=batches, n1=heads, n2=heads)
    weights, imbalance = core_weights(host_library, problem, cores, chunked)
    assert weights == expected
    assert imbalance == pytest.approx(max(expected) * cores / sum(expected) if sum(expected) else 1.0)
