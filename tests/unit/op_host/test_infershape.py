# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Output shapes and data types of every layout, unknown dimensions included."""

import pytest

from ascendc_cpu import host
from tests.unit.op_host.call import OP, Call


def infer(call):
    return host.run_infershape(OP, call.input_list(), call.attributes())


@pytest.mark.parametrize("layout", ["BSH", "SBH", "BSND", "BNSD", "bsh", "bnsd"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_dense_layouts(layout, dtype):
    call = Call(layout=layout, b=3, n1=6, n2=2, s1=17, s2=29, d=40, dv=24, dtype=dtype)
    maximum, total, reserved, attention = infer(call)
    assert maximum == total == ((3, 6, 17, 8), "float32")
    assert reserved == ((0, 0, 0, 0), dtype)
    assert attention == (call.shape(6, 17, 24), dtype)


def test_tnd():
    maximum, total, _, attention = infer(Call(layout="TND", b=1, n1=6, n2=2, s1=17, s2=29, d=40, dv=24))
    assert maximum == total == ((17, 6, 8), "float32")
    assert attention[0] == (17, 6, 24)


@pytest.mark.parametrize(
    "layout, query, value, statistics, attention",
    [
        ("BNSD", (-1, 4, -1, 64), (-1, 2, -1, 48), (-1, 4, -1, 8), (-1, 4, -1, 48)),
        ("BSH", (-1, -1, 256), (-1, -1, 96), (-1, 4, -1, 8), (-1, -1, 192)),
        ("SBH", (7, 2, -1), (9, 2, 96), (2, 4, 7, 8), (7, 2, -1)),
        ("BSND", (-2,), (2, 9, 2, 64), (-2,), (-2,)),
        ("TND", (-1, 4, 64), (-1, 2, 64), (-1, 4, 8), (-1, 4, 64)),
    ],
)
def test_unknown_stays_unknown(layout, query, value, statistics, attention):
    key = value if layout not in ("BSH", "SBH") else (*value[:-1], 128)
    inputs = {"query": (query, "float32"), "key": (key, "float32"), "value": (value, "float32")}
    maximum, total, _, out = infer(Call(layout=layout, inputs=inputs))
    assert maximum[0] == total[0] == statistics
    assert out[0] == attention


@pytest.mark.parametrize(
    "call, words",
    [
        (Call(attrs={"input_layout": "BHSD"}), ["input_layout", "BHSD"]),
        (Call(inputs={"query": ((2, 100, 256), "float32")}), ["4 dimensions", "3, 4, 4"]),
        (Call(attrs={"head_num": 0}), ["head_num"]),
    ],
)
def test_refused(call, words):
    with pytest.raises(ValueError) as error:
        infer(call)
    assert all(word in str(error.value) for word in words), error.value
