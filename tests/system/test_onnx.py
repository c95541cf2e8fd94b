# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Exported models against PyTorch: the same bits with the operator library, right values by the attached function."""

import pytest

from tests.system.onnx_model import check, configurations

FULL, ROWS, KEYS, PADDING = ["B", "N", "S1", "S2"], ["S1", "S2"], [1, "S2"], ["B", 1, 1, "S2"]
BLIND = {"shape": FULL, "kind": "blind_rows"}
# exporter and opset -> axes of the case table (tests/cases/loader.py)
TABLE = [
    ("dynamo", 18, {"layout": "BNSD", "heads": 3, "s": [[37, 41]]}),
    ("dynamo", 18, {"layout": "BSH", "heads": [[4, 2]], "s": [[1, 33]], "sparse": {"mode": 3}}),
    ("dynamo", 18, {"layout": "BSND", "dtype": "float16", "s": [[17, 64]],
                    "mask": {"shape": PADDING, "kind": "padding"}}),
    ("dynamo", 18, {"layout": "SBH", "heads": [[6, 2]], "s": [[31, 7]], "sparse": {"mode": 3}}),
    ("dynamo", 18, {"layout": "BNSD", "dtype": "float16", "heads": [[4, 1]], "s": [[130, 65]], "mask": BLIND}),
    ("dynamo", 19, {"layout": "BSH", "heads": 2, "s": [[19, 40]], "d": [[48, 16]], "mask": {"shape": ROWS}}),
    ("dynamo", 19, {"layout": "BSND", "heads": [[2, 1]], "s": [[23, 29]], "sparse": {"mode": 4, "pre": 5, "next": 2}}),
    ("dynamo", 20, {"layout": "SBH", "dtype": "float16", "heads": 2, "s": [[16, 16]], "sparse": {"mode": 2}}),
    ("dynamo", 20, {"layout": "BNSD", "s": [[9, 300]], "sparse": {"mode": 0, "pre": 3, "next": 1}}),
    ("dynamo", 20, {"layout": "BSH", "dtype": "float16", "heads": [[6, 3]], "s": [[33, 33]],
                    "mask": {"shape": KEYS, "dtype": "uint8"}}),
    ("traced", 17, {"layout": "BNSD", "heads": 2, "s": [[7, 11]]}),
    ("traced", 17, {"layout": "BSH", "heads": [[4, 2]], "s": [[12, 5]], "sparse": {"mode": 2}}),
    ("traced", 17, {"layout": "BSND", "dtype": "float16", "heads": [[4, 2]], "s": [[40, 13]], "sparse": {"mode": 3}}),
    ("traced", 17, {"layout": "SBH", "heads": 2, "s": [[21, 22]], "mask": {"shape": PADDING, "kind": "padding"}}),
    ("traced", 17, {"layout": "BNSD", "heads": [[6, 2]], "s": [[26, 31]], "mask": BLIND,
                    "sparse": {"mode": 0, "pre": 4, "next": 6}}),
    ("traced", 18, {"layout": "BNSD", "dtype": "float16", "s": [[1, 1]]}),
    ("traced", 18, {"layout": "BSH", "heads": 2, "s": [[64, 64]], "mask": {"shape": ["B", "N", 1, "S2"]}}),
    ("traced", 18, {"layout": "BSND", "heads": [[9, 3]], "s": [[33, 18]], "mask": {"shape": [1, "N", "S1", 1]}}),
    ("traced", 18, {"layout": "SBH", "dtype": "float16", "heads": [[4, 2]], "s": [[50, 70]],
                    "sparse": {"mode": 4, "pre": 10, "next": -2}}),
    ("traced", 18, {"layout": "BNSD", "s": [[15, 600]], "d": 128, "mask": {"shape": [1, 1, 1, 1], "kind": "all"}}),
    ("traced", 19, {"layout": "BNSD", "heads": [[2, 1]], "s": [[5, 77]], "d": [[80, 24]], "sparse": {"mode": 1}}),
    ("traced", 19, {"layout": "BSH", "dtype": "float16", "heads": 3, "s": [[44, 45]], "d": 32, "mask": BLIND}),
    ("traced", 19, {"layout": "BSND", "s": [[8, 9]], "mask": {"shape": FULL, "dtype": "uint8"}, "sparse": {"mode": 1}}),
    ("traced", 19, {"layout": "SBH", "heads": 2, "s": [[3, 200]], "mask": {"shape": ["B", 1, "S1", 1]}}),
    ("traced", 20, {"layout": "BNSD", "heads": [[8, 2]], "s": [[129, 131]], "sparse": {"mode": 3}, "std": 8}),
    ("traced", 20, {"layout": "BSH", "heads": [[2, 1]], "s": [[35, 2]], "sparse": {"mode": 0, "pre": -1, "next": 9}}),
    ("traced", 20, {"layout": "BSND", "dtype": "float16", "heads": 2, "s": [[66, 67]],
                    "mask": {"shape": ROWS, "kind": "causal"}}),
    ("traced", 20, {"layout": "SBH", "s": [[10, 20]], "mask": {"shape": FULL, "kind": "one_key"}}),
    ("traced", 20, {"layout": "BSH", "dtype": "float16", "s": [[72, 24]], "sparse": {"mode": 2}, "std": 30}),
    ("traced", 18, {"layout": "BNSD", "heads": 2, "s": [[0, 7]]}),
    ("traced", 18, {"layout": "SBH", "heads": [[4, 2]], "s": [[6, 0]], "sparse": {"mode": 3}}),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")  # the exporters' own
@pytest.mark.parametrize("exporter, opset, case", configurations([(*row[:2], {"b": 2, **row[2]}) for row in TABLE]))
def test_exported_model_equals_pytorch(exporter, opset, case, seed, tmp_path):
    check(exporter, opset, case, seed, tmp_path / "model.onnx")
