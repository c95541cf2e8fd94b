# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Every tile is dealt exactly once, heaviest first, and evenly."""

import ctypes

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.op_host.host_shim import Deal, MaskParam, RowBlocks

UNBOUNDED = 1 << 40
GRANULE = 128


def rows_of(lo, hi, s1, s2, q_tile=128):
    return RowBlocks(MaskParam(lo, hi, 0), s1, s2, q_tile, 1)


def order_of(library, rows):
    order = (ctypes.c_int64 * (rows.s1 * rows.heads_per_tile // rows.q_tile + 2))()
    return list(order[: library.ShimOrder(ctypes.byref(rows), order)])


def weight_by_counting(rows, block):
    """Granules of 128 keys between the first and the last key that some row of the block sees."""
    granules = []
    last = min((block + 1) * rows.q_tile, rows.s1)
    for query in (block * rows.q_tile, last - 1):
        first_key = max(0, query + rows.mask.lo)
        last_key = min(rows.s2 - 1, query + rows.mask.hi)
        if first_key <= last_key:
            granules += [first_key // GRANULE, last_key // GRANULE]
    return max(granules) - min(granules) + 1 if granules else 0


limits = st.one_of(st.integers(-2000, 2000), st.sampled_from([-UNBOUNDED, UNBOUNDED]))
problems = st.builds(
    rows_of,
    limits.map(lambda v: -abs(v)),
    limits.map(abs),
    st.integers(1, 3000),
    st.integers(1, 3000),
    st.sampled_from([64, 128]),
)


@settings(max_examples=300, deadline=None)
@given(rows=problems, heads=st.integers(1, 7), cores=st.integers(1, 48))
def test_every_tile_once(host_library, rows, heads, cores):
    order = order_of(host_library, rows)
    blocks = -(-rows.s1 // rows.q_tile)
    dealt = {}
    for position in range(blocks * heads):
        core = host_library.ShimDealtCore(position, cores)
        assert 0 <= core < cores
        dealt.setdefault(core, []).append((order[position // heads], position % heads))
    tiles = sorted(tile for tiles in dealt.values() for tile in tiles)
    assert tiles == [(block, head) for block in range(blocks) for head in range(heads)]
    counts = [len(dealt.get(core, [])) for core in range(cores)]
    assert max(counts) - min(counts) <= 1


@settings(max_examples=300, deadline=None)
@given(rows=problems)
def test_weights_and_order(host_library, rows):
    weights = [
        host_library.ShimRowBlockWeight(ctypes.byref(rows), block) for block in range(-(-rows.s1 // rows.q_tile))
    ]
    assert weights == [weight_by_counting(rows, block) for block in range(len(weights))]
    heaviest = host_library.ShimHeaviestBlock(ctypes.byref(rows))
    assert weights[heaviest] == max(weights)
    sorted_weights = [weights[block] for block in order_of(host_library, rows)]
    slack = 0 if rows.q_tile == GRANULE else 1  # half-granule blocks of a band alternate by one
    assert all(later <= earlier + slack for earlier, later in zip(sorted_weights, sorted_weights[1:], strict=False))


@pytest.mark.parametrize("heads, bound", [(1, 1.05), (2, 1.05), (8, 1.05)])
def test_causal_16k_is_even_on_24_cores(host_library, heads, bound):
    rows = rows_of(-UNBOUNDED, 0, 16384, 16384)
    imbalance = host_library.ShimImbalance(ctypes.byref(rows), ctypes.byref(Deal(heads, 1, 0, 24)))
    assert 1.0 <= imbalance <= bound


@pytest.mark.parametrize("cores", [1, 7, 24])
def test_rows_that_see_nothing_are_still_dealt(host_library, cores):
    rows = rows_of(-UNBOUNDED, -300, 1000, 1000)
    assert len(order_of(host_library, rows)) == 8
    assert host_library.ShimImbalance(ctypes.byref(rows), ctypes.byref(Deal(1, 1, 0, cores))) >= 1.0


def test_chunks_are_dealt_one_by_one(host_library):
    rows = rows_of(-UNBOUNDED, UNBOUNDED, 1, 16 * 512, 16)
    assert host_library.ShimImbalance(ctypes.byref(rows), ctypes.byref(Deal(3, 16, 512, 24))) == 1.0
    assert host_library.ShimImbalance(ctypes.byref(rows), ctypes.byref(Deal(3, 1, 0, 24))) == 8.0


@settings(max_examples=200, deadline=None)
@given(rows=problems, heads=st.integers(1, 150), chunks=st.integers(1, 5), cores=st.integers(1, 24))
def test_imbalance_is_that_of_the_deal(host_library, rows, heads, chunks, cores):
    """Counted piece by piece, for more heads than the deal takes to repeat."""
    rows.s1 = min(rows.s1, 500)
    keys = -(-rows.s2 // chunks // GRANULE) * GRANULE or GRANULE
    weights, position = [0] * cores, 0
    for block in order_of(host_library, rows):
        last_row = min((block + 1) * rows.q_tile, rows.s1)
        seen = host_library.ShimVisibleKeys(ctypes.byref(rows.mask), block * rows.q_tile, last_row, rows.s2)
        for _ in range(heads):
            for chunk in range(chunks):
                first, last = (chunk * keys, (chunk + 1) * keys) if chunks > 1 else (0, rows.s2)
                first, last = max(seen.begin, first), min(seen.end, last)
                work = -(-last // GRANULE) - first // GRANULE if first < last else 0
                weights[host_library.ShimDealtCore(position, cores)] += work
                position += 1
    expected = max(weights) * cores / sum(weights) if sum(weights) else 1.0
    deal = Deal(heads, chunks, keys, cores)
    assert host_library.ShimImbalance(ctypes.byref(rows), ctypes.byref(deal)) == pytest.approx(expected)


def test_packed_heads_share_row_blocks(host_library):
    rows = rows_of(-UNBOUNDED, 0, 30, 30, 64)
    rows.heads_per_tile = 4
    assert len(order_of(host_library, rows)) == 2
