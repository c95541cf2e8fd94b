# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What CANN's FlashAttentionScore and FlashAttentionScoreGrad accept and refuse in their host code, call by call, and
what this operator does where it differs. Written from CANN's public documentation and test cases. Every reason for a
refusal is a row of fa_contract_rows.h."""

import math
from dataclasses import dataclass, field

import numpy as np

from tests.unit.op_host.call import Call
from tests.unit.op_host.gradient_call import GradientCall
from tests.unit.op_host.packed_call import PackedCall

COMPRESSED, PREFIX_COMPRESSED = (2048, 2048), (3072, 2048)
# Why this operator does something else. Each is a row of the documented contract.
NO_MASK_NEEDED = "the rule of a sparse mode needs no mask tensor"
ONE_OR_FULL = "each dimension of a mask or a shift may be 1 or full"
NO_SILENT_DROPOUT = "keep_prob < 1 without drop_mask is refused"
NO_SILENT_PREFIX = "a bad prefix is refused in mode 5 as in mode 6"
NOTHING_SEEN = "a row that sees no key is 0 in every layout and mode"
FLOAT_SHIFT = "a float mask is a float32 shift of pse_type 0"
ANY_LENGTHS = "slopes need no square of scores"
FLAT_SHIFT = "a packed shift may have one dimension in the forward, as in the gradient"
NOT_IGNORED = "what would be ignored is refused"
AS_THE_FORWARD = "a gradient refuses what its forward refuses, and only that"


@dataclass
class Row:
    """refusal: row of fa_contract_rows.h, None: accepted. words: parts of its text. differs: why CANN
    does the opposite."""

    call: Call
    refusal: str | None = None
    words: tuple = ()
    differs: str | None = None


def values(*numbers) -> tuple:
    return (len(numbers),), "int64", np.array(numbers, np.int64)


def bits(*scores) -> tuple:
    """A drop_mask."""
    return (math.prod(scores) + 7) // 8, "uint8"


@dataclass
class Dense:
    """b, n1, n2, s1, s2, d of a case table; mask F: [S1, S2], C and P: compressed; pse and drop by name."""

    sizes: tuple
    layout: str
    dtype: str
    tokens: tuple
    mask: str = "-"
    pse: str = ""
    drop: bool = False
    more: dict = field(default_factory=dict)
    attrs: dict = field(default_factory=dict)

    def call(self, kind=Call, pse_name="real_shift"):
        b, n1, n2, s1, s2, d = self.sizes
        shift = {"BNSS": (b, n1, s1, s2), "BN1S": (b, n1, 1, s2), "alibi": (b, n1, 1024, s2), "": None}[self.pse]
        mask = {"F": (s1, s2), "C": COMPRESSED, "P": PREFIX_COMPRESSED, "-": None}[self.mask]
        inputs = {} if shift is None else {pse_name: (shift, self.dtype)}
        inputs |= {"drop_mask": ((bits(b, n1, s1, s2)[0],), "uint8")} if self.drop else {}
        mode, pre, following = self.tokens
        attrs = {"sparse_mode": mode, "pre_tockens": pre, "next_tockens": following}
        attrs |= {"keep_prob": 0.9} if self.drop else {}
        return kind(
            layout=self.layout, b=b, n1=n1, n2=n2, s1=s1, s2=s2, d=d, dv=d, dtype=self.dtype, mask=mask,
            attrs=attrs | self.attrs, inputs=inputs | self.more,
        )  # fmt: skip


def packed(lengths, tokens, mask=None, n=40, d=128, dtype="float16", attrs=None, **inputs):
    mode, pre, following = tokens
    attrs = {"sparse_mode": mode, "pre_tockens": pre, "next_tockens": following} | (attrs or {})
    return PackedCall(lengths=tuple(lengths), n1=n, n2=n, d=d, dv=d, dtype=dtype, mask=mask, attrs=attrs, inputs=inputs)


def packed_gradient(lengths, tokens, n1, n2, d, dtype, mask=None, attrs=None, **inputs):
    """Sequences of equal query and key lengths."""
    total = sum(lengths)
    ends = values(*np.cumsum(lengths))
    rows = {name: ((total, n1, d), dtype) for name in ("query", "dy", "attention_in")}
    rows |= {name: ((total, n2, d), dtype) for name in ("key", "value")}
    rows |= {name: ((total, n1, 8), "float32") for name in ("softmax_max", "softmax_sum")}
    mode, pre, following = tokens
    attrs = {"sparse_mode": mode, "pre_tockens": pre, "next_tockens": following} | (attrs or {})
    return GradientCall(
        layout="TND", b=1, n1=n1, n2=n2, s1=total, s2=total, d=d, dv=d, dtype=dtype, mask=mask, attrs=attrs,
        inputs=rows | {"actual_seq_qlen": ends, "actual_seq_kvlen": ends} | inputs,
    )  # fmt: skip


HUGE = 2147483647
THREE = ((2048, 2048),) * 3
HALF, BF16, FLOAT = "float16", "bfloat16", "float32"
S1K = (24, 10, 10, 1024, 1024, 128)

# CANN's own test cases of the forward.
FORWARD_CASES = {
    "small causal": Row(Dense((2, 8, 8, 2048, 2048, 128), "SBH", HALF, (3, 2048, 0), "F", "BN1S").call()),
    "SM_023": Row(Dense((1, 10, 10, 2048, 4096, 128), "SBH", HALF, (3, 1024, 2048), "C", "BNSS", True).call()),
    "SM_013": Row(Dense((1, 2, 2, 2048, 2048, 128), "SBH", HALF, (0, 1024, -900), "F").call()),
    "tokens_1": Row(Dense(S1K, "BSH", HALF, (0, -512, -512), "F").call(), "WINDOW_NEGATIVE"),
    "tokens_3": Row(Dense(S1K, "BSH", HALF, (4, 512, -1024), "C").call(), "WINDOW_EMPTY"),
    "SM_006": Row(
        Dense((4, 4, 4, 128, 1024, 125), "BSND", HALF, (99, 500, 300), "F", "BNSS", True).call(),
        "SPARSE_MODE", ("99",),
    ),
    "no mask": Row(Dense((1, 2, 2, 2048, 2048, 128), "SBH", HALF, (2, 1024, 0)).call()),
    "SM_031": Row(
        Dense((1, 16, 16, 512, 512, 128), "SBH", FLOAT, (5, 10, 1000), "F", "BNSS", True,
              {"prefix": values(100)}).call()
    ),
    "prefix_7": Row(
        Dense((3, 10, 10, 1024, 1024, 128), "SBH", HALF, (5, 10, 10), "F",
              more={"prefix": values(128, 512, 512)}).call(),
        differs=ONE_OR_FULL,
    ),
    "prefix bad m5": Row(
        Dense(S1K, "SBH", HALF, (5, 10, 10), "F", more={"prefix": values(*[2000] * 24)}).call(),
        "PREFIX_RANGE", ("prefix[0]", "0..1024", "2000"),
        differs=NO_SILENT_PREFIX,
    ),
    "B small": Row(
        Dense((9, 13, 13, 16, 16, 256), "SBH", FLOAT, (6, 0, 0), "P", more={"prefix": values(*range(2, 11))}).call()
    ),
    "GQA big": Row(Dense((234, 227, 1, 25283, 2133, 32), "BNSD", BF16, (0, HUGE, HUGE), "F", "BNSS", True).call()),
    "GQA alibi": Row(
        Dense((2, 5, 5, 2048, 768, 64), "BNSD", BF16, (0, HUGE, HUGE), "F", "alibi").call(), "ALIBI_LENGTHS"
    ),
    "alibi band": Row(
        Dense((24, 10, 10, 2048, 2048, 128), "BNSD", HALF, (0, 1024, 0), "F", "alibi").call(), "ALIBI_CAUSAL"
    ),
    "TND alibi": Row(packed(THREE, (0, 65535, 0), (2048, 2048), real_shift=((1, 40, 1024, 2048), HALF))),
    "TND pse 1-D": Row(
        packed(THREE, (0, 65535, 0), (2048, 2048), real_shift=((503316480,), HALF)), differs=FLAT_SHIFT
    ),
    "TND mask sum": Row(packed(THREE, (0, 65535, 0), (6144, 6144))),
    "TND next<0": Row(packed(THREE, (0, 65535, -512), (2048, 2048)), "PACKED_NEXT"),
    "TND mode 3 S1>S2": Row(packed(((2048, 1024),) * 3, (3, 512, 512), COMPRESSED), differs=NOTHING_SEEN),
    "TND mode 7": Row(packed(((2048, 2048), (2048, 2048), (1904, 2048)), (7, 65536, -100), COMPRESSED)),
    "TND mode 7 next>0": Row(packed(THREE, (7, 256, 8), COMPRESSED), "BAND_NEXT"),
    "TND mode 8 slopes": Row(
        packed(((4, 4), (4, 4), (8, 8)), (8, 65535, 0), COMPRESSED, n=1, d=32, attrs={"pse_type": 2},
               real_shift=((3, 1), FLOAT))
    ),
    "TND mode 8 lengths": Row(
        packed(((10, 11), (12, 13), (9, 8)), (8, 65535, 0), COMPRESSED, attrs={"pse_type": 3},
               real_shift=((40,), FLOAT)),
        "SLOPES_BAND",
    ),
    "inner S1!=S2": Row(
        Dense((3, 40, 40, 256, 257, 128), "BSND", HALF, (0, 256, 8), "F", more={"real_shift": ((3, 40), FLOAT)},
              attrs={"pse_type": 3}).call(),
        differs=ANY_LENGTHS,
    ),
    "keep_prob": Row(
        Dense(S1K, "SBH", HALF, (0, 1024, 0), "F", attrs={"keep_prob": 1.2}).call(), "KEEP_PROB"
    ),
    "D": Row(Dense((3, 40, 40, 2048, 1024, 896), "BNSD", HALF, (8, 1024, 0)).call(), "HEAD_DIM", ("1..768", "896")),
    **{
        f"empty {dtype}": Row(Dense((2, 16, 16, 2048, 0, 32), "BSH", dtype, (0, HUGE, HUGE)).call())
        for dtype in (HALF, BF16, FLOAT)
    },
}  # fmt: skip


def gradient_case(sizes, tokens, mask="F", pse="", drop=True, layout="BNSD", **more):
    return Dense(sizes, layout, HALF, tokens, mask, pse, drop, more).call(GradientCall, "pse_shift")


# CANN's own test cases of the gradient.
GRADIENT_CASES = {
    "base": Row(gradient_case((2, 60, 30, 2048, 2048, 128), (0, 2048, 2048), pse="BN1S")),
    "neg next": Row(gradient_case((2, 60, 30, 1024, 1024, 64), (0, 512, -256), pse="BN1S")),
    "mask small": Row(gradient_case((2, 60, 30, 1024, 1024, 128), (3, 2048, 2048), pse="BN1S"), "MASK_COMPRESSED"),
    "TND both neg": Row(
        packed_gradient((2048, 273, 194), (4, -100, -100), 6, 2, 64, BF16, COMPRESSED),
        "PACKED_PRE",
    ),
    "TND 1-D pse": Row(
        packed_gradient(
            (2048, 273, 194), (2, 65535, 0), 6, 2, 64, HALF, COMPRESSED, {"keep_prob": 0.9},
            pse_shift=((6 * 2515,), HALF), drop_mask=((6 * (2048**2 + 273**2 + 194**2) // 8 + 1,), "uint8"),
        )
    ),
    "wrong attention_in": Row(
        gradient_case((2, 16, 16, 2048, 2048, 32), (0, HUGE, HUGE), "-", drop=False, layout="BSH",
                      attention_in=((2, 2048, 256), HALF)),
        "SAVED_SHAPE", ("attention_in", "[2, 2048, 512]"),
    ),
    "empty q": Row(gradient_case((2, 16, 16, 0, 2048, 32), (0, HUGE, HUGE), "-", drop=False, layout="BSH")),
}  # fmt: skip
