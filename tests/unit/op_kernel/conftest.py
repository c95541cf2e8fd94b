# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Kernel headers that need no core, compiled as plain C++ for ctypes."""

import ctypes
import os
import subprocess
from pathlib import Path

import pytest

from tests.unit.op_host.conftest import host_library, operator

__all__ = ["host_library", "operator"]
ROOT = Path(__file__).parents[3]
FOLDERS = (
    "flash_attention_score_grad/op_kernel",
    "flash_attention_score/op_kernel",
    "ascendc_cpu/include/kernel",
    "ascendc_cpu/include/mode/fast",
)


def build(tmp_path_factory, name):
    """A shim of this folder as a library."""
    library = tmp_path_factory.mktemp("op_kernel") / f"lib{name}.so"
    command = [os.environ.get("CXX", "g++"), "-std=c++17", "-O1", "-fPIC", "-shared", "-D__DAV_C220_CUBE__"]
    command += [f"-I{ROOT / folder}" for folder in FOLDERS]
    subprocess.run([*command, str(Path(__file__).parent / f"{name}.cpp"), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


@pytest.fixture(scope="session")
def round_library(tmp_path_factory):
    """The gradient kernel's round cursor."""
    loaded = build(tmp_path_factory, "round_shim")
    loaded.ShimTiles.restype = ctypes.c_int64
    integer, pointer = ctypes.c_int64, ctypes.c_void_p
    loaded.ShimTiles.argtypes = [pointer, pointer, integer, integer, pointer, integer]
    return loaded


@pytest.fixture(scope="session")
def schedule_library(tmp_path_factory):
    """The forward kernel's scheduler."""
    loaded = build(tmp_path_factory, "schedule_shim")
    loaded.ShimDealt.restype = ctypes.c_int64
    number, pointer = ctypes.c_int64, ctypes.c_void_p
    loaded.ShimDealt.argtypes = [pointer, pointer, number, number, number, pointer, number]
    return loaded
