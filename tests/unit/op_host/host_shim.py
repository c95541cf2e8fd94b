# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""ctypes view of planner_shim.cpp."""

import ctypes
from pathlib import Path


class MaskParam(ctypes.Structure):
    _fields_ = [("lo", ctypes.c_int64), ("hi", ctypes.c_int64), ("prefix", ctypes.c_int64)]


class KeyRange(ctypes.Structure):
    _fields_ = [("begin", ctypes.c_int64), ("end", ctypes.c_int64)]


class RowTiles(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in ("heads_per_tile", "q_tile", "row_blocks", "kv_chunk", "kv_chunks")]


class Segment(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int64) for name in "index s1 s2 q_token k_token rows_before score_base".split()),
        ("mask", MaskParam),
        ("tiles", RowTiles),
    ]


class Problem(ctypes.Structure):
    """What the planner reads of a problem; the lists may be longer than they are."""

    _fields_ = [
        *((name, ctypes.c_int64) for name in "b n1 n2 s1 s2".split()),
        ("rule", ctypes.c_int64 * 7),
        *((name, ctypes.c_int64) for name in "segments listed tokens q_tile kv_stack".split()),
        ("query_ends", ctypes.POINTER(ctypes.c_int64)),
        ("key_ends", ctypes.POINTER(ctypes.c_int64)),
        ("prefixes", ctypes.POINTER(ctypes.c_int64)),
    ]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("dtype", ctypes.c_int64),
        ("rank", ctypes.c_int64),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("values", ctypes.POINTER(ctypes.c_int64)),
    ]


class ShimCall(ctypes.Structure):
    _fields_ = [
        ("inputs", ctypes.POINTER(Tensor)),
        ("layout", ctypes.c_char_p),
        ("softmax_out_layout", ctypes.c_char_p),
        ("scale_value", ctypes.c_double),
        ("keep_prob", ctypes.c_double),
        *((name, ctypes.c_int64) for name in ("pre_tockens", "next_tockens", "head_num", "sparse_mode", "pse_type")),
        ("out_dtype", ctypes.c_int64),
    ]


_INT = ctypes.c_int64
_SIGNATURES = {
    "ShimClassify": (ctypes.c_int32, [ctypes.POINTER(MaskParam), _INT, _INT, _INT, _INT]),
    "ShimVisibleKeys": (KeyRange, [ctypes.POINTER(MaskParam), _INT, _INT, _INT]),
    "ShimRowTiles": (RowTiles, [_INT, _INT, _INT, _INT, _INT]),
    "ShimBlockWeight": (_INT, [ctypes.POINTER(Segment), _INT]),
    "ShimHeaviestBlock": (_INT, [ctypes.POINTER(Segment)]),
    "ShimOrder": (None, [ctypes.POINTER(Segment), ctypes.POINTER(_INT)]),
    "ShimDealtCore": (_INT, [_INT, _INT]),
    "ShimSegments": (_INT, [ctypes.POINTER(Problem), ctypes.POINTER(Segment), ctypes.POINTER(_INT)]),
    "ShimCoreWeights": (ctypes.c_double, [ctypes.POINTER(Problem), _INT, _INT, ctypes.POINTER(_INT)]),
    "FlashAttentionScoreExplainTiling": (ctypes.c_size_t, None),
    "ShimContract": (ctypes.c_char_p, []),
    "ShimParseGradient": (
        None,
        [*[ctypes.POINTER(each) for each in (ShimCall, Tensor, Tensor)], ctypes.c_char_p, ctypes.c_size_t],
    ),
    "ShimParse": (
        None,
        [ctypes.POINTER(ShimCall), ctypes.POINTER(Tensor), ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t],
    ),
}


def row_tiles(library, q_tile, kv_stack, group, s1, s2):
    """How the rows of a segment are cut: tile rows at most q_tile, `group` query heads a key head."""
    return library.ShimRowTiles(q_tile, kv_stack, group, s1, s2)


def load(library: Path) -> ctypes.CDLL:
    loaded = ctypes.CDLL(str(library))
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(loaded, name)
        function.restype = result
        function.argtypes = arguments
    return loaded
