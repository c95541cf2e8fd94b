# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Every optional input of the official aclnn entries, forward and gradient, against the float64 reference."""

import pytest
import torch

from tests.reference.dropout import pack_bits
from tests.reference.packed import PackedShift
from tests.reference.shift import SlopeShift, TensorShift
from tests.system.aclnn_entries import ENTRIES, FORWARD, GRADIENT, VAR_LEN
from tests.system.aclnn_features import COMPRESSED, PREFIX_COMPRESSED, FeatureCall

B, N1, N2, S1, S2, D = 2, 4, 2, 37, 53, 24
LENGTHS = ((5, 20), (0, 7), (31, 31), (9, 0), (1, 70))
VAR_LEN_FORWARD = [name for name in FORWARD if name in VAR_LEN]
VAR_LEN_GRADIENT = [name for name in GRADIENT if name in VAR_LEN]


def tensors(rng, dtype=torch.float32, s1=S1, s2=S2, dv=D, b=B):
    """query, key, value as BNSD."""
    shapes = (b, N1, s1, D), (b, N2, s2, D), (b, N2, s2, dv)
    return tuple(torch.randn(shape, generator=rng).to(dtype) for shape in shapes)


def dense(rng, dtype=torch.float32, layout="BNSD", s1=S1, s2=S2, given=None, **problem):
    return FeatureCall(tensors(rng, dtype, s1, s2), layout, None, given or {}, problem)


def packed(rng, dtype=torch.float32, lengths=LENGTHS, extra=0, given=None, **problem):
    sums = [sum(pair[side] for pair in lengths) for side in (0, 1)]
    return FeatureCall(tensors(rng, dtype, sums[0] + extra, sums[1], b=1), "TND", lengths, given or {}, problem)


def random(rng, *shape, dtype=torch.float32):
    return torch.randn(shape, generator=rng).to(dtype)


@pytest.mark.parametrize("name", VAR_LEN_FORWARD)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_packed_sequences(name, dtype, rng):
    given = {"softmaxOutLayout": "same_as_input"} if "softmaxOutLayout" in ENTRIES[name] else {}
    packed(rng, dtype, extra=3, given=given).forward(name)
    given |= {"sparseMode": 3, "attenMaskOptional": COMPRESSED}
    packed(rng, dtype, given=given, sparse_mode=3).forward(name)


@pytest.mark.parametrize(("mode", "lengths", "tokens"), [
    (7, ((20, 33), (0, 4), (31, 40)), {"preTokens": 100, "nextTokens": -5}),
    (8, ((20, 33), (0, 4), (31, 40)), {"preTokens": 100, "nextTokens": -5}),
])  # fmt: skip
def test_cut_sequences(mode, lengths, tokens, rng):
    given = {"sparseMode": mode, "attenMaskOptional": COMPRESSED, **tokens}
    problem = {"sparse_mode": mode, "pre_tokens": tokens["preTokens"], "next_tokens": tokens["nextTokens"]}
    packed(rng, lengths=lengths, given=given, **problem).forward("VarLenScore")


@pytest.mark.parametrize("pse_type", [0, 1])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_shift(pse_type, dtype, rng):
    values = random(rng, 1, N1, S1, S2, dtype=dtype)
    given = {"pseType": pse_type, "realShiftOptional": values}
    call = dense(rng, dtype, "BSH", given=given, shift=TensorShift(values, pse_type == 1))
    call.forward("ScoreV2")
    call.backward("ScoreV3", "ScoreGradV3", dpseOut=torch.empty_like(values))


def test_shift_is_added_before_scaling_by_the_first_version(rng):
    values = random(rng, B, N1, 1, S2)
    call = dense(rng, given={"realShiftOptional": values}, shift=TensorShift(values, True))
    call.forward("Score")
    call.backward("Score", "ScoreGrad", dpseOut=torch.empty_like(values))


@pytest.mark.parametrize("full", [False, True])
def test_packed_shift(full, rng):
    values = random(rng, N1 * sum((s1 if full else 1) * s2 for s1, s2 in LENGTHS))
    given = {"realShiftOptional": values.view(-1, 1)}
    call = packed(rng, given=given, shift=PackedShift(values, full, True))
    call.forward("VarLenScore")
    call.backward("VarLenScore", "UnpaddingScoreGrad", dpseOut=torch.empty(values.numel(), 1))


