# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The judge of gradients: autograd of the reference against finite differences, the plain gradient, the rule."""

from dataclasses import replace

import pytest
import torch

from tests.reference import attention as attention_module
from tests.reference import gradient as gradient_module
from tests.reference.attention import attention
from tests.reference.gradient import attention_grad, plain_attention_grad
from tests.reference.tolerance import assert_gradients

PROBLEMS = [  # (n1, n2, s1, s2, d, dv), mask kind, sparse arguments
    ((1, 1, 1, 1, 1, 1), None, {}),
    ((4, 2, 5, 7, 3, 2), None, {}),
    ((2, 1, 5, 4, 4, 4), None, {"sparse_mode": 3}),  # the first row sees nothing
    ((2, 2, 6, 6, 3, 3), "blind", {"sparse_mode": 0, "pre_tokens": 3, "next_tokens": 1}),
    ((3, 1, 4, 9, 2, 1), "keys", {}),
]


def draw(rng, shape, mask, b=2):
    n1, n2, s1, s2, d, dv = shape

    def normal(*size):
        return torch.randn(size, generator=rng, dtype=torch.float64)

    hidden = None
    if mask == "blind":
        hidden = torch.rand((b, 1, s1, s2), generator=rng) < 0.3
        hidden[:, :, 0] = True
    elif mask == "keys":
        hidden = torch.arange(s2) >= 5
        hidden = hidden.expand(1, 1, 1, s2)
    return (normal(b, n1, s1, d), normal(b, n2, s2, d), normal(b, n2, s2, dv), normal(b, n1, s1, dv)), hidden


@pytest.mark.parametrize(("shape", "mask", "sparse"), PROBLEMS)
def test_reference_against_finite_differences(rng, shape, mask, sparse):
    (q, k, v, dy), hidden = draw(rng, shape, mask)
    options = {"scale": 0.7, "mask": hidden, **sparse}
    leaves = [x.requires_grad_() for x in (q, k, v)]
    assert torch.autograd.gradcheck(lambda *inputs: attention(*inputs, **options).out, leaves, atol=1e-7, rtol=1e-6)
    expected = torch.autograd.grad(attention(*leaves, **options).out, leaves, dy)
    result = attention_grad(*leaves, dy, **options)
    for name, value in zip(("dq", "dk", "dv"), expected, strict=True):
        torch.testing.assert_close(getattr(result, name), value, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_row_chunks_do_not_matter(rng, monkeypatch, rows):
    (q, k, v, dy), hidden = draw(rng, (4, 2, 5, 7, 3, 2), "blind")
    whole = attention_grad(q, k, v, dy, scale=0.5, mask=hidden)
    for module in (attention_module, gradient_module):
        monkeypatch.setattr(module, "CHUNK_ELEMENTS", 7 * rows)
    chunked = attention_grad(q, k, v, dy, scale=0.5, mask=hidden)
    for name in ("dq", "dk", "dv"):
        torch.testing.assert_close(getattr(chunked, name), getattr(whole, name), rtol=1e-12, atol=1e-13)
    for one, other in zip(chunked.magnitudes[:3], whole.magnitudes[:3], strict=True):
        torch.testing.assert_close(one.double(), other.double())


def test_magnitudes_are_zero_where_nothing_is_seen(rng):
    (q, k, v, dy), _ = draw(rng, (2, 1, 4, 6, 3, 3), None, b=1)
    hidden = torch.zeros(1, 1, 4, 6, dtype=torch.bool)
    hidden[:, :, 2], hidden[..., 5] = True, True
    result = attention_grad(q, k, v, dy, scale=0.5, mask=hidden)
    dq, dk, dv = result.magnitudes[:3]
    assert (dq == 0).tolist() == [[[False, False, True, False]] * 2]
    assert (dk == 0).tolist() == (dv == 0).tolist() == [[[False] * 5 + [True]]]
    assert (result.dq[:, :, 2] == 0).all() and (result.dk[:, :, 5] == 0).all() and (result.dv[:, :, 5] == 0).all()
    # no element is larger than the sum of its absolute terms
    for gradient, magnitude in zip((result.dq, result.dk, result.dv), result.magnitudes[:3], strict=True):
        assert (gradient.abs().amax(-1) <= magnitude * (1 + 1e-12)).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize(("shape", "mask", "sparse"), PROBLEMS)
def test_plain_gradient_is_near_the_reference(rng, dtype, shape, mask, sparse):
    tensors, hidden = draw(rng, shape, mask)
    tensors = [x.to(dtype) for x in tensors]
    options = {"scale": 0.7, "mask": hidden, **sparse}
    expected, plain = attention_grad(*tensors, **options), plain_attention_grad(*tensors, **options)
    eps = torch.finfo(dtype).eps
    for name, magnitude in zip(("dq", "dk", "dv"), expected.magnitudes[:3], strict=True):
        error = (getattr(plain, name).double() - getattr(expected, name)).abs().max()
        assert error <= 8 * eps * magnitude.max(), name


def test_the_rule_sees_typical_mistakes(rng):
    tensors, hidden = draw(rng, (4, 2, 40, 70, 16, 16), "blind")
    tensors = [x.bfloat16() for x in tensors]
    options = {"scale": 0.25, "mask": hidden}
    expected, plain = attention_grad(*tensors, **options), plain_attention_grad(*tensors, **options)
    good = replace(expected, **{name: getattr(expected, name).bfloat16() for name in ("dq", "dk", "dv")})
    assert_gradients(good, expected, plain, torch.bfloat16)
    mistakes = {
        "scale": {"dq": good.dq / 0.25},
        "one head of the group": {"dk": good.dk / 2},
        "heads swapped": {"dv": good.dv.flip(1)},
        "a row forgotten": {"dq": good.dq * (torch.arange(40) != 7)[:, None]},
        "a key forgotten": {"dv": good.dv * (torch.arange(70) != 69)[:, None]},
        "NaN": {"dk": good.dk * torch.where(torch.arange(70) == 3, float("nan"), 1.0).bfloat16()[:, None]},
        "dtype": {"dq": good.dq.float()},
        "blind row": {"dq": good.dq + 1e-30 * (torch.arange(40) == 0).bfloat16()[:, None]},
    }
    for text, changes in mistakes.items():
        with pytest.raises(AssertionError):
            assert_gradients(replace(good, **changes), expected, plain, torch.bfloat16)
            pytest.fail(f"not seen: {text}", pytrace=False)
