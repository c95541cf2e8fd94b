# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""query_rope and key_rope: their strides, and the head dims that fit L1 beside those of query and key."""

import pytest

from tests.unit.op_host.contract_shapes import rope


@pytest.mark.parametrize("d, each", [(128, 64), (192, 64), (64, 1), (512, 64), (704, 64), (749, 16)])
def test_rotary_parts_that_fit(d, each):
    _, data = rope(each, d=d).tile()
    assert data["rope"]["d"] == each
    assert tuple(data["rope"]["query"]) == (0, each, 4 * each)
    assert tuple(data["rope"]["key"]) == (0, each, each)
    tile = data["tile"]
    resident = tile["q_tile"] * (-(-d // 16) * 16 + -(-each // 16) * 16 + tile["kv_stack"]) * 2
    assert tile["l1_boxes"] >= 2 and resident + tile["l1_boxes"] * (32 << 10) <= 512 << 10
