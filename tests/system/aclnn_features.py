# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Calls of the official aclnn entries with the optional inputs of the contract, and what they are compared with."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np
import torch

from tests.reference import attention as reference
from tests.reference.attention import AttentionResult, from_layout, to_layout
from tests.reference.gradient import GradientResult, attention_grad, plain_attention_grad
from tests.reference.packed import packed_attention, packed_gradient, row_state_from_memory
from tests.reference.plain import plain_attention
from tests.reference.tolerance import assert_attention, assert_gradients
from tests.system.aclnn_call import call

COMPRESSED = torch.zeros(2048, 2048, dtype=torch.uint8)  # contents are not needed
PREFIX_COMPRESSED = torch.zeros(3072, 2048, dtype=torch.uint8)


@dataclass
class FeatureCall:
    """tensors: BNSD query, key, value; lengths: (S1, S2) of the packed sequences, whose B is 1, or None.

    given: arguments of the entry, problem: of the reference, both beside those that every call has."""

    tensors: tuple
    layout: str = "BNSD"
    lengths: tuple | None = None
    given: dict = field(default_factory=dict)
    problem: dict = field(default_factory=dict)

    @property
    def ends(self):
        return tuple([int(x) for x in np.cumsum([pair[side] for pair in self.lengths])] for side in (0, 1))

    def reference(self, function):
        """`function` of one problem, or of all sequences."""
        if self.lengths is None:
            return function
        return partial(packed_gradient if "grad" in function.__name__ else packed_attention, function, self.ends)

    def options(self):
        return {"scale": self.tensors[0].shape[-1] ** -0.5, **self.problem}

    def arguments(self):
        query, key, value = self.tensors
        out = torch.empty(*query.shape[:3], value.shape[3], dtype=query.dtype)
        rows = (query.shape[2], query.shape[1]) if self.lengths else query.shape[:3]
        lists = (
            dict(zip(("actualSeqQLenOptional", "actualSeqKvLenOptional"), self.ends, strict=True))
            if self.lengths
            else {}
        )
        return {
            "query": to_layout(query, self.layout),
            "key": to_layout(key, self.layout),
            "value": to_layout(value, self.layout),
            "scaleValue": query.shape[3] ** -0.5,
            "headNum": query.shape[1],
            "inputLayout": self.layout,
            "softmaxMaxOut": torch.empty(*rows, 8),
            "softmaxSumOut": torch.empty(*rows, 8),
            "attentionOutOut": to_layout(out, self.layout),
            **lists,
            **self.given,
        }  # fmt: skip

    def forward(self, name):
        """Runs the entry and compares it; its arguments, outputs included."""
        arguments = self.arguments()
        call(name, arguments)
        expected, plain = (
            self.reference(each)(*self.tensors, **self.options()) for each in (reference.attention, plain_attention)
        )
        assert_attention(self._result(arguments), expected, plain)
        return arguments

    def _result(self, arguments):
        maximum, total = arguments["softmaxMaxOut"], arguments["softmaxSumOut"]
        if self.lengths:
            like_input = arguments.get("softmaxOutLayout") == "same_as_input"
            maximum, total = (row_state_from_memory(x, self.ends[0], like_input) for x in (maximum, total))
        out = from_layout(arguments["attentionOutOut"], self.layout, self.tensors[0].shape[1])
        return AttentionResult(out, maximum, total, torch.zeros(()))

    def backward(self, forward_name, name, **outputs):
        """Runs forward and gradient and compares the gradients. outputs: dpseOut, dsinkOut by shape and type."""
        forward = self.forward(forward_name)
        query, key, value = self.tensors
        dy = torch.randn(*query.shape[:3], value.shape[3]).to(query.dtype)
        arguments = {
            {"key": "keyIn", "realShiftOptional": "pseShiftOptional", "sinkOptional": "sinkInOptional",
             "softmaxOutLayout": "softmaxInLayout"}.get(each, each): value_of
            for each, value_of in forward.items() if each not in ("softmaxMaxOut", "softmaxSumOut", "attentionOutOut")
        } | {
            "dy": to_layout(dy, self.layout),
            "softmaxMaxOptional": forward["softmaxMaxOut"],
            "softmaxSumOptional": forward["softmaxSumOut"],
            "attentionInOptional": forward["attentionOutOut"],
            **{each: to_layout(torch.empty_like(x), self.layout) for each, x in
               (("dqOut", query), ("dkOut", key), ("dvOut", value))},
            **outputs,
        }  # fmt: skip
        call(name, arguments)
        got = [from_layout(arguments[each], self.layout, x.shape[1]) for each, x in
               (("dqOut", query), ("dkOut", key), ("dvOut", value))]  # fmt: skip
        expected, plain = (self.reference(each)(*self.tensors, dy, **self.options())
                           for each in (attention_grad, plain_attention_grad))  # fmt: skip
        dpse, dsink = outputs.get("dpseOut"), outputs.get("dsinkOut")
        if dpse is not None:
            dpse = dpse.view(expected.dpse.shape)
        assert_gradients(GradientResult(*got, (), 0.0, dpse, dsink), expected, plain, query.dtype)
