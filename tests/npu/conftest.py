# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Tests beside torch_npu, on the CPU's ACL runtime: tests/system/test_torch_npu.py starts them in an environment
of their own. Elsewhere they are not collected."""

import importlib.util

import pytest

collect_ignore_glob = [] if importlib.util.find_spec("torch_npu") else ["test_*.py"]


@pytest.fixture
def npu():
    """The device, with nothing left over from another test."""
    import torch

    torch.npu.synchronize()
    return torch.device("npu:0")
