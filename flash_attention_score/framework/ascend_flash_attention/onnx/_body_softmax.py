# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Parts of the function: maximum and sum of a row, with and without a sink."""

# The axes are an input from opset 18 on.
MAX_BY_INPUT = """
    some_max = ReduceMax <keepdims = 1> (masked, last)
"""

MAX_BY_ATTRIBUTE = """
    some_max = ReduceMax <keepdims = 1, axes = [-1]> (masked)
"""

SEEN = """
    seen_max = Max (some_max, lowest)
    blind = Equal (seen_max, lowest)
"""

WEIGHTS = """
    shifted = Sub (masked, row_max)
    weights = Exp (shifted)
    weight_sum = ReduceSum <keepdims = 1> (weights, last)
"""

NO_SINK_MAX = """
    row_max = Identity (seen_max)
"""

SINK_MAX = """
    sink_places = Constant <value_ints = [1, -1, 1, 1]> ()
    sink_logit = Reshape (sink, sink_places)
    row_max = Max (seen_max, sink_logit)
"""

NO_SINK = """
    row_sum = Identity (weight_sum)
    seen_sum = Where (blind, largest, row_sum)
"""

# A logit of each head without a value.
SINK = """
    sink_shifted = Sub (sink_logit, row_max)
    sink_weight = Exp (sink_shifted)
    row_sum = Add (weight_sum, sink_weight)
    seen_sum = Identity (row_sum)
"""
