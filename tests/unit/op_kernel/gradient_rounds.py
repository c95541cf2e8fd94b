# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Problems of the gradient kernel's round cursor, dense batches and packed sequences, and the tiles of a core."""

from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from hypothesis import strategies as st

from tests.unit.op_host.gradient_call import GRADIENT_TILING_DATA, GradientCall

UNBOUNDED = 1 << 40
ROOM = 1 << 16
TILE = np.dtype(
    [
        (name, np.int64)
        for name in "round segment n1 n2 q0 rows k0 cols slot q_token k_token rows_before score_base".split()
    ]
)


@dataclass(frozen=True)
class Mask:
    """Rule of a call, or of one segment: then nothing counts from the bottom and prefix is its own."""

    lo: int
    hi: int
    prefix: int = 0
    lo_from_bottom: int = 0
    hi_from_bottom: int = 0


@dataclass(frozen=True)
class Problem:
    """packed: TND; else all lengths are equal. rest: rows past the last cumulative length, queries and keys.
    prefixes: one a segment, or empty."""

    lengths: tuple  # (S1, S2) of each segment
    n2: int
    group: int
    mask: Mask
    packed: bool = False
    rest: tuple = (0, 0)
    prefixes: tuple = ()

    @property
    def n1(self):
        return self.n2 * self.group

    def mask_of(self, index):
        s1, s2 = self.lengths[index]
        rule, delta = self.mask, s2 - s1
        prefix = self.prefixes[index] if self.prefixes else 0
        return Mask(rule.lo + rule.lo_from_bottom * delta, rule.hi + rule.hi_from_bottom * delta, prefix)

    def alone(self, index):
        """The segment as a dense batch of one, with one key head."""
        return Problem((self.lengths[index],), 1, self.group, self.mask, prefixes=self.prefixes[index : index + 1])

    def ends(self, side):
        return list(accumulate(lengths[side] for lengths in self.lengths))

    def tiling(self):
        """Tiling data of the operator for a dense call, with the rest put in afterwards: there are more rules than
        sparse modes, and lists that a shape says nothing about."""
        longest = [max(lengths[side] for lengths in self.lengths) for side in (0, 1)]
        batch = len(self.lengths)
        call = GradientCall(b=batch, n1=self.n1, n2=self.n2, s1=longest[0], s2=longest[1], d=16, dv=16)
        data = np.array([call.tile()[1]], GRADIENT_TILING_DATA)
        for field in ("lo", "hi", "lo_from_bottom", "hi_from_bottom"):
            data["rule"][field] = getattr(self.mask, field)
        data["rule"]["has_prefix"] = bool(self.prefixes)
        if self.packed:
            tokens = [self.ends(side)[-1] + self.rest[side] for side in (0, 1)]
            data["sequences"] = (batch + (self.rest[0] > 0), batch, *tokens, 0, 0)
            data["schedule"]["rounds"] = max(rounds_of(*lengths) for lengths in self.lengths)
        return data


def chunk_of(s1, s2):
    return max(256, -(-max(s1, s2) // (32 * 128)) * 128)


def rounds_of(s1, s2):
    return -(-max(s1, s2) // chunk_of(s1, s2)) if s1 and s2 else 0


def tiles_of(library, problem, core, cores):
    lists = [np.array(values or [0], np.int64) for values in (problem.ends(0), problem.ends(1), list(problem.prefixes))]
    pointers = np.array([values.ctypes.data for values in lists], np.int64)
    tiles = np.zeros(ROOM, TILE)
    tiling = problem.tiling()
    count = library.ShimTiles(tiling.ctypes.data, pointers.ctypes.data, core, cores, tiles.ctypes.data, ROOM)
    assert count <= ROOM
    return tiles[:count]


def all_tiles(library, problem, cores):
    """(core, tile) of every core."""
    return [(core, tile) for core in range(cores) for tile in tiles_of(library, problem, core, cores)]


_limits = st.one_of(st.integers(-1500, 1500), st.sampled_from([-UNBOUNDED, UNBOUNDED, 0]))
_masks = st.one_of(
    st.just(Mask(-UNBOUNDED, UNBOUNDED)),
    st.just(Mask(-UNBOUNDED, 0)),
    st.just(Mask(-UNBOUNDED, 0, hi_from_bottom=1)),
    st.builds(Mask, _limits, _limits, st.just(0), st.integers(0, 1), st.integers(0, 1)),
)
_lengths = st.one_of(st.integers(1, 1600), st.sampled_from([255, 256, 257, 512, 1024, 1025]))
_some_lengths = st.one_of(st.sampled_from([0, 1, 17]), st.integers(0, 700), _lengths)
_heads = st.integers(1, 3)


@st.composite
def _dense(draw):
    batch, lengths = draw(st.integers(1, 3)), draw(st.tuples(_lengths, _lengths))
    prefixes = draw(st.sampled_from([False, False, True])) and draw(
        st.lists(st.integers(0, lengths[1]), min_size=batch, max_size=batch)
    )
    return Problem((lengths,) * batch, draw(_heads), draw(_heads), draw(_masks), prefixes=tuple(prefixes or ()))


@st.composite
def _packed(draw):
    lengths = draw(st.lists(st.tuples(_some_lengths, _some_lengths), min_size=1, max_size=6))
    rest = draw(st.tuples(st.sampled_from([0, 5]), st.sampled_from([0, 9])))
    prefixes = draw(st.booleans()) and [draw(st.integers(0, s2)) for _, s2 in lengths]
    mask = draw(_masks)
    return Problem(tuple(lengths), draw(_heads), draw(_heads), mask, True, rest, tuple(prefixes or ()))


problems = st.one_of(_dense(), _packed())
core_numbers = st.one_of(st.integers(1, 64), st.sampled_from([1, 2, 20, 24, 25]))
