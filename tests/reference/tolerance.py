# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The pass rule of every numerical test: error <= factor * error of plain attention + rounding noise.

Both errors are the largest ones of a tensor against the float64 reference. The noise term only matters where plain
attention is right by luck: few rows, few keys, a single column. NaN positions are compared first.
"""

from dataclasses import dataclass

import torch

from .gradient import NAMES

EPS = {  # distance of 1 to the next value
    torch.float32: 2.0**-23,
    torch.bfloat16: 2.0**-7,
    torch.float16: 2.0**-10,
}
FLT_MAX = torch.finfo(torch.float32).max
UNDERFLOW = 64 * torch.finfo(torch.float32).tiny  # weights near the smallest normal number have no relative accuracy


@dataclass(frozen=True)
class Budget:
    """factor: multiple of the error of plain attention; noise: in units of EPS[dtype] * scale of the tensor."""

    factor: float
    noise: float


# Scale of out: sum_j P_ij |V_jd|, what a relative error of the weights turns into; for float32 times 1 + the largest
# |max|, since an error of a score is a relative error of its weight (in 16 bits the rounding of weights is larger).
OUT_BUDGET = {
    # Weights carry the error of the score (a few eps times |score|), of exp (2.6 ulp) and of their sum.
    torch.float32: Budget(factor=2.0, noise=4.0),
    # Half an eps each for the rounding of the weights and of out; nothing else is done in 16 bit.
    torch.bfloat16: Budget(factor=2.0, noise=0.5),
    torch.float16: Budget(factor=2.0, noise=0.5),
}
# Scale of max: 1 + the largest |max|, since the products of a score may cancel. Float32 whatever the inputs: products
# of 16-bit inputs are exact there.
MAX_BUDGET = Budget(factor=2.0, noise=4.0)
# Relative error of sum, scale 1 + the largest |max|, since an error of a score is a relative error of its exponential.
SUM_BUDGET = Budget(factor=2.0, noise=4.0)


def _first_bad(bad):
    return tuple(int(x) for x in bad.nonzero()[0])


def assert_same_nans(name, actual, expected):
    """Fails where one of the tensors is NaN and the other is not."""
    differs = actual.isnan() != expected.isnan()
    if differs.any():
        at = _first_bad(differs)
        raise AssertionError(
            f"{name}: NaN positions differ at {int(differs.sum())} of {differs.numel()} elements, "
            f"first {at}: got {actual[at]}, expected {expected[at]}"
        )


def assert_close(name, actual, expected, plain, budget, eps, scale):
    """Fails unless max|actual - expected| <= budget.factor * max|plain - expected| + budget.noise * eps * scale."""
    if actual.shape != expected.shape:
        raise AssertionError(f"{name}: shape got {tuple(actual.shape)}, expected {tuple(expected.shape)}")
    if actual.numel() == 0:
        return
    actual, plain = actual.double(), plain.double()
    assert_same_nans(name, actual, expected)
    error = torch.where(actual == expected, 0.0, (actual - expected).abs()).nan_to_num(0.0, float("inf"))
    yardstick = torch.where(plain == expected, 0.0, (plain - expected).abs()).nan_to_num(0.0, 0.0)
    allowed = budget.factor * yardstick.max().item() + budget.noise * eps * scale + UNDERFLOW
    if error.max().item() > allowed:
        at = _first_bad(error == error.max())
        raise AssertionError(
            f"{name}: error {error.max().item():.3e} > allowed {allowed:.3e} (plain attention: "
            f"{yardstick.max().item():.3e}); {int((error > allowed).sum())} of {error.numel()} elements, "
            f"worst {at}: got {actual[at].item():.9g}, expected {expected[at].item():.9g}"
        )


def _assert_row_state(actual, expected, plain):
    """softmax max and sum: exact marks on rows that see nothing, budgets elsewhere."""
    blind = expected.softmax_sum == FLT_MAX
    for name in ("softmax_max", "softmax_sum"):
        got, want = getattr(actual, name), getattr(expected, name)
        if got.shape != want.shape:
            raise AssertionError(f"{name}: shape got {tuple(got.shape)}, expected {tuple(want.shape)}")
        if got.dtype != torch.float32:
            raise AssertionError(f"{name}: dtype got {got.dtype}, expected torch.float32")
        wrong = blind & (got.double() != want)
        if wrong.any():
            at = _first_bad(wrong)
            raise AssertionError(f"{name}: row {at} sees no key: got {got[at].item()}, expected {want[at].item()}")
    if blind.all():
        return
    eps = EPS[torch.float32]

    def seen(x):
        return x[~blind].double()

    max_scale = seen(expected.softmax_max).abs().nan_to_num(0.0).max().item()
    want, reference = seen(expected.softmax_max), seen(plain.softmax_max)
    assert_close("softmax_max", seen(actual.softmax_max), want, reference, MAX_BUDGET, eps, 1.0 + max_scale)
    want = seen(expected.softmax_sum)
    got, reference = seen(actual.softmax_sum) / want, seen(plain.softmax_sum) / want
    assert_close("softmax_sum / expected", got, want / want, reference, SUM_BUDGET, eps, 1.0 + max_scale)


def assert_attention(actual, expected, plain):
    """All of a forward result (attention.AttentionResult) against the float64 and the plain one.

    The dtype of actual.out selects the budget. Rows that see nothing must be exactly 0.
    """
    blind = expected.softmax_sum[..., 0] == FLT_MAX
    if (actual.out[blind] != 0).any():
        raise AssertionError(f"out: {int((actual.out[blind] != 0).sum())} nonzero elements in rows that see no key")
    dtype = actual.out.dtype
    scale = expected.magnitude.max().item() if expected.magnitude.numel() else 0.0
    if dtype == torch.float32:
        seen = expected.softmax_max[~blind].abs().nan_to_num(0.0)
        scale *= 1.0 + (seen.max().item() if seen.numel() else 0.0)
    assert_close("out", actual.out, expected.out, plain.out, OUT_BUDGET[dtype], EPS[dtype], scale)
    _assert_row_state(actual, expected, plain)


def assert_gradients(actual, expected, plain, dtype):
    """All gradients that a gradient.GradientResult has, under the rule of out; the scales are the largest magnitudes.

    The weights are exp(score - max) / sum with the max and sum of the forward, so that errors of scores do not cancel
    as they do in out: they count in float32 as they do for sum. Where nothing is visible, gradients are exactly 0.
    dpse and dsink carry the errors of dtype, that of query, whatever their own type is.
    """
    scores = 1.0 + expected.largest_max if dtype == torch.float32 else 1.0
    for name, magnitude in zip(NAMES, expected.magnitudes, strict=True):
        got, want, yardstick = (getattr(result, name) for result in (actual, expected, plain))
        if got is None and want is None:
            continue
        if got.dtype != yardstick.dtype:
            raise AssertionError(f"{name}: dtype got {got.dtype}, expected {yardstick.dtype}")
        if got.shape != want.shape:
            raise AssertionError(f"{name}: shape got {tuple(got.shape)}, expected {tuple(want.shape)}")
        if (got[magnitude == 0] != 0).any():
            raise AssertionError(
                f"{name}: {int((got[magnitude == 0] != 0).sum())} nonzero elements where nothing is seen"
            )
        scale = magnitude.max().item() * scores if magnitude.numel() else 0.0
        eps = max(EPS[dtype], EPS[got.dtype])
        assert_close(name, got, want, yardstick, OUT_BUDGET[dtype], eps, scale)
