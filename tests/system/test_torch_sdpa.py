# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""scaled_dot_product_attention against torch's own, in float64."""

import pytest
import torch
import torch.nn.functional as F
from ascend_flash_attention import scaled_dot_product_attention
from torch.nn.attention import SDPBackend, sdpa_kernel

TOLERANCE = {torch.float32: 3e-5, torch.bfloat16: 3e-2, torch.float16: 4e-3}


def draw(rng, *shape, dtype=torch.float32):
    return torch.randn(shape, generator=rng).to(dtype)


def torch_attention(q, k, v, attn_mask=None, is_causal=False, **options):
    """In float64, by the formula; a causal mask beside a mask is added to it by hand, rows that see nothing are 0."""
    rows, keys = q.shape[-2], k.shape[-2]
    mask = attn_mask if attn_mask is None or attn_mask.dtype == torch.bool else attn_mask.double()
    hidden = torch.zeros(rows, keys, dtype=torch.bool)
    if is_causal:
        hidden = torch.ones(rows, keys, dtype=torch.bool).triu(1)
    if mask is None:
        mask = ~hidden
    mask = mask & ~hidden if mask.dtype == torch.bool else mask.masked_fill(hidden, float("-inf"))
    with sdpa_kernel(SDPBackend.MATH):
        return F.scaled_dot_product_attention(q.double(), k.double(), v.double(), mask, **options)


def check(q, k, v, **options):
    got = scaled_dot_product_attention(q, k, v, **options)
    expected = torch_attention(q, k, v, **options)
    assert got.dtype == q.dtype and got.shape == expected.shape
    bound = TOLERANCE[q.dtype]
    torch.testing.assert_close(got.double(), expected, rtol=bound, atol=bound)
    return got


SHAPES = {
    "4-D": ((2, 4, 33, 16), (2, 4, 57, 16), (2, 4, 57, 16), {}),
    "3-D": ((4, 33, 16), (4, 57, 16), (4, 57, 16), {}),
    "2-D": ((33, 16), (57, 16), (57, 16), {}),
    "5-D": ((3, 2, 4, 33, 16), (3, 2, 4, 57, 16), (3, 2, 4, 57, 16), {}),
    "5-D with broadcasting": ((3, 1, 4, 33, 16), (1, 2, 4, 57, 16), (3, 2, 4, 57, 16), {}),
    "one batch of keys": ((2, 4, 33, 16), (1, 4, 57, 16), (1, 4, 57, 16), {}),
    "one head of keys": ((2, 4, 33, 16), (2, 1, 57, 16), (2, 1, 57, 16), {}),
    "grouped": ((2, 6, 33, 16), (2, 2, 57, 16), (2, 2, 57, 16), {"enable_gqa": True}),
    "grouped 3-D": ((6, 33, 16), (2, 57, 16), (2, 57, 16), {"enable_gqa": True}),
    "grouped 5-D": ((2, 1, 6, 33, 16), (2, 1, 3, 57, 16), (2, 1, 3, 57, 16), {"enable_gqa": True}),
    "narrow value": ((2, 4, 33, 16), (2, 4, 57, 16), (2, 4, 57, 5), {}),
    "wide value": ((2, 4, 33, 16), (2, 4, 57, 16), (2, 4, 57, 40), {}),
    "scale": ((2, 4, 33, 16), (2, 4, 57, 16), (2, 4, 57, 16), {"scale": 0.7}),
    "one head of queries": ((2, 1, 33, 16), (2, 4, 57, 16), (2, 4, 57, 16), {}),
    "one query": ((2, 4, 1, 16), (2, 4, 57, 16), (2, 4, 57, 16), {}),
}


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(rng, name, is_causal):
    *shapes, options = SHAPES[name]
    check(*(draw(rng, *shape) for shape in shapes), is_causal=is_causal, **options)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("is_causal", [False, True])
def test_dtypes(rng, dtype, is_causal):
    check(*(draw(rng, 2, 3, s, 32, dtype=dtype) for s in (40, 61, 61)), is_causal=is_causal)


MASKS = [(33, 57), (1, 57), (33, 1), (4, 33, 57), (2, 1, 33, 57), (2, 4, 33, 57), (2, 1, 1, 57), (1, 1, 33, 57)]


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("shape", MASKS)
def test_bool_mask_keeps_true(rng, shape, is_causal):
    q, k, v = (draw(rng, 2, 4, s, 16) for s in (33, 57, 57))
    mask = torch.rand(shape, generator=rng) < 0.5
    got = check(q, k, v, attn_mask=mask, is_causal=is_causal)
    assert got.isfinite().all()


