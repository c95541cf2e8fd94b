# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Packed sequences, shifts, dropout, sinks and prefixes on npu tensors: the bits of the CPU path, in both directions,
through this package's functions and through torch_npu's own.

In a process where an operator of CANN has been refused (test_operators.py), torch_npu runs no more dropout masks: its
queue of calls has stopped."""

import ascend_flash_attention
import pytest
import torch
import torch_npu

from tests.npu.same_bits import check_same_bits, to_npu
from tests.reference.philox import keep_bits
from tests.system.forward_call import same_bits

CPU = ascend_flash_attention
SHAPES = (2, 4, 33, 16), (2, 2, 57, 16), (2, 2, 57, 16)
ENDS = {"actual_seq_qlen": [0, 20, 53], "actual_seq_kvlen": [3, 40, 90]}
SCALE = 0.25


def draw(rng, *shapes):
    return [torch.randn(shape, generator=rng) for shape in shapes]


def packed(rng):
    return draw(rng, (55, 4, 16), (90, 2, 16), (90, 2, 16))


def causal_mask():
    return torch.ones(2048, 2048, dtype=torch.bool).triu(1)


def options_of(rng, name):
    pse, mask = draw(rng, (2, 4, 33, 57), (2, 1, 33, 57))
    return {
        "pse": {"pse": pse},
        "pse after scaling": {"pse": pse[:1], "pse_type": 0},
        "float mask": {"atten_mask": mask},
        "sink": {"sink": torch.randn(4, generator=rng), "sparse_mode": 3},
        "prefix": {"sparse_mode": 6, "prefix": [30, 57]},
        "dropout": {"keep_prob": 0.7, "seed": 5, "offset": 8},
    }[name]


@pytest.mark.parametrize("name", ["pse", "pse after scaling", "float mask", "sink", "prefix", "dropout"])
def test_both_passes(rng, name):
    options, tensors = options_of(rng, name), draw(rng, *SHAPES)
    check_same_bits(torch_npu.npu_flash_attention, CPU.npu_flash_attention, tensors, scale=SCALE, **options)
    (dy,) = draw(rng, SHAPES[0])

    def gradients(move):
        leaves = [move(x).requires_grad_() for x in tensors]
        given = {key: move(x) for key, x in options.items()}
        added = [x.requires_grad_() for key, x in given.items() if key in ("pse", "atten_mask", "sink")]
        out = CPU.npu_flash_attention(*leaves, scale=SCALE, **given)[0]
        return torch.autograd.grad(out, leaves + added, move(dy))

    for on_npu, on_cpu in zip(
        gradients(to_npu), gradients(lambda x: x.clone() if hasattr(x, "clone") else x), strict=True
    ):
        assert same_bits(on_npu.cpu(), on_cpu)


def test_packed_sequences(rng):
    options = {"input_layout": "TND", "scale": SCALE, "sparse_mode": 3, **ENDS}
    check_same_bits(torch_npu.npu_flash_attention, CPU.npu_flash_attention, packed(rng), **options)


@pytest.mark.parametrize("sparse_mode", [0, 3])
def test_packed_sequences_of_torch_npu_itself(rng, sparse_mode):
    """aclnnFlashAttentionVarLenScore and aclnnFlashAttentionUnpaddingScoreGrad."""
    tensors = packed(rng)
    options = {"scale": SCALE, "sparse_mode": sparse_mode, "atten_mask": causal_mask() if sparse_mode else None, **ENDS}
    check_same_bits(torch_npu.npu_fusion_attention, CPU.npu_fusion_attention, tensors, 4, "TND", **options)
    (dy,) = draw(rng, (55, 4, 16))
    both = []
    for module, move in ((torch_npu, to_npu), (CPU, lambda x: x)):
        leaves = [move(x.clone()).requires_grad_() for x in tensors]
        given = {key: move(x) for key, x in options.items()}
        out = module.npu_fusion_attention(*leaves, 4, "TND", **given)[0]
        both.append([x.cpu() for x in torch.autograd.grad(out, leaves, move(dy))])
    assert all(same_bits(a, b) for a, b in zip(*both, strict=True))


@pytest.mark.parametrize("layout", ["BNSD", "TND"])
def test_dropout_of_attention(layout, rng):
    """torch_npu draws the bits and tells seed, offset and number: the result is that of these bits."""
    packed = layout == "TND"
    shape = (11, 2, 16) if packed else (1, 2, 11, 16)
    q, k, v = (torch.randn(shape, generator=rng).requires_grad_() for _ in range(3))
    leaves = [x.detach().npu().requires_grad_() for x in (q, k, v)]
    lists = {"actual_seq_qlen": [4, 11], "actual_seq_kvlen": [4, 11]} if packed else {}
    out, _, _, _, seed, offset, numels = torch_npu.npu_fusion_attention(
        *leaves, 2, layout, scale=0.25, keep_prob=0.75, **lists
    )
    lengths = [4, 7] if packed else [11]
    assert numels == 2 * sum(length**2 for length in lengths)
    keep = torch.from_numpy(keep_bits(numels, 0.25, seed, offset)).double()
    results, begin, used = [], 0, 0
    for length in lengths:
        rows = [x[begin : begin + length].transpose(0, 1) if packed else x[0] for x in (q, k, v)]
        weights = (0.25 * rows[0] @ rows[1].mT).softmax(-1)
        weights = weights * keep[used : used + weights.numel()].view_as(weights) / 0.75
        results.append((weights @ rows[2].double()).transpose(0, 1))
        begin, used = begin + length, used + weights.numel()
    expected = torch.cat(results) if packed else results[0].transpose(0, 1)[None]
    torch.testing.assert_close(out.cpu().double(), expected, rtol=0, atol=1e-5)
    expected.sum().backward()
    out.sum().backward()
    for got, want in zip(leaves, (q, k, v), strict=True):
        torch.testing.assert_close(got.grad.cpu(), want.grad, rtol=0, atol=1e-5)


def test_dropout_of_torch_npu_itself(rng):
    """Its seed and offset give the same bits here, forward and gradient."""
    tensors = draw(rng, *SHAPES)
    leaves = [x.npu().requires_grad_() for x in tensors]
    torch.manual_seed(11)
    out, _, _, _, seed, offset, numels = torch_npu.npu_fusion_attention(*leaves, 4, "BNSD", scale=SCALE, keep_prob=0.7)
    assert numels == 2 * 4 * 33 * 57
    cpu_leaves = [x.requires_grad_() for x in tensors]
    options = {"scale": SCALE, "keep_prob": 0.7, "seed": seed, "offset": offset}
    expected = CPU.npu_fusion_attention(*cpu_leaves, 4, "BNSD", **options)[0]
    assert same_bits(out.detach().cpu(), expected.detach())
    (dy,) = draw(rng, SHAPES[0])
    pairs = zip(torch.autograd.grad(out, leaves, dy.npu()), torch.autograd.grad(expected, cpu_leaves, dy), strict=True)
    assert all(same_bits(on_npu.cpu(), on_cpu) for on_npu, on_cpu in pairs)


def test_generator_of_the_npu(rng):
    """torch.manual_seed decides, calls differ, and seed and offset are the generator's own."""
    tensors = [x.npu() for x in draw(rng, *SHAPES)]
    torch.manual_seed(11)
    first, second = (torch_npu.npu_flash_attention(*tensors, keep_prob=0.7) for _ in range(2))
    torch.manual_seed(11)
    again = torch_npu.npu_flash_attention(*tensors, keep_prob=0.7)
    assert same_bits(first[0].cpu(), again[0].cpu()) and not same_bits(first[0].cpu(), second[0].cpu())
    assert first[4] == second[4] == 11 and second[5] > first[5] == again[5]


def test_adapters(rng):
    q, k, v = draw(rng, *SHAPES)
    mask = torch.rand((2, 1, 33, 57), generator=rng) < 0.6
    expected = CPU.scaled_dot_product_attention(q, k, v, mask, enable_gqa=True)
    got = CPU.scaled_dot_product_attention(q.npu(), k.npu(), v.npu(), mask.npu(), enable_gqa=True)
    assert got.device.type == "npu" and same_bits(got.cpu(), expected)
    q, k, v = packed(rng)
    starts = [torch.tensor([0, *ends], dtype=torch.int32) for ends in ENDS.values()]
    expected = CPU.flash_attn_varlen_func(q, k, v, *starts, 33, 50, causal=True)
    got = CPU.flash_attn_varlen_func(q.npu(), k.npu(), v.npu(), *(x.npu() for x in starts), 33, 50, causal=True)
    assert same_bits(got.cpu(), expected)
