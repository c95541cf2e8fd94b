# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""ctypes view of planner_shim.cpp."""

import ctypes
from pathlib import Path


class MaskParam(ctypes.Structure):
    _fields_ = [("lo", ctypes.c_int64), ("hi", ctypes.c_int64), ("prefix", ctypes.c_int64)]


class KeyRange(ctypes.Structure):
    _fields_ = [("begin", ctypes.c_int64), ("end", ctypes.c_int64)]


class RowBlocks(ctypes.Structure):
    _fields_ = [
        ("mask", MaskParam),
        ("s1", ctypes.c_int64),
        ("s2", ctypes.c_int64),
        ("q_tile", ctypes.c_int64),
        ("heads_per_tile", ctypes.c_int64),
    ]


class Deal(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in ("heads", "chunks", "chunk_keys", "cores")]


_INT = ctypes.c_int64
_SIGNATURES = {
    "ShimClassify": (ctypes.c_int32, [ctypes.POINTER(MaskParam), _INT, _INT, _INT, _INT]),
    "ShimVisibleKeys": (KeyRange, [ctypes.POINTER(MaskParam), _INT, _INT, _INT]),
    "ShimRowBlockWeight": (_INT, [ctypes.POINTER(RowBlocks), _INT]),
    "ShimHeaviestBlock": (_INT, [ctypes.POINTER(RowBlocks)]),
    "ShimOrder": (_INT, [ctypes.POINTER(RowBlocks), ctypes.POINTER(_INT)]),
    "ShimDealtCore": (_INT, [_INT, _INT]),
    "FlashAttentionScoreExplainTiling": (ctypes.c_size_t, None),
    "ShimImbalance": (ctypes.c_double, [ctypes.POINTER(RowBlocks), ctypes.POINTER(Deal)]),
}


def load(library: Path) -> ctypes.CDLL:
    loaded = ctypes.CDLL(str(library))
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(loaded, name)
        function.restype = result
        function.argtypes = arguments
    return loaded
