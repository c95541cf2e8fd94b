# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The tiling library's report of a decision, FlashAttentionScoreExplainTiling, through ctypes."""

import ctypes
import json
import platform
from pathlib import Path

from ascend_flash_attention._arguments import check_integer

_LIBRARY = "vendors/custom/op_impl/ai_core/tbe/op_tiling/lib/linux/{machine}/libcust_opmaster_rt2.0.so"
_INTS = ctypes.POINTER(ctypes.c_int64)
_SIZE = range(0, 1 << 40)


class _Request(ctypes.Structure):
    """FaExplainRequest of op_host/fa_tiling_report.h."""

    _fields_ = [
        ("dtype", ctypes.c_char_p),
        ("layout", ctypes.c_char_p),
        ("query", _INTS),
        ("key", _INTS),
        ("value", _INTS),
        ("rank", ctypes.c_int64),
        ("atten_mask", _INTS),
        ("atten_mask_rank", ctypes.c_int64),
        ("query_ends", _INTS),
        ("query_end_count", ctypes.c_int64),
        ("key_ends", _INTS),
        ("key_end_count", ctypes.c_int64),
        ("prefix", _INTS),
        ("prefix_count", ctypes.c_int64),
        ("head_num", ctypes.c_int64),
        ("sparse_mode", ctypes.c_int64),
        ("pre_tokens", ctypes.c_int64),
        ("next_tokens", ctypes.c_int64),
        ("tuning", ctypes.c_char_p),
        ("cores", ctypes.c_int64),
        ("l1_bytes", ctypes.c_uint64),
        ("ub_bytes", ctypes.c_uint64),
        ("system_workspace", ctypes.c_uint64),
    ]


def _load() -> ctypes.CDLL:
    path = Path(__file__).parent / _LIBRARY.format(machine=platform.machine())
    if not path.exists():
        raise ImportError(f"{path} is missing: the package is not built; run `bash build.sh` in a clone of the project")
    library = ctypes.CDLL(str(path))
    library.FlashAttentionScoreExplainTiling.restype = ctypes.c_size_t
    library.FlashAttentionScoreCheckTuning.restype = ctypes.c_size_t
    library.aclGetRecentErrMsg.restype = ctypes.c_char_p
    return library


def chip(soc: str | None) -> dict:
    """soc, cores, l1_bytes, ub_bytes and system_workspace of a row of the platform table; None: the one in use."""
    library, text = _load(), ctypes.c_char_p()
    if library.AscendcCpuPlatform((soc or "").encode(), ctypes.byref(text)) != 0:
        raise ValueError(library.aclGetRecentErrMsg().decode())
    return json.loads(text.value)


def _field(name: str, value):
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, list):
        return (ctypes.c_int64 * len(value))(*(check_integer(f"a size of {name}", size, _SIZE) for size in value))
    return check_integer(name, value)


def _text_of(function, argument) -> bytes:
    """What a function(argument, buffer, capacity) writes, which says how much room it needs."""
    capacity = 4096
    while True:
        text = ctypes.create_string_buffer(capacity)
        length = function(argument, text, ctypes.c_size_t(capacity))
        if length < capacity:
            return text.value
        capacity = length + 1


def check_tuning(text: str) -> None:
    """ValueError with the host's text unless `text` is a tuning that some problem allows."""
    refusal = _text_of(_load().FlashAttentionScoreCheckTuning, text.encode())
    if refusal:
        raise ValueError(refusal.decode())


def explain(soc: str | None, **problem) -> dict:
    """The report of fa_tiling_report.h with soc and cores, or {"error": why the call is refused}.

    problem: fields of _Request; shapes are lists, those of query, key and value of one length; query_ends, key_ends
    and prefix may be None. ValueError for an unknown soc and for numbers that do not fit.
    """
    row = chip(soc)
    request = _Request(rank=len(problem["query"]), atten_mask_rank=len(problem["atten_mask"]))
    for name, count in (("query_ends", "query_end_count"), ("key_ends", "key_end_count"), ("prefix", "prefix_count")):
        setattr(request, count, len(problem[name] or ()))
    for name, value in (problem | row).items():
        if name != "soc" and value is not None:
            setattr(request, name, _field(name, value))
    answer = json.loads(_text_of(_load().FlashAttentionScoreExplainTiling, ctypes.byref(request)))
    return answer | {"soc": row["soc"], "cores": row["cores"]}
