# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Elements beyond 2^31: tensors of sparsely mapped memory, of which only the pages that hold something exist.

Nothing but the last rows or keys is set; the rest is zeros that no page stands for, and the mode sees to it that most
of it is never read. The reference gets the small part that counts.
"""

import mmap
from dataclasses import replace

import pytest
import torch

from tests.cases.inputs import Inputs
from tests.cases.loader import expand
from tests.reference.attention import AttentionResult, attention
from tests.reference.gradient import GradientResult, attention_grad, plain_attention_grad
from tests.reference.plain import plain_attention
from tests.reference.shift import TensorShift
from tests.reference.tolerance import assert_attention, assert_gradients
from tests.system import contract_call

MAP_NORESERVE = 0x4000  # of Linux; mmap names it from Python 3.13 on
LIMIT = 1 << 31
PART = 260  # rows or keys at the end that are set
pytestmark = pytest.mark.slow


def sparse(*shape, dtype=torch.bfloat16):
    """Zeros that take no memory before they are written."""
    count = torch.Size(shape).numel()
    size = count * torch.empty(0, dtype=dtype).element_size()
    memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE)
    return torch.frombuffer(memory, dtype=dtype, count=count).view(shape)


def case_of(**axes):
    (case,) = expand({"name": "far", "step": "contract", "tags": ["full"], "dtype": "bfloat16", **axes}, "here")
    return case


def normal(rng, *shape):
    return torch.randn(shape, generator=rng).bfloat16()


def last(x, dim=2):
    return x.narrow(dim, x.shape[dim] - PART, PART)


def check_end(raw, inputs, rows, **problem):
    """The last rows of a forward result against the reference on inputs that are small."""
    out, row_max, row_sum = (x[:, -rows.shape[1] :, -rows.shape[2] :] for x in raw)
    tensors = (rows, inputs[0], inputs[1])
    got = AttentionResult(out, row_max, row_sum, torch.zeros(()))
    assert_attention(got, attention(*tensors, **problem), plain_attention(*tensors, **problem))


@pytest.mark.parametrize("layout", ["BNSD", "BSH"])
def test_keys(layout, rng):
    """A window at the end of more than 2^31 elements of keys and of values."""
    s1, d = 40, 8
    s2 = LIMIT // d + 1000
    query, key, value = normal(rng, 1, 1, s1, d), sparse(1, 1, s2, d), sparse(1, 1, s2, d)
    for x in (key, value):
        last(x)[:] = normal(rng, 1, 1, PART, d)
    case = case_of(layout=layout, s=[[s1, s2]], d=d, sparse={"mode": 4, "pre": 150, "next": 0})
    raw = contract_call.forward(case, Inputs(query, key, value, None))
    result = contract_call.as_result(case, raw)
    state = result.out, result.softmax_max, result.softmax_sum
    check_end(state, (last(key), last(value)), query, scale=case.scale, **case.sparse)


def test_queries(rng):
    """More than 2^31 elements of queries over few keys: only the last rows see any."""
    d, s2 = 768, 16
    s1 = LIMIT // d + 300
    query = sparse(1, 1, s1, d)
    last(query)[:] = normal(rng, 1, 1, PART, d)
    key, value = normal(rng, 1, 1, s2, d), normal(rng, 1, 1, s2, 1)
    case = case_of(s=[[s1, s2]], d=[[d, 1]], sparse={"mode": 3})
    out, row_max, row_sum = contract_call.forward(case, Inputs(query, key, value, None))
    assert not out[:, :, :-s2].any()
    check_end((out, row_max, row_sum), (key, value), last(query), scale=case.scale, sparse_mode=3)


def test_packed_keys(rng):
    """The second sequence begins beyond 2^31 elements."""
    d, first = 8, LIMIT // 8 + 77
    lengths = [[16, first], [PART, PART]]
    query, key, value = normal(rng, 1, 1, 16 + PART, d), sparse(1, 1, first + PART, d), sparse(1, 1, first + PART, d)
    for x in (key, value):
        x[:, :, :16] = normal(rng, 1, 1, 16, d)
        last(x)[:] = normal(rng, 1, 1, PART, d)
    case = case_of(layout="TND", sequences=[lengths], d=d, sparse={"mode": 2})
    raw = contract_call.forward(case, Inputs(query, key, value, None))
    result = contract_call.as_result(case, raw)
    state = result.out, result.softmax_max, result.softmax_sum
    check_end(state, (last(key), last(value)), last(query), scale=case.scale, sparse_mode=2)
    first_rows = tuple(x[:, :, :16] for x in state)
    check_end(first_rows, (key[:, :, :16], value[:, :, :16]), query[:, :, :16], scale=case.scale, sparse_mode=2)


@pytest.mark.parametrize("what", ["mask", "dropout", "pse"])
def test_scores(what, rng):
    """More than 2^31 scores, each with an element of its own in a mask, a dropout mask or a pse; both directions."""
    n1, s, d = 33, 8192, 8
    assert n1 * s * s > LIMIT
    tensors = query, key, value, dy = [sparse(1, n1, s, d) for _ in range(4)]
    for x in tensors:
        last(x[:, -1:])[:] = normal(rng, 1, 1, PART, d)
    window = {"mode": 0, "pre": 70, "next": 60}
    more, problem, inputs = {}, {"scale": d**-0.5, "pre_tokens": 70, "next_tokens": 60}, {"mask": None}
    if what == "mask":
        inputs["mask"] = sparse(1, n1, s, s, dtype=torch.uint8)
        part = last(last(inputs["mask"][:, -1:]), 3)
        part[:] = torch.randint(0, 2, part.shape, generator=rng)
        more, problem["mask"] = {"mask": {"shape": [1, "N", "S1", "S2"], "dtype": "uint8"}}, part
    elif what == "pse":
        inputs["pse"] = sparse(1, n1, s, s)
        part = last(last(inputs["pse"][:, -1:]), 3)
        part[:] = normal(rng, 1, 1, PART, PART)
        more, problem["shift"] = {"pse": {"type": 0, "shape": [1, "N", "S1", "S2"]}}, TensorShift(part.clone(), False)
    else:
        bits = torch.randint(0, 256, (PART, PART // 4), generator=rng, dtype=torch.uint8)  # more than the part
        inputs["drop_mask"] = sparse(n1 * s, s // 8, dtype=torch.uint8)
        inputs["drop_mask"][-PART:, -PART // 4 :] = bits
        keep = (bits[:, :, None] >> torch.arange(8, dtype=torch.uint8)) & 1
        more, problem["keep_prob"] = {"keep_prob": 0.5}, 0.5
        problem["keep"] = keep.flatten(1)[:, -PART:].bool().view(1, 1, PART, PART)
    case = case_of(heads=n1, s=[[s, s]], d=d, sparse=window, **more)
    given = Inputs(query, key, value, **inputs)
    raw = contract_call.forward(case, given)
    small = [last(x[:, -1:]).clone() for x in tensors]
    far = [x[:, -1:, -PART + 70 :] for x in raw]  # rows that see set keys only
    whole = attention(*small[:3], **problem)
    rows = {name: getattr(whole, name)[:, :, 70:] for name in ("out", "softmax_max", "softmax_sum", "magnitude")}
    plain = plain_attention(*small[:3], **problem)
    plain_rows = {name: getattr(plain, name)[:, :, 70:] for name in rows}
    assert_attention(AttentionResult(*far, torch.zeros(())), AttentionResult(**rows), AttentionResult(**plain_rows))
    result = contract_call.gradients(case, given, dy, raw, wants_pse=False)  # it would be as large as pse
    # Rows further up have dy = 0 and give nothing to the last keys.
    expected, plain = (function(*small, **problem) for function in (attention_grad, plain_attention_grad))
    settled = slice(130, None)  # their gradients depend on set rows and keys only

    def end(x, names):
        return replace(x, **{name: getattr(x, name)[:, -1:, -PART:][:, :, settled] for name in names})

    names = ("dq", "dk", "dv")
    magnitudes = tuple(x[:, :, settled] for x in expected.magnitudes[:3])
    expected = replace(end(expected, names), magnitudes=(*magnitudes, None, None), dpse=None)
    got = replace(end(result, names), dpse=None)
    assert isinstance(got, GradientResult)
    assert_gradients(got, expected, replace(end(plain, names), dpse=None), torch.bfloat16)
