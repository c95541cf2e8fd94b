# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Lists of integers: cumulative lengths of packed sequences, prefixes and start indices, of whatever type they come in.

Their values are needed on the host before anything runs: a tensor is read, which waits for its device and does not
compile with fullgraph=True, so compiled code passes lists.
"""

from itertools import pairwise

import numpy as np
import torch
from torch._subclasses.fake_tensor import is_fake

from ascend_flash_attention._arguments import ExportError, check_integer, described


@torch.compiler.disable  # breaks the graph instead of tracing numbers that are not known
def _read(name: str, values) -> list[int]:
    if isinstance(values, torch.Tensor) and (values.is_meta or is_fake(values)):
        given = "a tensor on meta" if values.is_meta else "a fake tensor"
        raise ValueError(f"{name} must have values, got {given}: pass a list")
    return values.tolist()


def integers(name: str, values) -> list[int] | None:
    """`values` as a list: from a list, a tuple, a 1-D array or a 1-D int32 or int64 tensor on any device."""
    if values is None:
        return None
    if isinstance(values, torch.Tensor):
        if torch.onnx.is_in_onnx_export():
            raise ExportError(
                f"FlashAttentionScore cannot be exported: {name} must be a list of numbers, got a tensor. They are "
                "constants of the file, or examples for its inputs with lists_as_inputs=True"
            )
        if values.dtype not in (torch.int32, torch.int64) or values.dim() != 1:
            raise ValueError(
                f"{name} must be a 1-D tensor of int32 or int64, got {values.dtype} of shape {list(values.shape)}"
            )
        return _read(name, values)
    if isinstance(values, np.ndarray):
        if values.dtype.kind not in "iu" or values.ndim != 1:
            raise ValueError(
                f"{name} must be a 1-D array of integers, got {values.dtype} of shape {list(values.shape)}"
            )
        return _read(name, values)
    if not isinstance(values, list | tuple):
        raise TypeError(f"{name} must be a list, tuple, array or tensor of integers, got {described(values)}")
    return [check_integer(f"{name}[{i}]", value) for i, value in enumerate(values)]


def _check_ends(name: str, ends: list[int], tokens_of: str, tokens: int) -> None:
    listed = ends
    while len(listed) > 1 and listed[-1] == 0:
        listed = listed[:-1]  # sequences that are left out
    for i, end in enumerate(listed):
        before = listed[i - 1] if i else 0
        if end < before:
            raise ValueError(
                f"{name} must be cumulative: ends of the sequences, none smaller than the one before, got {ends}; "
                "lengths become ends by a cumulative sum"
            )
    if listed and listed[-1] > tokens:
        raise ValueError(f"{name} must end at {tokens_of}'s {tokens} tokens or before, got {ends}")


def _are_lengths(ends: list[int], tokens: int) -> bool:
    return len(ends) > 1 and ends[-1] != tokens and sum(ends) == tokens


def sequence_ends(query_ends, key_ends, query_tokens: int, key_tokens: int, may_be_lengths: bool = True):
    """actual_seq_qlen and actual_seq_kvlen of TND as lists: sequence i has tokens [i] - [i-1], the first one [0].

    Sequences may be empty; tokens past the last end belong to none. ValueError for lists that are not cumulative, too
    long for the tensors, of different length, or that look like lengths if they may be some.
    """
    ends = integers("actual_seq_qlen", query_ends), integers("actual_seq_kvlen", key_ends)
    for name, given in zip(("actual_seq_qlen", "actual_seq_kvlen"), ends, strict=True):
        if given is None:
            raise ValueError(f"{name} is required for input_layout TND, the cumulative ends of the sequences")
    if len(ends[0]) != len(ends[1]):
        raise ValueError(
            "actual_seq_qlen and actual_seq_kvlen must have one entry a sequence, without a leading 0, "
            f"got {ends[0]} and {ends[1]}"
        )
    tokens_are_open = isinstance(query_tokens, torch.SymInt) or isinstance(key_tokens, torch.SymInt)
    if tokens_are_open and torch.onnx.is_in_onnx_export():
        return ends  # a comparison would fix the dimension; the operator compares when it runs
    if may_be_lengths and _are_lengths(ends[0], query_tokens) and _are_lengths(ends[1], key_tokens):
        raise ValueError(
            f"actual_seq_qlen {ends[0]} and actual_seq_kvlen {ends[1]} look like lengths of sequences ({query_tokens} "
            f"and {key_tokens} tokens in all); cumulative ends are needed. If they are ends, repeat the last one"
        )
    _check_ends("actual_seq_qlen", ends[0], "query", query_tokens)
    _check_ends("actual_seq_kvlen", ends[1], "key", key_tokens)
    return ends


def lengths(ends: list[int]) -> list[int]:
    """Lengths of the sequences; one that ends before it begins is empty."""
    return [max(end - before, 0) for before, end in pairwise([0, *ends])]