@pytest.mark.parametrize("shape", [(33, 57), (4, 33, 57), (2, 1, 1, 33, 57), (1, 3, 1, 1, 57), (2, 3, 4, 33, 57)])
def test_mask_of_several_leading_dimensions(rng, shape):
    q, k, v = (draw(rng, 2, 3, 4, s, 16) for s in (33, 57, 57))
    check(q, k, v, attn_mask=torch.rand(shape, generator=rng) < 0.5)


def test_causal_is_top_left(rng):
    """Query i sees keys 0..i whatever the lengths: a later key changes nothing."""
    q, k, v = (draw(rng, 1, 2, s, 16) for s in (5, 9, 9))
    before = scaled_dot_product_attention(q, k, v, is_causal=True)
    k[:, :, 3:], v[:, :, 3:] = 7.0, -7.0
    after = scaled_dot_product_attention(q, k, v, is_causal=True)
    assert torch.equal(before[:, :, :3], after[:, :, :3]) and not torch.equal(before[:, :, 3:], after[:, :, 3:])


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 2, 1, 3), (2, 0, 1, 3)])
def test_memory_of_the_result_follows_the_query_as_in_torch(rng, order):
    def arrange(*shape):
        return draw(rng, *(shape[i] for i in order)).permute([order.index(i) for i in range(4)])

    q, k, v = arrange(2, 4, 33, 16), arrange(2, 4, 57, 16), arrange(2, 4, 57, 16)
    got = check(q, k, v)
    assert got.stride() == F.scaled_dot_product_attention(q, k, v).stride()


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 2, 1, 3), (2, 0, 1, 3)])
def test_gradients(rng, order):
    leaves = [draw(rng, *((2, 4, s, 16)[i] for i in order)).requires_grad_() for s in (33, 57, 57)]
    q, k, v = (x.permute([order.index(i) for i in range(4)]) for x in leaves)
    mask = torch.rand((2, 1, 33, 57), generator=rng) < 0.7
    dy = draw(rng, 2, 4, 33, 16)
    got = torch.autograd.grad(scaled_dot_product_attention(q, k, v, mask), leaves, dy)
    expected = torch.autograd.grad(torch_attention(q, k, v, mask), leaves, dy.double())
    for a, b in zip(got, expected, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=3e-5)


@pytest.mark.parametrize("sizes", [(0, 4, 5, 7), (2, 4, 0, 7), (2, 4, 5, 0)])
def test_nothing_to_compute(sizes):
    batch, heads, rows, keys = sizes
    out = scaled_dot_product_attention(
        torch.ones(batch, heads, rows, 16), *(torch.ones(batch, heads, keys, 16) for _ in range(2))
    )
    assert out.shape == (batch, heads, rows, 16) and (out == 0).all()


def test_no_batches_of_several_dimensions():
    q, mask = torch.ones(0, 3, 4, 5, 16), torch.ones(0, 1, 4, 5, 5, dtype=torch.bool)
    assert scaled_dot_product_attention(q, q, q, mask).shape == q.shape


@pytest.mark.parametrize("wrong", ["query", "key", "value", "attn_mask"])
def test_tensors_only(wrong):
    x = torch.zeros(1, 2, 5, 16)
    with pytest.raises(TypeError, match=f"{wrong} must be a tensor, got 3"):
        scaled_dot_product_attention(**{"query": x, "key": x, "value": x, wrong: 3})


@pytest.mark.parametrize("dynamic", [False, True])
def test_compile_fullgraph(rng, dynamic):
    def attention(q, k, v, mask):
        return scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), mask) + 1

    compiled = torch.compile(attention, fullgraph=True, dynamic=dynamic, backend="aot_eager")
    for length in (12, 17, 40):
        q, k, v = (draw(rng, 2, s, 3, 16) for s in (length, length + 4, length + 4))
        mask = torch.rand((2, 1, 1, length + 4), generator=rng) < 0.7
        got, expected = compiled(q, k, v, mask), attention(q, k, v, mask)
        assert torch.equal(got, expected) and got.stride() == expected.stride()


