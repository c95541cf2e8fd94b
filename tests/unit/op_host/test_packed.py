# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""input_layout TND: lists, strides, sequences, the rule of every sequence, mask tensors."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.op_host.packed_call import PackedCall

MAX = 2147483647
LENGTHS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=6)


def refusal(call, library):
    with pytest.raises(ValueError) as error:
        call.parse(library)
    return str(error.value)


def test_dimensions(host_library):
    data = PackedCall(n1=6, n2=2, d=40, dv=24, extra=(5, 3)).parse(host_library)
    expected = {"b": 2, "n1": 6, "n2": 2, "s1": 60, "s2": 230, "d": 40, "dv": 24}
    assert {name: int(data[name]) for name in expected} == expected
    assert tuple(data["query"]) == (0, 40, 240)
    assert tuple(data["key"]) == (0, 40, 80)
    assert tuple(data["value"]) == (0, 24, 48)
    assert tuple(data["out"]) == (0, 24, 144)
    assert tuple(data["sequences"]) == (3, 2, 105, 303, 0, 0)


@pytest.mark.parametrize(
    "lengths, extra, q_list, segments",
    [
        (((40, 70), (60, 230)), (0, 9), None, 2),
        (((40, 70), (60, 230)), (1, 0), None, 3),
        (((0, 0), (3, 0), (0, 4)), (0, 0), None, 3),
        ((), (0, 0), None, 0),
        ((), (7, 0), None, 1),
        (((5, 8), (3, 0), (0, 0), (0, 0)), (0, 0), (5, 8, 0, 0), 4),  # zeros at the end skip sequences
        (((5, 8), (0, 2), (5, 1)), (0, 0), (5, 3, 8), 3),  # a negative difference is no query
    ],
)
def test_sequences(lengths, extra, q_list, segments, host_library):
    data = PackedCall(lengths=lengths, extra=extra, q_list=q_list).parse(host_library)
    tokens = sum(pair[0] for pair in lengths) + extra[0]
    assert tuple(data["sequences"])[:3] == (segments, len(lengths), tokens)
    assert data["s1"] == max((pair[0] for pair in lengths), default=0)
    assert data["s2"] == max((pair[1] for pair in lengths), default=0)


def test_softmax_layout(host_library):
    data = PackedCall(attrs={"softmax_out_layout": "same_as_input"}).parse(host_library)
    assert data["sequences"]["stats_like_input"] == 1


def visible(mode, s1, s2, pre, next_, is_band):
    """The documented rule of one sequence."""
    i, j = np.arange(s1)[:, None], np.arange(s2)[None, :]
    causal = next_ if mode in (7, 8) and is_band else 0
    shift = s2 - s1
    return {
        0: (j >= i - pre) & (j <= i + next_),
        1: (j == j) & (i == i),
        2: j <= i,
        3: j <= i + shift,
        4: (j >= i + shift - pre) & (j <= i + shift + next_),
        7: j <= i + shift + causal,
        8: j <= i + (s2 - max(s1 - next_, 0) if is_band else 0),
    }[mode]


def band_of(mode, lengths):
    with_queries = [index for index, (s1, _) in enumerate(lengths) if s1 > 0]
    if mode not in (7, 8) or not with_queries:
        return -1
    return with_queries[-1 if mode == 7 else 0]


