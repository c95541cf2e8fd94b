# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What changes scores and probabilities in the forward kernel: shifts, dropout, prefix, sinks, rotary parts."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.reference.shift import AlibiShift, SlopeShift, TensorShift
from tests.reference.tolerance import assert_attention
from tests.unit.op_kernel.forward_kernel import Dense

pytestmark = pytest.mark.usefixtures("operator")
DTYPES = (torch.float32, torch.bfloat16, torch.float16)
SIZES = (1, 2, 7, 8, 9, 15, 63, 64, 65, 127, 129, 511, 512, 513, 700)
ALL = ("shift", "mask", "dropout", "prefix", "sink", "rope")
CAUSAL = {"sparse_mode": 3}


def assert_right(call, **how):
    result, report = call.run(**how)
    assert report is None or not report.findings, report
    assert_attention(result, call.expected(), call.plain())
    return result


def with_prefix(call, rng):
    """Causal from the bottom right, and the first keys of a batch to everyone."""
    call.problem.update(sparse_mode=6, prefix=tuple(int(x) for x in rng.integers(0, call.s2 + 1, call.b)))
    call.arrays["prefix"] = np.array(call.problem["prefix"], np.int64)
    call.tiling["rule"] = (-(1 << 40), 0, 0, 1, -1, 0, 1)
    return call


def with_random_shift(call, rng):
    kind = rng.choice(["tensor", "float", "slopes"] if call.s1 == call.s2 else ["tensor", "float"])
    if kind == "slopes":
        slopes = torch.rand((call.b, call.n1) if rng.integers(2) else (call.n1,), generator=call.rng)
        start = int(rng.integers(-50, 50))
        return call.with_slopes(SlopeShift(slopes, bool(rng.integers(2)), kv_start=start))
    shape = [size if rng.integers(3) else 1 for size in call.sizes]
    dtype = torch.float32 if kind == "float" else call.dtype
    return call.with_shift(TensorShift(call.draw(*shape, dtype=dtype), bool(rng.integers(2))), dtype)


def random_call(rng, features, **fixed):
    """A call with `features`; few queries in half of the calls, so that heads share a tile and keys are split."""
    n2, group = (int(x) for x in rng.integers(1, 4, 2))
    s1 = int(rng.choice(SIZES)) if rng.integers(2) else int(rng.integers(1, 20))
    s2 = s1 if rng.integers(2) else int(rng.choice([*SIZES, 2100]))
    sizes = dict(b=int(rng.integers(1, 3)), n1=n2 * group, n2=n2, s1=s1, s2=s2, dtype=DTYPES[rng.integers(3)])
    sizes.update(d=int(rng.choice([24, 33, 64])), dv=int(rng.choice([8, 24])), seed=int(rng.integers(1 << 30)))
    sizes.update(fixed)
    call = Dense(rope=int(rng.choice([8, 24])) if "rope" in features else 0, **sizes)
    if "mask" in features:
        shape = [size if rng.integers(2) else 1 for size in call.sizes]
        call.mask = torch.rand(shape, generator=call.rng) < 0.3
        call.problem["mask"] = call.mask
    if "prefix" in features:
        with_prefix(call, rng)
    if "shift" in features:
        with_random_shift(call, rng)
    if "dropout" in features:
        call.with_dropout(float(rng.choice([0.1, 0.5, 0.9])))
    if "sink" in features:
        call.with_sink()
    return call


@pytest.mark.parametrize("feature", ALL)
def test_one_feature(feature, seed):
    rng = np.random.default_rng(seed)
    for _ in range(8):
        call = random_call(rng, {feature})
        print(call.sizes, call.dtype, call.d, call.rope, call.tiling)
        assert_right(call)


def test_any_features_together(seed):
    rng = np.random.default_rng(seed)
    for _ in range(20):
        features = {name for name in ALL if rng.integers(2)}
        call = random_call(rng, features)
        print(sorted(features), call.sizes, call.dtype, call.tiling)
        assert_right(call)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("sizes", [(1200, 40), (1, 2300)], ids=["many rows", "split keys"])
def test_every_feature_in_the_checked_mode(dtype, sizes, seed):
    rng = np.random.default_rng(seed)
    call = random_call(rng, set(ALL), dtype=dtype, s1=sizes[0], s2=sizes[1], b=1, n1=2, n2=1)
    assert_right(call, check=True)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("head_dim", [128, 160, 192, 320, 480, 496, 640, 768])
