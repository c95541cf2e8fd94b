# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Prints one SHA-256 per case over all gradients; run by test_gradient_bitwise.py in other environments.

python -m tests.system.gradient_digest SEED CASE...
"""

from tests.cases.inputs import make_inputs
from tests.reference.gradient import NAMES
from tests.system.forward_digest import digest_of, print_digests
from tests.system.gradient_check import case_gradients, draw_dy


def digest(case, seed):
    inputs = make_inputs(case, seed)
    result = case_gradients(case, inputs, draw_dy(case, seed))
    return digest_of([getattr(result, name) for name in NAMES if getattr(result, name) is not None])


if __name__ == "__main__":
    print_digests(digest)
