# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Which aclnn names the package exports, against what torch_npu calls and what our headers declare."""

import ctypes
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.system.aclnn_call import library_path
from tests.system.aclnn_entries import ENTRIES, GRADIENT, MAX_WORKSPACE, PREFIX, SYMBOLS, ctype

ROOT = Path(__file__).parents[2]
TORCH_NPU_VARIABLE = "TORCH_NPU_LIBRARY"
# Names that torch_npu knows and we do not have, with the reason.
EXCEPTIONS = {
    f"{PREFIX}{name}{phase}": "called on Ascend950 only"
    for name in ("ScoreV4", "ScoreGradV4")
    for phase in ("", "GetWorkspaceSize")
}
TYPES = {"double": ctypes.c_double, "int64_t": ctypes.c_int64, "char *": ctypes.c_char_p}


def exported():
    output = subprocess.run(["nm", "-D", "--defined-only", library_path()], check=True, capture_output=True, text=True)
    return {line.split()[-1] for line in output.stdout.splitlines()}


def test_sixteen_names():
    assert len(ENTRIES) == 16
    assert len(SYMBOLS) == 2 * 16 + 2
    assert {name for name in exported() if name.startswith(PREFIX)} == SYMBOLS


def test_only_aclnn_functions_are_exported():
    assert {name for name in exported() if not name.startswith("aclnn")} == set()


def test_torch_npu_finds_all_its_names():
    path = os.environ.get(TORCH_NPU_VARIABLE)
    if not path:
        pytest.skip(f"{TORCH_NPU_VARIABLE} is not set to the libtorch_npu.so of a torch_npu wheel")
    called = {name.decode() for name in re.findall(rb"aclnnFlashAttention\w*", Path(path).read_bytes())}
    assert called - SYMBOLS == set(EXCEPTIONS)
    assert SYMBOLS - called == set()


def declared(name):
    """Parameters of a first phase in our header, as (type, name)."""
    operator = "flash_attention_score" + ("_grad" if name.removesuffix("GetMaxWorkspaceSize") in GRADIENT else "")
    header = (ROOT / operator / "op_api" / f"aclnn_{operator}.h").read_text()
    suffix = "" if name.endswith("GetMaxWorkspaceSize") else "GetWorkspaceSize"
    (text,) = re.findall(rf"\baclnnStatus {PREFIX}{name}{suffix}\(([^)]*)\);", header)
    return [re.fullmatch(r"(.*?)(\w+)", " ".join(each.split())).groups() for each in text.split(",")]


@pytest.mark.parametrize("name", [*ENTRIES, *(f"{name}GetMaxWorkspaceSize" for name in MAX_WORKSPACE)])
def test_headers_declare_the_official_parameters(name):
    parameters = declared(name)
    assert tuple(parameter for _, parameter in parameters) == ENTRIES[name.removesuffix("GetMaxWorkspaceSize")]
    for kind, parameter in parameters:
        kind = kind.strip()
        expected = TYPES.get(kind, ctypes.c_void_p)
        assert ctype(parameter) is expected, parameter
        if expected is ctypes.c_void_p and parameter not in ("workspaceSize", "executor"):
            is_list = any(word in parameter for word in ("prefix", "Idx", "actualSeq"))
            assert kind == ("const aclIntArray *" if is_list else "const aclTensor *"), parameter
