# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Dropout as torch calls it: share of kept weights, the same ones in both passes, torch.manual_seed, seed and offset,
compile, checkpointing, masks of the caller.

Scores of zero queries are equal, so that with the unit matrix as value the output is the matrix of weights itself.
"""

import pytest
import torch
from ascend_flash_attention import (
    flash_attn_func,
    npu_flash_attention,
    npu_fusion_attention,
    npu_fusion_attention_grad,
    npu_fusion_attention_grad_v3,
    npu_fusion_attention_v3,
    scaled_dot_product_attention,
)
from torch.utils.checkpoint import checkpoint

from tests.reference.attention import attention
from tests.reference.dropout import pack_bits
from tests.reference.gradient import attention_grad
from tests.system.forward_call import same_bits

SCORE = torch.ops.ascend_flash_attention.flash_attention_score.default
SHAPES = (2, 4, 33, 16), (2, 2, 57, 16), (2, 2, 57, 16)
KEEP_PROB = 0.7
SCALE = 0.25


def draw(rng, *shape):
    return torch.randn(shape, generator=rng)


@pytest.fixture
def qkv(rng):
    return [draw(rng, *shape) for shape in SHAPES]


@pytest.fixture(autouse=True)
def seeded(seed):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield


def check(got, expected, rtol=3e-5, atol=3e-5):
    torch.testing.assert_close(got.double(), expected.double(), rtol=rtol, atol=atol)


def weights_inputs(batch, heads, rows, keys):
    """Zero queries, any keys, unit matrix as value."""
    eye = torch.eye(keys).expand(batch, heads, keys, keys)
    return torch.zeros(batch, heads, rows, keys), torch.ones(batch, heads, keys, keys), eye.contiguous()


def kept(batch, heads, rows, keys, keep_prob, **options):
    """bool [batch, heads, rows, keys]: the weights that dropout keeps; they are divided by keep_prob."""
    out = npu_flash_attention(*weights_inputs(batch, heads, rows, keys), keep_prob=keep_prob, **options)[0]
    bits = out != 0
    check(out, bits / (keys * keep_prob), rtol=1e-5, atol=0)
    return bits


@pytest.mark.parametrize("keep_prob", [0.1, 0.5, 0.9, 0.999])
def test_share_of_kept_weights(keep_prob):
    """Within 5 standard deviations, of everything and of each batch, head, block of rows and key."""
    bits = kept(2, 4, 320, 61, keep_prob)
    parts = [
        bits.flatten()[None],
        bits.flatten(1),
        bits.transpose(0, 1).flatten(1),
        bits.permute(3, 0, 1, 2).flatten(1),
    ]
    parts.append(bits.permute(2, 0, 1, 3).reshape(10, -1))
    for part in parts:
        deviation = (keep_prob * (1 - keep_prob) / part.shape[1]) ** 0.5
        assert ((part.float().mean(1) - keep_prob).abs() < 5 * deviation).all()


def test_weights_are_dropped_independently():
    """Neighbours along each dimension agree as often as independent ones do."""
    bits = kept(2, 4, 320, 61, 0.5).float()
    for dim in range(4):
        a, b = bits.narrow(dim, 0, bits.shape[dim] - 1), bits.narrow(dim, 1, bits.shape[dim] - 1)
        assert abs((a == b).float().mean() - 0.5) < 5 * 0.5 / a.numel() ** 0.5


def test_manual_seed_decides_and_calls_differ(qkv):
    torch.manual_seed(5)
    first, second = (npu_flash_attention(*qkv, keep_prob=KEEP_PROB)[0] for _ in range(2))
    torch.manual_seed(5)
    again = npu_flash_attention(*qkv, keep_prob=KEEP_PROB)[0]
    torch.manual_seed(6)
    other = npu_flash_attention(*qkv, keep_prob=KEEP_PROB)[0]
    assert same_bits(first, again)
    assert not any(same_bits(first, x) for x in (second, other))


def test_without_dropout_the_generator_is_left_alone(qkv):
    before = torch.get_rng_state()
    npu_flash_attention(*qkv, keep_prob=1.0)
    assert torch.equal(before, torch.get_rng_state())
    npu_flash_attention(*qkv, keep_prob=KEEP_PROB)
    assert not torch.equal(before, torch.get_rng_state())


def test_returned_seed_and_offset_give_the_same_bits(qkv):
    out, _, _, _, seed, offset, numels = npu_fusion_attention(*qkv, 4, "BNSD", keep_prob=KEEP_PROB)
    assert (seed, offset) != (0, 0) and numels == 2 * 4 * 33 * 57
    again = npu_fusion_attention(*qkv, 4, "BNSD", keep_prob=KEEP_PROB, seed=seed, offset=offset)
    assert same_bits(out, again[0]) and again[4:] == (seed, offset, numels)
    moved = npu_fusion_attention(*qkv, 4, "BNSD", keep_prob=KEEP_PROB, seed=seed, offset=offset + 4)
    assert not same_bits(out, moved[0])


@pytest.mark.parametrize("layout", ["BNSD", "BSND", "BSH", "SBH"])
def test_bits_do_not_depend_on_the_layout(qkv, layout):
    def arrange(x):
        x = {"BNSD": x, "BSND": x.transpose(1, 2), "BSH": x.transpose(1, 2).flatten(2)}.get(layout, x)
        return x.permute(2, 0, 1, 3).flatten(2) if layout == "SBH" else x

    expected = npu_flash_attention(*qkv, keep_prob=KEEP_PROB, seed=3, scale=SCALE)[0]
    got = npu_flash_attention(*map(arrange, qkv), 4, layout, keep_prob=KEEP_PROB, seed=3, scale=SCALE)[0]
    assert same_bits(got.contiguous(), arrange(expected).contiguous())


def bits_of(seed, offset):
    """The weights that a call of SHAPES keeps: those of a call with equal scores."""
    return kept(2, 4, 33, 57, KEEP_PROB, seed=seed, offset=offset)


@pytest.mark.parametrize("options", [{}, {"sparse_mode": 3}])
def test_both_passes_use_the_same_bits(rng, qkv, options):
    leaves = [x.clone().requires_grad_() for x in qkv]
    out, _, row_sum, _, seed, offset, _ = npu_flash_attention(*leaves, keep_prob=KEEP_PROB, scale=SCALE, **options)
    problem = {"scale": SCALE, "keep": bits_of(seed, offset), "keep_prob": KEEP_PROB, **options}
    expected = attention(*qkv, **problem)
    check(out, expected.out)
    check(row_sum, expected.softmax_sum)  # taken before dropout
    dy = draw(rng, *out.shape)
    want = attention_grad(*qkv, dy, **problem)
    for got, x in zip(torch.autograd.grad(out, leaves, dy), (want.dq, want.dk, want.dv), strict=True):
        check(got, x, rtol=1e-4, atol=6e-5)


def test_mask_of_the_caller(rng, qkv):
    keep = torch.rand((2, 4, 33, 57), generator=rng) < KEEP_PROB
    leaves = [x.clone().requires_grad_() for x in qkv]
    options = {"keep_prob": KEEP_PROB, "dropout_mask": pack_bits(keep)}
    out = npu_flash_attention(*leaves, scale=SCALE, **options)[0]
    problem = {"scale": SCALE, "keep": keep, "keep_prob": KEEP_PROB}
    check(out, attention(*qkv, **problem).out)
    assert same_bits(out, npu_fusion_attention(*qkv, 4, "BNSD", scale=SCALE, **options)[0])
    dy = draw(rng, *out.shape)
    want = attention_grad(*qkv, dy, **problem)
    for got, x in zip(torch.autograd.grad(out, leaves, dy), (want.dq, want.dk, want.dv), strict=True):
        check(got, x, rtol=1e-4, atol=6e-5)


def test_nothing_of_size_s1_x_s2_is_saved(qkv):
    leaves = [x.requires_grad_() for x in qkv]
    saved = []
    with torch.autograd.graph.saved_tensors_hooks(lambda x: saved.append(x) or x, lambda x: x):
        npu_flash_attention(*leaves, keep_prob=KEEP_PROB)
    assert all(x.dtype == torch.float32 or x.numel() == 2 for x in saved)


def test_packed_sequences(rng):
    lengths, ends = (20, 0, 33), [20, 20, 53]
    q, k, v = (draw(rng, 53, n, 16) for n in (4, 2, 2))
    lists = {"input_layout": "TND", "actual_seq_qlen": ends, "actual_seq_kvlen": ends}
    out, *_, seed, offset, numels = npu_flash_attention(q, k, v, keep_prob=KEEP_PROB, **lists)
    assert numels == 4 * sum(x * x for x in lengths)
    again = npu_flash_attention(q, k, v, keep_prob=KEEP_PROB, seed=seed, offset=offset, **lists)[0]
    assert same_bits(out, again)
    first = [x[:20].transpose(0, 1)[None] for x in (q, k, v)]  # its bits are the first ones
    alone = npu_flash_attention(*first, keep_prob=KEEP_PROB, seed=seed, offset=offset)[0]
    check(out[:20].transpose(0, 1)[None], alone)


@pytest.mark.parametrize("version", [1, 3])
def test_gradient_as_a_function(rng, qkv, version):
    leaves = [x.clone().requires_grad_() for x in qkv]
    forward = npu_fusion_attention if version == 1 else npu_fusion_attention_v3
    backward = npu_fusion_attention_grad if version == 1 else npu_fusion_attention_grad_v3
    out, row_max, row_sum, _, *state = forward(*leaves, 4, "BNSD", keep_prob=KEEP_PROB, scale=SCALE)
    dy = draw(rng, *out.shape)
    expected = torch.autograd.grad(out, leaves, dy)
    names = ("seed", "offset", "numels")[: len(state)]
    options = {"softmax_max": row_max, "softmax_sum": row_sum, "attention_in": out.detach(), "scale_value": SCALE}
    options |= {"keep_prob": KEEP_PROB, **dict(zip(names, state, strict=True))}
    got = backward(*qkv, dy, 4, "BNSD", **options)
    assert all(same_bits(a, b) for a, b in zip(got[:3], expected, strict=True))
    if version == 1:
        with pytest.raises(ValueError, match="numels must be what the forward returned, 15048 scores, got 7"):
            backward(*qkv, dy, 4, "BNSD", **{**options, "numels": 7})
    else:
        assert all(x.dtype == torch.int64 and x.shape == (1,) for x in state)
        with pytest.raises(ValueError, match="seed and offset of the forward are required"):
            backward(*qkv, dy, 4, "BNSD", **{**options, "seed": None})


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compiled_code_draws_anew_in_each_call(rng, qkv, backend):
    def attend(q, k, v):
        return npu_flash_attention(q, k, v, keep_prob=KEEP_PROB)[0] * 2

    compiled = torch.compile(attend, fullgraph=True, backend=backend)
    leaves = [x.clone().requires_grad_() for x in qkv]
    dy = draw(rng, *SHAPES[0])
    outs = []
    for function in (compiled, compiled, attend):
        torch.manual_seed(11 + (len(outs) == 1))
        outs.append(function(*leaves))
    assert same_bits(outs[0], outs[2]) and not same_bits(outs[0], outs[1])
    got, other, expected = (torch.autograd.grad(out, leaves, dy) for out in outs)
    assert all(same_bits(a, b) for a, b in zip(got, expected, strict=True))
    assert not same_bits(got[0], other[0])


@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpointing_repeats_the_bits(rng, qkv, reentrant):
    def attend(q, k, v):
        return npu_flash_attention(q, k, v, keep_prob=KEEP_PROB)[0]

    leaves, dy = [x.clone().requires_grad_() for x in qkv], draw(rng, *SHAPES[0])
    torch.manual_seed(11)
    expected = torch.autograd.grad(attend(*leaves), leaves, dy)
    torch.manual_seed(11)
    checkpoint(attend, *leaves, use_reentrant=reentrant).backward(dy)
    assert all(same_bits(x.grad, want) for x, want in zip(leaves, expected, strict=True))


def test_adapters():
    q, k, v = weights_inputs(2, 4, 320, 61)
    torch.manual_seed(7)
    expected = npu_flash_attention(q, k, v, keep_prob=0.75)[0]
    torch.manual_seed(7)
    assert same_bits(scaled_dot_product_attention(q, k, v, dropout_p=0.25), expected)
    torch.manual_seed(7)
    out = flash_attn_func(*(x.transpose(1, 2) for x in (q, k, v)), dropout_p=0.25)
    assert same_bits(out.transpose(1, 2).contiguous(), expected)


def test_opcheck_of_a_given_state(qkv):
    state = torch.tensor([5, 8])
    leaves = [x.requires_grad_() for x in qkv]
    torch.library.opcheck(SCORE, (*leaves, 4, "BNSD"), {"keep_prob": KEEP_PROB, "rng_state": state})


REFUSED = {
    "zero": (dict(keep_prob=0.0), r"keep_prob must be in \(0, 1\], got 0"),
    "above one": (dict(keep_prob=1.5), r"keep_prob must be in \(0, 1\], got 1.5"),
    "negative": (dict(keep_prob=-0.5), r"keep_prob must be in \(0, 1\], got -0.5"),
    "short mask": (dict(keep_prob=0.5, dropout_mask=torch.zeros(7, dtype=torch.uint8)), "at least 1881 bytes.*got 7"),
    "mask dtype": (dict(keep_prob=0.5, dropout_mask=torch.zeros(4000)), "^dropout_mask must be Byte, got Float"),
    "mask and seed": (dict(keep_prob=0.5, dropout_mask=torch.zeros(4000).byte(), seed=3), "seed 3 .* dropout_mask"),
    "seed": (dict(keep_prob=0.5, seed=1 << 63), "seed must be an integer of"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_name(qkv, name):
    options, text = REFUSED[name]
    with pytest.raises(ValueError, match=text):
        npu_flash_attention(*qkv, **options)


STATES = {
    "dtype": (torch.tensor([5, 8], dtype=torch.int32), r"rng_state must be int64 \[2\] on the cpu, got Int"),
    "length": (torch.tensor([5]), r"rng_state must be int64 \[2\] on the cpu, got Long \[1\]"),
}


@pytest.mark.parametrize("name", STATES)
def test_state_of_another_kind(qkv, name):
    state, text = STATES[name]
    with pytest.raises(ValueError, match=text):
        SCORE(*qkv, 4, "BNSD", keep_prob=0.5, rng_state=state)


def test_operator_without_bits_is_refused(qkv):
    with pytest.raises(ValueError, match="keep_prob 0.5 needs drop_mask"):
        SCORE(*qkv, 4, "BNSD", keep_prob=0.5)
    with pytest.raises(ValueError, match="must not be given together"):
        SCORE(*qkv, 4, "BNSD", keep_prob=0.5, rng_state=torch.tensor([5, 8]), drop_mask=torch.zeros(4000).byte())
