# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The gradient as torch sees it: autograd, compile, autocast, loss scaling and npu_fusion_attention_grad."""

import re
from pathlib import Path

import pytest
import torch
from ascend_flash_attention import npu_flash_attention, npu_fusion_attention, npu_fusion_attention_grad
from ascend_flash_attention.nn import FlashAttentionWrapper
from torch.nn.functional import scaled_dot_product_attention

from tests.system.forward_call import same_bits

SCORE = torch.ops.ascend_flash_attention.flash_attention_score.default
SCORE_GRAD = torch.ops.ascend_flash_attention.flash_attention_score_grad.default
SHAPES = (2, 4, 33, 16), (2, 2, 57, 16), (2, 2, 57, 16)
TOLERANCE = {"rtol": 1e-5, "atol": 2e-5}


def draw(rng, *shape):
    return torch.randn(shape, generator=rng)


@pytest.fixture
def qkv(rng):
    return [draw(rng, *shape).requires_grad_() for shape in SHAPES]


@pytest.fixture
def hidden(rng):
    return torch.rand((2, 1, 1, 57), generator=rng) < 0.3


def test_gradients_of_torch(rng, qkv, hidden):
    out = npu_flash_attention(*qkv, atten_mask=hidden)[0]
    dy = draw(rng, *out.shape)
    expected = scaled_dot_product_attention(*qkv, attn_mask=~hidden, enable_gqa=True)
    for got, want in zip(torch.autograd.grad(out, qkv, dy), torch.autograd.grad(expected, qkv, dy), strict=True):
        torch.testing.assert_close(got, want, **TOLERANCE)


def test_only_attention_out_is_differentiable(qkv):
    out, row_max, row_sum, reserved, *_ = npu_flash_attention(*qkv)
    assert out.requires_grad and not (row_max.requires_grad or row_sum.requires_grad or reserved.requires_grad)
    with torch.no_grad():
        assert not npu_flash_attention(*qkv)[0].requires_grad
    assert not npu_flash_attention(*(x.detach() for x in qkv))[0].requires_grad


@pytest.mark.parametrize("wanted", [(0,), (1,), (2,), (0, 2), (0, 1, 2)])
def test_some_inputs_require_grad(rng, wanted):
    inputs = [draw(rng, *shape) for shape in SHAPES]
    leaves = [x.clone().requires_grad_() for x in inputs]
    dy = torch.ones(2, 4, 33, 16)
    expected = torch.autograd.grad(npu_flash_attention(*leaves)[0], leaves, dy)
    mixed = [leaf if i in wanted else x for i, (leaf, x) in enumerate(zip(leaves, inputs, strict=True))]
    got = torch.autograd.grad(npu_flash_attention(*mixed)[0], [leaves[i] for i in wanted], dy)
    for i, gradient in zip(wanted, got, strict=True):
        assert same_bits(gradient, expected[i])


def test_nothing_of_size_s1_x_s2_is_saved(qkv, hidden):
    saved = []
    with torch.autograd.graph.saved_tensors_hooks(lambda x: saved.append(x) or x, lambda x: x):
        npu_flash_attention(*qkv, atten_mask=hidden.expand(2, 4, 33, 57))
    assert len(saved) == 7  # query, key, value, attention_out, softmax_max, softmax_sum, mask
    storages = {x.untyped_storage().data_ptr(): x.untyped_storage().nbytes() for x in saved}
    assert storages[hidden.untyped_storage().data_ptr()] == 2 * 57
    assert max(storages.values()) == 2 * 4 * 33 * 16 * 4


@pytest.mark.parametrize("kind", ["expanded", "transposed", "strided", "float64", "float16"])
def test_dy_of_any_kind(rng, qkv, kind):
    out = npu_flash_attention(*qkv)[0]
    dy = {
        "expanded": lambda: draw(rng, 2, 4, 1, 1).expand(2, 4, 33, 16),
        "transposed": lambda: draw(rng, 16, 33, 4, 2).permute(3, 2, 1, 0),
        "strided": lambda: draw(rng, 2, 4, 33, 32)[..., ::2],
        "float64": lambda: draw(rng, 2, 4, 33, 16).double(),  # autograd converts it
        "float16": lambda: draw(rng, 2, 4, 33, 16).half(),
    }[kind]()
    got = torch.autograd.grad(out, qkv, dy)
    expected = torch.autograd.grad(npu_flash_attention(*qkv)[0], qkv, dy.float().contiguous())
    assert all(same_bits(a, b) for a, b in zip(got, expected, strict=True))


