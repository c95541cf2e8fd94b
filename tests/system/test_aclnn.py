# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The official aclnn names: results of both phases, error codes and texts, the dense rule without a mask."""

import subprocess
import sys

import pytest
import torch

from tests.reference.attention import AttentionResult, attention, from_layout, to_layout
from tests.reference.plain import plain_attention
from tests.reference.tolerance import assert_attention
from tests.system.aclnn_call import INVALID, NULL_POINTER, TILING, AclnnError, call, plan, run
from tests.system.aclnn_entries import ENTRIES, FORWARD, GRADIENT, LISTS, PREFIX, VAR_LEN
from tests.system.forward_call import same_bits

B, N1, N2, S1, S2, D = 2, 4, 2, 37, 53, 24
SCORE = tuple(name for name in FORWARD if name not in VAR_LEN)
SCORE_GRAD = tuple(name for name in GRADIENT if name not in VAR_LEN)
COMPRESSED = torch.zeros(2048, 2048, dtype=torch.uint8)  # contents are not needed


def inputs(rng, dtype=torch.float32, d=D, dv=D):
    """query, key, value [B,N,S,D]."""
    shapes = (B, N1, S1, d), (B, N2, S2, d), (B, N2, S2, dv)
    return tuple(torch.randn(shape, generator=rng).to(dtype) for shape in shapes)


def forward_arguments(query, key, value, layout="BNSD", **changes):
    """Arguments of a valid forward call; outputs are poisoned."""
    dv = value.shape[-1]
    return {
        "query": to_layout(query, layout),
        "key": to_layout(key, layout),
        "value": to_layout(value, layout),
        "scaleValue": query.shape[-1] ** -0.5,
        "headNum": query.shape[1],
        "inputLayout": layout,
        "softmaxMaxOut": torch.empty(*query.shape[:3], 8),
        "softmaxSumOut": torch.empty(*query.shape[:3], 8),
        "attentionOutOut": to_layout(torch.empty(*query.shape[:3], dv, dtype=query.dtype), layout),
    } | changes


def gradient_arguments(query, key, value, layout="BNSD", **changes):
    """Arguments of a valid gradient call, saved tensors from the forward; outputs are poisoned."""
    forward = forward_arguments(query, key, value, layout, attenMaskOptional=changes.get("attenMaskOptional"))
    call("Score", forward)
    return {
        **{name: forward[name] for name in ("query", "value", "scaleValue", "headNum", "inputLayout")},
        "keyIn": forward["key"],
        "dy": torch.randn(forward["attentionOutOut"].shape).to(query.dtype),
        "softmaxMaxOptional": forward["softmaxMaxOut"],
        "softmaxSumOptional": forward["softmaxSumOut"],
        "attentionInOptional": forward["attentionOutOut"],
        **{name: to_layout(torch.empty_like(x), layout) for name, x in
           (("dqOut", query), ("dkOut", key), ("dvOut", value))},
    } | changes  # fmt: skip


def arguments_for(name, rng, **changes):
    """A call of `name` that only TND, if it is for that, makes impossible."""
    make = gradient_arguments if name in GRADIENT else forward_arguments
    if name not in VAR_LEN:
        return make(*inputs(rng), **changes)
    arguments = make(*inputs(rng))
    packed = {key: x[0].transpose(0, 1).contiguous() for key, x in arguments.items() if isinstance(x, torch.Tensor)}
    lists = {"actualSeqQLenOptional": [S1], "actualSeqKvLenOptional": [S2]}
    return arguments | packed | lists | {"inputLayout": "TND"} | changes


def refusal(name, arguments, **options):
    """(status, text) of a call that must be refused in its first phase."""
    with pytest.raises(AclnnError) as caught:
        plan(name, arguments, **options)
    return caught.value.status, str(caught.value)


def check_forward(name, tensors, arguments, layout="BNSD", mask=None, **sparse):
    problem = {"scale": tensors[0].shape[-1] ** -0.5, "mask": mask, **sparse}
    out = from_layout(arguments["attentionOutOut"], layout, N1)
    got = AttentionResult(out, arguments["softmaxMaxOut"], arguments["softmaxSumOut"], torch.zeros(()))
    assert_attention(got, attention(*tensors, **problem), plain_attention(*tensors, **problem))


