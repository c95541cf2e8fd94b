# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The torch side: signatures, head_num rule, views, Meta, torch.compile, errors. Numbers are compared with SDPA; the
accuracy of the operator itself is the subject of test_forward.py."""

import threading

import ascend_flash_attention
import pytest
import torch
from ascend_flash_attention import _vendor_rules, npu_flash_attention, npu_fusion_attention
from ascend_flash_attention.nn import FlashAttentionWrapper
from torch.nn.functional import scaled_dot_product_attention

from tests.forks import busy_threads, check_in_child

OP = torch.ops.ascend_flash_attention.flash_attention_score
TOLERANCE = {"atol": 3e-5, "rtol": 3e-5}


def draw(rng, *shape, dtype=torch.float32):
    return torch.randn(shape, generator=rng).to(dtype)


def heads_first(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def folded(x):
    return x.transpose(1, 2).flatten(2)


@pytest.fixture
def qkv(rng):
    return draw(rng, 2, 4, 33, 16), draw(rng, 2, 2, 57, 16), draw(rng, 2, 2, 57, 16)


def test_snippet_of_the_readme(rng):
    torch_npu = ascend_flash_attention
    embed_dim, num_heads = 96, 3
    q, k, v = (draw(rng, 2, length, embed_dim) for length in (21, 34, 34))
    out = torch_npu.npu_flash_attention(q, k, v, scale=(embed_dim // num_heads) ** -0.5, keep_prob=1.0)[0]
    expected = scaled_dot_product_attention(*(heads_first(x, num_heads) for x in (q, k, v)))
    torch.testing.assert_close(out, folded(expected), **TOLERANCE)


def test_seven_results(qkv):
    q, k, v = qkv
    results = npu_flash_attention(q, k, v)
    assert len(results) == 7
    out, row_max, row_sum, reserved, seed, offset, numels = results
    torch.testing.assert_close(out, scaled_dot_product_attention(q, k, v, enable_gqa=True), **TOLERANCE)
    scores = q @ k.repeat_interleave(2, 1).mT / 4
    expected_max = scores.amax(-1, keepdim=True)
    torch.testing.assert_close(row_max, expected_max.expand(-1, -1, -1, 8), **TOLERANCE)
    expected_sum = (scores - expected_max).exp().sum(-1, keepdim=True)
    torch.testing.assert_close(row_sum, expected_sum.expand(-1, -1, -1, 8), **TOLERANCE)
    assert reserved.shape == (0,) and (seed, offset, numels) == (0, 0, 2 * 4 * 33 * 57)


@pytest.mark.parametrize("layout", ["BNSD", "BSND", "BSH", "SBH", "bsnd", "sbh"])
def test_layouts_are_read_in_place(qkv, layout):
    q, k, v = qkv
    expected = scaled_dot_product_attention(q, k, v, enable_gqa=True)

    def arrange(x):
        if layout.upper() == "BNSD":
            return x
        x = x.transpose(1, 2)
        if layout.upper() in ("BSH", "SBH"):
            x = x.flatten(2)
        return (x.transpose(0, 1) if layout.upper() == "SBH" else x).contiguous()

    out = npu_flash_attention(arrange(q), arrange(k), arrange(v), 4, layout)[0]
    torch.testing.assert_close(out, arrange(expected), **TOLERANCE)


@pytest.mark.parametrize("scale", [None, 0.25, 1.0])
def test_scale(qkv, scale):
    q, k, v = qkv
    out = npu_flash_attention(q, k, v, scale=scale)[0]
    torch.testing.assert_close(out, scaled_dot_product_attention(q, k, v, scale=scale, enable_gqa=True), **TOLERANCE)


def test_scale_of_folded_heads(rng):
    q = draw(rng, 1, 9, 40)
    out = npu_flash_attention(q, q, q, head_num=5)[0]
    expected = scaled_dot_product_attention(*(heads_first(q, 5) for _ in range(3)))
    torch.testing.assert_close(out, folded(expected), **TOLERANCE)


@pytest.mark.parametrize("scale", [None, 1.0 / 7**0.5, 0.3, 0.0, -0.5, float("nan"), 1e-9])
def test_head_num_is_not_guessed(rng, scale):
    q = draw(rng, 1, 9, 40)
    with pytest.raises(ValueError, match="head_num is needed.*embed_dim // num_heads"):
        npu_flash_attention(q, q, q, scale=scale)


@pytest.mark.parametrize("head_dim", [2, 5, 8, 40])
def test_head_num_follows_from_scale(rng, head_dim):
    q = draw(rng, 1, 9, 40)
    out = npu_flash_attention(q, q, q, scale=float(torch.tensor(head_dim**-0.5)))[0]
    expected = scaled_dot_product_attention(*(heads_first(q, 40 // head_dim) for _ in range(3)))
    torch.testing.assert_close(out, folded(expected), **TOLERANCE)


@pytest.mark.parametrize("view", ["transposed", "sliced", "expanded", "strided_dim", "offset"])
def test_views(rng, view):
    base = draw(rng, 2, 57, 3, 4, 32)
    q, k, v = (
        {
            "transposed": lambda i: base[:, :, i].transpose(1, 2),
            "sliced": lambda i: base[..., i : i + 16].flatten(2, 3)[:, :, :4].transpose(1, 2),
            "expanded": lambda i: base[:1, :, i].transpose(1, 2).expand(2, -1, -1, -1),
            "strided_dim": lambda i: base[:, :, i].transpose(1, 2)[..., ::2],
            "offset": lambda i: base[:, :, i].transpose(1, 2).contiguous()[:, 1:, 3:],
        }[view](i)
        for i in range(3)
    )
    assert not q.is_contiguous()
    out = npu_flash_attention(q, k, v)[0]
    torch.testing.assert_close(out, scaled_dot_product_attention(q, k, v), **TOLERANCE)


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8])
@pytest.mark.parametrize("shape", [(33, 57), (1, 57), (2, 1, 1, 57), (2, 4, 33, 57), (1, 4, 33, 1), (2, 1, 33, 57)])
def test_mask(rng, qkv, dtype, shape):
    q, k, v = qkv
    hidden = torch.rand(shape, generator=rng) < 0.4
    out = npu_flash_attention(q, k, v, atten_mask=hidden.to(dtype))[0]
    expected = scaled_dot_product_attention(q, k, v, attn_mask=(~hidden).expand(2, 4, 33, 57), enable_gqa=True)
    everything_hidden = hidden.expand(2, 4, 33, 57).all(-1, keepdim=True)
    torch.testing.assert_close(out, expected.masked_fill(everything_hidden, 0), **TOLERANCE)


def test_expanded_mask_is_not_materialised(rng, qkv):
    q, k, v = qkv
    hidden = torch.rand((2, 1, 1, 57), generator=rng) < 0.4
    assert torch.equal(
        npu_flash_attention(q, k, v, atten_mask=hidden.expand(2, 4, 33, 57))[0],
        npu_flash_attention(q, k, v, atten_mask=hidden)[0],
    )


def test_fusion_attention_takes_version_1_positions(rng, qkv):
    q, k, v = qkv
    hidden = torch.rand((33, 57), generator=rng) < 0.4
    results = npu_fusion_attention(q, k, v, 4, "BNSD", None, None, hidden, 0.25, 1.0, 2147483647, 2147483647, 0)
    expected = npu_flash_attention(q, k, v, atten_mask=hidden, scale=0.25)
    assert torch.equal(results[0], expected[0]) and len(results) == 7
    default_scale = npu_fusion_attention(q, k, v, 4, "BNSD")[0]
    torch.testing.assert_close(
        default_scale, scaled_dot_product_attention(q, k, v, scale=1.0, enable_gqa=True), **TOLERANCE
    )


def test_fusion_attention_is_dense_without_mask_and_says_so_once(qkv, monkeypatch):
    q, k, v = qkv
    monkeypatch.setattr(_vendor_rules, "_warned_dense", False)
    dense = npu_fusion_attention(q, k, v, 4, "BNSD")[0]
    with pytest.warns(UserWarning, match="without atten_mask ignores sparse_mode 3") as record:
        results = [
            npu_fusion_attention(q, k, v, 4, "BNSD", sparse_mode=3)[0],
            npu_fusion_attention(q, k, v, 4, "BNSD", pre_tockens=1, next_tockens=0)[0],
            npu_fusion_attention(q, k, v, 4, "BNSD", sparse_mode=99)[0],
        ]
    assert len(record) == 1
    assert all(torch.equal(result, dense) for result in results)


@pytest.mark.parametrize("shape", [(0, 4, 33, 16), (2, 4, 0, 16)])
def test_empty_results(shape):
    q = torch.zeros(shape)
    k = torch.zeros(shape[0], 2, 57, 16)
    out, row_max, row_sum = npu_flash_attention(q, k, k)[:3]
    assert out.shape == shape and row_max.shape == row_sum.shape == (*shape[:3], 8)


def test_no_keys(rng):
    out, row_max, row_sum = npu_flash_attention(draw(rng, 1, 2, 5, 16), *[torch.zeros(1, 2, 0, 16)] * 2)[:3]
    largest = torch.finfo(torch.float32).max
    assert (out == 0).all() and (row_max == -largest).all() and (row_sum == largest).all()


def test_module(rng):
    module = FlashAttentionWrapper(48, 6)
    q, k = draw(rng, 2, 10, 48), draw(rng, 2, 12, 48)
    hidden = torch.rand((2, 1, 1, 12), generator=rng) < 0.3
    expected = npu_flash_attention(q, k, k, 6, "BSH", atten_mask=hidden)[0]
    assert torch.equal(module(q, k, k, hidden), expected)
    assert "embed_dim=48, num_heads=6" in repr(module)
    with pytest.raises(ValueError, match="48 and 7"):
        FlashAttentionWrapper(48, 7)


ERRORS = {
    "rank": (dict(query=(2, 33, 4, 16, 1)), "query must have 3 or 4 dimensions.*1]"),
    "layout": (dict(input_layout="BHSD"), "input_layout must be BSH.*BHSD"),
    "layout_rank": (dict(input_layout="BSH"), "query must have 3 dimensions for input_layout BSH"),
    "key_rank": (dict(key=(2, 57, 32)), "key must have 4 dimensions"),
    "head_num": (dict(head_num=100), "head_num 100"),
    "head_dims": (dict(key=(2, 2, 57, 8)), "query and key must have one head dim, got 16 and 8"),
    "mask_2d": (dict(atten_mask=(2, 57)), r"\[B, 1, 1, S2\]"),
    "sparse_mode": (dict(sparse_mode=99), "sparse_mode must be 0, 1, 2, 3, 4, 5 or 6 for input_layout BNSD, got 99"),
    "window": (dict(pre_tokens=-1, next_tokens=-1), "must not both be negative"),
    "keep_prob": (dict(keep_prob=1.5), r"keep_prob must be in \(0, 1\], got 1.5"),
    "dropout": (dict(keep_prob=0.0), r"keep_prob must be in \(0, 1\], got 0"),
    "pse": (dict(pse=(2, 4, 33, 56)), "real_shift must be"),
    "padding_mask": (dict(padding_mask=(2, 57)), "padding_mask must not be given"),
    "prefix": (dict(prefix=[3, 4]), "prefix belongs to sparse_mode 5 and 6"),
    "lengths": (dict(actual_seq_qlen=[3, 4]), "actual_seq_qlen belongs to input_layout TND"),
    "sink": (dict(sink=(5,)), "sink must be float32"),
    "tnd": (
        dict(query=(33, 4, 16), key=(57, 2, 16), value=(57, 2, 16), input_layout="TND"),
        "actual_seq_qlen is required",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_value_errors_with_the_reason(name):
    options, text = ERRORS[name]
    arguments = {"query": (2, 4, 33, 16), "key": (2, 2, 57, 16), "value": (2, 2, 57, 16), **options}
    tensors = {key: torch.zeros(shape) for key, shape in arguments.items() if isinstance(shape, tuple)}
    if "atten_mask" in tensors:
        tensors["atten_mask"] = tensors["atten_mask"].bool()
    with pytest.raises(ValueError, match=text):
        npu_flash_attention(**{**arguments, **tensors})


@pytest.mark.parametrize("dtype", [torch.float64, torch.int32, torch.float8_e4m3fn])
def test_dtype_is_named(dtype):
    q = torch.zeros(1, 1, 4, 8).to(dtype)
    with pytest.raises(ValueError, match="query must be"):
        npu_flash_attention(q, q, q)


def test_mixed_dtypes(qkv):
    q, k, v = qkv
    with pytest.raises(ValueError, match="one dtype, got Float, Half and Float"):
        npu_flash_attention(q, k.half(), v)


def test_opcheck(qkv):
    q, k, v = qkv
    samples = [
        ((q, k, v, 4, "BNSD"), {"scale": 0.25}),
        ((q, k, v, 4, "BNSD"), {"atten_mask": torch.zeros(2, 1, 1, 57, dtype=torch.bool)}),
        ((folded(q), folded(k), folded(v), 4, "BSH"), {"sparse_mode": 3}),
        ((q.transpose(1, 2), k.transpose(1, 2), v[..., :8].transpose(1, 2), 4, "BSND"), {}),
    ]
    for arguments, options in samples:
        torch.library.opcheck(OP.default, arguments, options)


@pytest.mark.parametrize("layout", ["BNSD", "BSND", "BSH", "SBH"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_meta_agrees_with_the_operator(layout, dtype):
    shape = {"BNSD": (2, 4, 5, 24), "BSND": (2, 5, 4, 24), "BSH": (2, 5, 96), "SBH": (5, 2, 96)}[layout]
    narrow = (*shape[:-1], shape[-1] // 3)
    for value_shape in (shape, narrow):
        real = OP(
            torch.zeros(shape, dtype=dtype), *(torch.zeros(s, dtype=dtype) for s in (shape, value_shape)), 4, layout
        )
        meta = OP(*(torch.empty(s, dtype=dtype, device="meta") for s in (shape, shape, value_shape)), 4, layout)
        for a, b in zip(real, meta, strict=True):
            assert (a.shape, a.dtype, a.stride()) == (b.shape, b.dtype, b.stride())


@pytest.mark.parametrize("dynamic", [False, True])
def test_compile_fullgraph(rng, dynamic):
    def attention(q, k, v, hidden):
        out, row_max, *_ = npu_flash_attention(q * 2, k, v, atten_mask=hidden)
        return out + 1, row_max

    compiled = torch.compile(attention, fullgraph=True, dynamic=dynamic, backend="aot_eager")
    for length in (12, 17, 40):
        q, k, v = (draw(rng, 2, 3, s, 16) for s in (length, length + 4, length + 4))
        hidden = torch.rand((2, 1, 1, length + 4), generator=rng) < 0.3
        for got, expected in zip(compiled(q, k, v, hidden), attention(q, k, v, hidden), strict=True):
            assert torch.equal(got, expected)


def test_compile_with_inductor(rng):
    def attention(q, k, v):
        return npu_flash_attention(q, k, v, scale=8**-0.5)[0] * 3

    q, k, v = (draw(rng, 2, 10, 24) for _ in range(3))
    assert torch.equal(torch.compile(attention, fullgraph=True)(q, k, v), attention(q, k, v))


def test_host_threads_do_not_disturb_each_other(rng):
    inputs = [[draw(rng, 1, 2, 20 + i, 16) for _ in range(3)] for i in range(4)]
    expected = [npu_flash_attention(*qkv)[0] for qkv in inputs]
    failures = []

    def work(i):
        for _ in range(20):
            if not torch.equal(npu_flash_attention(*inputs[i])[0], expected[i]):
                failures.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_fork_among_busy_threads(rng, one_torch_thread):
    """Registered operators: autograd has locks of its own, in tensors that threads share."""
    q, k, v, dy = (draw(rng, 1, 2, 5, 16) for _ in range(4))

    def forward():
        return OP(q, k, v, 2, "BNSD")

    results = forward()
    gradient = torch.ops.ascend_flash_attention.flash_attention_score_grad
    for call in (forward, lambda: gradient(q, k, v, dy, *results, 2, "BNSD")):
        call()
        with busy_threads(6, call):
            for _ in range(50):
                check_in_child(call)
