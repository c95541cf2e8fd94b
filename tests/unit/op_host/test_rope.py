# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""query_rope and key_rope: their strides, and the head dims that fit L1 beside those of query and key."""

import pytest

from tests.unit.op_host.test_packed import PackedCall


def with_rope(d, rope, key_rope=None):
    call = PackedCall(n1=4, n2=1, d=d, dv=min(d, 128), dtype="bfloat16")
    call.inputs = {
        "query_rope": (call.tokens(0, 4, rope), "bfloat16"),
        "key_rope": (call.tokens(1, 1, key_rope or rope), "bfloat16"),
    }
    return call


@pytest.mark.parametrize("d, rope", [(128, 64), (192, 64), (64, 1), (512, 64), (704, 64), (749, 16)])
def test_rotary_parts_that_fit(d, rope):
    _, data = with_rope(d, rope).tile()
    assert data["rope"]["d"] == rope
    assert tuple(data["rope"]["query"]) == (0, rope, 4 * rope)
    assert tuple(data["rope"]["key"]) == (0, rope, rope)
    tile = data["tile"]
    resident = tile["q_tile"] * (-(-d // 16) * 16 + -(-rope // 16) * 16 + tile["kv_stack"]) * 2
    assert tile["l1_boxes"] >= 2 and resident + tile["l1_boxes"] * (32 << 10) <= 512 << 10


@pytest.mark.parametrize(
    "d, rope, key_rope, words",
    [
        (768, 16, None, ["at most 768 together", "got 768 and 16"]),
        (705, 64, None, ["at most 768 together", "got 705 and 64"]),
        (64, 65, None, ["query_rope", "1..64"]),
        (64, 32, 16, ["one last dimension", "32 and 16"]),
    ],
)
def test_rotary_parts_that_do_not_fit(d, rope, key_rope, words):
    with pytest.raises(ValueError) as error:
        with_rope(d, rope, key_rope).tile()
    missing = [word for word in words if word not in str(error.value)]
    assert not missing, f"{missing} not in: {error.value}"
