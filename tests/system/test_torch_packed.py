# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Packed sequences (TND) as torch calls them: lists of every type, gradients, compile, refusals, and the call shapes of
vLLM-Ascend."""

import numpy as np
import pytest
import torch
from ascend_flash_attention import npu_flash_attention, npu_fusion_attention, npu_fusion_attention_grad

from tests.reference.attention import attention
from tests.reference.gradient import attention_grad
from tests.reference.packed import PackedShift, packed_attention, packed_gradient, row_state_from_memory
from tests.reference.shift import TensorShift
from tests.system.forward_call import same_bits

SCORE = torch.ops.ascend_flash_attention.flash_attention_score.default
Q_LENGTHS, K_LENGTHS = (0, 33, 1, 0, 17), (3, 57, 40, 0, 17)
Q_ENDS, K_ENDS = np.cumsum(Q_LENGTHS).tolist(), np.cumsum(K_LENGTHS).tolist()
PADDING = 4  # rows past the last end
SCALE = 0.25
MASK = torch.ones(2048, 2048, dtype=torch.bool).triu(1)


def draw(rng, *shape):
    return torch.randn(shape, generator=rng)


@pytest.fixture
def qkv(rng):
    return draw(rng, Q_ENDS[-1] + PADDING, 4, 16), draw(rng, K_ENDS[-1] + 2, 2, 16), draw(rng, K_ENDS[-1] + 2, 2, 12)


def bnsd(x):
    return x.transpose(0, 1)[None]


def expected_of(lists, tensors, **problem):
    return packed_attention(attention, lists, *map(bnsd, tensors), scale=SCALE, **problem)


def attend(tensors, lists=(Q_ENDS, K_ENDS), **options):
    ends = {"actual_seq_qlen": lists[0], "actual_seq_kvlen": lists[1]}
    return npu_flash_attention(*tensors, input_layout="TND", scale=SCALE, **ends, **options)


def check(got, expected, rtol=3e-5, atol=3e-5):
    torch.testing.assert_close(got.double(), expected.double(), rtol=rtol, atol=atol)


KINDS = {
    "list": list,
    "tuple": tuple,
    "int64 array": np.array,
    "int32 array": lambda ends: np.array(ends, dtype=np.int32),
    "int32 tensor": lambda ends: torch.tensor(ends, dtype=torch.int32),
    "int64 tensor": torch.tensor,
    "numpy integers": lambda ends: list(np.array(ends)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_lists_of_every_type(qkv, kind):
    got = attend(qkv, [KINDS[kind](ends) for ends in (Q_ENDS, K_ENDS)])
    assert same_bits(got[0], attend(qkv)[0])
    check(bnsd(got[0]), expected_of((Q_ENDS, K_ENDS), qkv).out)
    assert got[6] == 4 * sum(q * k for q, k in zip(Q_LENGTHS, K_LENGTHS, strict=True))


MODES = [
    {"sparse_mode": 1},
    {"sparse_mode": 0, "pre_tokens": 9, "next_tokens": 5},
    {"sparse_mode": 2},
    {"sparse_mode": 3},
    {"sparse_mode": 4, "pre_tokens": 6, "next_tokens": 0},
    {"sparse_mode": 6, "prefix": (3, 30, 39, 0, 5)},
    {"sparse_mode": 7, "next_tokens": 0},
    {"sparse_mode": 8, "next_tokens": 0},
]


@pytest.mark.parametrize("options", MODES, ids=str)
def test_sparse_modes(qkv, options):
    got = attend(qkv, **options)
    expected = expected_of((Q_ENDS, K_ENDS), qkv, **options)
    check(bnsd(got[0]), expected.out)
    for actual, want in zip(got[1:3], (expected.softmax_max, expected.softmax_sum), strict=True):
        check(row_state_from_memory(actual, Q_ENDS, False), want)


def test_statistics_token_by_token(qkv):
    got, plain = attend(qkv, sparse_mode=3, softmax_layout="TND"), attend(qkv, sparse_mode=3)
    assert same_bits(got[0], plain[0])
    for token_wise, default in zip(got[1:3], plain[1:3], strict=True):
        assert token_wise.shape == (Q_ENDS[-1] + PADDING, 4, 8)
        assert same_bits(bnsd(token_wise), row_state_from_memory(default, Q_ENDS, False))


def test_rows_past_the_last_sequence(qkv):
    out, row_max, row_sum = attend(qkv, softmax_layout="TND")[:3]
    largest = torch.finfo(torch.float32).max
    assert (out[-PADDING:] == 0).all() and (row_max[-PADDING:] == -largest).all()
    assert (row_sum[-PADDING:] == largest).all()


def test_each_sequence_is_a_call_of_its_own(qkv):
    """Without a mask a sequence sees all of its own keys and no others: the bits of it alone."""
    out = attend(qkv)[0]
    begin_q, begin_k = 0, 0
    for end_q, end_k in zip(Q_ENDS, K_ENDS, strict=True):
        if end_q > begin_q:
            parts = (
                bnsd(x[a:b]) for x, a, b in zip(qkv, (begin_q, *[begin_k] * 2), (end_q, *[end_k] * 2), strict=True)
            )
            alone = npu_flash_attention(*parts, scale=SCALE)[0]
            assert same_bits(bnsd(out[begin_q:end_q]), alone)
        begin_q, begin_k = end_q, end_k


@pytest.mark.parametrize("shape", ["largest", "tokens", "row"])
def test_mask_tensors(rng, qkv, shape):
    largest = (max(Q_LENGTHS), max(K_LENGTHS))
    sizes = {"largest": largest, "tokens": (Q_ENDS[-1], K_ENDS[-1]), "row": (1, largest[1])}[shape]
    hidden = torch.rand(sizes, generator=rng) < 0.4
    check(bnsd(attend(qkv, atten_mask=hidden)[0]), expected_of((Q_ENDS, K_ENDS), qkv, mask=hidden).out)


@pytest.mark.parametrize("sparse_mode", [0, 3])
@pytest.mark.parametrize(
    "shape", [(33, 57), (1, 57), (33, 1), (1, 4, 33, 57), (5, 1, 33, 57), (5, 4, 33, 57), (5, 1, 1, 57), (1, 4, 33, 1)]
)
def test_float_masks_of_the_longest_sequence(rng, qkv, shape, sparse_mode):
    """Added at the places inside a sequence; the gradient is 0 where no sequence reaches."""
    mask = draw(rng, *shape).requires_grad_()
    leaves = [x.requires_grad_() for x in qkv]
    out = attend(leaves, atten_mask=mask, sparse_mode=sparse_mode)[0]
    tensors = [bnsd(x.detach()) for x in leaves]
    values = mask.detach().view((1,) * (4 - mask.dim()) + shape)
    problem = {"scale": SCALE, "sparse_mode": sparse_mode, "shift": TensorShift(values, before_scale=False)}
    check(bnsd(out), packed_attention(attention, (Q_ENDS, K_ENDS), *tensors, **problem).out)
    dy = draw(rng, *out.shape)
    got = torch.autograd.grad(out, [*leaves, mask], dy)
    want = packed_gradient(attention_grad, (Q_ENDS, K_ENDS), *tensors, bnsd(dy), **problem)
    for actual, expected in zip(got[:3], (want.dq, want.dk, want.dv), strict=True):
        check(bnsd(actual), expected, rtol=1e-4)
    check(got[3].view(values.shape), want.dpse, rtol=1e-4, atol=6e-5)


def test_float_masks_are_not_taken_for_another_pse(rng):
    """[S1, 1] has the size of a packed row for each key, [1, 1, 1024, S2] the shape of a table of the last rows."""
    x = draw(rng, 4, 1, 16)
    plain, masked = (attend((x, x, x), ([4], [4]), **each)[0] for each in ({}, {"atten_mask": draw(rng, 4, 1)}))
    check(masked, plain.double())
    x = draw(rng, 1030, 1, 16)
    with pytest.raises(ValueError, match=r"atten_mask must be \[1, 1, 1030, 1030\] .*got \[1, 1, 1024, 1030\]"):
        attend((x, x, x), ([1030], [1030]), atten_mask=torch.zeros(1, 1, 1024, 1030), sparse_mode=2)


def test_gradients_of_many_heads(rng):
    """Max and sum of two tokens lie more than 65,535 blocks of 32 bytes apart."""
    shape, lists = (5, 65_540, 1), ([2, 5], [2, 5])
    leaves, dy = [draw(rng, *shape).requires_grad_() for _ in range(3)], draw(rng, *shape)
    got, expected = (
        torch.autograd.grad(attend(leaves, lists, softmax_layout=layout)[0], leaves, dy) for layout in ("TND", "")
    )
    assert all(same_bits(*pair) for pair in zip(got, expected, strict=True))


@pytest.mark.parametrize("options", [{}, {"sparse_mode": 3}, {"sparse_mode": 3, "softmax_layout": "TND"}], ids=str)
def test_gradients(rng, qkv, options):
    leaves = [x.requires_grad_() for x in qkv]
    out = attend(leaves, **options)[0]
    dy = draw(rng, *out.shape)
    got = torch.autograd.grad(out, leaves, dy)
    mode = options.get("sparse_mode", 0)
    tensors = (bnsd(x.detach()) for x in (*leaves, dy))
    expected = packed_gradient(attention_grad, (Q_ENDS, K_ENDS), *tensors, scale=SCALE, sparse_mode=mode)
    for actual, want in zip(got, (expected.dq, expected.dk, expected.dv), strict=True):
        check(bnsd(actual), want, rtol=1e-4)


@pytest.mark.parametrize("pse_type", [0, 1])
@pytest.mark.parametrize("full", [False, True])
def test_pse_of_sequences(rng, qkv, full, pse_type):
    """Sequence after sequence [N1, S1, S2] or [N1, 1, S2], without padding."""
    rows = Q_LENGTHS if full else [1] * len(Q_LENGTHS)
    pse = draw(rng, 4 * sum(q * k for q, k in zip(rows, K_LENGTHS, strict=True))).requires_grad_()
    problem = {"shift": PackedShift(pse.detach(), full, before_scale=pse_type == 1)}
    leaves = [x.requires_grad_() for x in qkv]
    out = attend(leaves, pse=pse, pse_type=pse_type)[0]
    tensors = [x.detach() for x in leaves]
    check(bnsd(out), expected_of((Q_ENDS, K_ENDS), tensors, **problem).out)
    dy = draw(rng, *out.shape)
    gradients = torch.autograd.grad(out, [pse, *leaves], dy)
    inputs = map(bnsd, (*tensors, dy))
    expected = packed_gradient(attention_grad, (Q_ENDS, K_ENDS), *inputs, scale=SCALE, **problem)
    check(gradients[0], expected.dpse, rtol=1e-4, atol=5e-5)
    for actual, want in zip(gradients[1:], (expected.dq, expected.dk, expected.dv), strict=True):
        check(bnsd(actual), want, rtol=1e-4, atol=5e-5)


@pytest.mark.parametrize("lists", [([], []), ([0], [0]), ([0, 0], [0, 5])])
def test_no_tokens(lists):
    q, k = torch.zeros(0, 2, 16), torch.zeros(lists[1][-1] if lists[1] else 0, 2, 16)
    out, row_max, row_sum = attend((q, k, k), lists)[:3]
    assert out.shape == (0, 2, 16) and row_max.shape == row_sum.shape == (0, 2, 8)


def test_opcheck(qkv):
    ends = {"actual_seq_qlen": Q_ENDS, "actual_seq_kvlen": K_ENDS}
    for options in ({}, {"sparse_mode": 3}, {"softmax_layout": "same_as_input"}):
        torch.library.opcheck(SCORE, (*qkv, 4, "TND"), {**ends, **options})


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compile_fullgraph(qkv, backend):
    def loss(q, k, v):
        return attend((q, k, v), sparse_mode=3)[0].square().sum()

    leaves = [x.requires_grad_() for x in qkv]
    compiled = torch.compile(loss, fullgraph=True, backend=backend)
    got, expected = (torch.autograd.grad(f(*leaves), leaves) for f in (compiled, loss))
    for a, b in zip(got, expected, strict=True):
        check(a, b, rtol=1e-5)


WINDOW = 7


def test_sliding_window_of_vllm_ascend(qkv):
    """sparse_mode 4 with the compressed mask, pre_tokens = window, next_tokens = 0: min(i, W) + 1 keys a row."""
    q, k, v = qkv[0][: Q_ENDS[-1]], qkv[1][: Q_ENDS[-1]], torch.ones(Q_ENDS[-1], 2, 16)
    options = {"actual_seq_qlen": Q_ENDS, "actual_seq_kvlen": Q_ENDS, "scale": 0.0, "softmax_layout": "TND"}
    results = npu_fusion_attention(q, k, v, 4, "TND", atten_mask=MASK, sparse_mode=4, pre_tockens=WINDOW,
                                   next_tockens=0, **options)  # fmt: skip
    seen = torch.cat([torch.arange(length).clamp(max=WINDOW) + 1.0 for length in Q_LENGTHS])
    assert torch.equal(results[2][:, 0, 0], seen) and (results[0] == 1).all()


def test_chunked_prefill_of_vllm_ascend(qkv):
    """Queries are the end of their sequence: sparse_mode 3 with the compressed mask."""
    results = npu_fusion_attention(*qkv, 4, "TND", atten_mask=MASK, sparse_mode=3, scale=SCALE,
                                   actual_seq_qlen=tuple(Q_ENDS), actual_seq_kvlen=tuple(K_ENDS))  # fmt: skip
    check(bnsd(results[0]), expected_of((Q_ENDS, K_ENDS), qkv, sparse_mode=3).out)


def test_gradient_as_a_function(rng, qkv):
    leaves = [x.requires_grad_() for x in qkv]
    ends = {"actual_seq_qlen": Q_ENDS, "actual_seq_kvlen": K_ENDS}
    out, row_max, row_sum, reserved, *_ = npu_fusion_attention(*leaves, 4, "TND", scale=SCALE, **ends)
    dy = draw(rng, *out.shape)
    expected = torch.autograd.grad(out, leaves, dy)
    got = npu_fusion_attention_grad(*(x.detach() for x in leaves), dy, 4, "TND", scale_value=SCALE,
                                    softmax_max=row_max, softmax_sum=row_sum, softmax_in=reserved,
                                    attention_in=out.detach(), **ends)  # fmt: skip
    assert all(same_bits(a, b) for a, b in zip(got[:3], expected, strict=True))


REFUSED = {
    "no list": (dict(actual_seq_qlen=None), ValueError, "actual_seq_qlen is required for input_layout TND"),
    "leading 0": (dict(actual_seq_kvlen=[0, 3, 5]), ValueError, r"without a leading 0, got \[2, 5\] and \[0, 3, 5\]"),
    "lengths": (dict(actual_seq_qlen=[2, 3], actual_seq_kvlen=[1, 4]), ValueError, r"look like lengths of sequences"),
    "decreasing": (dict(actual_seq_qlen=[3, 2]), ValueError, r"actual_seq_qlen must be cumulative.*got \[3, 2\]"),
    "too long": (dict(actual_seq_kvlen=[3, 6]), ValueError, r"must end at key's 5 tokens or before, got \[3, 6\]"),
    "negative": (dict(actual_seq_qlen=[-1, 5]), ValueError, r"must be cumulative.*got \[-1, 5\]"),
    "float list": (dict(actual_seq_qlen=[2.0, 5.0]), TypeError, r"actual_seq_qlen\[0\] must be an integer, got 2.0"),
    "float tensor": (
        dict(actual_seq_qlen=torch.ones(2)),
        ValueError,
        "1-D tensor of int32 or int64, got torch.float32",
    ),
    "2-D tensor": (dict(actual_seq_qlen=torch.ones(1, 2).int()), ValueError, r"got torch.int32 of shape \[1, 2\]"),
    "float array": (dict(actual_seq_qlen=np.ones(2)), ValueError, "1-D array of integers, got float64"),
    "number": (dict(actual_seq_qlen=5), TypeError, "actual_seq_qlen must be a list, tuple, array or tensor"),
    "float mask of tokens": (dict(atten_mask=torch.zeros(5, 5)), ValueError, r"must be \[3, 3\] .*got \[5, 5\]"),
    "float mask and pse": (
        dict(atten_mask=torch.zeros(3, 3), pse=torch.zeros(26), pse_type=0),
        ValueError,
        "cannot be combined with a pse",
    ),
    "float mask and slopes": (
        dict(atten_mask=torch.zeros(3, 3), pse_type=2),
        ValueError,
        "cannot be combined with pse_type 2",
    ),
    "dtype of a float mask": (dict(atten_mask=torch.zeros(3, 3).double()), ValueError, "float32, got torch.float64"),
    "softmax_layout": (dict(softmax_layout="BNS"), ValueError, "softmax_layout must be empty or TND, got 'BNS'"),
    "mode 5": (dict(sparse_mode=5), ValueError, "sparse_mode"),
    "mode 9": (dict(sparse_mode=9), ValueError, "sparse_mode"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_name(name):
    changes, error, text = REFUSED[name]
    options = {"actual_seq_qlen": [2, 5], "actual_seq_kvlen": [3, 5], **changes}
    with pytest.raises(error, match=text):
        npu_flash_attention(*(torch.zeros(5, 2, 16) for _ in range(3)), input_layout="TND", **options)


def test_lists_and_statistics_layouts_of_dense_calls_are_refused():
    q = torch.zeros(1, 2, 5, 16)
    with pytest.raises(ValueError, match="actual_seq_qlen"):
        npu_flash_attention(q, q, q, actual_seq_qlen=[5], actual_seq_kvlen=[5])
    with pytest.raises(ValueError, match="softmax_layout TND belongs to input_layout TND, got BNSD"):
        npu_flash_attention(q, q, q, softmax_layout="TND")


def test_trailing_zeros_are_sequences_that_are_left_out(qkv):
    got = attend(qkv, ([*Q_ENDS, 0, 0], [*K_ENDS, 0, 0]))
    assert same_bits(got[0], attend(qkv)[0])
