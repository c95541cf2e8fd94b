# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Names and axes of input_layout."""

HEAD_AXIS = {"BNSD": 1, "BSND": 2, "TND": 1}
RANKS = {"BSH": 3, "SBH": 3, "BSND": 4, "BNSD": 4, "TND": 3}
LENGTH_AXIS = {"BSH": 1, "SBH": 0, "BSND": 1, "BNSD": 2, "TND": 0}
BATCH_AXIS = {"BSH": 0, "SBH": 1, "BSND": 0, "BNSD": 0}
FOLDED_LAYOUTS = ("BSH", "SBH")  # heads are part of the last dimension
STATISTICS = 8  # equal copies of a row's max or sum
MAX_HEAD_DIM = 768
MAX_TOKENS = 2147483647  # pre_tokens and next_tokens without a limit


def resolve_layout(query_shape, input_layout: str | None) -> str:
    """The layout in capitals, by default BNSD for 4-D and BSH for 3-D. ValueError if query does not fit it."""
    rank = len(query_shape)
    if rank not in (3, 4):
        raise ValueError(f"query must have 3 or 4 dimensions, got {list(query_shape)}")
    if input_layout is None:
        return "BNSD" if rank == 4 else "BSH"
    layout = input_layout.upper()
    if layout not in RANKS:
        raise ValueError(f"input_layout must be BSH, SBH, BSND, BNSD or TND, got {input_layout!r}")
    if rank != RANKS[layout]:
        raise ValueError(
            f"query must have {RANKS[layout]} dimensions for input_layout {layout}, got {list(query_shape)}"
        )
    return layout


def score_shape(query, key, layout: str, head_num: int) -> list[int]:
    """[B, N1, S1, S2] of a layout that is not packed."""
    if key.dim() != query.dim():
        raise ValueError(f"key must have {query.dim()} dimensions for input_layout {layout}, got {list(key.shape)}")
    length, sizes = LENGTH_AXIS[layout], query.shape
    return [sizes[BATCH_AXIS[layout]], head_num, sizes[length], key.shape[length]]


def statistics_shape(sizes, layout: str, head_num: int) -> list:
    """Of softmax_max and softmax_sum, from query's sizes, whatever stands for one that is not known."""
    if layout == "TND":
        return [sizes[0], head_num, STATISTICS]
    return [sizes[BATCH_AXIS[layout]], head_num, sizes[LENGTH_AXIS[layout]], STATISTICS]
