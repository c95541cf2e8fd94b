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


@pytest.mark.filterwarnings("ignore")  # the exporters' own
@pytest.mark.parametrize("exporter, opset, case", configurations(PREFIX + SLOPES))
def test_exported_model_equals_pytorch(exporter, opset, case, seed, tmp_path):
    check(exporter, opset, case, seed, tmp_path / "model.onnx")
