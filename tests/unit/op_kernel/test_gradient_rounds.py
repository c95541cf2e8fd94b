# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What makes the gradient deterministic without partial results: who adds what to which accumulator, in which order.

The accumulators are dq of a query chunk of one head, dk and dv of a key chunk of one key head. Barriers of all cores
stand between rounds; inside a round the cores run freely.
"""

from collections import defaultdict

import numpy as np
from hypothesis import given, settings

from tests.unit.op_host.test_mask_param import visible
from tests.unit.op_kernel.gradient_rounds import (
    UNBOUNDED,
    Mask,
    Problem,
    all_tiles,
    chunk_of,
    core_numbers,
    problems,
    tiles_of,
)


@settings(max_examples=120, deadline=None)
@given(problem=problems, cores=core_numbers)
def test_every_visible_score_is_computed_once(round_library, problem, cores):
    computed = [np.zeros((problem.n1, *lengths), np.int8) for lengths in problem.lengths]
    tile_shape = problem.tiling()["tile"]
    for _, tile in all_tiles(round_library, problem, cores):
        s1, s2 = problem.lengths[tile["segment"]]
        assert tile["n2"] == tile["n1"] // problem.group
        rows = slice(tile["q0"], tile["q0"] + tile["rows"])
        keys = slice(tile["k0"], tile["k0"] + tile["cols"])
        assert rows.stop <= s1 and keys.stop <= s2
        assert 0 < tile["rows"] <= tile_shape["q_tile"] and 0 < tile["cols"] <= tile_shape["kv_tile"]
        computed[tile["segment"]][tile["n1"], rows, keys] += 1
    for index, scores in enumerate(computed):
        seen = visible(problem.mask_of(index), *problem.lengths[index])
        assert scores.max(initial=0) <= 1
        assert (scores[:, seen] == 1).all()


@settings(max_examples=60, deadline=None)
@given(problem=problems, cores=core_numbers)
def test_places_of_a_segment(round_library, problem, cores):
    starts = [np.concatenate([[0], problem.ends(side)]) for side in (0, 1)]
    scores = np.concatenate([[0], np.cumsum([s1 * s2 for s1, s2 in problem.lengths])])
    for _, tile in all_tiles(round_library, problem, cores):
        index = tile["segment"]
        tokens = [int(starts[side][index]) if problem.packed else 0 for side in (0, 1)]
        assert [tile["q_token"], tile["k_token"]] == tokens
        assert tile["rows_before"] == starts[0][index] and tile["score_base"] == scores[index]


@settings(max_examples=120, deadline=None)
@given(problem=problems, cores=core_numbers)
def test_a_chunk_of_an_accumulator_has_one_writer_a_round(round_library, problem, cores):
    pairs = {}  # (round, segment, n2, kind, chunk) -> (core, chunk of the other side)
    for core, tile in all_tiles(round_library, problem, cores):
        index = int(tile["segment"])
        chunk = chunk_of(*problem.lengths[index])
        c, k = int(tile["q0"]) // chunk, int(tile["k0"]) // chunk
        assert (tile["q0"] + tile["rows"] - 1) // chunk == c and (tile["k0"] + tile["cols"] - 1) // chunk == k
        for kind, own, other in (("dq", c, k), ("dkv", k, c)):
            key = (int(tile["round"]), index, int(tile["n2"]), kind, own)
            assert pairs.setdefault(key, (core, other)) == (core, other)


def additions(library, problem, cores):
    """Accumulator rows (segment, head, first row) -> what is added to them, in order. Rounds are separated by
    barriers."""
    order = defaultdict(list)
    # stable: inside a round the order of the one core that writes there
    for tile in sorted((tile.tolist() for _, tile in all_tiles(library, problem, cores)), key=lambda tile: tile[0]):
        index, segment, n1, n2, q0, rows, k0, cols = tile[:8]
        order["dq", segment, n1, q0].append((index, rows, k0, cols))
        order["dkv", segment, n2, k0].append((index, cols, n1, q0, rows))
    return order


@settings(max_examples=60, deadline=None)
@given(problem=problems, cores=core_numbers)
def test_order_of_additions_does_not_depend_on_cores(round_library, problem, cores):
    assert additions(round_library, problem, cores) == additions(round_library, problem, 1)


@settings(max_examples=60, deadline=None)
@given(problem=problems, cores=core_numbers)
def test_order_of_additions_does_not_depend_on_other_segments(round_library, problem, cores):
    together = additions(round_library, problem, cores)
    alone = [additions(round_library, problem.alone(i), cores) for i in range(len(problem.lengths))]
    for (kind, segment, n, start), added in together.items():
        group = problem.group
        expected = alone[segment][kind, 0, n % group if kind == "dq" else 0, start]
        if kind == "dkv":
            added = [(index, cols, n1 % group, q0, rows) for index, cols, n1, q0, rows in added]
        assert added == expected, (kind, segment, n, start)


@settings(max_examples=60, deadline=None)
@given(problem=problems, cores=core_numbers)
def test_ring_slots_alternate(round_library, problem, cores):
    for core in range(cores):
        slots = tiles_of(round_library, problem, core, cores)["slot"]
        assert (slots[1:] != slots[:-1]).all() and set(slots) <= {0, 1}


def largest_share(library, problem, cores):
    """Scores of the busiest core over their mean, summed over the rounds."""
    work = np.zeros((cores, 32))
    for core, tile in all_tiles(library, problem, cores):
        work[core, tile["round"]] += tile["rows"] * tile["cols"]
    return work.max(axis=0).sum() / work.mean(axis=0).sum()


def test_causal_rounds_are_even(round_library):
    problem = Problem(((8192, 8192),), 32, 1, Mask(-UNBOUNDED, 0))
    assert largest_share(round_library, problem, 24) <= 1.1


def test_rounds_of_packed_sequences_are_even(round_library):
    rng = np.random.default_rng(5)
    lengths = [(int(n), int(n)) for n in rng.integers(64, 900, 40)]
    problem = Problem(tuple(lengths), 8, 1, Mask(-UNBOUNDED, 0, hi_from_bottom=1), packed=True)
    share = largest_share(round_library, problem, 24)
    assert share <= 1.25, share
