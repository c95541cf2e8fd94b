# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The bits of the CPU's aclnnDropoutGenMaskV2: Philox4x32-10 (Salmon et al., SC11) in numpy."""

import numpy as np

_LOW = np.uint64(0xFFFFFFFF)


def philox(counter, key):
    """Philox4x32-10 of counters [n, 4] with one key [2], as uint64 arrays of 32-bit values."""
    words = [np.asarray(column, np.uint64) for column in np.transpose(counter)]
    key = [int(value) for value in key]
    for _ in range(10):
        product0, product1 = words[0] * np.uint64(0xD2511F53), words[2] * np.uint64(0xCD9E8D57)
        words = [
            (product1 >> np.uint64(32)) ^ words[1] ^ np.uint64(key[0]),
            product1 & _LOW,
            (product0 >> np.uint64(32)) ^ words[3] ^ np.uint64(key[1]),
            product0 & _LOW,
        ]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return np.stack(words, axis=1)


def _halves(value):
    return value & 0xFFFFFFFF, value >> 32 & 0xFFFFFFFF


def keep_bits(count, prob, seed, offset):
    """`count` bools, True with probability 1 - prob: bit i is word i % 4 of block i / 4."""
    groups = np.arange((count + 3) // 4, dtype=np.uint64)
    counter = np.stack([groups & _LOW, groups >> np.uint64(32), *(np.full_like(groups, x) for x in _halves(offset))], 1)
    return philox(counter, _halves(seed)).reshape(-1)[:count] >= round(prob * 2**32)
