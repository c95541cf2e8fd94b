# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""One call of FlashAttentionScore as op_host sees it, and the tiling data it returns."""

from dataclasses import dataclass, field

import numpy as np

from ascendc_cpu import host

FILL = 0xA5
OP = "FlashAttentionScore"
INPUTS = (
    "query key value real_shift drop_mask padding_mask atten_mask prefix actual_seq_qlen actual_seq_kvlen q_start_idx "
    "kv_start_idx d_scale_q d_scale_k d_scale_v query_rope key_rope sink"
).split()

_STRIDES = [(name, np.int64) for name in ("b", "n", "s")]
TILING_DATA = np.dtype(
    [(name, np.int64) for name in ("b", "n1", "n2", "s1", "s2", "d", "dv")]
    + [(name, _STRIDES) for name in ("query", "key", "value", "out")]
    + [("mask_tensor", [(name, np.int64) for name in ("b", "n", "s1", "s2")])]
    + [("mask", [(name, np.int64) for name in ("lo", "hi", "prefix")])]
    + [
        (
            "tile",
            [
                (name, np.int64)
                for name in (
                    "q_tile",
                    "kv_stack",
                    "rows_per_pass",
                    "preload",
                    "heads_per_tile",
                    "l1_boxes",
                    "acc_in_ub",
                )
            ],
        )
    ]
    + [("schedule", [(name, np.int64) for name in ("row_blocks", "heaviest_block", "kv_chunk", "kv_chunks")])]
    + [
        (
            "workspace",
            [
                (name, np.int64)
                for name in (
                    "score_ring",
                    "score_ring_bytes",
                    "pv_ring",
                    "pv_ring_bytes",
                    "acc",
                    "acc_bytes",
                    "partial_out",
                    "partial_max",
                    "partial_sum",
                )
            ],
        )
    ]
    + [("scale", np.float32), ("has_mask_tensor", np.int32)]
)


@dataclass
class Call:
    """Dimensions in, shapes out; `inputs` adds or replaces inputs as (shape, dtype), `attrs` attributes."""

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
        statistics = ((self.b, self.n1, self.s1, 8), "float32")
        return [statistics, statistics, ((0,), self.dtype), (self.shape(self.n1, self.s1, self.dv), self.dtype)]

    def tile(self, soc: str = "cpu", outputs: list | None = None):
        """Tiling result and its data as a record. A field that the tiling leaves out shows as FILL bytes."""
        result = host.run_tiling(OP, self.input_list(), self.attributes(), outputs, soc=soc, fill=FILL)
        return result, result.record(TILING_DATA)
