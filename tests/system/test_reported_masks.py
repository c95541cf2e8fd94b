# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Mistakes with masks and sparse modes that users of other implementations have reported; reported.py lists all."""

import warnings

import pytest
import torch
from ascend_flash_attention import (
    _vendor_rules,
    explain_tiling,
    npu_flash_attention,
    npu_fusion_attention,
    scaled_dot_product_attention,
)

from tests.reference.attention import attention
from tests.system.forward_call import same_bits
from tests.system.memory_probe import status_bytes
from tests.system.small_call import check, qkv, run, visible_counts

SDPA = torch.nn.functional.scaled_dot_product_attention


def test_key_padding_mask_of_every_batch_is_taken(rng):
    """[B, 1, 1, S2], which means the same as in torch."""
    q, k, v = qkv(rng, b=4, heads=(3, 3), s=(150, 150), d=64)
    keep = torch.arange(150) < torch.tensor([150, 1, 77, 128]).view(4, 1, 1, 1)
    out, _, _ = check(q, k, v, mask=~keep)
    torch.testing.assert_close(out, SDPA(q, k, v, keep), rtol=1e-5, atol=1e-5)


def test_mask_of_batch_by_keys_is_refused_with_advice(rng):
    q, k, v = qkv(rng, b=3, s=(5, 7))
    with pytest.raises(ValueError, match=r"\[B, 1, 1, S2\]"):
        run(q, k, v, atten_mask=torch.zeros(3, 7, dtype=torch.bool))


def test_cross_attention_mask_of_heads_by_keys(rng):
    q, k, v = qkv(rng, heads=(8, 8), s=(515, 102), d=40)
    check(q, k, v, mask=torch.rand(1, 8, 1, 102, generator=rng) < 0.4)


def test_float_mask_is_added_and_not_inverted(rng):
    """0.0 means visible, -1e4 as good as hidden: the last two keys get no weight."""
    q, k, v = qkv(rng, s=(3, 4))
    out, _, _ = run(q, k, v, atten_mask=torch.tensor([0, 0, -1e4, -1e4]).view(1, 1, 1, 4))
    expected = attention(q, k[:, :, :2], v[:, :, :2], scale=0.25).out
    torch.testing.assert_close(out.double(), expected, rtol=1e-5, atol=1e-5)


def test_relative_position_bias_as_a_mask_is_not_lost(rng):
    q, k, v = qkv(rng, heads=(3, 3), s=(20, 20))
    bias = torch.randn(1, 3, 20, 20, generator=rng)
    out, _, _ = run(q, k, v, atten_mask=bias)
    torch.testing.assert_close(out, SDPA(q, k, v, bias), rtol=1e-5, atol=1e-5)
    assert (out - run(q, k, v)[0]).abs().max() > 0.05


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_bool_mask_and_equal_float_mask_agree(rng, dtype):
    """Causal and 100 valid keys of 128, as a bool and as the lowest float."""
    q, k, v = qkv(rng, b=2, heads=(2, 2), s=(128, 128), d=32, dtype=dtype)
    hidden = torch.ones(128, 128, dtype=torch.bool).triu(1) | (torch.arange(128) >= 100)
    lowest = torch.zeros(128, 128, dtype=dtype).masked_fill(hidden, torch.finfo(dtype).min)
    first, second = run(q, k, v, atten_mask=hidden), run(q, k, v, atten_mask=lowest[None, None])
    torch.testing.assert_close(first[0].double(), second[0].double(), rtol=0, atol=2 * torch.finfo(dtype).eps)


OPTIONAL = {  # argument -> (value, arguments that come with it)
    "atten_mask": (torch.eye(6, dtype=torch.bool), {}),
    "scale": (2.0, {}),
    "pre_tokens": (0, {}),
    "next_tokens": (0, {}),
    "sparse_mode": (2, {}),
    "pse": (torch.arange(36.0).view(1, 1, 6, 6), {}),
    "pse_type": (0, {"pse": torch.arange(36.0).view(1, 1, 6, 6)}),
    "prefix": ([5], {"sparse_mode": 6}),
    "sink": (torch.tensor([3.0, 1.0]), {}),
    "keep_prob": (0.5, {"seed": 3}),
    "q_start_idx": ([3], {"pse": torch.tensor([0.5, 1.0]), "pse_type": 2, "kv_start_idx": [9]}),
}


