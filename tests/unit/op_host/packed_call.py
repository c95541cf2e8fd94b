# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A call of input_layout TND as op_host sees it."""

from dataclasses import dataclass

import numpy as np

from tests.unit.op_host.call import Call


@dataclass
class PackedCall(Call):
    """lengths: (S1, S2) of every sequence; extra tokens stand behind them. q_list, kv_list replace the lists."""

    layout: str = "TND"
    lengths: tuple = ((40, 70), (60, 230))
    extra: tuple = (0, 0)
    q_list: tuple | None = None
    kv_list: tuple | None = None

    def input_list(self) -> list:
        sums = [list(np.cumsum([pair[i] for pair in self.lengths], dtype=np.int64)) for i in (0, 1)]
        lists = [sums[i] if given is None else given for i, given in enumerate((self.q_list, self.kv_list))]
        self.inputs = {
            "query": (self.tokens(0, self.n1, self.d), self.dtype),
            "key": (self.tokens(1, self.n2, self.d), self.dtype),
            "value": (self.tokens(1, self.n2, self.dv), self.dtype),
            "actual_seq_qlen": ((len(lists[0]),), "int64", np.array(lists[0], np.int64)),
            "actual_seq_kvlen": ((len(lists[1]),), "int64", np.array(lists[1], np.int64)),
        } | self.inputs
        return super().input_list()

    def statistics_shape(self) -> tuple:
        return self.tokens(0, self.n1, 8)

    def attention_shape(self) -> tuple:
        return self.tokens(0, self.n1, self.dv)

    def tokens(self, side: int, n: int, d: int) -> tuple:
        return (sum(pair[side] for pair in self.lengths) + self.extra[side], n, d)
