# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""One call of FlashAttentionScoreGrad as op_host sees it, and the tiling data it returns."""

from dataclasses import dataclass

import numpy as np

from ascendc_cpu import host
from tests.unit.op_host.call import FILL, PROBLEM, Call
from tests.unit.op_host.call import INPUTS as FORWARD_INPUTS
from tests.unit.op_host.parse import parse_gradient

OP = "FlashAttentionScoreGrad"
INPUTS = (
    "query key value dy pse_shift drop_mask padding_mask atten_mask softmax_max softmax_sum softmax_in attention_in "
    "prefix actual_seq_qlen actual_seq_kvlen q_start_idx kv_start_idx d_scale_q d_scale_k d_scale_v d_scale_dy "
    "d_scale_o query_rope key_rope sink"
).split()
OUTPUTS = ("dq", "dk", "dv", "dpse", "dq_rope", "dk_rope", "dsink")


def _integers(*names):
    return [(name, np.int64) for name in names]


GRADIENT_TILING_DATA = np.dtype(
    PROBLEM
    + [("shift_sums", _integers("elems", "copies", "stored"))]
    + [("rows", _integers("batches", "queries", "keys"))]
    + [("tile", _integers("q_tile", "kv_tile", "rows_per_pass", "l1_boxes"))]
    + [("schedule", _integers("chunk", "rounds"))]
    + [("workspace", _integers(
        *"score_ring score_ring_bytes dp_ring delta dq dk dv dq_rope dk_rope dpse acc_bytes".split()))]
    + [(name, np.int32) for name in ("stores_dsink", "stores_dq_rope", "stores_dk_rope", "gradient_reserved")]
)  # fmt: skip


@dataclass
class GradientCall(Call):
    """`inputs` replaces inputs as (shape, dtype); None leaves one out."""

    def input_list(self) -> list:
        query, key, value = super().input_list()[:3]
        attention = (self.attention_shape(), self.dtype)
        statistics = (self.statistics_shape(), "float32")
        given = {
            "query": query,
            "key": key,
            "value": value,
            "dy": attention,
            "attention_in": attention,
            "softmax_max": statistics,
            "softmax_sum": statistics,
        }
        if self.mask is not None:
            given["atten_mask"] = (self.mask, self.mask_dtype)
        given.update(self.inputs)
        return [given.get(name) for name in INPUTS]

    def output_list(self) -> list:
        nothing = ((0,), self.dtype)
        shapes = [*self.input_list()[:3], nothing, nothing, nothing, ((0,), "float32")]
        return [self.outputs.get(name, shape) for name, shape in zip(OUTPUTS, shapes, strict=True)]

    def parse(self, library) -> None:
        """The parser alone; Refused if it refuses. library: of the fixture host_library."""
        given = dict(zip(INPUTS, self.input_list(), strict=True))
        given["real_shift"] = given["pse_shift"]
        saved = [given[name] for name in "dy softmax_max softmax_sum attention_in d_scale_dy d_scale_o".split()]
        inputs = [given[name] for name in FORWARD_INPUTS]
        parse_gradient(library, inputs, self.attributes(), saved, self.output_list())

    def tile(self, soc: str = "cpu", outputs: list | None = None):
        """Tiling result and its data as a record. A field that the tiling leaves out shows as FILL bytes."""
        outputs = outputs or (self.output_list() if self.outputs else None)
        result = host.run_tiling(OP, self.input_list(), self.attributes(), outputs, soc=soc, fill=FILL)
        return result, result.record(GRADIENT_TILING_DATA)
