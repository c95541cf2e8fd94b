# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The mask rule's two questions against brute force over single elements."""

import ctypes

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.op_host.host_shim import MaskParam

SKIP, FULL, PARTIAL = 0, 1, 2
UNBOUNDED = 1 << 40
LENGTH = 40


def visible(mask, s1, s2):
    difference = np.arange(s2)[None, :] - np.arange(s1)[:, None]
    return ((mask.lo <= difference) & (difference <= mask.hi)) | (np.arange(s2) < mask.prefix)[None, :]


limits = st.one_of(st.integers(-LENGTH - 3, LENGTH + 3), st.sampled_from([-UNBOUNDED, UNBOUNDED]))
masks = st.builds(MaskParam, limits, limits, st.sampled_from([0, 0, 1, 7, 39, 50]))


@st.composite
def spans(draw):
    begin = draw(st.integers(0, LENGTH - 1))
    return begin, draw(st.integers(begin + 1, LENGTH))


@settings(max_examples=1500, deadline=None)
@given(mask=masks, queries=spans(), keys=spans())
def test_classify_tile(host_library, mask, queries, keys):
    tile = visible(mask, LENGTH, LENGTH)[slice(*queries), slice(*keys)]
    got = host_library.ShimClassify(ctypes.byref(mask), *queries, *keys)
    if tile.all():
        assert got == FULL
    elif got != PARTIAL:  # a tile with nothing visible may be called partial only where a prefix begins inside it
        assert got == SKIP and not tile.any()
    elif not tile.any():
        # a band passes between the corners of a tile without meeting an element only if it is empty
        assert mask.prefix > keys[0] or mask.lo > mask.hi


@settings(max_examples=1500, deadline=None)
@given(mask=masks, queries=spans(), s2=st.integers(0, LENGTH))
def test_visible_keys_is_the_hull(host_library, mask, queries, s2):
    got = host_library.ShimVisibleKeys(ctypes.byref(mask), *queries, s2)
    columns = np.flatnonzero(visible(mask, LENGTH, s2)[slice(*queries)].any(axis=0))
    if len(columns) == 0:
        assert got.begin == got.end
    elif mask.prefix > 0:
        assert got.begin == 0 and got.end == columns[-1] + 1
    else:
        assert (got.begin, got.end) == (columns[0], columns[-1] + 1)