REFUSED = {
    "heads without enable_gqa": (dict(key=(2, 2, 57, 16), value=(2, 2, 57, 16)), "need enable_gqa=True"),
    "heads that do not divide": (dict(key=(2, 3, 57, 16), value=(2, 3, 57, 16), enable_gqa=True), "divide query's"),
    "batches": (dict(key=(3, 4, 57, 16), value=(3, 4, 57, 16)), "leading dimensions of query, key and value"),
    "mask shape": (dict(attn_mask=torch.ones(3, 33, 57).bool()), r"broadcastable to \[2, 4, 33, 57\], got \[3, 33, 57"),
    "mask dtype": (dict(attn_mask=torch.ones(33, 57).int()), "attn_mask must be torch.bool or torch.float32, got"),
    "mask rank": (dict(attn_mask=torch.ones(57).bool()), "attn_mask must have at least 2 dimensions"),
    "dropout": (dict(dropout_p=1.0), r"dropout_p must be in \[0, 1\), got 1.0"),
    "negative dropout": (dict(dropout_p=-0.1), r"dropout_p must be in \[0, 1\), got -0.1"),
    "vector": (dict(query=(16,)), "at least 2 dimensions"),
    "dtypes": (dict(key=torch.zeros(2, 4, 57, 16).half()), "one dtype"),
    "head dims": (dict(key=(2, 4, 57, 8)), "one head dim, got 16 and 8"),
    "head dims and a wide value": (dict(key=(2, 4, 57, 8), value=(2, 4, 57, 40)), "one head dim, got 16 and 8"),
    "lengths": (dict(value=(2, 4, 56, 16)), "key and value must have one sequence length, got 57 and 56|dimension 2"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_name(name):
    changes, text = REFUSED[name]
    arguments = {"query": (2, 4, 33, 16), "key": (2, 4, 57, 16), "value": (2, 4, 57, 16), **changes}
    tensors = {key: torch.zeros(shape) for key, shape in arguments.items() if isinstance(shape, tuple)}
    with pytest.raises(ValueError, match=text):
        scaled_dot_product_attention(**{**arguments, **tensors})


@pytest.mark.parametrize("mask_dtype", [None, torch.bool, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("dtypes", [(torch.float32,) * 3, (torch.bfloat16, torch.float32, torch.float16)])
@pytest.mark.parametrize("autocast_dtype", [torch.bfloat16, torch.float16])
def test_autocast_casts_as_torch_does(rng, autocast_dtype, dtypes, mask_dtype):
    leaves = [draw(rng, 2, 3, s, 16, dtype=d) for s, d in zip((17, 29, 29), dtypes, strict=True)]
    mask = draw(rng, 17, 29)
    mask = None if mask_dtype is None else mask > -1 if mask_dtype == torch.bool else mask.to(mask_dtype)
    dy = draw(rng, 2, 3, 17, 16)

    def run(attention):
        inputs = [x.clone().requires_grad_() for x in leaves]
        bias = mask.clone().requires_grad_() if mask is not None and mask.is_floating_point() else mask
        with torch.autocast("cpu", dtype=autocast_dtype):
            out = attention(*inputs, bias)
        (out.float() * dy).sum().backward()
        return [out, *(x.grad for x in inputs), *([bias.grad] if bias is not None and bias.requires_grad else [])]

    got, expected = run(scaled_dot_product_attention), run(F.scaled_dot_product_attention)
    bound = 2 * TOLERANCE[torch.bfloat16]
    for a, b in zip(got, expected, strict=True):
        assert a.dtype == b.dtype
        torch.testing.assert_close(a, b, rtol=bound, atol=bound)
    assert got[0].dtype == autocast_dtype


def test_autocast_switched_off_or_of_another_device(rng):
    q, k, v = (draw(rng, 1, 2, s, 8) for s in (5, 7, 7))
    expected = scaled_dot_product_attention(q, k, v)
    with torch.autocast("cpu", dtype=torch.bfloat16), torch.autocast("cpu", enabled=False):
        assert torch.equal(scaled_dot_product_attention(q, k, v), expected)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert scaled_dot_product_attention(*(x.to("meta") for x in (q, k, v))).dtype == torch.float32
        with pytest.raises(ValueError, match="query must be float32, float16 or bfloat16, got Double"):
            scaled_dot_product_attention(*(x.double() for x in (q, k, v)))
