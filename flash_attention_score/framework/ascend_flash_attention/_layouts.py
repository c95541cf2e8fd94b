# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Names and axes of input_layout."""

HEAD_AXIS = {"BNSD": 1, "BSND": 2, "TND": 1}
_RANK = {"BNSD": 4, "BSND": 4, "BSH": 3, "SBH": 3, "TND": 3}
_LENGTH_AXIS = {"BSH": 1, "SBH": 0, "BSND": 1, "BNSD": 2}
FOLDED_LAYOUTS = ("BSH", "SBH")  # heads are part of the last dimension
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
    if layout not in _RANK:
        raise ValueError(f"input_layout must be BSH, SBH, BSND, BNSD or TND, got {input_layout!r}")
    if rank != _RANK[layout]:
        raise ValueError(
            f"query must have {_RANK[layout]} dimensions for input_layout {layout}, got {list(query_shape)}"
        )
    return layout


def score_shape(query, key, layout: str, head_num: int) -> list[int]:
    """[B, N1, S1, S2] of a layout that is not packed."""
    if key.dim() != query.dim():
        raise ValueError(f"key must have {query.dim()} dimensions for input_layout {layout}, got {list(key.shape)}")
    length, sizes = _LENGTH_AXIS[layout], query.shape
    return [sizes[1 if layout == "SBH" else 0], head_num, sizes[length], key.shape[length]]