def allowed(mode, lengths, pre, next_):
    """The token rules of TND; sequences without queries or keys have nothing to check."""
    both = [(index, s1, s2) for index, (s1, s2) in enumerate(lengths) if s1 > 0 and s2 > 0]
    band = [(s1, s2) for index, s1, s2 in both if index == band_of(mode, lengths)]
    if mode == 0:
        return next_ >= 0 and (pre >= 0 or next_ >= -pre)
    if mode == 4:
        return pre >= 0 and (next_ >= 0 or pre + next_ >= 0)
    if mode == 7 and (next_ > 0 or any(s1 > s2 for _, s1, s2 in both)):
        return False
    return mode < 7 or all(pre >= s2 and s1 - next_ <= s2 for s1, s2 in band)


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    mode=st.sampled_from([0, 1, 2, 3, 4, 7, 8]),
    lengths=LENGTHS,
    pre=st.one_of(st.integers(-12, 12), st.sampled_from([MAX, -(1 << 63), (1 << 63) - 1])),
    next_=st.one_of(st.integers(-12, 12), st.sampled_from([MAX, -(1 << 63), (1 << 63) - 1])),
)
def test_rule_of_every_sequence(mode, lengths, pre, next_, host_library):
    attrs = {"sparse_mode": mode, "pre_tockens": pre, "next_tockens": next_}
    call = PackedCall(lengths=tuple(lengths), attrs=attrs)
    pre, next_ = (max(-(1 << 40), min(tokens, 1 << 40)) for tokens in (pre, next_))  # larger than any length
    if not allowed(mode, lengths, pre, next_):
        assert f"sparse_mode {mode}" in refusal(call, host_library)
        return
    rule = call.parse(host_library)["rule"]
    assert rule["has_prefix"] == 0
    band = band_of(mode, lengths)
    assert rule["band_segment"] == band
    for index, (s1, s2) in enumerate(lengths):
        shift = s2 - s1
        lo = int(rule["lo"]) + int(rule["lo_from_bottom"]) * shift
        hi = int(rule["band_hi"]) + shift if index == band else int(rule["hi"]) + int(rule["hi_from_bottom"]) * shift
        difference = np.arange(s2)[None, :] - np.arange(s1)[:, None]
        expected = visible(mode, s1, s2, pre, next_, index == band)
        assert np.array_equal((lo <= difference) & (difference <= hi), expected), (index, s1, s2)


MASK_LENGTHS = ((3, 5), (4, 7))  # maxima 4, 7; sums 7, 12


@pytest.mark.parametrize(
    "shape, per_token, strides",
    [
        ((4, 7), 0, (0, 0, 7, 1)),
        ((7, 12), 1, (0, 0, 12, 1)),
        ((1, 7), 0, (0, 0, 0, 1)),
        ((4, 1), 0, (0, 0, 1, 0)),
        ((1, 12), 1, (0, 0, 0, 1)),
        ((7, 1), 1, (0, 0, 1, 0)),
        ((1, 1), 0, (0, 0, 0, 0)),
        ((2, 1, 4, 7), 0, (28, 0, 7, 1)),
        ((1, 4, 1, 7), 0, (0, 7, 0, 1)),
    ],
)
def test_mask_tensor(shape, per_token, strides, host_library):
    data = PackedCall(lengths=MASK_LENGTHS, extra=(2, 3), mask=shape).parse(host_library)
    assert data["has_mask_tensor"] == 1
    assert data["sequences"]["mask_per_token"] == per_token
    assert tuple(data["mask_tensor"]) == strides


@pytest.mark.parametrize("shape", [(4, 12), (7, 7), (9, 15), (3, 5), (4,), (2, 4, 7), (3, 1, 4, 7), (1, 2, 4, 7)])
def test_mask_tensor_refused(shape, host_library):
    text = refusal(PackedCall(lengths=MASK_LENGTHS, extra=(2, 3), mask=shape), host_library)
    assert "atten_mask" in text and str(list(shape)) in text


@pytest.mark.parametrize("mode, shape", [(2, (2048, 2048)), (3, (2048, 2048)), (6, (3072, 2048)), (8, (2048, 2048))])
def test_compressed_mask(mode, shape, host_library):
    prefix = {"prefix": ((2,), "int64", (100, 200))} if mode == 6 else {}
    call = PackedCall(lengths=((40, 100), (60, 200)), mask=shape, attrs={"sparse_mode": mode}, inputs=prefix)
    assert call.parse(host_library)["has_mask_tensor"] == 0
    call = PackedCall(lengths=((40, 100), (60, 200)), mask=(60, 200), attrs={"sparse_mode": mode}, inputs=prefix)
    assert str(list(shape)) in refusal(call, host_library)