@pytest.mark.parametrize("name", SCORE)
@pytest.mark.parametrize(
    ("layout", "dtype"),
    [
        ("BNSD", torch.float32),
        ("BSND", torch.float16),
        ("BSH", torch.bfloat16),
        ("SBH", torch.float32),
        ("BNSD", torch.bfloat16),
    ],
)
def test_forward(name, layout, dtype, rng):
    tensors = inputs(rng, dtype, dv=16)
    mask = torch.rand(B, 1, S1, S2, generator=rng) < 0.3
    arguments = forward_arguments(*tensors, layout, attenMaskOptional=mask)
    call(name, arguments)
    check_forward(name, tensors, arguments, layout, mask)


@pytest.mark.parametrize("mode", [2, 3, 4])
def test_sparse_modes_need_a_mask_tensor(mode, rng):
    tensors = inputs(rng)
    window = {"preTokens": 20, "nextTokens": 3}
    arguments = forward_arguments(*tensors, sparseMode=mode, attenMaskOptional=COMPRESSED, **window)
    call("ScoreV2", arguments)
    check_forward("ScoreV2", tensors, arguments, sparse_mode=mode, pre_tokens=20, next_tokens=3)


@pytest.mark.parametrize("name", SCORE)
def test_without_a_mask_everything_is_visible(name, rng):
    tensors = inputs(rng)
    dense = forward_arguments(*tensors)
    call(name, dense)
    check_forward(name, tensors, dense)
    for mode in (0, 2, 3, 4, 5, 6, 8, 99):
        arguments = forward_arguments(*tensors, sparseMode=mode, preTokens=5, nextTokens=-2, prefixOptional=[1, 2])
        call(name, arguments)
        assert same_bits(arguments["attentionOutOut"], dense["attentionOutOut"]), mode


def test_gradient_without_a_mask_is_dense(rng):
    tensors = inputs(rng)
    dense = gradient_arguments(*tensors)
    narrow = dense | {"dqOut": torch.empty_like(tensors[0]), "sparseMode": 3, "nextTokens": 0}
    call("ScoreGrad", dense)
    call("ScoreGrad", narrow)
    assert same_bits(narrow["dqOut"], dense["dqOut"])


WARNING_SCRIPT = """
import torch
from tests.system import test_aclnn
tensors = test_aclnn.inputs(torch.Generator().manual_seed(1))
for name in ("ScoreV3", "Score"):
    for mode, next_tokens in {calls}:
        changes = {{"sparseMode": mode, "preTokens": test_aclnn.S1 - 1, "nextTokens": next_tokens}}
        test_aclnn.plan(name, test_aclnn.forward_arguments(*tensors, **changes))
"""


@pytest.mark.parametrize(("calls", "warned"), [([(0, S2 - 1), (1, 0)], None), ([(0, S2 - 2), (3, S2)], 0)])
def test_one_warning(calls, warned):
    script = WARNING_SCRIPT.format(calls=calls)
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    lines = [line for line in result.stderr.splitlines() if "warning" in line]
    assert len(lines) == (warned is not None)
    if lines:
        assert "aclnnFlashAttentionScoreV3: warning: without attenMaskOptional every key is visible" in lines[0]
        assert f"sparseMode 0, preTokens {S1 - 1} and nextTokens {S2 - 2} have no effect" in lines[0]


def test_layout_in_any_case_and_views(rng):
    tensors = inputs(rng)
    view = to_layout(tensors[0], "BSND").transpose(1, 2)
    arguments = forward_arguments(*tensors) | {"inputLayout": "bnsd", "query": view}
    assert not view.is_contiguous()
    call("Score", arguments)
    check_forward("Score", tensors, arguments)


@pytest.mark.parametrize("given", [(0,), (B, N1, S1, D)])
def test_softmax_out_is_never_written(given, rng):
    tensors = inputs(rng)
    softmax_out = torch.full(given, 7.0)
    arguments = forward_arguments(*tensors, softmaxOutOut=softmax_out, prefixOptional=[])
    call("Score", arguments)
    check_forward("Score", tensors, arguments)
    assert (softmax_out == 7.0).all()


