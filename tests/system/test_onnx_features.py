# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Exported models with what a call may have beyond dense attention and masks, as in test_onnx.py."""

import pytest

from tests.system.onnx_model import check, configurations

# exporter and opset -> axes of the case table (tests/cases/loader.py)
PREFIX = [
    ("dynamo", 18, {"layout": "BNSD", "b": 3, "heads": [[4, 2]], "s": [[33, 40]], "sparse": {"mode": 6}}),
    ("dynamo", 20, {"layout": "SBH", "b": 2, "heads": 2, "s": [[19, 7]], "sparse": {"mode": 5},
                    "mask": {"shape": ["B", 1, "S1", "S2"]}}),
    ("traced", 17, {"layout": "BSH", "b": 2, "dtype": "float16", "heads": 3, "s": [[1, 29]], "sparse": {"mode": 5}}),
    ("traced", 18, {"layout": "BSND", "b": 4, "heads": [[6, 3]], "s": [[17, 17]],
                    "sparse": {"mode": 6, "prefix": "all"}}),
    ("traced", 20, {"layout": "BNSD", "b": 2, "s": [[13, 13]], "sparse": {"mode": 6, "prefix": "least"}}),
    ("traced", 18, {"layout": "BSND", "b": 0, "heads": [[6, 3]], "s": [[17, 17]], "sparse": {"mode": 6}}),
]  # fmt: skip
SLOPES = [
    ("dynamo", 18, {"layout": "BNSD", "b": 2, "heads": [[4, 2]], "s": [[33, 40]], "pse": {"type": 2, "shape": ["N"]},
                    "sparse": {"mode": 3}}),
    ("dynamo", 19, {"layout": "BSH", "b": 2, "dtype": "float16", "heads": 3, "s": [[17, 31]],
                    "pse": {"type": 3, "shape": ["B", "N"], "start": [5, -9]}}),
    ("traced", 17, {"layout": "SBH", "b": 1, "heads": 2, "s": [[40, 13]],
                    "pse": {"type": 2, "shape": ["B", "N"], "start": [1000, 0]}, "mask": {"shape": ["S1", "S2"]}}),
    ("traced", 20, {"layout": "BSND", "b": 3, "heads": [[6, 2]], "s": [[1, 77]], "pse": {"type": 3, "shape": ["N"]}}),
]  # fmt: skip
RAGGED = [[17, 23], [0, 4], [9, 9], [5, 0], [30, 12]]
FITTING = [[7, 20], [0, 0], [16, 33], [1, 1]]  # S1 <= S2
PACKED = [
    ("dynamo", 18, {"heads": [[4, 2]], "sequences": [RAGGED], "sparse": {"mode": 3}}),
    ("dynamo", 20, {"dtype": "float16", "heads": 2, "sequences": [RAGGED], "tail": [[3, 6]], "like_input": True}),
    ("traced", 17, {"heads": [[6, 2]], "sequences": [RAGGED], "tail": [[4, 0]], "sparse": {"mode": 2}}),
    ("traced", 17, {"heads": 2, "sequences": [[*FITTING, [3, 9], [0, 5]]], "sparse": {"mode": 7, "next": -4}}),
    ("traced", 18, {"heads": [[2, 1]], "sequences": [[[11, 20], [6, 9]]], "sparse": {"mode": 8, "next": 2}, "tail": 2}),
    ("traced", 18, {"heads": 3, "sequences": [RAGGED], "sparse": {"mode": 4, "pre": 6, "next": 1}}),
    ("traced", 19, {"heads": 1, "sequences": [RAGGED], "sparse": {"mode": 0, "pre": 5, "next": 3}}),
    ("traced", 20, {"heads": [[4, 1]], "d": [[48, 16]], "sequences": [FITTING], "sparse": {"mode": 6}}),
    ("traced", 18, {"heads": 2, "sequences": [RAGGED], "mask": {"shape": ["S1", "S2"]}, "sparse": {"mode": 1}}),
    ("traced", 18, {"heads": 2, "sequences": [RAGGED], "mask": {"shape": ["T1", "T2"], "dtype": "uint8"}, "tail": 1}),
    ("traced", 20, {"heads": 2, "sequences": [RAGGED], "mask": {"shape": ["B", "N", "S1", 1], "kind": "blind_rows"}}),
    ("traced", 18, {"heads": [[4, 2]], "sequences": [RAGGED], "pse": {"type": 1, "shape": ["full"]}, "tail": 2}),
    ("traced", 17, {"dtype": "float16", "heads": 2, "sequences": [RAGGED], "pse": {"type": 0, "shape": ["row"]},
                    "sparse": {"mode": 3}, "like_input": True}),
    ("dynamo", 18, {"heads": [[4, 2]], "sequences": [RAGGED],
                    "pse": {"type": 3, "shape": ["B", "N"], "start": [2, 7]}}),
    ("traced", 18, {"heads": 2, "sequences": [[[12, 20], [9, 9]]], "pse": {"type": 2, "shape": ["N"], "start": [8, 0]},
                    "sparse": {"mode": 8, "next": 0}}),
    ("traced", 18, {"heads": 2, "sequences": [RAGGED], "sink": True, "tail": 3}),
    ("traced", 18, {"heads": 2, "sequences": [[]], "tail": 3}),
    ("dynamo", 18, {"dtype": "bfloat16", "heads": [[2, 1]], "sequences": [[]]}),
    ("dynamo", 20, {"heads": 2, "sequences": [[]], "sparse": {"mode": 6}, "tail": 3}),
]  # fmt: skip
TABLE_OF_ALL = {"type": 1, "shape": [1, "N", 1024, "S2"]}
TABLE_OF_EACH = {"type": 0, "shape": ["B", 1, 1024, "S2"]}
TABLES = [
    ("dynamo", 18, {"b": 2, "heads": 1, "d": 8, "s": [[1061, 1061]], "sparse": {"mode": 2}, "pse": TABLE_OF_EACH}),
    ("traced", 17, {"layout": "BSH", "heads": 1, "d": 8, "s": [[1500, 1500]], "sparse": {"mode": 3},
                    "pse": TABLE_OF_ALL, "dtype": "float16"}),
    ("traced", 20, {"heads": 2, "d": 8, "s": [[1024, 1100]], "pse": {"type": 0, "shape": [1, "N", "S1", "S2"]}}),
    ("traced", 18, {"layout": "TND", "heads": 1, "d": 8, "sequences": [[[1030, 1030], [0, 0], [1030, 1030]]], "tail": 5,
                    "sparse": {"mode": 3}, "pse": TABLE_OF_EACH}),
]  # fmt: skip
ROPE = [
    ("dynamo", 18, {"dtype": "bfloat16", "heads": [[4, 2]], "d": 32, "rope": 16, "sequences": [RAGGED], "tail": 2}),
    ("traced", 17, {"dtype": "bfloat16", "heads": [[6, 3]], "d": [[24, 8]], "rope": 8, "sequences": [RAGGED],
                    "sparse": {"mode": 3}, "sink": True}),
    ("traced", 20, {"dtype": "bfloat16", "heads": 2, "rope": 32, "sequences": [FITTING], "like_input": True,
                    "sparse": {"mode": 8, "next": 0}}),
]  # fmt: skip
BFLOAT16 = [
    ("dynamo", 18, {"layout": "BNSD", "dtype": "bfloat16", "b": 2, "heads": [[4, 2]], "s": [[33, 40]],
                    "sparse": {"mode": 3}}),
    ("traced", 20, {"layout": "BSH", "dtype": "bfloat16", "b": 2, "heads": 2, "s": [[17, 70]],
                    "mask": {"shape": ["B", 1, "S1", "S2"], "kind": "blind_rows"}}),
]  # fmt: skip
TND = [(exporter, opset, {"layout": "TND", **axes}) for exporter, opset, axes in PACKED + ROPE]


@pytest.mark.filterwarnings("ignore")  # the exporters' own
@pytest.mark.parametrize("exporter, opset, case", configurations(PREFIX + SLOPES + TND + BFLOAT16 + TABLES))
def test_exported_model_equals_pytorch(exporter, opset, case, seed, tmp_path):
    check(exporter, opset, case, seed, tmp_path / "model.onnx")
