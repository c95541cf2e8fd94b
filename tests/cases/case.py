# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""One problem of the operator: what a row of the case table, or a draw of the fuzzer, is."""

import zlib
from dataclasses import dataclass
from itertools import accumulate

UNLIMITED = 2147483647
DTYPES = {"float32": "fp32", "bfloat16": "bf16", "float16": "fp16"}
ALIBI_ROWS = 1024
PACKED_PLACES = ("row", "full")  # packed pse: [N1][1][S2] or [N1][S1][S2], sequence after sequence
MASK_TENSOR_MODES = (0, 1, 5)  # sparse modes that read a mask tensor; 2048 x 2048 stands for the pattern of the others


@dataclass(frozen=True)
class MaskSpec:
    """shape: one token a dimension, 1 or the name of the full size (B, N, S1, S2; T1 and T2 for all tokens)."""

    shape: tuple
    kind: str
    dtype: str = "bool"


@dataclass(frozen=True)
class PseSpec:
    """type: pse_type 0..3. shape: tokens as of a mask, 1024 in place of S1 for a compressed table, (N,) or (B, N) for
    slopes. TND: ("row",) or ("full",) for a packed one, else S1 and S2 of the longest sequence. start: q_start_idx and
    kv_start_idx of slopes. float32: the tensor is that although query is not (type 0)."""

    type: int
    shape: tuple
    start: tuple = (0, 0)
    float32: bool = False

    @property
    def is_slopes(self):
        return self.type in (2, 3)

    @property
    def is_alibi(self):
        return ALIBI_ROWS in self.shape

    @property
    def is_packed(self):
        return self.shape[0] in PACKED_PLACES


@dataclass(frozen=True)
class Case:
    """Symbols as in tests/reference/attention.py. TND: b sequences, s1 and s2 are the longest ones.

    prefix: kind of the prefix list, see inputs.py. sequences: (S1, S2) of each. tail: rows and keys past the last one.
    keep_prob: below 1 with a drop_mask. rope: width of the rotary parts. like_input: softmax_out_layout same_as_input.
    """

    group: str
    step: str
    tags: tuple
    layout: str
    dtype: str
    b: int
    n1: int
    n2: int
    s1: int
    s2: int
    d: int
    dv: int
    mask: MaskSpec | None
    sparse_mode: int
    pre_tokens: int
    next_tokens: int
    std: float
    prefix: str | None = None
    sequences: tuple = ()
    tail: tuple = (0, 0)
    pse: PseSpec | None = None
    keep_prob: float = 1.0
    sink: bool = False
    rope: int = 0
    like_input: bool = False

    @property
    def scale(self):
        return self.d**-0.5

    @property
    def sparse(self):
        return {"sparse_mode": self.sparse_mode, "pre_tokens": self.pre_tokens, "next_tokens": self.next_tokens}

    @property
    def has_window(self):
        return (self.pre_tokens, self.next_tokens) != (UNLIMITED, UNLIMITED)

    @property
    def is_packed(self):
        return self.layout == "TND"

    @property
    def ends(self):
        """Cumulative lengths of TND, of queries and of keys, without leading 0."""
        return tuple(tuple(accumulate(x[i] for x in self.sequences)) for i in (0, 1))

    @property
    def sizes(self):
        """(B, S1, S2) of the BNSD tensors that hold the case: for TND, one batch of all tokens."""
        if not self.is_packed:
            return self.b, self.s1, self.s2
        return 1, *(sum(x[i] for x in self.sequences) + self.tail[i] for i in (0, 1))

    def shape_of(self, tokens):
        """Sizes of a tensor whose dimensions are named by tokens."""
        total = {f"T{i + 1}": sum(x[i] for x in self.sequences) for i in (0, 1)}
        sizes = {"B": self.b, "N": self.n1, "S1": self.s1, "S2": self.s2, 1: 1, ALIBI_ROWS: ALIBI_ROWS, **total}
        return tuple(sizes[token] for token in tokens)

    @property
    def mask_shape(self):
        """Sizes of the mask tensor; None without one."""
        return None if self.mask is None else self.shape_of(self.mask.shape)

    @property
    def features(self):
        """What the case asks for beyond dense attention with masks and sparse modes 0 to 4."""
        pse = self.pse
        asked = {
            "tnd": self.is_packed,
            "prefix": self.sparse_mode in (5, 6),
            "pse": pse and not pse.is_slopes and not pse.is_alibi and not pse.is_packed,
            "packed pse": pse and pse.is_packed,
            "alibi": pse and pse.is_alibi,
            "slopes": pse and pse.is_slopes,
            "dropout": self.keep_prob < 1,
            "sink": self.sink,
            "rope": self.rope,
        }
        return frozenset(name for name, wanted in asked.items() if wanted)

    @property
    def name(self):
        """Unique in the table: group and every axis that is not at its default."""
        return "-".join([self.group, self.layout, DTYPES[self.dtype], self._shape_text(), *self._option_texts()])

    def _shape_text(self):
        heads = f"n{self.n1}" if self.n1 == self.n2 else f"n{self.n1}-{self.n2}"
        head_dim = f"d{self.d}" if self.d == self.dv else f"d{self.d}-{self.dv}"
        if not self.is_packed:
            return f"b{self.b}{heads}s{self.s1}x{self.s2}{head_dim}"
        lengths = "_".join(f"{s1}x{s2}" for s1, s2 in self.sequences)
        if len(lengths) > 40:
            lengths = f"{len(self.sequences)}of{self.s1}x{self.s2}_{zlib.crc32(lengths.encode()):08x}"
        tail = "" if self.tail == (0, 0) else f"tail{self.tail[0]}x{self.tail[1]}"
        return f"{heads}s{lengths}{tail}{head_dim}"

    def _option_texts(self):
        if self.mask:
            yield "".join(str(t).lower() for t in self.mask.shape) + f"_{self.mask.kind}_{self.mask.dtype}"
        if self.sparse_mode or self.has_window:
            window = [f"{n}{t}" for n, t in (("p", self.pre_tokens), ("n", self.next_tokens)) if t != UNLIMITED]
            yield f"mode{self.sparse_mode}{''.join(window)}{'' if self.prefix is None else '_' + self.prefix}"
        if self.pse:
            start = "" if self.pse.start == (0, 0) else "from{}_{}".format(*self.pse.start)
            shape = "".join(str(t).lower() for t in self.pse.shape)
            yield f"pse{self.pse.type}{shape}{start}{'fp32' if self.pse.float32 else ''}"
        if self.keep_prob < 1:
            yield f"keep{self.keep_prob}"
        if self.sink:
            yield "sink"
        if self.rope:
            yield f"rope{self.rope}"
        if self.like_input:
            yield "like_input"
        if self.std != 1:
            yield f"std{self.std}"
