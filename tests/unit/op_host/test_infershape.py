# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Output shapes and data types of every layout."""

import pytest

from ascendc_cpu import host
from tests.unit.op_host.call import OP, Call


def infer(call):
    return host.infer_shape(OP, call.input_list(), call.attributes())


@pytest.mark.parametrize("layout", ["BSH", "SBH", "BSND", "BNSD", "bsh", "bnsd"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_dense_layouts(layout, dtype):
    call = Call(layout=layout, b=3, n1=6, n2=2, s1=17, s2=29, d=40, dv=24, dtype=dtype)
    maximum, total, reserved, attention = infer(call)
    assert maximum == total == ((3, 6, 17, 8), "DT_FLOAT")
    name = {"float32": "DT_FLOAT", "float16": "DT_FLOAT16", "bfloat16": "DT_BF16"}[dtype]
    assert reserved == ((0, 0, 0, 0), name)
    assert attention == (call.shape(6, 17, 24), name)


def test_tnd():
    maximum, total, _, attention = infer(Call(layout="TND", b=1, n1=6, n2=2, s1=17, s2=29, d=40, dv=24))
    assert maximum == total == ((17, 6, 8), "DT_FLOAT")
    assert attention[0] == (17, 6, 24)


@pytest.mark.parametrize(
    "call, words",
    [
        (Call(attrs={"input_layout": "BHSD"}), ["input_layout", "BHSD"]),
        (Call(inputs={"query": ((2, 100, 256), "float32")}), ["query", "4 dimensions", "[2, 100, 256]"]),
        (Call(attrs={"head_num": 0}), ["head_num"]),
    ],
)
def test_refused(call, words):
    with pytest.raises(ValueError) as error:
        infer(call)
    assert all(word in str(error.value) for word in words), error.value
