# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Tiling strategies choose who computes what, never how: the same bits from each that can take a problem."""

from dataclasses import replace

import pytest
import torch
from ascend_flash_attention import explain_tiling

from tests.cases.inputs import make_inputs
from tests.cases.loader import MaskSpec, load
from tests.reference.attention import to_layout
from tests.system.forward_call import call, same_bits

TUNING = "FLASH_ATTENTION_SCORE_TUNING"
ONE_STACK, SPLIT = ("short_seq", "default"), ("default", "long_seq")
MASK = MaskSpec((1, 1, "S1", "S2"), "blind_rows")
PADDING = MaskSpec(("B", 1, 1, "S2"), "padding", "uint8")
PROBLEMS = [  # strategies, changes to the case
    (ONE_STACK, {"s1": 1, "s2": 1}),
    (ONE_STACK, {"s1": 65, "s2": 129, "mask": MASK}),
    (ONE_STACK, {"s1": 300, "s2": 511, "sparse_mode": 3, "layout": "BSND"}),
    (ONE_STACK, {"s1": 513, "s2": 512, "d": 200, "dv": 200, "sparse_mode": 2}),
    (SPLIT, {"s1": 1, "s2": 4099, "n1": 6, "n2": 2, "layout": "BSH"}),
    (SPLIT, {"s1": 1, "s2": 1537, "mask": PADDING, "b": 3}),
    (SPLIT, {"s1": 16, "s2": 2048, "d": 256, "dv": 256, "sparse_mode": 3}),
    (SPLIT, {"s1": 5, "s2": 3000, "n1": 8, "n2": 1, "sparse_mode": 4, "pre_tokens": 1100, "next_tokens": 0}),
]


def report_of(case, **options):
    shapes = [
        tuple(to_layout(torch.empty(case.b, heads, length, width, device="meta"), case.layout).shape)
        for heads, length, width in (
            (case.n1, case.s1, case.d), (case.n2, case.s2, case.d), (case.n2, case.s2, case.dv)
        )
    ]  # fmt: skip
    return explain_tiling(*shapes, dtype=case.dtype, head_num=case.n1, input_layout=case.layout,
                          atten_mask_shape=case.mask_shape, **case.sparse, **options)  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize(("strategies", "changes"), PROBLEMS)
def test_same_bits_from_each_strategy(strategies, changes, dtype, seed, monkeypatch):
    (template,) = [case for case in load() if case.name == "smoke-BNSD-fp32-b2n3s65x129d32"]
    case = replace(template, dtype=dtype, **changes)
    inputs = make_inputs(case, seed)
    tensors = inputs.in_layout(case.layout)
    results = []
    for strategy in strategies:
        monkeypatch.setenv(TUNING, f"strategy={strategy}")
        assert report_of(case).strategy == strategy
        results.append(call(case, *tensors, inputs.mask)[:3])
    for name, first, second in zip(("out", "softmax_max", "softmax_sum"), *results, strict=True):
        assert same_bits(first, second), name
    (other,) = {"short_seq", "default", "long_seq"} - set(strategies)
    monkeypatch.setenv(TUNING, f"strategy={other}")
    with pytest.raises(ValueError, match=rf"tuning strategy={other} \(.*{TUNING}\): strategy {other} is refused"):
        call(case, *tensors, inputs.mask)


def test_free_choice_takes_the_most_specific(monkeypatch):
    monkeypatch.delenv(TUNING, raising=False)
    (template,) = [case for case in load() if case.name == "smoke-BNSD-fp32-b2n3s65x129d32"]
    assert report_of(template, soc="Ascend910B1").strategy == "short_seq"
    assert report_of(replace(template, s1=1, s2=4099), soc="Ascend910B1").strategy == "long_seq"
    assert report_of(replace(template, s1=1000, s2=4099), soc="Ascend910B1").strategy == "default"