@pytest.mark.parametrize("name", OPTIONAL)
def test_every_argument_changes_the_result(rng, name):
    """Nothing that is given is ignored: the result is another one."""
    value, companions = OPTIONAL[name]
    before = dict(companions)
    if name == "prefix":
        before["prefix"] = [0]
    if name == "q_start_idx":
        before["kv_start_idx"] = [0]
        before["q_start_idx"] = [0]
    q, k, v = qkv(rng, heads=(2, 2), s=(6, 6))
    first = run(q, k, v, **before)
    second = run(q, k, v, **{**companions, name: value})
    assert not all(map(same_bits, first, second))


def test_reserved_argument_is_refused(rng):
    q, k, v = qkv(rng)
    with pytest.raises(ValueError, match="padding_mask"):
        run(q, k, v, padding_mask=torch.zeros(4, 4))


@pytest.mark.parametrize(("mode", "s1", "s2"), [(2, 9, 9), (3, 9, 9), (3, 5, 9), (4, 9, 9)])
def test_future_keys_do_not_matter(rng, mode, s1, s2):
    q, k, v = qkv(rng, heads=(2, 2), s=(s1, s2))
    options = {"sparse_mode": mode, "next_tokens": 0}
    first = run(q, k, v, **options)
    k[:, :, -1], v[:, :, -1] = 3 * q[:, :, -1], 100.0  # a score that the last row must see
    second = run(q, k, v, **options)
    for x, y in zip(first, second, strict=True):
        assert same_bits(x[:, :, :-1], y[:, :, :-1]) and not same_bits(x[:, :, -1], y[:, :, -1])


@pytest.mark.parametrize("inner_precise", [0, 2])
def test_four_queries_over_two_keys_from_the_bottom_right(rng, inner_precise):
    q, k, v = qkv(rng, s=(4, 2))
    out, _, _ = check(q, k, v, sparse_mode=3, inner_precise=inner_precise)
    assert (out[:, :, :2] == 0).all() and (out[:, :, 2:] != 0).all()


def test_grouped_heads_are_not_repeated_in_memory(rng):
    """32 heads over 8: the peak grows by outputs, not by four copies of key and value (48 MiB more)."""
    q, k, v = qkv(rng, heads=(32, 8), s=(16, 8192), d=64)
    run(q, k[:, :, :64].contiguous(), v[:, :, :64].contiguous())
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = status_bytes("VmRSS")
    run(q, k, v)
    growth = status_bytes("VmHWM") - before
    copies = 3 * (k.nbytes + v.nbytes)
    assert growth < copies / 2, f"{growth} bytes, copies would be {copies}"


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_packed_sequences_without_a_mask_see_their_own_keys(rng, dtype):
    """Each of two sequences equals a call of its own; no mask, no mode."""
    q, k, v = (x[0].transpose(0, 1).contiguous() for x in qkv(rng, heads=(4, 2), s=(300, 260), d=64, dtype=dtype))
    out = npu_flash_attention(q, k, v, 4, "TND", actual_seq_qlen=[130, 300], actual_seq_kvlen=[70, 260])[0]
    for rows, keys in ((slice(0, 130), slice(0, 70)), (slice(130, 300), slice(70, 260))):
        alone = (x[None] for x in (q[rows], k[keys], v[keys]))
        assert same_bits(out[rows], npu_flash_attention(*alone, 4, "BSND")[0][0])


@pytest.mark.parametrize("width", [0, 1, 2, 6, 8, 9])
def test_window_is_inclusive(width):
    """Mode 4 with pre W and next 0: row i attends exactly min(i, W) + 1 keys."""
    counts = visible_counts(9, 9, sparse_mode=4, pre_tokens=width, next_tokens=0)
    assert counts == [min(i, width) + 1 for i in range(9)]


@pytest.mark.parametrize(("following", "counts"), [(0, [97, 98, 99, 100]), (1, [98, 99, 100, 100])])
def test_next_tokens_show_exactly_so_many_successors(following, counts):
    assert visible_counts(4, 100, sparse_mode=4, next_tokens=following) == counts


def test_window_of_minus_one_on_both_sides_is_refused(rng):
    q, k, v = qkv(rng, s=(4, 100))
    with pytest.raises(ValueError, match="got pre_tokens -1 and next_tokens -1"):
        run(q, k, v, sparse_mode=4, pre_tokens=-1, next_tokens=-1)


def test_window_left_of_the_diagonal():
    """Mode 0 with pre 9 and next -3 is a window, not a sentinel."""
    counts = visible_counts(12, 12, sparse_mode=0, pre_tokens=9, next_tokens=-3)
    assert counts == [0, 0, 0, *(min(i - 3, 6) + 1 for i in range(3, 12))]


