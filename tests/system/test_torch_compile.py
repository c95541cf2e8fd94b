# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Every function of the package inside torch.compile(fullgraph=True), both passes: the bits of eager code."""

import ascend_flash_attention as fa
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from tests.system.forward_call import same_bits

LONG = torch.ones(2048, 2048, dtype=torch.bool).triu(1)
ENDS = {"actual_seq_qlen": [9, 9, 20], "actual_seq_kvlen": [9, 12, 23]}
STARTS = ([0, 9, 9, 20], [0, 9, 12, 23], 11, 11)

DENSE = {  # of query, key and value [B, N, S, D]
    "npu_flash_attention": lambda q, k, v: fa.npu_flash_attention(q, k, v, sparse_mode=3)[0],
    "float mask": lambda q, k, v: fa.npu_flash_attention(q, k, v, atten_mask=(q @ k.mT).detach())[0],
    "npu_fusion_attention": lambda q, k, v: fa.npu_fusion_attention(
        q, k, v, 4, "BNSD", atten_mask=LONG, sparse_mode=3
    )[0],
    "version 2": lambda q, k, v: fa.npu_fusion_attention_v2(q, k, v, 4, "BNSD", pse=torch.ones(4), pse_type=2)[0],
    "version 3": lambda q, k, v: fa.npu_fusion_attention_v3(q, k, v, 4, "BNSD", keep_prob=0.5)[0],
    "scaled_dot_product_attention": lambda q, k, v: fa.scaled_dot_product_attention(q, k, v, is_causal=True),
    "dropout": lambda q, k, v: fa.scaled_dot_product_attention(q, k, v, dropout_p=0.3),
    "flash_attn_func": lambda q, k, v: fa.flash_attn_func(
        q, k, v, causal=True, window_size=(5, 0), return_attn_probs=True
    )[0],
    "prefix": lambda q, k, v: fa.npu_flash_attention(q, k, v, sparse_mode=6, prefix=(20, 23))[0],
}  # fmt: skip
PACKED = {  # of query, key and value [T, N, D]
    "npu_flash_attention": lambda q, k, v: fa.npu_flash_attention(q, k, v, input_layout="TND", **ENDS)[0],
    "flash_attn_varlen_func": lambda q, k, v: fa.flash_attn_varlen_func(q, k, v, *STARTS, causal=True),
}


def check(function, leaves, backend="aot_eager", **options):
    compiled = torch.compile(function, fullgraph=True, backend=backend, **options)
    results = []
    for call in (compiled, function):
        torch.manual_seed(5)
        out = call(*leaves)
        results.append((out, *torch.autograd.grad(out, leaves, torch.ones_like(out))))
    assert all(same_bits(a.contiguous(), b.contiguous()) for a, b in zip(*results, strict=True))


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", DENSE)
def test_dense(rng, name, dynamic):
    torch._dynamo.reset()
    leaves = [torch.randn((2, 4, s, 16), generator=rng).requires_grad_() for s in (23, 23, 23)]
    check(DENSE[name], leaves, dynamic=dynamic)


@pytest.mark.parametrize("inside", [False, True])
def test_autocast(rng, inside):
    """Compiled code follows the region that it is called in, or that it opens itself."""
    torch._dynamo.reset()
    leaves = [torch.randn((2, 4, s, 16), generator=rng).requires_grad_() for s in (11, 23, 23)]

    def in_region(q, k, v):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return fa.scaled_dot_product_attention(q, k, v)

    if inside:
        check(in_region, leaves)
        return
    compiled = torch.compile(fa.scaled_dot_product_attention, fullgraph=True, backend="aot_eager")
    for enabled in (False, True, False):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=enabled):
            got, expected = compiled(*leaves), fa.scaled_dot_product_attention(*leaves)
        assert got.dtype == (torch.bfloat16 if enabled else torch.float32) and same_bits(got, expected)


@pytest.mark.parametrize("name", PACKED)
def test_packed(rng, name):
    torch._dynamo.reset()
    leaves = [torch.randn((s, 4, 16), generator=rng).requires_grad_() for s in (20, 23, 23)]
    check(PACKED[name], leaves)


def test_gradient_as_a_function(rng):
    q, k, v, dy = (torch.randn((2, 4, 23, 16), generator=rng) for _ in range(4))
    out, row_max, row_sum, *state = fa.npu_fusion_attention(q, k, v, 4, "BNSD", keep_prob=0.5)

    def gradients(q, k, v, dy):
        return fa.npu_fusion_attention_grad(
            q, k, v, dy, 4, "BNSD", softmax_max=row_max, softmax_sum=row_sum, attention_in=out, keep_prob=0.5,
            seed=state[1], offset=state[2], numels=state[3],
        )[:3]  # fmt: skip

    compiled = torch.compile(gradients, fullgraph=True, backend="aot_eager")
    assert all(same_bits(a, b) for a, b in zip(compiled(q, k, v, dy), gradients(q, k, v, dy), strict=True))


def test_seed_of_compiled_code_is_a_tensor(rng):
    q = torch.randn((2, 4, 23, 16), generator=rng)
    results = torch.compile(lambda x: fa.npu_flash_attention(x, x, x, keep_prob=0.5), fullgraph=True, backend="eager")(
        q
    )
    seed, offset = (int(x) for x in results[4:6])
    assert same_bits(results[0], fa.npu_flash_attention(q, q, q, keep_prob=0.5, seed=seed, offset=offset)[0])


def test_lists_in_tensors_break_the_graph(rng):
    q = torch.randn((20, 4, 16), generator=rng)
    ends = torch.tensor([9, 20])

    def attend(x, ends):
        return fa.npu_flash_attention(x, x, x, input_layout="TND", actual_seq_qlen=ends, actual_seq_kvlen=ends)[0]

    with pytest.raises(torch._dynamo.exc.Unsupported):
        torch.compile(attend, fullgraph=True, backend="aot_eager")(q, ends)
    torch._dynamo.reset()
    compiled = torch.compile(attend, backend="aot_eager")
    for given in (ends, torch.tensor([5, 18])):
        assert same_bits(compiled(q, given), attend(q, given))


def test_fake_tensors(rng):
    """As on meta: shapes without values, dropout included; lists need values."""
    x, packed = torch.randn((2, 4, 5, 8), generator=rng), torch.randn((14, 4, 8), generator=rng)
    with FakeTensorMode() as mode:
        q, t = mode.from_tensor(x).requires_grad_(), mode.from_tensor(packed)
        for options in ({}, {"seed": 3}):
            out, *_, seed, offset, numels = fa.npu_flash_attention(q, q, q, keep_prob=0.5, **options)
            assert out.shape == q.shape and seed.shape == offset.shape == () and numels == 2 * 4 * 5 * 5
            assert torch.autograd.grad(out.sum(), q)[0].shape == q.shape
        assert fa.scaled_dot_product_attention(q, q, q, dropout_p=0.1).shape == q.shape
        seeds = fa.npu_fusion_attention_v3(q, q, q, 4, "BNSD", keep_prob=0.5)[4:]
        assert [each.shape for each in seeds] == [(1,), (1,)]
        ends = torch.tensor([3, 14])
        with pytest.raises(ValueError, match="actual_seq_qlen must have values, got a fake tensor: pass a list"):
            fa.npu_flash_attention(t, t, t, 4, "TND", actual_seq_qlen=ends, actual_seq_kvlen=[3, 14])
        with pytest.raises(ValueError, match="cu_seqlens_q must have values, got a fake tensor: pass a list"):
            fa.flash_attn_varlen_func(t, t, t, ends, ends, 11, 11)
