# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What a call asks for beside query, key and value, and the pieces of it for a chunk of rows. Symbols: attention.py."""

from dataclasses import dataclass

import torch

from .visibility import UNLIMITED, mask_to_4d, visible_by_mode


@dataclass(frozen=True)
class RowTerms:
    """Of R rows of all heads of a batch: visible [N1|1,R,S2], keep [N1,R,S2] or None, shift rows or None."""

    visible: torch.Tensor
    keep: torch.Tensor | None
    shift: torch.Tensor | None


@dataclass(frozen=True)
class Problem:
    """mask: see mask_to_4d, nonzero hides a key. prefix: one number a batch (modes 5, 6). shift: see shift.py.
    keep: bool [B,N1,S1,S2], the weights that dropout keeps, divided by keep_prob. sink [N1]: a logit that every row of
    a head has beside its keys; it takes weight and gives nothing. A rotary part of query and key is the end of their
    head dims here."""

    scale: float
    mask: torch.Tensor | None = None
    sparse_mode: int = 0
    pre_tokens: int = UNLIMITED
    next_tokens: int = UNLIMITED
    prefix: tuple | None = None
    shift: object = None
    keep: torch.Tensor | None = None
    keep_prob: float = 1.0
    sink: torch.Tensor | None = None

    def visible(self, sizes, batch, at):
        """[N1|1,R,S2]"""
        _, _, s1, s2 = sizes
        i, j = torch.arange(s1)[at, None], torch.arange(s2)[None]
        prefix = self.prefix[batch] if self.prefix is not None else 0
        tokens = (self.sparse_mode, self.pre_tokens, self.next_tokens)
        visible = visible_by_mode(i, j, s1, s2, *tokens, prefix)[None]
        if self.mask is not None:
            visible = visible & (mask_to_4d(self.mask, *sizes)[batch, :, at] == 0)
        return visible

    def terms(self, sizes, batch, at, dtype):
        """RowTerms of the rows `at`; the shift is computed in dtype, float32 or float64."""
        keep = None if self.keep is None else self.keep[batch, :, at]
        shift = self.shift
        added = None if shift is None else shift.rows(shift.values.to(dtype), sizes, batch, at)
        return RowTerms(self.visible(sizes, batch, at), keep, added)

    def scores(self, q, k, added):
        """Scores before the mask [N1,R,S2]: q [N1,R,D], k [N2,S2,D], added: shift rows or None."""
        products = (q.reshape(k.shape[0], -1, q.shape[2]) @ k.mT).view(*q.shape[:2], k.shape[1])
        if added is None:
            return products * self.scale
        return (products + added) * self.scale if self.shift.before_scale else products * self.scale + added


def sizes_of(q, k):
    """(B, N1, S1, S2) of BNSD tensors."""
    b, n1, s1, _ = q.shape
    n2, s2 = k.shape[1:3]
    if n1 % max(n2, 1):
        raise ValueError(f"query heads {n1} are not a multiple of key heads {n2}")
    return b, n1, s1, s2


def row_chunks(sizes, per_key, elements):
    """(batch, slice of rows): chunks of at most `elements` numbers when a score needs `per_key` of them."""
    b, n1, s1, s2 = sizes
    step = max(1, elements // max(n1 * s2 * per_key, 1))
    for batch in range(b if n1 * s2 else 0):
        for begin in range(0, s1, step):
            yield batch, slice(begin, min(begin + step, s1))