def test_views_get_gradients_of_their_base(rng):
    base = draw(rng, 2, 33, 3, 4, 16).requires_grad_()
    q, k, v = (x.transpose(1, 2) for x in base.unbind(2))
    dy = draw(rng, 2, 4, 33, 16)
    (got,) = torch.autograd.grad(npu_flash_attention(q, k, v)[0], base, dy)
    (expected,) = torch.autograd.grad(scaled_dot_product_attention(q, k, v), base, dy)
    torch.testing.assert_close(got, expected, **TOLERANCE)


@pytest.mark.parametrize("head_dim", [1, 64, 65, 129, 192, 513, 743])
def test_a_single_key_has_the_weight_one(rng, head_dim):
    """The gradient computes scores again; with the bits of the forward, exp(score - max) is exactly 1."""
    query, key, value = (draw(rng, 2, 3, 1, head_dim).requires_grad_(i == 2) for i in range(3))
    dy = draw(rng, 2, 3, 1, head_dim)
    out = npu_flash_attention(query, key, value, scale=1.0, head_num=3, input_layout="BNSD")[0]
    (gradient,) = torch.autograd.grad(out, value, dy)
    assert same_bits(out.detach(), value.detach())
    assert same_bits(gradient, dy)


def test_module_trains(rng):
    projection = torch.nn.Linear(24, 72)
    attention, x, target = FlashAttentionWrapper(24, 3), draw(rng, 4, 10, 24), draw(rng, 4, 10, 24)
    optimizer = torch.optim.Adam(projection.parameters(), lr=0.05)
    losses = []
    for _ in range(30):
        loss = (attention(*projection(x).chunk(3, -1), sparse_mode=3) - target).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.7 * losses[0]


@pytest.mark.parametrize("entry", [npu_flash_attention, npu_fusion_attention])
def test_differentiating_twice_is_refused(qkv, entry):
    out = entry(*qkv, 4, "BNSD")[0]
    gradients = torch.autograd.grad(out.square().sum(), qkv, create_graph=True)
    for gradient in gradients:
        with pytest.raises(NotImplementedError, match="has no derivative: differentiating twice"):
            torch.autograd.grad(gradient.sum(), qkv, retain_graph=True)


def test_opcheck(qkv, hidden):
    q, k, v = qkv
    folded = [x.transpose(1, 2).flatten(2).detach().requires_grad_() for x in qkv]
    samples = [
        ((q, k, v, 4, "BNSD"), {"scale": 0.25}),
        ((q, k, v.detach(), 4, "BNSD"), {"atten_mask": hidden}),
        ((q, k, v, 4, "BNSD"), {"atten_mask": hidden.expand(2, 4, 33, 57), "pre_tokens": 40}),
        ((*folded, 4, "BSH"), {"sparse_mode": 3}),
    ]
    for arguments, options in samples:
        torch.library.opcheck(SCORE, arguments, options)
        forward = [x.detach() for x in SCORE(*arguments, **options)]
        tensors = [x.detach() for x in arguments[:3]]
        grad_arguments = (*tensors, torch.ones_like(forward[0]), *forward, *arguments[3:])
        torch.library.opcheck(SCORE_GRAD, grad_arguments, options)


