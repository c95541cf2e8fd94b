# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What makes the gradient deterministic without partial results: who adds what to which accumulator, in which order.

The accumulators are dq of a query chunk of one head, dk and dv of a key chunk of one key head. Barriers of all cores
stand between rounds; inside a round the cores run freely.
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.op_host.gradient_call import GRADIENT_TILING_DATA, GradientCall
from tests.unit.op_host.test_mask_param import visible

UNBOUNDED = 1 << 40
ROOM = 1 << 16
TILE = np.dtype([(name, np.int64) for name in ("round", "b", "n1", "n2", "q0", "rows", "k0", "cols", "slot")])


@dataclass(frozen=True)
class Mask:
    lo: int
    hi: int
    prefix: int


@dataclass(frozen=True)
class Problem:
    b: int
    n2: int
    group: int
    s1: int
    s2: int
    mask: Mask

    def tiling(self):
        """Tiling data of the operator, with the mask rule put in afterwards: more rules than there are sparse modes."""
        n1 = self.n2 * self.group
        call = GradientCall(b=self.b, n1=n1, n2=self.n2, s1=self.s1, s2=self.s2, d=16, dv=16)
        data = np.array([call.tile()[1]], GRADIENT_TILING_DATA)
        for field in ("lo", "hi", "prefix"):
            data["mask"][field] = getattr(self.mask, field)
        return data


def tiles_of(library, tiling, core, cores):
    tiles = np.zeros(ROOM, TILE)
    count = library.ShimTiles(tiling.ctypes.data, core, cores, tiles.ctypes.data, ROOM)
    assert count <= ROOM
    return tiles[:count]


limits = st.one_of(st.integers(-1500, 1500), st.sampled_from([-UNBOUNDED, UNBOUNDED, 0]))
masks = st.one_of(
    st.just(Mask(-UNBOUNDED, UNBOUNDED, 0)),
    st.just(Mask(-UNBOUNDED, 0, 0)),
    st.builds(Mask, limits, limits, st.sampled_from([0, 0, 1, 300, 5000])),
)
lengths = st.one_of(st.integers(1, 1600), st.sampled_from([255, 256, 257, 512, 1024, 1025]))
problems = st.builds(Problem, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), lengths, lengths, masks)
core_numbers = st.one_of(st.integers(1, 64), st.sampled_from([1, 2, 20, 24, 25]))


@settings(max_examples=120, deadline=None)
@given(problem=problems, cores=core_numbers)
def test_every_visible_score_is_computed_once(round_library, problem, cores):
    tiling = problem.tiling()
    computed = np.zeros((problem.b, problem.n2 * problem.group, problem.s1, problem.s2), np.int8)
    for core in range(cores):
        for tile in tiles_of(round_library, tiling, core, cores):
            assert tile["n2"] == tile["n1"] // problem.group
            rows = slice(tile["q0"], tile["q0"] + tile["rows"])
            keys = slice(tile["k0"], tile["k0"] + tile["cols"])
            assert rows.stop <= problem.s1 and keys.stop <= problem.s2
            assert 0 < tile["rows"] <= tiling["tile"]["q_tile"] and 0 < tile["cols"] <= tiling["tile"]["kv_tile"]
            computed[tile["b"], tile["n1"], rows, keys] += 1
    seen = visible(problem.mask, problem.s1, problem.s2)
    assert computed.max(initial=0) <= 1
    assert (computed[:, :, seen] == 1).all()


@settings(max_examples=120, deadline=None)
@given(problem=problems, cores=core_numbers)
def test_a_chunk_of_an_accumulator_has_one_writer_a_round(round_library, problem, cores):
    tiling = problem.tiling()
    chunk = int(tiling["schedule"]["chunk"][0])
    pairs = {}  # (round, b, n2, kind, chunk) -> (core, chunk of the other side)
    for core in range(cores):
        for tile in tiles_of(round_library, tiling, core, cores):
            c, k = int(tile["q0"]) // chunk, int(tile["k0"]) // chunk
            assert (tile["q0"] + tile["rows"] - 1) // chunk == c and (tile["k0"] + tile["cols"] - 1) // chunk == k
            for kind, own, other in (("dq", c, k), ("dkv", k, c)):
                key = (int(tile["round"]), int(tile["b"]), int(tile["n2"]), kind, own)
                assert pairs.setdefault(key, (core, other)) == (core, other)


def additions(round_library, tiling, cores):
    """Accumulator rows (b, head, first row) -> what is added to them, in order. Rounds are separated by barriers."""
    order = defaultdict(list)
    for tile in sorted(
        (tile for core in range(cores) for tile in tiles_of(round_library, tiling, core, cores).tolist()),
        key=lambda tile: tile[0],  # stable: inside a round the order of the one core that writes there
    ):
        index, b, n1, n2, q0, rows, k0, cols, _ = tile
        order["dq", b, n1, q0].append((index, rows, k0, cols))
        order["dkv", b, n2, k0].append((index, cols, n1, q0, rows))
    return order


@settings(max_examples=60, deadline=None)
@given(problem=problems, cores=core_numbers)
def test_order_of_additions_does_not_depend_on_cores(round_library, problem, cores):
    tiling = problem.tiling()
    assert additions(round_library, tiling, cores) == additions(round_library, tiling, 1)


@settings(max_examples=60, deadline=None)
@given(problem=problems, cores=core_numbers)
def test_order_of_additions_does_not_depend_on_the_batch(round_library, problem, cores):
    together = additions(round_library, problem.tiling(), cores)
    alone = additions(round_library, Problem(1, 1, problem.group, problem.s1, problem.s2, problem.mask).tiling(), cores)
    for (kind, b, n, start), added in together.items():
        group = problem.group
        expected = alone[kind, 0, n % group if kind == "dq" else 0, start]
        if kind == "dkv":
            added = [(index, cols, n1 % group, q0, rows) for index, cols, n1, q0, rows in added]
        assert added == expected, (kind, b, n, start)


@settings(max_examples=60, deadline=None)
@given(problem=problems, cores=core_numbers)
def test_ring_slots_alternate(round_library, problem, cores):
    tiling = problem.tiling()
    for core in range(cores):
        slots = tiles_of(round_library, tiling, core, cores)["slot"]
        assert (slots[1:] != slots[:-1]).all() and set(slots) <= {0, 1}


def test_causal_rounds_are_even(round_library):
    """24 cores, causal: no core has more than 1.1 times the mean of scores."""
    problem = Problem(1, 32, 1, 8192, 8192, Mask(-UNBOUNDED, 0, 0))
    tiling = problem.tiling()
    work = []
    for core in range(24):
        tiles = tiles_of(round_library, tiling, core, 24)
        rounds = np.zeros(int(tiling["schedule"]["rounds"][0]))
        np.add.at(rounds, tiles["round"], tiles["rows"] * tiles["cols"])
        work.append(rounds)
    work = np.array(work)
    assert work.max(axis=0).sum() <= 1.1 * work.mean(axis=0).sum()
