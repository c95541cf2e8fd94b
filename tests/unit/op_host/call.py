# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""One call of FlashAttentionScore as op_host sees it, and the tiling data it returns."""

from dataclasses import dataclass, field

import numpy as np

from ascendc_cpu import host
from tests.unit.op_host.parse import parse_call

FILL = 0xA5
OP = "FlashAttentionScore"
INPUTS = (
    "query key value real_shift drop_mask padding_mask atten_mask prefix actual_seq_qlen actual_seq_kvlen q_start_idx "
    "kv_start_idx d_scale_q d_scale_k d_scale_v query_rope key_rope sink"
).split()

OUTPUTS = "softmax_max softmax_sum softmax_out attention_out".split()


def _int64(names: str) -> list:
    return [(name, np.int64) for name in names.split()]


_STRIDES = _int64("b n s")
# What both operators tell their kernels, and the rest of the forward's.
PROBLEM = (
    _int64("b n1 n2 s1 s2 d dv")
    + [(name, _STRIDES) for name in ("query", "key", "value", "out")]
    + [("mask_tensor", _int64("b n s1 s2"))]
    + [("rule", _int64("lo hi lo_from_bottom hi_from_bottom band_segment band_hi has_prefix"))]
    + [("sequences", _int64("segments listed tokens key_tokens")
        + [("stats_like_input", np.int32), ("mask_per_token", np.int32)])]
    + [("shift", [(name, np.int32) for name in ("kind", "place", "is_float", "only_in_band")]
        + _int64("start b n s1 s2"))]
    + [("dropout", [("given", np.int32), ("keep_prob", np.float32)])]
    + [("rope", [*_int64("d"), ("query", _STRIDES), ("key", _STRIDES)])]
    + [("scale", np.float32), ("has_mask_tensor", np.int32), ("has_sink", np.int32), ("reserved", np.int32)]
)  # fmt: skip
TILING_DATA = np.dtype(
    PROBLEM
    + [("tile", _int64("q_tile kv_stack rows_per_pass preload l1_boxes box_bytes acc_in_ub slice_rows splits_keys"))]
    + [("workspace", _int64("score_ring score_ring_bytes pv_ring pv_ring_bytes acc acc_bytes partial_out partial_max "
                            "partial_sum"))]
)  # fmt: skip


def dense_mask(data) -> tuple:
    """(lo, hi) of the rule in a dense layout: key j is visible to query i if lo <= j - i <= hi."""
    rule, delta = data["rule"], int(data["s2"]) - int(data["s1"])
    return tuple(int(rule[end]) + delta * int(rule[f"{end}_from_bottom"]) for end in ("lo", "hi"))


@dataclass
class Call:
    """Dimensions in, shapes out; `inputs` adds or replaces inputs as (shape, dtype), `outputs` outputs, `attrs`
    attributes."""

    layout: str = "BNSD"
    b: int = 2
    n1: int = 4
    n2: int = 2
    s1: int = 100
    s2: int = 300
    d: int = 64
    dv: int = 64
    dtype: str = "float32"
    mask: tuple | None = None
    mask_dtype: str = "bool"
    attrs: dict = field(default_factory=dict)
    inputs: dict = field(default_factory=dict)
    outputs: dict = field(default_factory=dict)

    def shape(self, n: int, s: int, d: int) -> tuple:
        return {
            "BSH": (self.b, s, n * d),
            "SBH": (s, self.b, n * d),
            "BSND": (self.b, s, n, d),
            "BNSD": (self.b, n, s, d),
            "TND": (self.b * s, n, d),
        }[self.layout.upper()]

    def input_list(self) -> list:
        given = {
            "query": (self.shape(self.n1, self.s1, self.d), self.dtype),
            "key": (self.shape(self.n2, self.s2, self.d), self.dtype),
            "value": (self.shape(self.n2, self.s2, self.dv), self.dtype),
        }
        if self.mask is not None:
            given["atten_mask"] = (self.mask, self.mask_dtype)
        given.update(self.inputs)
        return [given.get(name) for name in INPUTS]

    def attributes(self) -> dict:
        return {"head_num": self.n1, "input_layout": self.layout, **self.attrs}

    def output_list(self) -> list:
        statistics = (self.statistics_shape(), "float32")
        shapes = [statistics, statistics, ((0,), self.dtype), (self.attention_shape(), self.dtype)]
        return [self.outputs.get(name, shape) for name, shape in zip(OUTPUTS, shapes, strict=True)]

    def statistics_shape(self) -> tuple:
        return (self.b, self.n1, self.s1, 8)

    def attention_shape(self) -> tuple:
        return self.shape(self.n1, self.s1, self.dv)

    def parse(self, library) -> np.void:
        """What the parser alone makes of the call; Refused if it refuses. library: of the fixture host_library."""
        inputs = self.input_list()  # completes a packed call
        return parse_call(library, TILING_DATA, inputs, self.attributes(), self.output_list())

    def tile(self, soc: str = "cpu", outputs: list | None = None):
        """Tiling result and its data as a record. A field that the tiling leaves out shows as FILL bytes."""
        outputs = outputs or (self.output_list() if self.outputs else None)
        result = host.run_tiling(OP, self.input_list(), self.attributes(), outputs, soc=soc, fill=FILL)
        return result, result.record(TILING_DATA)