def gradient_reference(query, key, value, dy, mask):
    """Float64 gradients by autograd."""
    leaves = [x.double().requires_grad_() for x in (query, key, value)]
    q, k, v = leaves[0], *(x.repeat_interleave(N1 // N2, dim=1) for x in leaves[1:])
    scores = q @ k.transpose(2, 3) * query.shape[-1] ** -0.5
    weights = torch.softmax(scores.masked_fill(mask != 0, float("-inf")), dim=-1)
    return torch.autograd.grad(weights @ v, leaves, dy.double())


@pytest.mark.parametrize("name", SCORE_GRAD)
@pytest.mark.parametrize(
    ("layout", "dtype", "tolerance"),
    [("BNSD", torch.float32, 2e-6), ("BSH", torch.float32, 2e-6), ("BSND", torch.float16, 2e-3),
     ("SBH", torch.bfloat16, 1e-2)],
)  # fmt: skip
def test_gradient(name, layout, dtype, tolerance, rng):
    tensors = inputs(rng, dtype)
    mask = (torch.rand(B, N1, S1, S2, generator=rng) < 0.3).to(torch.uint8)
    arguments = gradient_arguments(*tensors, layout, attenMaskOptional=mask)
    call(name, arguments)
    expected = gradient_reference(*tensors, from_layout(arguments["dy"], layout, N1), mask)
    for output, heads, want in zip(("dqOut", "dkOut", "dvOut"), (N1, N2, N2), expected, strict=True):
        got = from_layout(arguments[output], layout, heads).double()
        torch.testing.assert_close(got, want, rtol=0, atol=tolerance * want.abs().max().item(), msg=output)


def bad_calls():
    f16 = torch.zeros(B, N2, S2, D, dtype=torch.float16)
    return {
        "key's dtype": ({"key": f16}, INVALID, "one data type, got ACL_FLOAT, ACL_FLOAT16 and ACL_FLOAT"),
        "integers": (dict.fromkeys(("query", "key", "value"), torch.zeros(B, N1, S1, D, dtype=torch.int8)), INVALID,
                     "query must be ACL_FLOAT, ACL_FLOAT16 or ACL_BF16, got ACL_INT8"),
        "out's dtype": ({"attentionOutOut": torch.zeros(B, N1, S1, D, dtype=torch.float16)}, INVALID, "attention_out"),
        "max's dtype": ({"softmaxMaxOut": torch.zeros(B, N1, S1, 8, dtype=torch.float16)}, INVALID, "softmax_max"),
        "integer mask": ({"attenMaskOptional": torch.zeros(S1, S2, dtype=torch.int32)}, INVALID,
                         "or a float type (added to the scaled scores), got ACL_INT32"),
        "half mask": ({"attenMaskOptional": torch.zeros(S1, S2).half()}, INVALID, "realShiftOptional must have"),
        "head_num 0": ({"headNum": 0}, INVALID, "headNum must be > 0, got 0"),
        "head_num -1": ({"headNum": -1}, INVALID, "headNum must be > 0, got -1"),
        "layout": ({"inputLayout": "NBSD"}, INVALID, 'inputLayout must be BSH, SBH, BSND or BNSD, got "NBSD"'),
        "TND": ({"inputLayout": "TND"}, INVALID, 'inputLayout must be BSH, SBH, BSND or BNSD, got "TND"'),
        "rank": ({"inputLayout": "BSH"}, INVALID, "3 dimensions for inputLayout BSH, got 4, 4 and 4"),
        "rank of value": ({"value": torch.zeros(N2, S2, D)}, INVALID, "inputLayout BNSD, got 4, 4 and 3"),
        "D of key": ({"key": torch.zeros(B, N2, S2, D + 1)}, INVALID, f"got {D}, {D + 1} and {D}"),
        "D of value": ({"value": torch.zeros(B, N2, S2, D + 1)}, INVALID, f"got {D}, {D} and {D + 1}"),
        "padding": ({"paddingMaskOptional": torch.zeros(B, S2)}, INVALID, "paddingMaskOptional is reserved"),
        # the operator's own
        "head_num": ({"headNum": 3}, TILING, "head_num"),
        "keep_prob": ({"keepProb": 0.9}, TILING, "keep_prob 0.9 needs drop_mask"),
        "sparse_mode 5": ({"sparseMode": 5, "attenMaskOptional": COMPRESSED}, TILING, "prefix must have one element"),
        "keep_prob 0": ({"keepProb": 0.0}, TILING, "keep_prob must be in (0, 1], got 0"),
        "mask's shape": ({"attenMaskOptional": torch.zeros(S1, S2 + 1, dtype=torch.bool)}, TILING, "atten_mask"),
        "sparse_mode 9": ({"sparseMode": 9, "attenMaskOptional": COMPRESSED}, TILING, "sparse_mode must be"),
        "batch": ({"key": torch.zeros(B + 1, N2, S2, D)}, TILING, "batch size"),
    }  # fmt: skip


@pytest.mark.parametrize("name", SCORE)
@pytest.mark.parametrize("what", bad_calls())
def test_refused(name, what, rng):
    changes, status, text = bad_calls()[what]
    got = refusal(name, forward_arguments(*inputs(rng)) | changes)
    assert got[0] == status, got[1]
    assert text in got[1]
    assert status == TILING or got[1].startswith((PREFIX + name + ": ", "FlashAttentionScore: "))


def test_head_dim_limit(rng):
    assert refusal("Score", forward_arguments(*inputs(rng, d=769)))[0] == INVALID
    plan("Score", forward_arguments(*inputs(rng, d=768)))


@pytest.mark.parametrize("name", SCORE_GRAD)
def test_gradient_refused(name, rng):
    arguments = gradient_arguments(*inputs(rng))
    half = torch.zeros(B, N2, S2, D, dtype=torch.float16)
    status, text = refusal(name, arguments | {"keyIn": half})
    assert (status, "query, keyIn and value must have one data type" in text) == (INVALID, True)
    assert refusal(name, arguments | {"headNum": 0})[0] == INVALID
    status, text = refusal(name, arguments | {"softmaxSumOptional": None})
    assert (status, "softmax_sum is required" in text) == (TILING, True)


@pytest.mark.parametrize("name", VAR_LEN)
def test_layouts_of_packed_sequences(name, rng):
    arguments = arguments_for(name, rng)
    for layout in ("BSH", "BSND", "NBSD"):
        status, text = refusal(name, arguments | {"inputLayout": layout})
        assert (status, f'inputLayout must be TND, got "{layout}"' in text) == (INVALID, True)
    for each in ("actualSeqQLenOptional", "actualSeqKvLenOptional"):
        status, text = refusal(name, arguments | {each: None})
        assert (status, "is required for input_layout TND" in text) == (TILING, True)


@pytest.mark.parametrize("name", ["VarLenScoreV5", "UnpaddingScoreGradV5"])
def test_largest_workspace(name, rng):
    arguments = arguments_for(name, rng, inputLayout="BSH")
    status, text = refusal(name, arguments, first_phase="GetMaxWorkspaceSize")
    assert (status, text) == (INVALID, f'{PREFIX}{name}: inputLayout must be TND, got "BSH"')


@pytest.mark.parametrize("name", ENTRIES)
def test_required_pointers(name, rng):
    arguments = arguments_for(name, rng)
    required = ["inputLayout", "workspaceSize", "executor"]
    required += [each for each, value in arguments.items() if isinstance(value, torch.Tensor)]
    for each in required:
        if each in ("softmaxMaxOptional", "softmaxSumOptional"):
            continue  # CANN leaves them to the operator
        answer = refusal(name, arguments | {each: None})
        assert answer == (NULL_POINTER, f"{PREFIX}{name}: {each} is required, got nullptr")


@pytest.mark.parametrize("name", [*SCORE, *SCORE_GRAD])
def test_tensors_without_elements_and_empty_lists_are_absent(name, rng):
    arguments = arguments_for(name, rng)
    optional = {"realShiftOptional", "pseShiftOptional", "dropMaskOptional", "paddingMaskOptional", "sinkOptional",
                "sinkInOptional"}  # fmt: skip
    for each in optional & set(ENTRIES[name]):
        plan(name, arguments | {each: torch.zeros(0)})
    for each in set(LISTS) & set(ENTRIES[name]):
        plan(name, arguments | {each: []})


@pytest.mark.parametrize("name", SCORE)
def test_nothing_to_do(name):
    query, key, value = torch.zeros(B, N1, 0, D), torch.zeros(B, N2, S2, D), torch.zeros(B, N2, S2, D)
    size, executor = plan(name, forward_arguments(query, key, value))
    assert size == 0
    run(name, size, executor)


@pytest.mark.parametrize("name", SCORE_GRAD)
def test_nothing_to_do_backward(name):
    query, key, value = torch.zeros(0, N1, S1, D), torch.zeros(0, N2, S2, D), torch.zeros(0, N2, S2, D)
    size, executor = plan(name, gradient_arguments(query, key, value))
    assert size == 0
    run(name, size, executor)