def test_workspace_of_a_million_queries():
    """Causal, S = 2^20: the workspace is that of S = 2^16."""
    sizes = [
        explain_tiling(*[(1, 8, s, 128)] * 3, dtype="bfloat16", head_num=8, input_layout="BNSD", sparse_mode=3,
                       soc="Ascend910B1").workspace_bytes
        for s in (1 << 16, 1 << 20)
    ]  # fmt: skip
    assert sizes[0] == sizes[1]


def test_causal_without_a_mask_tensor_warns_where_it_is_dense(rng, monkeypatch):
    """The vendor's entry is dense without a mask; it says so. Our own entry is causal."""
    q, k, v = qkv(rng, s=(6, 6))
    monkeypatch.setattr(_vendor_rules, "_warned_dense", False)
    with pytest.warns(UserWarning, match="atten_mask"):
        dense = npu_fusion_attention(q, k, v, 1, "BNSD", sparse_mode=2, scale=0.25)[0]
    torch.testing.assert_close(dense, SDPA(q, k, v), rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(run(q, k, v, sparse_mode=2)[0], SDPA(q, k, v, is_causal=True), rtol=1e-5, atol=1e-5)


def test_scale_of_the_vendor_entry_is_one_by_default(rng):
    q, k, v = qkv(rng, s=(6, 6))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        out = npu_fusion_attention(q, k, v, 1, "BNSD")[0]
    torch.testing.assert_close(out, SDPA(q, k, v, scale=1.0), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("inner_precise", [0, 2])
@pytest.mark.parametrize("mode", [0, 1])
def test_row_of_a_mask_that_is_all_true(rng, mode, inner_precise):
    q, k, v = qkv(rng, heads=(2, 2), s=(5, 7))
    mask = torch.rand(1, 1, 5, 7, generator=rng) < 0.3
    mask[:, :, 3] = True
    out, row_max, row_sum = check(q, k, v, mask=mask, sparse_mode=mode, inner_precise=inner_precise)
    assert (out[:, :, 3] == 0).all() and not any(x.isnan().any() for x in (out, row_max, row_sum))


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8])
def test_any_nonzero_byte_hides(rng, dtype):
    q, k, v = qkv(rng, s=(3, 5))
    values = torch.tensor([0, 1, 255, 0, 128], dtype=torch.uint8)
    mask = (values != 0 if dtype == torch.bool else values).view(1, 1, 1, 5)
    out, _, _ = check(q, k, v, mask=mask)
    expected = attention(q, k[:, :, [0, 3]], v[:, :, [0, 3]], scale=0.25).out
    torch.testing.assert_close(out.double(), expected, rtol=1e-5, atol=1e-5)


def test_mask_of_one_batch_holds_for_every_batch(rng):
    """130 keys: more than a tile of 128."""
    q, k, v = qkv(rng, b=2, heads=(2, 2), s=(20, 130))
    check(q, k, v, mask=torch.rand(1, 1, 20, 130, generator=rng) < 0.5)


def test_causal_of_torch_and_onnx_is_top_left(rng):
    """One query over eight keys sees the first key only."""
    q, k, v = qkv(rng, s=(1, 8))
    out = scaled_dot_product_attention(q, k, v, is_causal=True)
    torch.testing.assert_close(out, v[:, :, :1])
    torch.testing.assert_close(run(q, k, v, sparse_mode=2)[0], v[:, :, :1])


@pytest.mark.parametrize(("s1", "s2"), [(2, 5), (5, 2)])
def test_both_corners_of_causal(s1, s2):
    assert visible_counts(s1, s2, sparse_mode=2) == [min(i + 1, s2) for i in range(s1)]
    assert visible_counts(s1, s2, sparse_mode=3) == [max(0, i + 1 + s2 - s1) for i in range(s1)]


def test_more_queries_than_keys_from_the_bottom_right(rng):
    """2048 over 1024: the first 1024 rows are zeros with the marks of rows that see nothing."""
    q, k, v = qkv(rng, s=(2048, 1024), d=16)
    out, row_max, row_sum = run(q, k, v, sparse_mode=3)
    lowest = torch.finfo(torch.float32).min
    assert (out[:, :, :1024] == 0).all() and (row_max[:, :, :1024] == lowest).all()
    assert (row_sum[:, :, :1024] == -lowest).all() and (row_sum[:, :, 1024:] <= 1024).all()
