# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Element types of kernels as numpy bit patterns, and conversions written from the formats' definitions."""

import numpy as np

# kernel type -> numpy type of its bits
STORAGE = {
    "float": np.dtype(np.float32),
    "half": np.dtype(np.float16),
    "bfloat16_t": np.dtype(np.uint16),
    "int8_t": np.dtype(np.int8),
    "int16_t": np.dtype(np.int16),
    "int32_t": np.dtype(np.int32),
}


def to_bfloat16(values: np.ndarray) -> np.ndarray:
    """float64 or float32 to bf16 bits, to nearest even; NaN becomes 0x7fc0."""
    single = np.asarray(values, np.float32)
    bits = single.view(np.uint32).astype(np.uint64)
    low = bits & 0xFFFF
    up = (low > 0x8000) | ((low == 0x8000) & ((bits >> 16) & 1 == 1))
    rounded = ((bits >> 16) + up).astype(np.uint16)
    return np.where(np.isnan(single), np.uint16(0x7FC0), rounded)


def from_bfloat16(bits: np.ndarray) -> np.ndarray:
    return (bits.astype(np.uint32) << 16).view(np.float32)


def encode(values: np.ndarray, ctype: str) -> np.ndarray:
    if ctype == "bfloat16_t":
        return to_bfloat16(values)
    return np.asarray(values).astype(STORAGE[ctype])


def decode(bits: np.ndarray, ctype: str) -> np.ndarray:
    """To float64 (exact)."""
    return (from_bfloat16(bits) if ctype == "bfloat16_t" else bits).astype(np.float64)


def random_bits(rng: np.random.Generator, count: int, ctype: str) -> np.ndarray:
    """Any bit pattern of the type, NaN included."""
    dtype = STORAGE[ctype]
    return np.frombuffer(rng.bytes(count * dtype.itemsize), dtype).copy()
