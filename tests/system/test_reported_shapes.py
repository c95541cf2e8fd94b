# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Mistakes with shapes, lengths and data types that users of other implementations have reported; reported.py lists
all."""

import numpy as np
import pytest
import torch
from ascend_flash_attention import npu_flash_attention

from tests.cases.loader import expand
from tests.reference.attention import attention
from tests.system.forward_call import same_bits
from tests.system.forward_check import check_case
from tests.system.gradient_check import check_case as check_gradient
from tests.system.small_call import check, qkv, run

AWKWARD_HEAD_DIMS = (8, 40, 72, 80, 88, 96, 100, 256)


def packed_case(sequences, **axes):
    group = {"name": "reported", "step": "contract", "tags": ["full"], "layout": "TND", "sequences": [sequences]}
    (case,) = expand(group | axes, "here")
    return case


def check_packed(case, seed):
    check_case(case, seed)
    check_gradient(case, seed)


@pytest.mark.parametrize("d", AWKWARD_HEAD_DIMS)
def test_packed_head_dims(d, seed):
    check_packed(packed_case([[5, 9], [130, 70]], d=d, dtype="bfloat16", heads=[[2, 1]]), seed)


@pytest.mark.parametrize("d", AWKWARD_HEAD_DIMS)
def test_dense_head_dims(rng, d):
    check(*qkv(rng, heads=(2, 1), s=(33, 70), d=d, dtype=torch.float16))


def test_last_columns_of_the_head_dim_count(rng):
    """All of the signal is in columns 64 to 127."""
    q, k, v = qkv(rng, s=(40, 50), d=128)
    q[..., :64], k[..., :64] = 0, 0
    out, _, _ = check(q, k, v)
    assert (out - v.mean(dim=2, keepdim=True)).abs().max() > 0.1


@pytest.mark.parametrize("s", [(130, 4097), (4095, 130), (1, 4095)])
def test_lengths_around_a_power_of_two(rng, s):
    check(*qkv(rng, s=s, d=63, dtype=torch.bfloat16))


@pytest.mark.parametrize("first", range(1, 97, 8))
def test_every_eighth_head_dim(rng, first):
    """1 to 768 in steps of 8, in both directions of rounding."""
    for d in range(first, 769, 96):
        check(*qkv(rng, s=(5, 20), d=d, dtype=torch.bfloat16))


def test_layouts_that_are_mixed_up_are_refused(rng):
    """BNSD memory called BSND: heads and length are swapped, which head_num shows."""
    q, k, v = qkv(rng, heads=(4, 4), s=(10, 10))
    with pytest.raises(ValueError, match=r"head_num.*4.*10|head_num.*10.*4"):
        npu_flash_attention(q, k, v, 4, "BSND")


@pytest.mark.parametrize(
    ("sequences", "heads"),
    [
        ([[0, 0], [1, 3], [0, 0], [1, 5]], [9, 3]),
        ([[0, 3], [1, 0], [0, 5], [1, 2]], [9, 3]),
        ([[0, 0], [1208, 1208], [840, 840], [0, 0]], [2, 1]),
    ],
)
def test_empty_sequences(sequences, heads, seed):
    """Without queries or without keys, at every place; no error, no NaN, nothing hangs."""
    check_packed(packed_case(sequences, heads=[heads], d=16, dtype="bfloat16"), seed)


@pytest.mark.parametrize("d", [64, 256])
def test_empty_sequences_of_wide_heads(d, seed):
    check_packed(packed_case([[0, 0], [33, 40], [7, 9], [0, 0]], heads=[[2, 1]], d=d), seed)


@pytest.mark.parametrize(("b", "s1", "s2"), [(0, 3, 4), (2, 0, 4), (2, 3, 0)])
def test_empty_batches_and_lengths(rng, b, s1, s2):
    out, row_max, row_sum = run(*qkv(rng, b=b, s=(s1, s2)))
    assert out.shape == (b, 1, s1, 16) and not out.any()
    assert row_max.shape == row_sum.shape == (b, 1, s1, 8)


@pytest.mark.parametrize("lists", [[], [0], [0, 0]])
def test_packed_calls_without_tokens(lists):
    empty = torch.zeros(0, 2, 16)
    out = npu_flash_attention(empty, empty, empty, 2, "TND", actual_seq_qlen=lists, actual_seq_kvlen=lists)[0]
    assert out.shape == (0, 2, 16)


def packed(rng):
    return (x[0].transpose(0, 1).contiguous() for x in qkv(rng, heads=(2, 2), s=(10, 12)))


def test_list_with_a_leading_zero_beside_one_without(rng):
    with pytest.raises(ValueError, match=r"without a leading 0, got \[0, 4, 10\] and \[5, 12\]"):
        npu_flash_attention(*packed(rng), 2, "TND", actual_seq_qlen=[0, 4, 10], actual_seq_kvlen=[5, 12])


KINDS = {
    "list": list,
    "tuple": tuple,
    "ndarray": np.array,
    "int32 ndarray": lambda x: np.array(x, dtype=np.int32),
    "int32": lambda x: torch.tensor(x, dtype=torch.int32),
    "int64": torch.tensor,
}


@pytest.mark.parametrize("kind", KINDS)
def test_lists_of_any_kind(rng, kind):
    q, k, v = packed(rng)
    lists = [4, 10], [5, 12]
    first, second = (
        npu_flash_attention(q, k, v, 2, "TND", actual_seq_qlen=a, actual_seq_kvlen=b)[0]
        for a, b in (lists, map(KINDS[kind], lists))
    )
    assert same_bits(first, second)


@pytest.mark.parametrize(
    ("ends", "text"), [([4, 11], "actual_seq_qlen"), ([-1, 10], "actual_seq_qlen"), ([6, 4, 10], "actual_seq_qlen")]
)
def test_lists_that_do_not_fit_are_refused(rng, ends, text):
    """Beyond the tokens, negative, falling."""
    with pytest.raises(ValueError, match=text):
        npu_flash_attention(*packed(rng), 2, "TND", actual_seq_qlen=ends, actual_seq_kvlen=[12] * len(ends))


@pytest.mark.slow
def test_batches_of_many_keys_do_not_depend_on_each_other(rng):
    """16 queries over 350,000 keys: the bits of a batch alone are those it has among others."""
    q, k, v = qkv(rng, b=2, s=(16, 350_000), d=64)
    both = run(q, k, v)
    for batch in range(2):
        at = slice(batch, batch + 1)
        assert all(same_bits(x[at], y) for x, y in zip(both, run(q[at], k[at], v[at]), strict=True))
    some = slice(0, 2)
    expected = attention(q[:1, :, some], k[:1], v[:1], scale=0.125).out
    torch.testing.assert_close(both[0][:1, :, some].double(), expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("view", ["transposed", "keys of stride 0", "slices of packed qkv", "transposed head dim"])
def test_views_of_any_strides(rng, view):
    q, k, v = qkv(rng, b=2, heads=(2, 2), s=(20, 20))
    tensors = {
        "transposed": [x.transpose(1, 2).contiguous().transpose(1, 2) for x in (q, k, v)],
        "keys of stride 0": [q, k[:1].expand(2, 2, 20, 16), v[:, :1].expand(2, 2, 20, 16)],
        "slices of packed qkv": list(torch.cat([q, k, v], 3).split(16, 3)),
        "transposed head dim": [x.mT.contiguous().mT for x in (q, k, v)],
    }[view]
    assert not all(x.is_contiguous() for x in tensors)
    views = run(*tensors)
    copies = run(*(x.contiguous() for x in tensors))
    assert all(map(same_bits, views, copies))


@pytest.mark.parametrize("s2", [43, 77])
def test_masks_that_are_slices_of_a_wider_tensor(rng, s2):
    q, k, v = qkv(rng, s=(30, s2))
    wide = torch.rand(1, 1, 30, 80, generator=rng) < 0.4
    check(q, k, v, mask=wide[..., :s2])


@pytest.mark.parametrize("s2", [43, 77])
def test_biases_that_are_slices_of_a_wider_tensor(rng, s2):
    q, k, v = qkv(rng, s=(30, s2))
    bias = torch.randn(1, 1, 30, 80, generator=rng)[..., :s2]
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, bias)
    torch.testing.assert_close(run(q, k, v, pse=bias, pse_type=0)[0], expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("first", range(1, 9))
def test_tails_of_rows_and_keys(rng, first):
    """1 to 63 rows, 1 to 127 keys: no tail is dropped, and no garbage behind it is used (memory starts as NaN)."""
    for s1, s2 in zip(range(first, 64, 8), range(first, 128, 16), strict=False):
        check(*qkv(rng, s=(s1, s2), dtype=torch.bfloat16))
        check(*qkv(rng, s=(s1, 128 - s2)))
    check(*qkv(rng, s=(129, 129)))


def test_padding_rows_are_zero(rng):
    """Rows past the last length: zeros, although the memory of the result held NaN."""
    q, k, v = packed(rng)
    assert torch.empty(3).isnan().all()
    out = npu_flash_attention(q, k, v, 2, "TND", actual_seq_qlen=[3, 6], actual_seq_kvlen=[5, 9])[0]
    assert (out[6:] == 0).all() and not out.isnan().any()


def test_packed_training_shape(seed):
    """562 tokens, 16 heads, D = 96, bfloat16."""
    case = packed_case([[562, 562]], heads=16, d=96, dtype="bfloat16", sparse={"mode": 3})
    check_packed(case, seed)


def test_a_hundred_repetitions_give_the_same_bits(rng):
    q, k, v = (x.transpose(1, 2).contiguous() for x in qkv(rng, b=2, s=(511, 511), d=128, dtype=torch.bfloat16))
    first = npu_flash_attention(q, k, v, 1, "BSND")[:3]
    for _ in range(99):
        assert all(map(same_bits, first, npu_flash_attention(q, k, v, 1, "BSND")[:3]))
