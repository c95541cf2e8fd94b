# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Dropout masks as a stream of bits: LSB first in each byte, 1 = keep, no padding of rows."""

import torch


def pack_bits(keep):
    """Bytes of a flat bool tensor; the last one is filled with zeros."""
    padded = torch.zeros((keep.numel() + 7) // 8 * 8, dtype=torch.uint8)
    padded[: keep.numel()] = keep.flatten()
    return (padded.view(-1, 8) << torch.arange(8, dtype=torch.uint8)).sum(1).to(torch.uint8)


def unpack_bits(stream, count):
    """The first `count` bits of a uint8 tensor as a flat bool tensor."""
    bits = (stream.flatten()[:, None] >> torch.arange(8, dtype=torch.uint8)) & 1
    return bits.flatten()[:count].bool()
