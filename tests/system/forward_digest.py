# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Prints one SHA-256 per case over out, softmax_max and softmax_sum; run by test_bitwise.py in other environments.

python -m tests.system.forward_digest SEED CASE...
"""

import hashlib
import sys

from tests.cases.inputs import make_inputs
from tests.cases.loader import load
from tests.system.forward_call import as_bytes, call_inputs


def digest_of(tensors):
    """Hex digest of the bytes of tensors."""
    sha = hashlib.sha256()
    for tensor in tensors:
        sha.update(as_bytes(tensor).numpy().tobytes())
    return sha.hexdigest()


def digest(case, seed):
    """Digest of a forward call's three outputs."""
    return digest_of(call_inputs(case, make_inputs(case, seed))[:3])


def print_digests(digest):
    """Answers the command line with a function (case, seed) -> digest."""
    seed, *names = sys.argv[1:]
    cases = {case.name: case for case in load()}
    for name in names:
        print(name, digest(cases[name], int(seed)))


if __name__ == "__main__":
    print_digests(digest)
