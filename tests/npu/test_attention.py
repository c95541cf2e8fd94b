# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Attention on npu tensors through the unmodified torch_npu: the bits of the CPU path, in both directions."""

import ascend_flash_attention
import pytest
import torch
import torch.nn.functional as F
import torch_npu

from tests.cases.inputs import make_inputs
from tests.cases.loader import load
from tests.npu.same_bits import check_same_bits
from tests.reference.attention import to_layout
from tests.reference.dropout import pack_bits
from tests.system.contract_call import mask_argument
from tests.system.forward_call import same_bits

DTYPES = [torch.float32, torch.float16, torch.bfloat16]
CPU = ascend_flash_attention


def table_cases(config):
    tags = set(config.getoption("--case-tags").split(","))
    return [case for case in load() if tags & set(case.tags)]


def needs_first_version(case):
    """Version 2 has no argument for sinks and bits, and does not hand softmax_layout on."""
    return case.sink or case.keep_prob < 1 or case.like_input


def is_vendors(case):
    """Whether one version of npu_fusion_attention has everything that the case asks for."""
    first = needs_first_version(case)
    second = case.rope > 0 or (case.pse is not None and case.pse.type != 1)
    return bool(case.features) and not (first and second) and not (case.is_packed and not case.sequences)


def pytest_generate_tests(metafunc):
    for name, wanted in (("case", lambda case: not case.features), ("feature_case", is_vendors)):
        if name in metafunc.fixturenames:
            cases = [case for case in table_cases(metafunc.config) if wanted(case)]
            metafunc.parametrize(name, cases, ids=[case.name for case in cases])


def draw(rng, dtype, *shapes):
    return [torch.randn(shape, generator=rng).to(dtype) for shape in shapes]


def causal_mask():
    return torch.ones(2048, 2048, dtype=torch.bool).triu(1)


def test_case_of_the_table(case, seed):
    inputs = make_inputs(case, seed)
    tensors = inputs.in_layout(case.layout)
    ours = dict(head_num=case.n1, input_layout=case.layout, scale=case.scale, atten_mask=inputs.mask, **case.sparse)
    check_same_bits(torch_npu.npu_flash_attention, CPU.npu_flash_attention, tensors, **ours)
    window = dict(pre_tockens=case.pre_tokens, next_tockens=case.next_tokens, sparse_mode=case.sparse_mode)
    vendors = dict(scale=case.scale, atten_mask=inputs.mask, **window)
    check_same_bits(torch_npu.npu_fusion_attention, CPU.npu_fusion_attention, tensors, case.n1, case.layout, **vendors)


def test_feature_of_the_table(feature_case, seed):
    """Packed sequences, shifts, prefixes, dropout, sinks and rotary parts as torch_npu hands them on."""
    case, inputs = feature_case, make_inputs(feature_case, seed)
    options = {"scale": case.scale, "sparse_mode": case.sparse_mode, "atten_mask": mask_argument(case, inputs)}
    options |= {"pse": inputs.pse, "prefix": inputs.prefix}
    if case.is_packed:
        options |= dict(zip(("actual_seq_qlen", "actual_seq_kvlen"), map(list, case.ends), strict=True))
        options["softmax_layout"] = "TND" if case.like_input else ""
    if needs_first_version(case):
        mask = pack_bits(inputs.keep) if inputs.drop_mask is None and inputs.keep is not None else inputs.drop_mask
        options |= {"pre_tockens": case.pre_tokens, "next_tockens": case.next_tokens, "sink": inputs.sink}
        options |= {"keep_prob": case.keep_prob, "dropout_mask": mask}
        functions = torch_npu.npu_fusion_attention, CPU.npu_fusion_attention
    else:
        options |= {"pre_tokens": case.pre_tokens, "next_tokens": case.next_tokens}
        if case.pse is not None:
            starts = [[start] for start in case.pse.start]
            options |= {"pse_type": case.pse.type, "q_start_idx": starts[0], "kv_start_idx": starts[1]}
        if case.rope:
            ropes = inputs.query_rope, inputs.key_rope
            options |= dict(zip(("query_rope", "key_rope"), (to_layout(x, "TND") for x in ropes), strict=True))
        functions = torch_npu.npu_fusion_attention_v2, CPU.npu_fusion_attention_v2
    check_same_bits(*functions, inputs.in_layout(case.layout), case.n1, case.layout, **options)


