# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Names and axes of input_layout."""

HEAD_AXIS = {"BNSD": 1, "BSND": 2, "TND": 1}
FOLDED_LAYOUTS = ("BSH", "SBH")  # heads are part of the last dimension
MAX_HEAD_DIM = 768
MAX_TOKENS = 2147483647  # pre_tokens and next_tokens without a limit


def resolve_layout(query_shape, input_layout: str | None) -> str:
    """The layout in capitals, by default BNSD for 4-D and BSH for 3-D. ValueError if query does not fit it."""
    shape = list(query_shape)
    if len(shape) not in (3, 4):
        raise ValueError(f"query must have 3 or 4 dimensions, got {shape}")
    if input_layout is None:
        return "BNSD" if len(shape) == 4 else "BSH"
    layout = input_layout.upper()
    if layout in HEAD_AXIS or layout in FOLDED_LAYOUTS:
        rank = 4 if layout in ("BNSD", "BSND") else 3
        if len(shape) == rank:
            return layout
        raise ValueError(f"query must have {rank} dimensions for input_layout {layout}, got {shape}")
    raise ValueError(f"input_layout must be BSH, SBH, BSND, BNSD or TND, got {input_layout!r}")


def score_shape(query, key, layout: str, head_num: int) -> list[int]:
    """[B, N1, S1, S2] of a layout that is not packed."""
    if key.dim() != query.dim():
        raise ValueError(f"key must have {query.dim()} dimensions for input_layout {layout}, got {list(key.shape)}")
    length = {"BSH": 1, "SBH": 0, "BSND": 1, "BNSD": 2}[layout]
    return [query.shape[1 if layout == "SBH" else 0], head_num, query.shape[length], key.shape[length]]
