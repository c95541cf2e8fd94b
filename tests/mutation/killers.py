# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Small problems that together execute every line of the kernels, and the checked run of one of them."""

from dataclasses import dataclass, replace

from tests.cases.case import MaskSpec, PseSpec
from tests.cases.loader import load
from tests.check.operators import FORWARD, GRADIENT

KEYS = {"default": 0, "short_seq": 1, "long_seq": 2}


@dataclass(frozen=True)
class Problem:
    """One run: an operator's kernel (dtype, tiling key) and the case that selects it."""

    operator: str
    strategy: str
    case: object
    stack: int = 0  # keys of a stack, 0: the tiling's own choice

    @property
    def tuning(self):
        """Text of the tuning parameters, "" for none."""
        if self.operator == GRADIENT:
            return ""
        return f"strategy={self.strategy}" + (f",block_size_kv={self.stack}" if self.stack else "")

    @property
    def kernel(self):
        return self.operator, self.case.dtype, KEYS[self.strategy] if self.operator == FORWARD else 0


def _problems():
    (template,) = [case for case in load() if case.name == "smoke-BNSD-fp32-b2n3s65x129d32"]

    def problem(operator, strategy, dtype, stack=0, **changes):
        return Problem(operator, strategy, replace(template, dtype=dtype, **changes), stack)

    full_mask = MaskSpec(("B", "N", "S1", "S2"), "random")
    rows_mask = MaskSpec(("B", "N", "S1", 1), "random")
    one_key_mask = MaskSpec(("B", "N", "S1", "S2"), "one_key")  # rows whose scores are all negative
    one_row_mask = MaskSpec(("B", 1, 1, "S2"), "random")
    for dtype in ("bfloat16", "float32"):
        # several stacks, row blocks and heads a core; a rule, masks by byte and by row, O in UB and in GM, KV chunks
        yield problem(FORWARD, "default", dtype, b=1, n1=17, n2=17, s1=150, s2=1100, d=40, dv=40, mask=full_mask)
        yield problem(FORWARD, "default", dtype, b=1, n1=16, n2=2, s1=5, s2=3000)
        yield problem(FORWARD, "default", dtype, b=1, n1=17, n2=17, s1=150, s2=600, sparse_mode=4, pre_tokens=100,
                      next_tokens=-20)  # fmt: skip
        yield problem(FORWARD, "default", dtype, b=1, n1=10, n2=10, s1=144, s2=600, d=256, dv=256)
        yield problem(FORWARD, "default", dtype, b=1, n1=10, n2=10, s1=70, s2=70, mask=rows_mask)
        # heads in one tile, odd rows of one narrow block, one mask row for all queries
        yield problem(FORWARD, "default", dtype, layout="BSND", b=2, n1=16, n2=2, s1=5, s2=60, mask=full_mask)
        yield problem(FORWARD, "default", dtype, b=2, n1=16, n2=2, s1=5, s2=60, mask=rows_mask)
        yield problem(FORWARD, "default", dtype, b=2, n1=3, n2=3, s1=70, s2=90, mask=one_row_mask)
        # rows without keys, a band whose edges meet the tiles', rows of GM that lie too far apart for one copy
        yield problem(FORWARD, "default", dtype, b=1, n1=4, n2=4, s1=300, s2=300, sparse_mode=4, pre_tokens=400,
                      next_tokens=-200)  # fmt: skip
        yield problem(FORWARD, "default", dtype, b=1, n1=4, n2=4, s1=260, s2=260, sparse_mode=4, pre_tokens=1,
                      next_tokens=1)  # fmt: skip
        yield problem(FORWARD, "default", dtype, b=1, n1=2, n2=2, s1=130, s2=130, sparse_mode=4, pre_tokens=0,
                      next_tokens=0)  # fmt: skip
        yield problem(FORWARD, "default", dtype, layout="BSND", b=1, n1=260, n2=260, s1=3, s2=20, d=256, dv=256)
        yield problem(FORWARD, "short_seq", dtype, b=1, n1=17, n2=17, s1=150, s2=300, sparse_mode=3)
        yield problem(FORWARD, "long_seq", dtype, b=1, n1=16, n2=2, s1=5, s2=3000)
        yield problem(FORWARD, "long_seq", dtype, b=1, n1=16, n2=2, s1=5, s2=3000, mask=one_key_mask)
        yield problem(FORWARD, "long_seq", dtype, b=1, n1=16, n2=2, s1=5, s2=5000, sparse_mode=4, pre_tokens=2500,
                      next_tokens=0)  # fmt: skip
        yield problem(FORWARD, "long_seq", dtype, b=1, n1=32, n2=32, s1=3, s2=6000, stack=128)
        yield problem(FORWARD, "long_seq", dtype, b=3, n1=9, n2=9, s1=1, s2=1537)
        yield problem(FORWARD, "long_seq", dtype, b=1, n1=16, n2=2, s1=16, s2=2048, d=256, dv=256)
    for dtype in ("bfloat16", "float32"):
        yield problem(GRADIENT, "default", dtype, b=1, n1=10, n2=10, s1=140, s2=300, mask=full_mask)
        yield problem(GRADIENT, "default", dtype, b=1, n1=4, n2=2, s1=300, s2=300, sparse_mode=3, d=72, dv=72)
        yield problem(GRADIENT, "default", dtype, b=1, n1=4, n2=2, s1=70, s2=70, mask=rows_mask)
        yield problem(GRADIENT, "default", dtype, b=1, n1=4, n2=2, s1=70, s2=0, mask=rows_mask)  # no round
        yield problem(GRADIENT, "default", dtype, b=1, n1=4, n2=2, s1=5, s2=70, d=20, dv=20, mask=one_row_mask)
        yield problem(GRADIENT, "default", dtype, b=1, n1=3, n2=3, s1=300, s2=300, sparse_mode=4, pre_tokens=1,
                      next_tokens=1)  # fmt: skip
        yield problem(GRADIENT, "default", dtype, b=1, n1=3, n2=3, s1=300, s2=300, sparse_mode=4, pre_tokens=400,
                      next_tokens=-200)  # fmt: skip


