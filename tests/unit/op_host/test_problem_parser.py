# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Random calls: strides address the right element, the mask rule is the documented one, refusals are exactly right."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.op_host.call import Call, dense_mask

MAX = 2147483647
LENGTH = st.integers(1, 12)
TOKENS = st.one_of(st.integers(-15, 15), st.just(MAX))


def visible(mode, s1, s2, pre, next_):
    """The documentation's rule, element by element. Mode 4 counts from the bottom right corner."""
    i, j = np.arange(s1)[:, None], np.arange(s2)[None, :]
    shift = s2 - s1
    return {
        0: (j >= i - pre) & (j <= i + next_),
        1: (j == j) & (i == i),
        2: j <= i,
        3: j <= i + shift,
        4: (j >= i + shift - pre) & (j <= i + shift + next_),
    }[mode]


@settings(max_examples=400, deadline=None)
@given(mode=st.integers(0, 4), s1=LENGTH, s2=LENGTH, pre=TOKENS, next_=TOKENS)
def test_mask_rule_and_its_refusal(mode, s1, s2, pre, next_):
    expected = visible(mode, s1, s2, pre, next_)
    call = Call(s1=s1, s2=s2, attrs={"sparse_mode": mode, "pre_tockens": pre, "next_tockens": next_})
    try:
        _, data = call.tile()
    except ValueError as error:
        assert mode in (0, 4) and not expected.any(), error
        assert f"pre_tokens {pre}" in str(error) and f"next_tokens {next_}" in str(error)
        return
    assert mode in (2, 3) or expected.any()
    difference = np.arange(s2)[None, :] - np.arange(s1)[:, None]
    lo, hi = dense_mask(data)
    assert np.array_equal((lo <= difference) & (difference <= hi), expected)


@settings(max_examples=200, deadline=None)
@given(
    layout=st.sampled_from(["BSH", "SBH", "BSND", "BNSD"]),
    b=st.integers(1, 4),
    n2=st.integers(1, 3),
    group=st.integers(1, 3),
    s1=st.integers(1, 5),
    s2=st.integers(1, 5),
    d=st.integers(1, 6),
    data=st.data(),
)
def test_strides_address_the_element(layout, b, n2, group, s1, s2, d, data):
    dv = data.draw(st.integers(1, d))
    call = Call(layout=layout, b=b, n1=n2 * group, n2=n2, s1=s1, s2=s2, d=d, dv=dv)
    _, tiling = call.tile()
    for name, heads, length, dim in (
        ("query", n2 * group, s1, d),
        ("key", n2, s2, d),
        ("value", n2, s2, dv),
        ("out", n2 * group, s1, dv),
    ):
        numbered = np.arange(b * heads * length * dim).reshape(call.shape(heads, length, dim))
        at_b, at_n, at_s, at_d = (data.draw(st.integers(0, size - 1)) for size in (b, heads, length, dim))
        index = {
            "BSH": (at_b, at_s, at_n * dim + at_d),
            "SBH": (at_s, at_b, at_n * dim + at_d),
            "BSND": (at_b, at_s, at_n, at_d),
            "BNSD": (at_b, at_n, at_s, at_d),
        }[layout]
        strides = tiling[name]
        assert at_b * strides["b"] + at_n * strides["n"] + at_s * strides["s"] + at_d == numbered[index]


@settings(max_examples=200, deadline=None)
@given(sizes=st.tuples(*[st.integers(1, 4)] * 4), data=st.data())
def test_mask_strides_address_the_element(sizes, data):
    b, n, s1, s2 = sizes
    dims = tuple(data.draw(st.sampled_from([1, size])) for size in sizes)
    _, tiling = Call(b=b, n1=n, n2=1, s1=s1, s2=s2, mask=dims).tile()
    numbered = np.broadcast_to(np.arange(np.prod(dims)).reshape(dims), sizes)
    at = tuple(data.draw(st.integers(0, size - 1)) for size in sizes)
    strides = [int(value) for value in tiling["mask_tensor"]]
    assert sum(i * stride for i, stride in zip(at, strides, strict=True)) == numbered[at]
