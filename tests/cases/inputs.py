# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Random inputs of a case, a function of (case, seed)."""

from dataclasses import dataclass

import torch

from tests.cases.contract_inputs import make_dropout, make_prefix, make_pse, make_sink
from tests.reference.attention import to_layout

STACK_KEYS = 512  # keys that the kernel takes at a time, for masks that hide all of them


@dataclass(frozen=True)
class Inputs:
    """query, key, value: BNSD, for TND one batch of all tokens. mask: shape as the case says, nonzero = hidden.
    pse: values or slopes. keep: flat bool, drop_mask before it is packed, which it may be already. sink [N1].
    query_rope, key_rope: BNSD. prefix: a list. None where the case has no such thing."""

    query: torch.Tensor
    key: torch.Tensor
    value: torch.Tensor
    mask: torch.Tensor | None
    pse: torch.Tensor | None = None
    keep: torch.Tensor | None = None
    sink: torch.Tensor | None = None
    query_rope: torch.Tensor | None = None
    key_rope: torch.Tensor | None = None
    prefix: tuple | None = None
    drop_mask: torch.Tensor | None = None

    def in_layout(self, layout):
        """(query, key, value) contiguous in a layout."""
        return tuple(to_layout(x, layout) for x in (self.query, self.key, self.value))


def _hidden(case, sizes, rng):
    """Bool tensor [b,n,s1,s2] of the mask's sizes, True = hidden."""
    b, _, s1, s2 = sizes
    kind = case.mask.kind
    hidden = torch.zeros(sizes, dtype=torch.bool)
    i, j = torch.arange(s1)[:, None], torch.arange(s2)[None]
    if kind == "all":
        hidden |= True
    elif kind == "causal":
        hidden |= j > i
    elif kind == "padding":  # every batch has its own number of keys, at least one
        lengths = torch.randint(1, s2 + 1, (b, 1, 1, 1), generator=rng)
        hidden |= j >= lengths
    elif kind == "one_key":
        kept = torch.randint(0, s2, (*sizes[:3], 1), generator=rng)
        hidden |= j != kept
    elif kind != "nothing":  # random and its variants
        hidden |= torch.rand(sizes, generator=rng) < 0.3
        if kind == "blind_rows":  # the first, every third and the last row see nothing
            hidden |= (i % 3 == 0) | (i == s1 - 1)
        if kind == "first_stack":  # no key of the first stack; odd rows also miss everything after it
            hidden |= (j < STACK_KEYS) | ((i % 2 == 1) & (j >= STACK_KEYS))
    return hidden


def make_mask(case, rng):
    if case.mask is None:
        return None
    sizes = (1,) * (4 - len(case.mask_shape)) + case.mask_shape
    hidden = _hidden(case, sizes, rng).reshape(case.mask_shape)
    if case.mask.dtype == "bool":
        return hidden
    values = torch.tensor([1, 2, 128, 255], dtype=torch.uint8)  # any nonzero value hides
    return values[torch.randint(0, 4, hidden.shape, generator=rng)] * hidden


def make_inputs(case, seed):
    """Normal query (standard deviation case.std), key and value, and what else the case has."""
    rng = torch.Generator().manual_seed(seed)
    dtype = getattr(torch, case.dtype)
    b, s1, s2 = case.sizes

    def draw(*shape):
        return torch.randn(shape, generator=rng)

    query = (draw(b, case.n1, s1, case.d) * case.std).to(dtype)
    key = draw(b, case.n2, s2, case.d).to(dtype)
    value = draw(b, case.n2, s2, case.dv).to(dtype)
    mask = make_mask(case, rng)
    ropes = [draw(b, n, s, case.rope).to(dtype) if case.rope else None for n, s in ((case.n1, s1), (case.n2, s2))]
    pse, keep, sink = (make(case, rng) for make in (make_pse, make_dropout, make_sink))
    return Inputs(query, key, value, mask, pse, keep, sink, *ropes, make_prefix(case, rng))