def _with_features():
    """The same for shifts, dropout, sinks, rotary parts, prefixes and packed sequences."""
    mask = MaskSpec(("B", "N", "S1", "S2"), "random")
    packed_mask = MaskSpec(("S1", "S2"), "random")
    sequences = ((3, 5), (0, 4), (65, 129), (20, 0), (1, 700))
    packed = {"layout": "TND", "sequences": sequences, "b": 5, "s1": 65, "s2": 700, "tail": (3, 2)}
    dense = {"b": 2, "n1": 10, "n2": 10, "s1": 140, "s2": 600}
    causal = {"b": 2, "n1": 10, "n2": 5, "s1": 300, "s2": 300, "sparse_mode": 3}
    few_rows = {"b": 2, "n1": 16, "n2": 2, "s1": 5, "s2": 1100}
    yield {**dense, "pse": PseSpec(1, ("B", "N", "S1", "S2")), "keep_prob": 0.7, "sink": True, "mask": mask}
    yield {**few_rows, "pse": PseSpec(0, (1, "N", "S1", "S2")), "keep_prob": 0.7, "sink": True}
    yield {**causal, "pse": PseSpec(1, (1, "N", 1024, "S2")), "s1": 1030, "s2": 1030, "n1": 2, "n2": 2, "b": 1}
    yield {**few_rows, "pse": PseSpec(0, ("B", "N", "S1", 1))}
    yield {**few_rows, "pse": PseSpec(0, ("B", "N", 1, "S2"))}
    yield {**few_rows, "pse": PseSpec(1, (1, "N", 1, 1))}
    yield {**causal, "pse": PseSpec(2, ("N",)), "keep_prob": 0.7}
    yield {**causal, "pse": PseSpec(3, ("B", "N")), "sink": True}
    yield {**dense, "sparse_mode": 6, "prefix": "random"}
    yield {**packed, "n1": 4, "n2": 2, "sparse_mode": 3, "keep_prob": 0.7, "sink": True}
    yield {**packed, "n1": 4, "n2": 4, "mask": packed_mask, "rope": 16}
    yield {**packed, "n1": 4, "n2": 4, "pse": PseSpec(0, ("full",))}


def _feature_problems():
    (template,) = [case for case in load() if case.name == "smoke-BNSD-fp32-b2n3s65x129d32"]
    for dtype in ("bfloat16", "float32"):
        for changes in _with_features():
            if "rope" in changes and dtype == "float32":
                continue
            case = replace(template, dtype=dtype, **changes)
            yield Problem(FORWARD, "default", case)
            yield Problem(GRADIENT, "default", case)


PROBLEMS = (*_problems(), *_feature_problems())
