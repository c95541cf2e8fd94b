# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Positional shifts (pse): what is added to the scores before or after scaling. Symbols as in attention.py.

A shift has `values`, `before_scale` and `rows(values, sizes, batch, at)`: what is added to the rows `at` (a slice) of
all heads of a batch, [N1,R,S2], differentiable in `values`. sizes is (B, N1, S1, S2).
"""

from dataclasses import dataclass

import torch

ALIBI_ROWS = 1024  # query rows that a compressed table holds: the last ones


@dataclass(frozen=True)
class TensorShift:
    """values [B|1,N1|1,S1|1,S2|1]. pse_type 1 adds it before scaling, pse_type 0 after it."""

    values: torch.Tensor
    before_scale: bool

    def rows(self, values, sizes, batch, at):
        return values.expand(sizes)[batch, :, at]


@dataclass(frozen=True)
class AlibiShift:
    """values [B|1,N1,1024,S]: the last 1024 rows of a bias that is a function of i - j; causal masks only.

    Row i of the whole bias [S,S] is row i - (S - 1024) of the table or, further up, row i mod 1024, with the column
    that has the same i - j. A packed sequence shorter than S reads the rows of the same number.
    """

    values: torch.Tensor
    before_scale: bool

    def rows(self, values, sizes, batch, at):
        _, n1, s1, s2 = sizes
        whole = values.shape[3]
        i, j = torch.arange(s1)[at, None], torch.arange(s2)[None]
        last = i >= whole - ALIBI_ROWS
        row = torch.where(last, i - (whole - ALIBI_ROWS), i % ALIBI_ROWS)
        column = torch.where(last, j, whole - (i - j) - (ALIBI_ROWS - row)).clamp(max=whole - 1)
        table = values[batch if values.shape[0] > 1 else 0].expand(n1, -1, -1)
        return table[:, row, column]


@dataclass(frozen=True)
class SlopeShift:
    """values: slopes [N1] or [B,N1]. pse_type 2: -slope * |j + kv_start - i - q_start|, pse_type 3: its square root."""

    values: torch.Tensor
    root: bool
    q_start: int = 0
    kv_start: int = 0
    before_scale = False

    def rows(self, values, sizes, batch, at):
        _, _, s1, s2 = sizes
        i, j = torch.arange(s1)[at, None] + self.q_start, torch.arange(s2)[None] + self.kv_start
        distance = (j - i).abs().to(values.dtype)
        slopes = values if values.dim() == 1 else values[batch]
        return -slopes[:, None, None] * (distance.sqrt() if self.root else distance)
