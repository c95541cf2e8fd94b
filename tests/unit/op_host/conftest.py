# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Builds the parts of op_host that need no framework into one library for ctypes."""

import importlib.util
import os
import subprocess
from pathlib import Path

import pytest

from ascendc_cpu import host
from tests.unit.op_host.host_shim import load

ROOT = Path(__file__).parents[3]
OP_HOST = ROOT / "flash_attention_score/op_host"
NEEDS_A_FRAMEWORK = {"fa_call_reader.cpp"}
SOURCES = [
    *sorted(Path(__file__).parent.glob("*_shim.cpp")),
    *(path for path in sorted(OP_HOST.glob("fa_*.cpp")) if path.name not in NEEDS_A_FRAMEWORK),
    *sorted((OP_HOST / "tiling_strategies").glob("*.cpp")),
    ROOT / "flash_attention_score_grad/op_host/fag_problem_parser.cpp",
]


@pytest.fixture(scope="session", autouse=True)
def operator():
    """Registers the installed operator's host functions."""
    package = importlib.util.find_spec("ascend_flash_attention").submodule_search_locations[0]
    host.load(Path(package) / "vendors/custom/op_api/lib/libcust_opapi.so")


@pytest.fixture(scope="session")
def host_library(tmp_path_factory):
    """The planner, the parser and the tiling report, compiled as C++11 as CANN does."""
    library = tmp_path_factory.mktemp("op_host") / "libop_host_shim.so"
    includes = [f"-I{OP_HOST}", f"-I{OP_HOST.parent / 'op_kernel'}", f"-I{ROOT / 'ascendc_cpu/include/host'}"]
    compiler = os.environ.get("CXX", "g++")
    command = [compiler, "-std=c++11", "-O1", "-fPIC", "-shared", *includes, *map(str, SOURCES), "-o", str(library)]
    subprocess.run(command, check=True)
    return load(library)