def test_every_feature_fits_ub_at_every_head_dim(dtype, head_dim, seed):
    # the checked mode knows the scratch of Select behind UB's 184 KiB
    for shift in ("float", "typed"):
        call = Dense(b=1, n1=2, n2=1, s1=9, s2=1100, d=head_dim, dv=head_dim, dtype=dtype, seed=seed)
        call.mask = torch.rand(call.s1, call.s2, generator=call.rng) < 0.3
        call.problem["mask"] = call.mask
        of = torch.float32 if shift == "float" else dtype
        call.with_shift(TensorShift(call.draw(*call.sizes, dtype=of), False), of)
        assert_right(call.with_dropout(0.8).with_sink(), check=True)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("rows", [1024, 1030, 2051])
@pytest.mark.parametrize("before_scale", [False, True])
def test_compressed_alibi_table(dtype, rows, before_scale, seed):
    call = Dense(b=1, n1=2, n2=1, s1=rows, s2=rows, d=16, dv=16, dtype=dtype, attrs=CAUSAL, seed=seed)
    table = call.draw(1, 2, 1024, rows)
    assert_right(call.with_shift(AlibiShift(table, before_scale)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("strategies", "sizes"), [(("default", "short_seq"), (70, 300)),
                                                   (("default", "long_seq"), (5, 2300))])  # fmt: skip
def test_same_bits_from_each_strategy(strategies, sizes, dtype, seed, monkeypatch):
    call = random_call(np.random.default_rng(seed), set(ALL), dtype=dtype, s1=sizes[0], s2=sizes[1], b=2, n1=4, n2=2)
    results = []
    for strategy in strategies:
        monkeypatch.setenv("FLASH_ATTENTION_SCORE_TUNING", f"strategy={strategy}")
        results.append(call.run()[0])
    for name in ("out", "softmax_max", "softmax_sum"):
        assert torch.equal(*(getattr(result, name) for result in results)), name


@pytest.mark.parametrize("root", [False, True])
def test_distances_beyond_what_half_counts(root, seed):
    call = Dense(b=1, n1=1, n2=1, s1=40, s2=40, seed=seed)
    shift = SlopeShift(torch.tensor([2.0**-10]), root, q_start=7, kv_start=(1 << 24) - 100)
    assert_right(call.with_slopes(shift))


@pytest.mark.parametrize("first_bit", range(8))
@pytest.mark.parametrize("keys", [1, 2, 3, 7, 8, 9, 16, 504, 511, 512, 520])
def test_dropout_bits_begin_anywhere(first_bit, keys, seed):
    # the bits of a packed sequence start where those of the one before end
    call = Dense(b=1, n1=1, n2=1, s1=67, s2=keys, d=8, dv=8, cores=1, seed=seed).with_dropout(0.5)
    stream = torch.zeros(first_bit + 67 * keys, dtype=torch.bool)
    stream[first_bit:] = call.problem["keep"].flatten()
    packed = np.packbits(stream.numpy(), bitorder="little")
    expected = call.run()[0]
    call.arrays["drop_mask"] = packed
    call.tiling["sequences"] = (2, 2, 68, keys + first_bit, 0, 0)
    actual = run_behind(call, first_bit)
    torch.testing.assert_close(actual, expected.out, rtol=0, atol=0)


def run_behind(call, keys_before):
    """out of the call as the second sequence, behind one of one query and `keys_before` keys."""
    pad = torch.zeros(1, 1, keys_before, call.d)
    behind = replace(call, s1=call.s1 + 1, s2=call.s2 + keys_before)
    behind.q = torch.cat([call.q[:, :, :1], call.q], 2)
    behind.k = torch.cat([pad, call.k], 2)
    behind.v = torch.cat([pad[..., : call.dv], call.v], 2)
    behind.problem = {"scale": call.problem["scale"]}
    behind.arrays = dict(call.arrays)
    behind.arrays["actual_seq_qlen"] = np.array([1, call.s1 + 1], np.int64)
    behind.arrays["actual_seq_kvlen"] = np.array([keys_before, call.s2 + keys_before], np.int64)
    for name in ("query", "key", "value", "out"):
        behind.tiling[f"{name}.b"] = 0
    return behind.run()[0].out[:, :, 1:]
