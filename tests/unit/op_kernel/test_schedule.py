# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Who computes what of packed sequences: the forward kernel's scheduler against a listing and against the plan."""

import ctypes
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.packed import segments_of
from tests.unit.op_host.call import TILING_DATA
from tests.unit.op_host.host_shim import Problem, row_tiles

UNBOUNDED = 1 << 40
BLOCKS, CHUNKS, SPLIT_BLOCKS = 0, 1, 2
FIELDS = "index s1 s2 q_token k_token rows_before score_base n1 n2 q0 rows chunk partial_row granules"
BLOCK = np.dtype([(name, np.int64) for name in FIELDS.split()])
Q_TILE, STACK = 128, 512


@dataclass
class Packed:
    lengths: list
    extra: int
    n2: int
    group: int
    rule: tuple = (-UNBOUNDED, UNBOUNDED, 0, 0, -1, 0, 0)

    @property
    def n1(self):
        return self.n2 * self.group

    @property
    def ends(self):
        return [np.cumsum([0, *(x[side] for x in self.lengths)], dtype=np.int64)[1:] for side in (0, 1)]

    @property
    def tokens(self):
        return sum(s1 for s1, _ in self.lengths) + self.extra

    @property
    def segments(self):
        return segments_of(*(list(map(int, side)) for side in self.ends), self.tokens)

    @property
    def most(self):
        return [max((x[side] for x in self.lengths), default=0) for side in (0, 1)]

    def tiling(self):
        data = np.zeros(1, TILING_DATA)
        values = {"b": len(self.lengths), "n1": self.n1, "n2": self.n2, "s1": self.most[0], "s2": self.most[1]}
        for name, value in values.items():
            data[name] = value
        data["tile"]["q_tile"], data["tile"]["kv_stack"] = Q_TILE, STACK
        data["rule"] = self.rule
        data["sequences"] = (len(self.segments), len(self.lengths), self.tokens, 0, 0, 0)
        return data

    def dealt(self, library, cores, kind):
        """Blocks of each core."""
        tiling, ends = self.tiling(), self.ends
        lists = (ctypes.c_void_p * 3)(ends[0].ctypes.data, ends[1].ctypes.data, None)
        result = []
        for core in range(cores):
            room = 64
            while True:
                blocks = np.zeros(room, BLOCK)
                count = library.ShimDealt(tiling.ctypes.data, lists, core, cores, kind, blocks.ctypes.data, room)
                if count <= room:
                    break
                room = count
            result.append(blocks[:count])
        return result

    def host_weights(self, library, cores, chunks_are_dealt):
        ends = [side.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)) for side in self.ends]
        problem = Problem(len(self.lengths), self.n1, self.n2, *self.most, (ctypes.c_int64 * 7)(*self.rule),
                          len(self.segments), len(self.lengths), self.tokens, Q_TILE, STACK, *ends, None)  # fmt: skip
        weights = (ctypes.c_int64 * cores)()
        library.ShimCoreWeights(ctypes.byref(problem), cores, chunks_are_dealt, weights)
        return list(weights)


def random_lengths(count, seed):
    """Mostly short sequences, empty ones and awkward ones among them."""
    rng = np.random.default_rng(seed)
    awkward = rng.choice([0, 0, 1, 16, 127, 128, 129, 512, 513, 3000], (count, 2))
    lengths = np.where(rng.random((count, 2)) < 0.8, rng.integers(0, 20, (count, 2)), awkward)
    return [(int(s1), int(s2)) for s1, s2 in lengths]


packed = st.builds(
    Packed,
    st.builds(random_lengths, st.integers(0, 300), st.integers(0, 2**32)),
    st.sampled_from([0, 0, 1, 200]),
    st.sampled_from([1, 2, 3]),
    st.sampled_from([1, 2, 8]),
    st.sampled_from([
        (-UNBOUNDED, UNBOUNDED, 0, 0, -1, 0, 0), (-UNBOUNDED, 0, 0, 1, -1, 0, 0), (-100, 7, 1, 1, 0, 3, 0)
    ]),
)  # fmt: skip
core_numbers = st.sampled_from([1, 24, 64])


