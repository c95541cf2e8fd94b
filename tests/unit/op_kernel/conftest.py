# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Kernel headers that need no core, compiled as plain C++ for ctypes."""

import ctypes
import os
import subprocess
from pathlib import Path

import pytest

from tests.unit.op_host.conftest import operator

__all__ = ["operator"]
ROOT = Path(__file__).parents[3]
FOLDERS = (
    "flash_attention_score_grad/op_kernel",
    "flash_attention_score/op_kernel",
    "ascendc_cpu/include/kernel",
    "ascendc_cpu/include/mode/fast",
)


@pytest.fixture(scope="session")
def round_library(tmp_path_factory):
    """The gradient kernel's round cursor."""
    library = tmp_path_factory.mktemp("op_kernel") / "libround_shim.so"
    command = [os.environ.get("CXX", "g++"), "-std=c++17", "-O1", "-fPIC", "-shared", "-D__DAV_C220_CUBE__"]
    command += [f"-I{ROOT / folder}" for folder in FOLDERS]
    subprocess.run([*command, str(Path(__file__).parent / "round_shim.cpp"), "-o", str(library)], check=True)
    loaded = ctypes.CDLL(str(library))
    loaded.ShimTiles.restype = ctypes.c_int64
    integer, pointer = ctypes.c_int64, ctypes.c_void_p
    loaded.ShimTiles.argtypes = [pointer, pointer, integer, integer, pointer, integer]
    return loaded
