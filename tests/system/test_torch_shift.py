# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""pse, slopes, float masks, sinks, prefixes and rotary parts as torch calls them: results and gradients in float64,
shapes, compile, refusals."""

import pytest
import torch
from ascend_flash_attention import (
    npu_flash_attention,
    npu_fusion_attention,
    npu_fusion_attention_grad,
    npu_fusion_attention_grad_v2,
    npu_fusion_attention_v2,
    scaled_dot_product_attention,
)
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as torch_attention

from tests.reference.attention import attention
from tests.reference.gradient import attention_grad
from tests.reference.shift import SlopeShift, TensorShift
from tests.system.forward_call import same_bits

SCORE = torch.ops.ascend_flash_attention.flash_attention_score.default
SCORE_GRAD = torch.ops.ascend_flash_attention.flash_attention_score_grad.default
SCALE = 0.25


def draw(rng, *shape):
    return torch.randn(shape, generator=rng)


@pytest.fixture
def qkv(rng):
    return draw(rng, 2, 4, 33, 16), draw(rng, 2, 2, 57, 16), draw(rng, 2, 2, 57, 16)


def check(got, expected, rtol=3e-5, atol=3e-5):
    torch.testing.assert_close(got.double(), expected.double(), rtol=rtol, atol=atol)


def check_both_passes(rng, tensors, problem, extra=(), **options):
    """The forward and all gradients; extra: (tensor, name of its gradient) beside query, key and value."""
    leaves = [x.clone().requires_grad_() for x in tensors]
    out, row_max, row_sum, *_ = npu_flash_attention(*leaves, scale=SCALE, **options)
    expected = attention(*tensors, scale=SCALE, **problem)
    for got, want in zip(
        (out, row_max, row_sum), (expected.out, expected.softmax_max, expected.softmax_sum), strict=True
    ):
        check(got, want)
    dy = draw(rng, *out.shape)
    gradients = torch.autograd.grad(out, [*leaves, *(x for x, _ in extra)], dy)
    want = attention_grad(*tensors, dy, scale=SCALE, **problem)
    for got, name in zip(gradients, ("dq", "dk", "dv", *(name for _, name in extra)), strict=True):
        check(got, getattr(want, name).view(got.shape), rtol=1e-4, atol=6e-5)


PSE_SHAPES = [(2, 4, 33, 57), (1, 4, 33, 57), (2, 4, 1, 57), (1, 4, 1, 57), (1, 1, 33, 57), (2, 1, 33, 1)]


@pytest.mark.parametrize("pse_type", [0, 1])
@pytest.mark.parametrize("shape", PSE_SHAPES)
def test_pse(rng, qkv, shape, pse_type):
    pse = draw(rng, *shape).requires_grad_()
    problem = {"shift": TensorShift(pse.detach(), before_scale=pse_type == 1), "sparse_mode": 3}
    check_both_passes(rng, qkv, problem, [(pse, "dpse")], pse=pse, pse_type=pse_type, sparse_mode=3)


def test_pse_of_npu_fusion_attention_is_added_before_scaling(rng, qkv):
    pse = draw(rng, 2, 4, 33, 57)
    got = npu_fusion_attention(*qkv, 4, "BNSD", pse, scale=SCALE)[0]
    assert same_bits(got, npu_flash_attention(*qkv, pse=pse, pse_type=1, scale=SCALE)[0])
    assert not torch.equal(got, npu_flash_attention(*qkv, pse=pse, pse_type=0, scale=SCALE)[0])


def test_expanded_pse_is_not_copied(rng, qkv):
    pse = draw(rng, 1, 4, 1, 57).requires_grad_()
    out = npu_flash_attention(*qkv, pse=pse.expand(2, 4, 33, 57), pse_type=0, scale=SCALE)[0]
    plain = npu_flash_attention(*qkv, pse=pse, pse_type=0, scale=SCALE)[0]
    assert same_bits(out, plain)
    (got,), (expected,) = (torch.autograd.grad(x.sum(), pse) for x in (out, plain))
    assert same_bits(got, expected) and got.any()


@pytest.mark.parametrize("options", [{"name": "pse", "pse_type": 1}, {"name": "atten_mask"}])
@pytest.mark.parametrize("compiled", [False, True])
def test_gradient_of_an_expanded_leaf(rng, qkv, options, compiled):
    """It has the shape of the leaf: what each element gets, not the sum in the first one of a dimension."""
    options = dict(options)
    name = options.pop("name")
    whole = draw(rng, 2, 4, 1, 57).expand(2, 4, 33, 57)
    attention = torch.compile(npu_flash_attention, fullgraph=True) if compiled else npu_flash_attention
    gradients = []
    for leaf in (whole.detach(), whole.contiguous()):
        out = attention(*qkv, **{name: leaf.requires_grad_()}, scale=SCALE, **options)[0]
        gradients += torch.autograd.grad(out.square().sum(), leaf)
    assert same_bits(*gradients) and gradients[0][:, :, -1].any()


@pytest.mark.parametrize("pse_type", [2, 3])
@pytest.mark.parametrize("per_batch", [False, True])
@pytest.mark.parametrize("start", [(0, 0), (5, 2)])
def test_slopes(rng, pse_type, per_batch, start):
    tensors = draw(rng, 2, 4, 45, 16), draw(rng, 2, 2, 45, 16), draw(rng, 2, 2, 45, 16)
    slopes = torch.rand((2, 4) if per_batch else (4,), generator=rng).requires_grad_()
    problem = {"shift": SlopeShift(slopes.detach(), pse_type == 3, *start), "sparse_mode": 2}
    indices = {"q_start_idx": [start[0]], "kv_start_idx": (start[1],)} if any(start) else {}
    options = {"pse": slopes, "pse_type": pse_type, "sparse_mode": 2} | indices
    check_both_passes(rng, tensors, problem, [(slopes, "dpse")], **options)


def test_slopes_of_version_2(rng, qkv):
    q, k, v = draw(rng, 2, 4, 57, 16), *qkv[1:]
    slopes = torch.rand(4, generator=rng)
    expected = npu_flash_attention(q, k, v, pse=slopes, pse_type=2, scale=SCALE)[0]
    got = npu_fusion_attention_v2(q, k, v, 4, "BNSD", pse=slopes, pse_type=2, scale=SCALE)[0]
    assert same_bits(got, expected)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("mask_dtype", ["query's", "float32"])
@pytest.mark.parametrize("shape", [(33, 57), (2, 1, 1, 57), (1, 4, 33, 57), (2, 4, 33, 57)])
def test_float_mask_is_added(rng, qkv, dtype, mask_dtype, shape):
    tensors = [x.to(dtype) for x in qkv]
    mask = draw(rng, *shape).to(dtype if mask_dtype == "query's" else torch.float32)
    got = npu_flash_attention(*tensors, atten_mask=mask)[0]
    with sdpa_kernel(SDPBackend.MATH):
        expected = torch_attention(*(x.double() for x in tensors), attn_mask=mask.double(), enable_gqa=True)
    bound = {torch.float32: 3e-5, torch.bfloat16: 3e-2, torch.float16: 4e-3}[dtype]
    check(got, expected, rtol=bound, atol=bound)


FIXED_FLOAT32 = {  # added to the scores of 16-bit inputs without a gradient of its own
    "float mask": {"atten_mask": (33, 57)},
    "pse": {"pse": (2, 4, 33, 57), "pse_type": 0},
    "slopes": {"pse": (4,), "pse_type": 2},
    "square roots": {"pse": (2, 4), "pse_type": 3},
}


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("name", FIXED_FLOAT32)
@pytest.mark.parametrize("compiled", [False, True])
def test_gradients_beside_a_float32_term_that_has_none(rng, qkv, dtype, name, compiled):
    options = {key: torch.rand(x, generator=rng) if key != "pse_type" else x for key, x in FIXED_FLOAT32[name].items()}
    slopes = options.get("pse_type", 0) > 0
    tensors = [draw(rng, 2, 4, 57, 16) if slopes else qkv[0], *qkv[1:]]

    def gradients(to, attend=npu_flash_attention):
        leaves = [x.to(dtype).to(to).requires_grad_() for x in tensors]
        out = attend(*leaves, scale=SCALE, **options)[0]
        return torch.autograd.grad(out, leaves, dy.to(dtype).to(to))

    dy = draw(rng, *tensors[0].shape)
    torch.compiler.reset()  # other tests have compiled the same function for other shapes
    attend = (
        torch.compile(npu_flash_attention, backend="aot_eager", fullgraph=True) if compiled else npu_flash_attention
    )
    bound = {torch.bfloat16: 5e-2, torch.float16: 6e-3}[dtype]
    for got, want in zip(gradients(dtype, attend), gradients(torch.float32), strict=True):
        assert got.dtype == dtype and want.abs().max() > bound
        check(got, want, rtol=bound, atol=bound)


def test_float_mask_of_symbolic_sizes(rng, qkv):
    """Query's length is symbolic, the mask's is a number."""
    for shape in ((2, 1, 33, 57), (33, 57), (1, 1, 1, 57)):
        torch.compiler.reset()
        compiled = torch.compile(npu_flash_attention, backend="aot_eager", fullgraph=True)
        mask = draw(rng, *shape)
        torch._dynamo.maybe_mark_dynamic(qkv[0], 2)
        assert compiled(*qkv, atten_mask=mask)[0].equal(npu_flash_attention(*qkv, atten_mask=mask)[0])


def test_float_mask_that_hides(rng, qkv):
    """Zero shows a key, a large negative number or -inf hides it: the same as the bool mask."""
    hidden = torch.rand((2, 1, 33, 57), generator=rng) < 0.4
    hidden[0, 0, 3] = True
    expected = npu_flash_attention(*qkv, atten_mask=hidden)[0]
    for number in (float("-inf"), torch.finfo(torch.float32).min, -1e30):
        got = npu_flash_attention(*qkv, atten_mask=torch.zeros(2, 1, 33, 57).masked_fill(hidden, number))[0]
        rows = torch.ones(33, dtype=torch.bool)
        rows[3] = number != -1e30  # which is a score like others where every key has it
        check(got[0][:, rows], expected[0][:, rows])
        check(got[1], expected[1])


@pytest.mark.parametrize("shape", [(1, 4, 33, 57), (33, 57), (1, 57), (33, 1)])
def test_float_mask_and_pse(rng, qkv, shape):
    mask, pse = draw(rng, 2, 1, 1, 57), draw(rng, *shape)
    got = npu_flash_attention(*qkv, atten_mask=mask, pse=pse, pse_type=0, scale=SCALE)[0]
    expected = attention(*qkv, scale=SCALE, shift=TensorShift(mask + pse, before_scale=False))
    check(got, expected.out)


@pytest.mark.parametrize("entry", [npu_flash_attention, scaled_dot_product_attention])
def test_gradient_of_a_float_mask(rng, qkv, entry):
    mask = draw(rng, 1, 4, 33, 57).requires_grad_()
    leaves = [x.requires_grad_() for x in qkv]
    name = "attn_mask" if entry is scaled_dot_product_attention else "atten_mask"
    options = {"enable_gqa": True} if entry is scaled_dot_product_attention else {}
    out = entry(*leaves, **{name: mask}, **options)
    out = out if isinstance(out, torch.Tensor) else out[0]
    dy = draw(rng, *out.shape)
    with sdpa_kernel(SDPBackend.MATH):
        expected = torch_attention(*(x.double() for x in leaves), attn_mask=mask.double(), enable_gqa=True)
    want = torch.autograd.grad(expected, [*leaves, mask], dy.double())
    for a, b in zip(torch.autograd.grad(out, [*leaves, mask], dy), want, strict=True):
        check(a, b, rtol=1e-4, atol=6e-5)


@pytest.mark.parametrize("options", [{}, {"sparse_mode": 3}])
def test_sink(rng, options):
    tensors = draw(rng, 2, 4, 61, 16), draw(rng, 2, 2, 57, 16), draw(rng, 2, 2, 57, 16)
    sink = draw(rng, 4).requires_grad_()
    leaves = [x.clone().requires_grad_() for x in tensors]
    out = npu_flash_attention(*leaves, sink=sink, scale=SCALE, **options)[0]
    expected = attention(*tensors, sink=sink.detach(), scale=SCALE, **options)
    check(out, expected.out)
    dy = draw(rng, *out.shape)
    want = attention_grad(*tensors, dy, sink=sink.detach(), scale=SCALE, **options)
    got = torch.autograd.grad(out, [*leaves, sink], dy)
    for a, b in zip(got, (want.dq, want.dk, want.dv, want.dsink), strict=True):
        check(a, b, rtol=1e-4, atol=1e-4)


def test_only_a_sink_or_pse_requires_grad(rng, qkv):
    sink, pse = draw(rng, 4).requires_grad_(), draw(rng, 1, 4, 33, 57).requires_grad_()
    out = npu_flash_attention(*qkv, sink=sink, pse=pse)[0]
    gradients = torch.autograd.grad(out.square().sum(), (sink, pse), create_graph=True)
    assert all(x.any() for x in gradients)
    for gradient in gradients:
        with pytest.raises(NotImplementedError, match="differentiating twice"):
            torch.autograd.grad(gradient.sum(), (sink, pse), retain_graph=True)


@pytest.mark.parametrize("mode", [5, 6])
def test_prefix(rng, qkv, mode):
    prefix = (30, 57)
    mask = torch.rand((2, 1, 33, 57), generator=rng) < 0.2 if mode == 5 else None
    problem = {"sparse_mode": mode, "prefix": prefix, "mask": mask}
    check_both_passes(rng, qkv, problem, sparse_mode=mode, prefix=torch.tensor(prefix), atten_mask=mask)


def test_rotary_parts(rng):
    """Packed sequences whose query and key have further channels: attention of both together, in bfloat16."""
    lengths, ends = (20, 33), [20, 53]
    tensors = [draw(rng, 53, n, d).bfloat16() for n, d in ((4, 16), (2, 16), (2, 16), (4, 8), (2, 8))]
    q, k, v, q_rope, k_rope = (x.requires_grad_() for x in tensors)
    lists = {"actual_seq_qlen": ends, "actual_seq_kvlen": ends}
    mask = torch.ones(2048, 2048, dtype=torch.bool).triu(1)
    out = npu_flash_attention(q, k, v, input_layout="TND", query_rope=q_rope, key_rope=k_rope, sparse_mode=3,
                              atten_mask=mask, **lists)[0]  # fmt: skip
    dy = draw(rng, *out.shape).bfloat16()
    leaves = (q, k, v, q_rope, k_rope)
    got = torch.autograd.grad(out, leaves, dy)
    doubles = [x.detach().double().requires_grad_() for x in leaves]
    whole_q, whole_k = torch.cat([doubles[0], doubles[3]], -1), torch.cat([doubles[1], doubles[4]], -1)
    parts = [
        torch_attention(*(x.transpose(0, 1) for x in part), is_causal=True, enable_gqa=True).transpose(0, 1)
        for part in zip(*(x.split(lengths) for x in (whole_q, whole_k, doubles[2])), strict=True)
    ]
    expected = torch.cat(parts)
    check(out, expected, rtol=3e-2, atol=3e-2)
    for a, b in zip(got, torch.autograd.grad(expected, doubles, dy.double()), strict=True):
        check(a, b, rtol=6e-2, atol=6e-2)


def test_gradients_as_functions(rng, qkv):
    pse, sink, dy = draw(rng, 2, 4, 33, 57), draw(rng, 4), draw(rng, 2, 4, 33, 16)
    leaves = [x.clone().requires_grad_() for x in (*qkv, pse, sink)]
    q, k, v, *optional = leaves
    out, row_max, row_sum, *_ = npu_fusion_attention(q, k, v, 4, "BNSD", optional[0], scale=SCALE, sink=optional[1])
    expected = torch.autograd.grad(out, leaves, dy)
    options = {"pse": pse, "sink": sink, "scale_value": SCALE, "softmax_max": row_max, "softmax_sum": row_sum}
    got = npu_fusion_attention_grad(*qkv, dy, 4, "BNSD", attention_in=out.detach(), **options)
    assert all(same_bits(a, b) for a, b in zip(got, expected, strict=True))
    got = npu_fusion_attention_grad_v2(*qkv, dy, 4, "BNSD", attention_in=out.detach(), **options)
    assert got[4] is None and got[5] is None
    assert all(same_bits(a, b) for a, b in zip((*got[:4], got[6]), expected, strict=True))


def test_opcheck(rng, qkv):
    samples = [
        {"pse": draw(rng, 1, 4, 33, 57), "pse_type": 0},
        {"sink": draw(rng, 4), "sparse_mode": 3},
        {"sparse_mode": 6, "prefix": [30, 57]},
    ]
    for options in samples:
        tensors = [x.requires_grad_() for x in qkv]
        options = {name: x.requires_grad_() if isinstance(x, torch.Tensor) else x for name, x in options.items()}
        torch.library.opcheck(SCORE, (*tensors, 4, "BNSD"), options)
        detached = {name: x.detach() if isinstance(x, torch.Tensor) else x for name, x in options.items()}
        forward = [x.detach() for x in SCORE(*tensors, 4, "BNSD", **options)]
        plain = [x.detach() for x in tensors]
        arguments = (*plain, torch.ones_like(forward[0]), *forward, 4, "BNSD")
        torch.library.opcheck(SCORE_GRAD, arguments, {**detached, "pse_grad": "pse" in options})


@pytest.mark.parametrize("dynamic", [False, True])
def test_compile_fullgraph(rng, dynamic):
    def loss(q, k, v, mask, sink):
        return npu_flash_attention(q, k, v, atten_mask=mask, sink=sink, sparse_mode=3)[0].square().sum()

    compiled = torch.compile(loss, fullgraph=True, dynamic=dynamic, backend="aot_eager")
    for length in (12, 17, 40):
        leaves = [draw(rng, 2, 3, s, 16).requires_grad_() for s in (length, length + 4, length + 4)]
        leaves += [draw(rng, 1, 3, length, length + 4).requires_grad_(), draw(rng, 3).requires_grad_()]
        got, expected = (torch.autograd.grad(f(*leaves), leaves) for f in (compiled, loss))
        for a, b in zip(got, expected, strict=True):
            check(a, b, rtol=1e-5)


REFUSED = {
    "mask dtype": (dict(atten_mask=torch.zeros(33, 57).double()), "float32, got torch.float64"),
    "mask of another 16 bits": (dict(atten_mask=torch.zeros(33, 57).half()), "torch.float32, got torch.float16"),
    "mask per batch": (dict(atten_mask=torch.zeros(2, 57)), r"got \[2, 57\]; pass a mask per batch as \[B, 1, 1, S2\]"),
    "mask rank": (dict(atten_mask=torch.zeros(2, 33, 57)), r"must have 2 or 4 dimensions, got \[2, 33, 57\]"),
    "mask shape": (dict(atten_mask=torch.zeros(2, 3, 33, 57)), r"must be \[2, 4, 33, 57\] \(a dimension"),
    "mask and pse before scaling": (
        dict(atten_mask=torch.zeros(33, 57), pse=torch.zeros(2, 4, 33, 57)), "cannot be combined with pse_type 1"
    ),
    "mask and slopes": (
        dict(atten_mask=torch.zeros(33, 57), pse=torch.zeros(4), pse_type=2), "cannot be combined with pse_type 2"
    ),
    "mask and a table": (
        dict(atten_mask=torch.zeros(33, 57), pse=torch.zeros(1, 4, 1024, 57), pse_type=0),
        r"pse must be \[2, 4, 33, 57\] \(a dimension may be 1\), got \[1, 4, 1024, 57\]",
    ),
    "pse_type without pse": (dict(pse_type=2), "pse_type"),
    "pse_type": (dict(pse=torch.zeros(2, 4, 33, 57), pse_type=4), "pse_type must be 0, 1, 2 or 3, got 4"),
    "pse shape": (dict(pse=torch.zeros(2, 4, 33, 56)), "real_shift"),
    "pse dtype": (dict(pse=torch.zeros(2, 4, 33, 57).half()), "pse must be Float for pse_type 1, got Half"),
    "start of a pse": (dict(q_start_idx=[1], kv_start_idx=[0], pse=torch.zeros(2, 4, 33, 57)), "belong to pse_type 2"),
    "two starts": (
        dict(q_start_idx=[1, 2], kv_start_idx=[0], pse=torch.zeros(4), pse_type=2), "one element each, got 2 and 1"
    ),
    "sink length": (dict(sink=torch.zeros(5)), "sink"),
    "sink dtype": (dict(sink=torch.zeros(4).half()), "sink must be Float, got Half"),
    "sink of doubles": (dict(sink=torch.zeros(4).double()), "sink must be Float, got Double"),
    "prefix without its mode": (dict(prefix=[3, 4]), "prefix"),
    "mode without prefix": (dict(sparse_mode=6), "prefix"),
    "prefix length": (dict(sparse_mode=6, prefix=[30]), "prefix"),
    "prefix too short": (dict(sparse_mode=6, prefix=[30, 3]), "prefix"),
    "rotary part of a dense call": (
        dict(query_rope=torch.zeros(2, 4, 33, 8), key_rope=torch.zeros(2, 2, 57, 8)), "query_rope"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_name(qkv, name):
    options, text = REFUSED[name]
    with pytest.raises(ValueError, match=text):
        npu_flash_attention(*qkv, **options)


def test_vendor_entry_without_mask_ignores_prefix_and_says_so(qkv, monkeypatch):
    from ascend_flash_attention import _vendor_rules

    monkeypatch.setattr(_vendor_rules, "_warned_dense", False)
    with pytest.warns(UserWarning, match="without atten_mask ignores sparse_mode 6, windows and prefix"):
        got = npu_fusion_attention(*qkv, 4, "BNSD", sparse_mode=6, prefix=[1, 2])[0]
    assert same_bits(got, npu_fusion_attention(*qkv, 4, "BNSD")[0])