def rows_of(blocks):
    """(segment, query head, query, chunk) of every row of the blocks."""
    rows = []
    for block in blocks:
        for row in range(block["q0"], block["q0"] + block["rows"]):
            head, query = divmod(row, block["s1"])
            rows.append((int(block["index"]), int(block["n1"] + head), int(query), int(block["chunk"])))
    return rows


def expected_rows(library, problem, kind):
    for x in problem.segments:
        tiles = row_tiles(library, Q_TILE, STACK, problem.group, x.s1, x.s2)
        if kind == SPLIT_BLOCKS and tiles.kv_chunks == 1:
            continue
        for head in range(problem.n1):
            for query in range(x.s1):
                for chunk in range(tiles.kv_chunks if kind == CHUNKS else 1):
                    yield x.index, head, query, chunk


@settings(max_examples=30, deadline=None)
@given(problem=packed, cores=core_numbers, kind=st.sampled_from([BLOCKS, CHUNKS, SPLIT_BLOCKS]))
def test_every_row_is_dealt_once(schedule_library, host_library, problem, cores, kind):
    dealt = problem.dealt(schedule_library, cores, kind)
    rows = [row for blocks in dealt for row in rows_of(blocks)]
    assert sorted(rows) == sorted(expected_rows(host_library, problem, kind))
    counts = [len(blocks) for blocks in dealt]
    assert max(counts) - min(counts) <= 1
    by_index = {x.index: x for x in problem.segments}
    for block in np.concatenate(dealt):
        x = by_index[int(block["index"])]
        places = ("s1", "s2", "q_token", "k_token", "rows_before", "score_base")
        assert tuple(map(int, block[list(places)])) == (x.s1, x.s2, x.q0, x.k0, x.q0, x.score_base)
        assert block["n2"] == block["n1"] // problem.group


@settings(max_examples=60, deadline=None)
@given(problem=packed, cores=core_numbers, kind=st.sampled_from([BLOCKS, CHUNKS]))
def test_the_host_plans_the_same_deal(schedule_library, host_library, problem, cores, kind):
    dealt = problem.dealt(schedule_library, cores, kind)
    weights = [int(blocks["granules"].sum()) for blocks in dealt]
    assert weights == problem.host_weights(host_library, cores, kind == CHUNKS)


@settings(max_examples=60, deadline=None)
@given(problem=packed, cores=core_numbers)
def test_partial_states_have_places_of_their_own(schedule_library, host_library, problem, cores):
    spans, rows = [], 0
    for block in np.concatenate(problem.dealt(schedule_library, cores, CHUNKS)):
        tiles = row_tiles(host_library, Q_TILE, STACK, problem.group, int(block["s1"]), int(block["s2"]))
        if tiles.kv_chunks > 1:
            begin = int(block["partial_row"]) + int(block["chunk"]) * tiles.q_tile
            spans.append((begin, begin + tiles.q_tile))
            rows += tiles.q_tile
    spans.sort()
    assert all(end <= begin for (_, end), (begin, _) in zip(spans, spans[1:], strict=False))
    if spans:  # without gaps, so that the host's total is enough
        assert (spans[0][0], spans[-1][1]) == (0, rows)


def partial_places(blocks):
    return {tuple(map(int, block[["index", "n1", "q0"]])): int(block["partial_row"]) for block in blocks}


@pytest.mark.parametrize("cores", [1, 24])
def test_who_merges_finds_the_partial_states(schedule_library, cores):
    problem = Packed([(1, 3000), (300, 700), (3, 5000), (0, 9), (16, 4097)], 5, 2, 4)
    places = [partial_places(np.concatenate(problem.dealt(schedule_library, cores, kind)))
              for kind in (BLOCKS, CHUNKS, SPLIT_BLOCKS)]  # fmt: skip
    assert places[2] and all(places[0][key] == places[1][key] == place for key, place in places[2].items())


def test_causal_sequences_are_even_on_24_cores(host_library):
    rule = (-UNBOUNDED, 0, 0, 1, -1, 0, 0)
    problem = Packed([(4096, 4096), (2048, 2048), (1024, 1024)] * 4, 0, 2, 1, rule)
    weights = problem.host_weights(host_library, 24, 0)
    assert max(weights) * 24 / sum(weights) < 1.06