@pytest.mark.parametrize("pse_type", [2, 3])
def test_slopes(pse_type, rng):
    values = torch.rand(B, N1, generator=rng)
    given = {"pseType": pse_type, "realShiftOptional": values, "qStartIdxOptional": [11], "kvStartIdxOptional": [4]}
    shift = SlopeShift(values, pse_type == 3, 11, 4)
    call = dense(rng, torch.float16, s2=S1, given=given, shift=shift)
    call.backward("ScoreV2", "ScoreGradV2", dpseOut=torch.empty_like(values))


@pytest.mark.parametrize("shape", [(S1, S2), (1, N1, 1, S2), (B, 1, S1, 1)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_float_mask(shape, dtype, rng):
    values = random(rng, *shape)
    given = {"attenMaskOptional": values}
    shift = TensorShift(values.view((1,) * (4 - len(shape)) + shape), False)
    dense(rng, dtype, given=given, shift=shift).forward("Score")


@pytest.mark.parametrize("keep_prob", [0.7, 1.0])
def test_dropout(keep_prob, rng):
    keep = torch.rand(B, N1, S1, S2, generator=rng) < 0.7
    given = {"keepProb": keep_prob, "dropMaskOptional": pack_bits(keep)}
    dense(rng, given=given, keep=keep, keep_prob=keep_prob).backward("Score", "ScoreGrad")


def test_packed_dropout(rng):
    keep = torch.rand(N1 * sum(s1 * s2 for s1, s2 in LENGTHS), generator=rng) < 0.6
    given = {"keepProb": 0.6, "dropMaskOptional": pack_bits(keep)}
    packed(rng, given=given, keep=keep, keep_prob=0.6).backward("VarLenScore", "UnpaddingScoreGrad")


def test_prefix(rng):
    mask = torch.rand(B, 1, S1, S2, generator=rng) < 0.2
    prefixes = [S2 - S1, 50]
    given = {"sparseMode": 5, "prefixOptional": prefixes, "attenMaskOptional": mask}
    dense(rng, given=given, sparse_mode=5, prefix=tuple(prefixes), mask=mask).forward("Score")
    given = {"sparseMode": 6, "prefixOptional": prefixes, "attenMaskOptional": PREFIX_COMPRESSED}
    dense(rng, given=given, sparse_mode=6, prefix=tuple(prefixes)).backward("Score", "ScoreGrad")


def test_packed_prefix(rng):
    lengths, prefixes = ((5, 20), (31, 31), (40, 3)), [15, 7, 2]
    given = {"sparseMode": 6, "prefixOptional": prefixes, "attenMaskOptional": PREFIX_COMPRESSED}
    packed(rng, lengths=lengths, given=given, sparse_mode=6, prefix=tuple(prefixes)).forward("VarLenScore")


def test_sink(rng):
    sink = random(rng, N1)
    dense(rng, given={"sinkOptional": sink}, sink=sink).backward("ScoreV3", "ScoreGradV3", dsinkOut=torch.empty(N1))
    packed(rng, given={"sinkOptional": sink}, sink=sink).backward(
        "VarLenScoreV5", "UnpaddingScoreGradV5", dsinkOut=torch.empty(N1)
    )


@pytest.mark.parametrize(("forward", "name"), zip(VAR_LEN_FORWARD, VAR_LEN_GRADIENT, strict=True))
def test_packed_gradient(forward, name, rng):
    given = {"softmaxOutLayout": "same_as_input"} if "softmaxOutLayout" in ENTRIES[forward] else {}
    given |= {"sparseMode": 2, "attenMaskOptional": COMPRESSED}
    packed(rng, torch.float16, extra=2, given=given, sparse_mode=2).backward(forward, name)


def test_a_packed_shift_of_one_dimension_is_accepted_by_the_gradient(rng):
    values = random(rng, N1 * sum(s2 for _, s2 in LENGTHS))
    call = packed(rng, given={"realShiftOptional": values.view(-1, 1)}, shift=PackedShift(values, False, True))
    call.backward("VarLenScore", "UnpaddingScoreGrad", pseShiftOptional=values, dpseOut=torch.empty_like(values))