@pytest.mark.parametrize("dtype", DTYPES)
def test_snippet_of_the_readme(rng, dtype):
    embed_dim, num_heads = 96, 3
    q, k, v = draw(rng, dtype, *[(2, 37, embed_dim)] * 3)
    results = check_same_bits(
        torch_npu.npu_flash_attention, CPU.npu_flash_attention, (q, k, v),
        scale=(embed_dim // num_heads) ** -0.5, keep_prob=1.0,
    )  # fmt: skip
    assert results[3].shape == (0,) and results[4:] == (0, 0, 2 * 3 * 37 * 37)


@pytest.mark.parametrize("mode", [0, 2, 3])
def test_strided_views_and_masks(rng, mode):
    q, k, v = (x.transpose(1, 2) for x in draw(rng, torch.float32, (2, 65, 4, 24), (2, 131, 2, 24), (2, 131, 2, 16)))
    mask = (torch.rand(2, 1, 1, 131, generator=rng) < 0.4).expand(2, 4, 65, 131) if mode == 0 else None
    check_same_bits(
        torch_npu.npu_flash_attention, CPU.npu_flash_attention, (q, k, v), sparse_mode=mode, atten_mask=mask
    )


@pytest.mark.parametrize("mode", [2, 3])
def test_compressed_mask_as_torch_npu_users_pass_it(rng, mode):
    q, k, v = draw(rng, torch.bfloat16, (1, 50, 3, 40), (1, 77, 3, 40), (1, 77, 3, 40))
    options = dict(scale=40**-0.5, atten_mask=causal_mask(), sparse_mode=mode)
    check_same_bits(torch_npu.npu_fusion_attention, CPU.npu_fusion_attention, (q, k, v), 3, "BSND", **options)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", ["dense", "causal", "mask"])
def test_scaled_dot_product_attention(rng, dtype, kind):
    q, k, v = draw(rng, dtype, (2, 4, 33, 40), (2, 4, 33, 40), (2, 4, 33, 40))
    visible = torch.rand(33, 33, generator=rng) < 0.6 if kind == "mask" else None
    out = F.scaled_dot_product_attention(
        q.npu(), k.npu(), v.npu(), attn_mask=None if visible is None else visible.npu(), is_causal=kind == "causal"
    )
    mode = {"dense": 1, "causal": 2, "mask": 0}[kind]
    hidden = None if visible is None else ~visible
    expected = CPU.npu_flash_attention(q, k, v, sparse_mode=mode, atten_mask=hidden)[0]
    assert same_bits(out.cpu(), expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("path", ["flash", "fusion", "fusion_v2", "sdpa"])
def test_gradients(rng, dtype, path):
    shapes = (2, 4, 37, 40), (2, 4, 37, 40), (2, 4, 37, 24 if path == "flash" else 40)
    leaves = [x.requires_grad_() for x in draw(rng, dtype, *shapes)]
    (dy,) = draw(rng, dtype, shapes[2])
    CPU.npu_flash_attention(*leaves, sparse_mode=2)[0].backward(dy)
    npu_leaves = [x.detach().npu().requires_grad_() for x in leaves]
    if path == "flash":
        out = torch_npu.npu_flash_attention(*npu_leaves, sparse_mode=2)[0]
    elif path == "sdpa":
        out = F.scaled_dot_product_attention(*npu_leaves, is_causal=True)
    else:
        function = getattr(torch_npu, f"npu_{path.replace('fusion', 'fusion_attention')}")
        options = dict(scale=40**-0.5, atten_mask=causal_mask().npu(), sparse_mode=2)
        out = function(*npu_leaves, 4, "BNSD", **options)[0]
    out.backward(dy.npu())
    for name, leaf, npu_leaf in zip("qkv", leaves, npu_leaves, strict=True):
        assert same_bits(npu_leaf.grad.cpu(), leaf.grad), name


def test_on_another_stream_between_events(rng, npu):
    q, k, v = draw(rng, torch.float32, *[(1, 2, 300, 64)] * 3)
    start, end = torch.npu.Event(enable_timing=True), torch.npu.Event(enable_timing=True)
    stream = torch.npu.Stream()
    with torch.npu.stream(stream):
        start.record()
        out = torch_npu.npu_flash_attention(q.npu(), k.npu(), v.npu())[0]
        end.record()
    torch.npu.current_stream().wait_stream(stream)
    end.synchronize()
    assert 0 < start.elapsed_time(end) < 60_000
    assert same_bits(out.cpu(), CPU.npu_flash_attention(q, k, v)[0])


def test_autocast_and_grad_scaler(rng, npu):
    projection = torch.nn.Linear(32, 32).npu()
    optimizer = torch.optim.SGD(projection.parameters(), lr=0.1)
    scaler = torch.npu.amp.GradScaler(init_scale=8.0)
    (x,) = draw(rng, torch.float32, (2, 2, 19, 32))
    before = projection.weight.detach().cpu().clone()
    with torch.npu.amp.autocast(dtype=torch.float16):
        q = projection(x.npu())
        out = torch_npu.npu_fusion_attention(q, q, q, 2, "BNSD", scale=32**-0.5)[0]
    assert q.dtype == out.dtype == torch.float16
    scaler.scale(out.float().square().mean()).backward()
    scaler.step(optimizer)
    scaler.update()
    assert scaler.get_scale() == 8.0 and not projection.weight.cpu().equal(before)


@pytest.mark.parametrize("mask", [False, True])
def test_autocast_of_torchs_attention(rng, npu, mask):
    q, k, v = draw(rng, torch.float32, (1, 2, 9, 16), (1, 2, 13, 16), (1, 2, 13, 16))
    bias = draw(rng, torch.float32, (9, 13))[0] if mask else None
    with torch.autocast("cpu", dtype=torch.float16):
        expected = CPU.scaled_dot_product_attention(q, k, v, bias)
    leaves = [x.npu().requires_grad_() for x in (q, k, v)]
    with torch.autocast("npu", dtype=torch.float16):
        out = CPU.scaled_dot_product_attention(*leaves, None if bias is None else bias.npu())
        plain = torch.nn.functional.scaled_dot_product_attention(*leaves)
    assert out.dtype == plain.dtype == torch.float16 and same_bits(out.cpu(), expected)
    assert mask or same_bits(out.cpu(), plain.cpu())
    out.float().sum().backward()
    assert all(x.grad.dtype == torch.float32 for x in leaves)


@pytest.mark.parametrize("ends", [[2**40], [-(2**40), 9]])
def test_dropout_bits_are_not_made_for_a_refused_call(rng, npu, ends):
    q = draw(rng, torch.float32, (9, 2, 16))[0].npu()
    with pytest.raises(ValueError, match=f"actual_seq_qlen.* {ends[0]}"):
        torch.ops.ascend_flash_attention.flash_attention_score(
            q, q, q, 2, "TND", actual_seq_qlen=ends, actual_seq_kvlen=[0, 9][-len(ends) :], keep_prob=0.5,
            rng_state=torch.tensor([1, 0]),
        )  # fmt: skip


def test_refused_calls_say_why(rng):
    q = draw(rng, torch.float32, (1, 2, 8, 16))[0].npu()
    with pytest.raises(ValueError, match=r"head_num must equal query's dimension 1 .* got head_num 3"):
        torch_npu.npu_flash_attention(q, q, q, head_num=3)
    with pytest.raises(ValueError, match="atten_mask must be on the NPU, got cpu"):
        torch_npu.npu_flash_attention(q, q, q, atten_mask=torch.zeros(8, 8, dtype=torch.bool))
    with pytest.raises(ValueError, match="key must be on the CPU, got npu:0|query must be on the NPU, got cpu"):
        torch_npu.npu_flash_attention(q.cpu(), q, q)
    with pytest.raises(RuntimeError, match=r"aclnnFlashAttentionScore failed(.|\n)*head_num must equal"):
        torch_npu.npu_fusion_attention(q, q, q, 3, "BNSD")
    out = torch_npu.npu_flash_attention(q, q, q)[0]
    assert out.isfinite().all(), "a refused call leaves nothing behind"


def test_meta_tensors(rng):
    q = torch.empty(2, 4, 8, 16, device="meta")
    assert torch_npu.npu_flash_attention(q, q, q)[0].shape == q.shape
