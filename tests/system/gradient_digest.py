# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Prints one SHA-256 per case over dq, dk and dv; run by test_gradient_bitwise.py in other environments.

python -m tests.system.gradient_digest SEED CASE...
"""

from tests.cases.inputs import make_inputs
from tests.system.forward_digest import digest_of, print_digests
from tests.system.gradient_check import draw_dy, gradients


def digest(case, seed):
    inputs = make_inputs(case, seed)
    result = gradients(case, inputs.query, inputs.key, inputs.value, draw_dy(case, seed), inputs.mask)
    return digest_of((result.dq, result.dk, result.dv))


if __name__ == "__main__":
    print_digests(digest)
