# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A sequence of TND has the bits that it has alone, as a batch of one, whoever is packed with it or computes it."""

from dataclasses import dataclass

import pytest
import torch
from ascend_flash_attention import npu_flash_attention

from tests.reference.dropout import pack_bits
from tests.reference.packed import row_state_from_memory, segments_of
from tests.system.forward_call import same_bits

TUNING = "FLASH_ATTENTION_SCORE_TUNING"
DTYPES = [torch.float32, torch.bfloat16, torch.float16]
SHORT = ((3, 5), (0, 4), (65, 129), (20, 0), (1, 17), (0, 0), (130, 512))
LONG = ((1, 1537), (40, 700), (129, 2), (7, 3000), (0, 9), (300, 513), (1, 512), (16, 513))
"""Sequences of one stack, and sequences whose keys are split or not."""


@dataclass
class Packed:
    """Random packed tensors; lengths: (S1, S2) of each sequence, tail: tokens past the last one."""

    lengths: tuple
    dtype: torch.dtype
    seed: int
    heads: tuple = (4, 2)
    d: int = 32
    dv: int = 24
    tail: int = 3

    def __post_init__(self):
        rng = torch.Generator().manual_seed(self.seed)
        t1, t2 = (sum(pair[side] for pair in self.lengths) + self.tail for side in (0, 1))
        n1, n2 = self.heads
        sizes = ((t1, n1, self.d), (t2, n2, self.d), (t2, n2, self.dv))
        self.q, self.k, self.v = (torch.randn(*size, generator=rng).to(self.dtype) for size in sizes)
        self.ends = [[sum(pair[side] for pair in self.lengths[: i + 1]) for i in range(len(self.lengths))]
                     for side in (0, 1)]  # fmt: skip

    @property
    def segments(self):
        return segments_of(*self.ends, self.q.shape[0])

    def run(self, like_input=False, **options):
        """out, max and sum as [T1, N1, ...], whatever their order in memory."""
        out, *state = npu_flash_attention(
            self.q, self.k, self.v, input_layout="TND", actual_seq_qlen=self.ends[0],
            actual_seq_kvlen=self.ends[1], softmax_layout="TND" if like_input else "", **options,
        )[:3]  # fmt: skip
        return out, *(row_state_from_memory(x, self.ends[0], like_input)[0].transpose(0, 1) for x in state)

    def alone(self, x, **options):
        """The sequence as a batch of one."""
        q, k, v = self.q[None, x.rows], self.k[None, x.keys], self.v[None, x.keys]
        out, *state = npu_flash_attention(q, k, v, input_layout="BSND", **options)[:3]
        return out[0], *(part[0].transpose(0, 1) for part in state)


def assert_same(first, second, what):
    for name, a, b in zip(("out", "softmax_max", "softmax_sum"), first, second, strict=True):
        assert same_bits(a, b), f"{name} of {what}"


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("lengths", "heads", "d", "dv"),
    [(SHORT, (4, 2), 32, 24), (LONG, (4, 1), 32, 24), (LONG, (2, 2), 200, 200), (SHORT, (6, 2), 576, 520)],
)
@pytest.mark.parametrize("like_input", [False, True])
def test_a_sequence_is_a_batch_of_one(dtype, lengths, heads, d, dv, like_input, seed):
    packed = Packed(lengths, dtype, seed, heads, d, dv)
    for mode in (0, 2):
        results = packed.run(like_input, sparse_mode=mode)
        for x in packed.segments:
            assert_same(
                [part[x.rows] for part in results], packed.alone(x, sparse_mode=mode), f"sequence {x} in mode {mode}"
            )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lengths", [SHORT, LONG])
def test_a_sequence_with_everything_is_a_batch_of_one(dtype, lengths, seed):
    """Shift, dropout, sink and prefix; bits and elements of a sequence begin anywhere in a byte or 32 B block."""
    packed, rng = Packed(lengths, dtype, seed, tail=0), torch.Generator().manual_seed(seed + 1)
    heads = packed.heads[0]
    keep = [torch.rand(heads, x.s1, x.s2, generator=rng) < 0.7 for x in packed.segments]
    shifts = [torch.randn(heads, x.s1, x.s2, generator=rng).to(dtype) for x in packed.segments]
    prefix = [max(x.s2 - x.s1, 0) + min(x.s1, x.s2) // 2 for x in packed.segments]
    common = {"sink": torch.randn(heads, generator=rng), "keep_prob": 0.7, "sparse_mode": 6}
    results = packed.run(dropout_mask=pack_bits(torch.cat([x.flatten() for x in keep])), prefix=prefix,
                         pse=torch.cat([x.flatten() for x in shifts]), **common)  # fmt: skip
    for x in packed.segments:
        alone = packed.alone(x, dropout_mask=pack_bits(keep[x.index]), prefix=prefix[x.index :][:1],
                             pse=shifts[x.index][None], **common)  # fmt: skip
        assert_same([part[x.rows] for part in results], alone, f"sequence {x}")


@pytest.mark.parametrize("dtype", DTYPES)
def test_neighbours_do_not_matter(dtype, seed):
    packed = Packed(LONG, dtype, seed)
    results = packed.run()
    other = Packed((*reversed(LONG), (11, 13)), dtype, seed + 1, tail=0)
    for mine, theirs in zip(packed.segments, reversed(other.segments[:-1]), strict=False):
        other.q[theirs.rows], other.k[theirs.keys], other.v[theirs.keys] = (
            packed.q[mine.rows], packed.k[mine.keys], packed.v[mine.keys]
        )  # fmt: skip
    shuffled = other.run()
    for mine, theirs in zip(packed.segments, reversed(other.segments[:-1]), strict=False):
        assert_same([x[mine.rows] for x in results], [x[theirs.rows] for x in shuffled], f"sequence {mine}")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("lengths", "strategies"), [(SHORT, ("short_seq", "default")), (LONG, ("default", "long_seq"))]
)
def test_same_bits_from_each_strategy(dtype, lengths, strategies, seed, monkeypatch):
    packed = Packed(lengths, dtype, seed)
    results = []
    for strategy in strategies:
        monkeypatch.setenv(TUNING, f"strategy={strategy}")
        results.append(packed.run(like_input=True, sparse_mode=3 if lengths is SHORT else 0))
    assert_same(*results, "all")
    (other,) = {"short_seq", "default", "long_seq"} - set(strategies)
    monkeypatch.setenv(TUNING, f"strategy={other}")
    with pytest.raises(ValueError, match=f"strategy {other} is refused"):
        packed.run()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lengths", [(), ((0, 0),), ((0, 7), (3, 0)), SHORT])
def test_rows_without_keys(dtype, lengths, seed):
    """Rows of empty sequences and rows past the last length."""
    packed = Packed(lengths, dtype, seed, tail=140)
    out, row_max, row_sum = packed.run()
    largest = torch.finfo(torch.float32).max
    for x in packed.segments:
        if x.s2 == 0:
            assert not out[x.rows].float().any()
            assert (row_max[x.rows] == -largest).all() and (row_sum[x.rows] == largest).all()
        else:
            assert out[x.rows].isfinite().all() and (row_sum[x.rows] < largest).all()
