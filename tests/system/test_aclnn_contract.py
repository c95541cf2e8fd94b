# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The table of refusals in the code of the official aclnn entries (fa_api_contract_rows.h) and calls for each row: the
row's status and text, every row has a call."""

import re
from pathlib import Path

import pytest
import torch

from tests.system.aclnn_call import INVALID, NULL_POINTER, TILING, AclnnError, Formatted, plan
from tests.system.aclnn_entries import PREFIX
from tests.system.aclnn_features import COMPRESSED, PREFIX_COMPRESSED
from tests.system.test_aclnn_features import LENGTHS, N1, N2, S1, S2, B, D, dense, packed

TABLE = Path(__file__).parents[2] / "flash_attention_score/op_api/fa_api_contract_rows.h"
STATUS = {"NULLPTR": NULL_POINTER, "INVALID": INVALID, "TILING": TILING}
HOLES = {"s": ".+", "d": r"-?\d+", "ld": r"-?\d+", "zu": r"\d+", "g": r"\S+"}
FRACTAL_NZ = 29


def rows():
    """Row -> (status, pattern of its text)."""
    found = re.findall(r'^ROW\((\w+), (\w+),((?:\s*"(?:[^"\\]|\\.)*",?)+)\)', TABLE.read_text(), re.MULTILINE)
    return {name: (STATUS[status], _pattern(texts)) for name, status, texts in found}


def _pattern(texts):
    argument, allowed, instead = (x.replace('\\"', '"') for x in re.findall(r'"((?:[^"\\]|\\.)*)"', texts))
    parts = re.split(r"%(s|ld|d|zu|g)", f"{argument} {allowed}, got {instead}")
    return "".join(HOLES[part] if i % 2 else re.escape(part) for i, part in enumerate(parts))


ROWS = rows()
TOTAL = [sum(pair[side] for pair in LENGTHS) for side in (0, 1)]
ROPES = {"queryRope": torch.zeros(TOTAL[0], N1, 8).bfloat16(), "keyRope": torch.zeros(TOTAL[1], N2, 8).bfloat16()}
BOTH = ROPES | {"attenMaskOptional": COMPRESSED, "sparseMode": 3}


def half(*shape):
    return torch.zeros(shape).half()


# Calls of float16: what is changed in a dense one of V3 (no prefix), or in a packed one of bfloat16 with ropes (ROPE_).
CALLS = {
    "REQUIRED": [{"query": None}],
    "INPUT_LAYOUT": [{"inputLayout": "NBSD"}, {"inputLayout": "TND"}],
    "HEAD_NUM": [{"headNum": 0}, {"headNum": -1}],
    "PADDING_MASK": [{"paddingMaskOptional": torch.zeros(B, S2)}],
    "RANK": [{"inputLayout": "BSH"}, {"value": half(N2, S2, D)}],
    "ONE_TYPE": [{"key": torch.zeros(B, N2, S2, D)}, {"value": torch.zeros(B, N2, S2, D)}],
    "QUERY_TYPE": [dict.fromkeys(("query", "key", "value"), torch.zeros(B, N1, S1, D, dtype=torch.int8))],
    "MASK_TYPE": [{"attenMaskOptional": torch.zeros(S1, S2, dtype=torch.int32)}],
    "MASK_AND_SHIFT": [{"realShiftOptional": half(B, N1, S1, S2), "attenMaskOptional": torch.zeros(S1, S2)}],
    "SHIFT_TYPE": [
        {"realShiftOptional": torch.zeros(B, N1, S1, S2)},
        {"realShiftOptional": half(N1), "pseType": 2},
        {"realShiftOptional": half(B, N1, S1, S2), "pseType": 4},
        {"realShiftOptional": torch.zeros(B, N1, S1, S2).bfloat16(), "pseType": 0},
    ],
    "FORMAT": [{"realShiftOptional": Formatted(torch.zeros(B, N1, S1, S2), FRACTAL_NZ), "pseType": 0}],
    "HEAD_DIMS": [{"key": half(B, N2, S2, D + 1)}, {"value": half(B, N2, S2, D + 1)}],
    "ROPE_ALONE": [BOTH | {"keyRope": None}, BOTH | {"queryRope": None}],
    "ROPE_TYPE": [BOTH | {"keyRope": ROPES["keyRope"].half()}],
    "ROPE_SHAPE": [BOTH | {"queryRope": torch.zeros(TOTAL[0], N1, D + 1).bfloat16()}],
    "ROPE_MASK": [BOTH | {"attenMaskOptional": None}],
    "ROPE_SHIFT": [
        BOTH | {"realShiftOptional": torch.zeros(N1 * TOTAL[1], 1).bfloat16()},
        BOTH | {"dropMaskOptional": torch.zeros(99999, dtype=torch.uint8)},
        BOTH | {"keepProb": 0.5},
    ],
    "ROPE_MODE": [BOTH | {"sparseMode": 6, "attenMaskOptional": PREFIX_COMPRESSED}],
    "SLOPES_LENGTHS": [{"realShiftOptional": torch.zeros(N1), "pseType": 3}],
    "SHIFT_RANK": [{"realShiftOptional": torch.zeros(N1 * TOTAL[1]).bfloat16()}],
}
PACKED = ("ROPE_", "SHIFT_RANK")


@pytest.mark.parametrize(("row", "number"), [(row, i) for row, calls in CALLS.items() for i in range(len(calls))])
def test_row(row, number, rng):
    is_packed = row.startswith(PACKED)
    name = "VarLenScoreV5" if is_packed else "ScoreV3"
    arguments = (packed(rng, torch.bfloat16) if is_packed else dense(rng, torch.float16)).arguments()
    with pytest.raises(AclnnError) as caught:
        plan(name, arguments | CALLS[row][number])
    status, pattern = ROWS[row]
    assert caught.value.status == status
    assert re.fullmatch(re.escape(f"{PREFIX}{name}: ") + pattern, str(caught.value)), (pattern, caught.value)


def test_every_row_of_the_code_has_a_call_and_the_other_way_round():
    assert set(CALLS) == set(ROWS)


@pytest.mark.parametrize(("changes", "text"), [
    ({"pseType": 4}, "pse_type must be 0, 1, 2 or 3"),
    ({"dropMaskOptional": torch.zeros(19, dtype=torch.uint8)}, "drop_mask must have at least"),
    ({"keepProb": 0.5}, "keep_prob 0.5 needs drop_mask"),
])  # fmt: skip
def test_refused_by_the_operator(changes, text, rng):
    with pytest.raises(AclnnError) as caught:
        plan("ScoreV3", dense(rng, torch.float16).arguments() | changes)
    assert caught.value.status == TILING
    assert str(caught.value).startswith("FlashAttentionScore: ") and text in str(caught.value)