@pytest.mark.parametrize("layout", ["BNSD", "BSND", "BSH", "SBH"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_meta_agrees_with_the_operator(layout, dtype):
    shape = {"BNSD": (2, 4, 5, 24), "BSND": (2, 5, 4, 24), "BSH": (2, 5, 96), "SBH": (5, 2, 96)}[layout]
    narrow = (*shape[:-1], shape[-1] // 3)

    def call(device):
        q, k, v = (torch.zeros(s, dtype=dtype, device=device) for s in (shape, shape, narrow))
        forward = SCORE(q, k, v, 4, layout)
        return SCORE_GRAD(q, k, v, torch.zeros_like(forward[0]), *forward, 4, layout)

    for real, meta in zip(call("cpu"), call("meta"), strict=True):
        assert (real.shape, real.dtype, real.stride()) == (meta.shape, meta.dtype, meta.stride())


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compile_fullgraph(rng, backend, dynamic):
    torch._dynamo.reset()

    def loss(q, k, v, hidden):
        return npu_flash_attention(q, k, v, atten_mask=hidden)[0].square().sum()

    compiled = torch.compile(loss, fullgraph=True, dynamic=dynamic, backend=backend)
    for length in (12, 17, 40):
        leaves = [draw(rng, 2, 3, s, 16).requires_grad_() for s in (length, length + 4, length + 4)]
        hidden = torch.rand((2, 1, 1, length + 4), generator=rng) < 0.3
        got = torch.autograd.grad(compiled(*leaves, hidden), leaves)
        expected = torch.autograd.grad(loss(*leaves, hidden), leaves)
        for a, b in zip(got, expected, strict=True):
            torch.testing.assert_close(a, b, **TOLERANCE)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_autocast_changes_no_dtype(qkv, dtype):
    leaves = [x.detach().to(dtype).requires_grad_() for x in qkv]
    expected = npu_flash_attention(*leaves)[0]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out, row_max, *_ = npu_flash_attention(*leaves)
        gradients = torch.autograd.grad(out.float().sum(), leaves)
    assert same_bits(out, expected) and row_max.dtype == torch.float32
    for a, b in zip(gradients, torch.autograd.grad(expected.float().sum(), leaves), strict=True):
        assert a.dtype == dtype and same_bits(a, b)


def test_autocast_of_a_network(rng):
    """Linear layers give bfloat16 under autocast; attention takes and returns it; float32 parameters get gradients."""
    projection = torch.nn.Linear(24, 72)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = FlashAttentionWrapper(24, 3)(*projection(draw(rng, 2, 10, 24)).chunk(3, -1))
        loss = out.float().square().mean()
    assert out.dtype == torch.bfloat16
    loss.backward()
    assert projection.weight.grad.dtype == torch.float32 and projection.weight.grad.isfinite().all()


def test_loss_scaling(rng):
    """float16: the gradient of a tiny loss vanishes; GradScaler keeps it, and finds an overflow."""
    inputs = [draw(rng, *shape) for shape in SHAPES]
    dy = draw(rng, 2, 4, 33, 16) * 1e-8
    leaves = [x.clone().requires_grad_() for x in inputs]
    expected = torch.autograd.grad(npu_flash_attention(*leaves)[0], leaves, dy)
    halves = [torch.nn.Parameter(x.clone()) for x in inputs]

    def backward(scaler):
        for x in halves:
            x.grad = None
        out = npu_flash_attention(*(x.half() for x in halves))[0]
        scaler.scale((out.float() * dy).sum()).backward()

    backward(torch.amp.GradScaler("cpu", enabled=False))
    assert all((x.grad == 0).float().mean() > 0.9 for x in halves)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**24)
    optimizer = torch.optim.SGD(halves, lr=0.0)
    backward(scaler)
    scaler.unscale_(optimizer)
    for x, want in zip(halves, expected, strict=True):
        assert (x.grad - want).norm() < 0.01 * want.norm()
    scaler.step(optimizer)
    scaler.update()
    assert scaler.get_scale() == 2.0**24
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**60)
    backward(scaler)
    scaler.step(optimizer)
    scaler.update()
    assert scaler.get_scale() < 2.0**60


def test_rows_that_see_nothing(rng):
    leaves = [draw(rng, 1, 2, s, 16).requires_grad_() for s in (8, 5, 5)]
    dq, dk, dv = torch.autograd.grad(npu_flash_attention(*leaves, sparse_mode=3)[0].sum(), leaves)
    assert (dq[:, :, :3] == 0).all() and dq[:, :, 4:].any() and dk.any() and dv.any()
    nothing = torch.ones(8, 5, dtype=torch.bool)
    for gradient in torch.autograd.grad(npu_flash_attention(*leaves, atten_mask=nothing)[0].sum(), leaves):
        assert (gradient == 0).all()


@pytest.mark.parametrize(("s1", "s2"), [(0, 5), (5, 0), (0, 0)])
def test_empty(s1, s2):
    leaves = [torch.zeros(2, 2, s, 16, requires_grad=True) for s in (s1, s2, s2)]
    out = npu_flash_attention(*leaves)[0]
    for leaf, gradient in zip(leaves, torch.autograd.grad(out, leaves, torch.ones_like(out)), strict=True):
        assert gradient.shape == leaf.shape and (gradient == 0).all()


def fusion_call(rng, **options):
    """(arguments, keyword arguments) of npu_fusion_attention_grad, and the gradients of autograd."""
    q, k, v = (draw(rng, *shape).requires_grad_() for shape in SHAPES)
    out, row_max, row_sum, reserved, seed, offset, numels = npu_fusion_attention(q, k, v, 4, "BNSD", **options)
    dy = draw(rng, *out.shape)
    expected = torch.autograd.grad(out, (q, k, v), dy)
    options["scale_value"] = options.pop("scale", 1.0)
    options |= {"softmax_max": row_max, "softmax_sum": row_sum, "softmax_in": reserved, "attention_in": out.detach()}
    options |= {"seed": seed, "offset": offset, "numels": numels}
    return (q.detach(), k.detach(), v.detach(), dy, 4, "BNSD"), options, expected


@pytest.mark.parametrize("options", [{}, {"scale": 0.25}, {"scale": 0.25, "sparse_mode": 3}])
def test_fusion_attention_grad_is_autograd(rng, options):
    mask = torch.ones(2048, 2048, dtype=torch.bool).triu(1) if "sparse_mode" in options else None
    arguments, keywords, expected = fusion_call(rng, atten_mask=mask, **options)
    *gradients, dpse, dsink = npu_fusion_attention_grad(*arguments, **keywords)
    assert dpse is None and dsink is None
    assert all(same_bits(a, b) for a, b in zip(gradients, expected, strict=True))


def test_fusion_attention_grad_is_dense_without_mask(rng, monkeypatch):
    from ascend_flash_attention import _vendor_rules

    arguments, keywords, expected = fusion_call(rng)
    monkeypatch.setattr(_vendor_rules, "_warned_dense", False)
    with pytest.warns(UserWarning, match="npu_fusion_attention_grad without atten_mask ignores sparse_mode 3"):
        gradients = npu_fusion_attention_grad(*arguments, **keywords, sparse_mode=3)
    assert all(same_bits(a, b) for a, b in zip(gradients[:3], expected, strict=True))


REFUSED = {
    "no_max": ({"softmax_max": None}, "softmax_max is required.*got None"),
    "no_sum": ({"softmax_sum": None}, "softmax_sum is required"),
    "no_attention": ({"attention_in": None}, "attention_in is required"),
    "softmax_in": ({"softmax_in": torch.zeros(2, 4, 33, 57)}, r"softmax_in must be None.*\[2, 4, 33, 57\]"),
    "max_shape": ({"softmax_max": torch.zeros(2, 4, 33)}, r"softmax_max must be \[2, 4, 33, 8\], got \[2, 4, 33\]"),
    "sum_dtype": ({"softmax_sum": torch.zeros(2, 4, 33, 8).half()}, "softmax_sum must be Float, got Half"),
    "attention_dtype": ({"attention_in": torch.zeros(SHAPES[0]).half()}, "attention_in must be Float, got Half"),
    "attention_shape": ({"attention_in": torch.zeros(2, 4, 33, 8)}, r"attention_in must be \[2, 4, 33, 16\]"),
    "pse": ({"pse": torch.zeros(2, 4, 33, 56)}, "real_shift must be"),
    "keep_prob": ({"keep_prob": 1.5}, r"keep_prob must be in \(0, 1\], got 1.5"),
    "sink": ({"sink": torch.zeros(5)}, "sink must be float32"),
    "prefix": ({"prefix": [3, 4]}, "prefix belongs to sparse_mode 5 and 6"),
    "lengths": ({"actual_seq_qlen": [3, 4]}, "actual_seq_qlen belongs to input_layout TND"),
    "mask_dtype": ({"atten_mask": torch.zeros(33, 57).double()}, "must be torch.float32, got torch.float64"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_fusion_attention_grad_refuses(rng, name):
    changes, text = REFUSED[name]
    arguments, keywords, _ = fusion_call(rng)
    with pytest.raises(ValueError, match=text):
        npu_fusion_attention_grad(*arguments, **{**keywords, **changes})


@pytest.mark.parametrize(
    ("index", "tensor", "text"),
    [
        (3, torch.zeros(2, 4, 33, 16).half(), "dy must be Float, got Half"),
        (3, torch.zeros(2, 33, 4, 16), r"dy must be \[2, 4, 33, 16\], got \[2, 33, 4, 16\]"),
        (1, torch.zeros(SHAPES[1]).half(), "key must be Float, got Half"),
        (2, torch.zeros(SHAPES[2]).bfloat16(), "value must be Float, got BFloat16"),
    ],
)
def test_fusion_attention_grad_refuses_tensors(rng, index, tensor, text):
    arguments, keywords, _ = fusion_call(rng)
    arguments = (*arguments[:index], tensor, *arguments[index + 1 :])
    with pytest.raises(ValueError, match=text):
        npu_fusion_attention_grad(*arguments, **keywords)


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_snippet_of_the_readme(name):
    text = (Path(__file__).parents[2] / "flash_attention_score_grad" / name).read_text(encoding="utf-8")
    (snippet,) = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    names = {}
    exec(snippet, names)
    assert all(names[x].grad.shape == names[x].shape and names[x].grad.any() for x in "qkv")
