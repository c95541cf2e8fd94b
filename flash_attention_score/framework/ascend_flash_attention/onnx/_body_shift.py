# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Parts of the function: what is added to the scores."""

# pse_type 0: scale * QK + pse; 1: scale * (QK + pse)
SHIFT = """
    shift_float = Cast <to = 1> (real_shift)
    shift_type = Constant <value_int: int = @pse_type> ()
    after_scale_type = Constant <value_int = 0> ()
    after_scale = Equal (shift_type, after_scale_type)
    one_float = Constant <value_float = 1.0> ()
    shift_factor = Where (after_scale, one_float, scale)
    shift = Mul (shift_float, shift_factor)
    scores = Add (products, shift)
"""

NO_SHIFT = """
    scores = Identity (products)
"""
