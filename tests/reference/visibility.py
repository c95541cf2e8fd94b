# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What a query sees: the rules of sparse_mode and mask tensors. Symbols as in attention.py."""

UNLIMITED = 2147483647  # default of pre_tokens and next_tokens


def visible_by_mode(i, j, s1, s2, sparse_mode=0, pre_tokens=UNLIMITED, next_tokens=UNLIMITED, prefix=0):
    """True where sparse_mode lets query i see key j. i and j are integer tensors that broadcast.

    Modes 7 and 8 are causal modes one of whose sequences differs: see packed.mode_of_segment.
    """
    everything = (i == i) & (j == j)
    if sparse_mode == 0:  # band, origin in the top left corner
        return (j >= i - pre_tokens) & (j <= i + next_tokens)
    if sparse_mode == 1:  # all; only a mask tensor hides keys
        return everything
    if sparse_mode == 2:  # causal from the top left corner
        return everything & (j <= i)
    if sparse_mode == 3:  # causal to the bottom right corner: the last query sees every key
        return everything & (j <= i + s2 - s1)
    if sparse_mode == 4:  # band, origin in the bottom right corner
        return (j >= i + s2 - s1 - pre_tokens) & (j <= i + s2 - s1 + next_tokens)
    if sparse_mode in (5, 6):  # as 3, and the first keys to everyone
        return everything & ((j <= i + s2 - s1) | (j < prefix))
    raise ValueError(f"sparse_mode: got {sparse_mode}, the reference of one batch knows 0 to 6")


def mask_to_4d(mask, b, n1, s1, s2):
    """View of a mask tensor as [B,N1,S1,S2]; every dimension may be 1 or full, 2-D means [S1,S2]."""
    if mask.dim() == 2:
        mask = mask[None, None]
    if mask.dim() != 4:
        raise ValueError(f"mask: got {mask.dim()} dimensions, allowed 2 or 4")
    return mask.expand(b, n1, s1, s2)
