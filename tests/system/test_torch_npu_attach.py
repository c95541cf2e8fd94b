# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What importing the package does to torch_npu, with a stand-in for it: no NPU runtime is needed."""

import subprocess
import sys

import pytest

FUNCTION = "ascend_flash_attention.npu_flash_attention"


@pytest.fixture
def start(tmp_path):
    """Runs a script beside a torch_npu whose source is `body`."""

    def run(script, body="", present=True):
        if present:
            (tmp_path / "torch_npu").mkdir()
            (tmp_path / "torch_npu" / "__init__.py").write_text(body)
        prologue = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n"
        return subprocess.run([sys.executable, "-c", prologue + script], capture_output=True, text=True, timeout=300)

    return run


@pytest.mark.parametrize("order", ["torch_npu, ascend_flash_attention", "ascend_flash_attention, torch_npu"])
def test_function_is_added_in_either_order(start, order):
    result = start(f"import {order}\nprint(torch_npu.npu_flash_attention is {FUNCTION}, torch_npu.own)", "own = 7")
    assert result.stdout == "True 7\n", result.stderr


def test_function_of_torch_npu_is_kept(start):
    result = start(
        "import ascend_flash_attention, torch_npu\nprint(torch_npu.npu_flash_attention)", "npu_flash_attention = 'own'"
    )
    assert result.stdout == "own\n", result.stderr


def test_torch_npu_is_not_imported_by_the_package(start):
    result = start(
        "import ascend_flash_attention, torch\nq = torch.randn(1, 1, 4, 16)\n"
        f"print({FUNCTION}(q, q, q)[0].shape == q.shape, 'torch_npu' in sys.modules)",
        "raise ImportError('no runtime')",
    )
    assert result.stdout == "True False\n", result.stderr


def test_error_of_torch_npu_stays_its_own(start):
    result = start("import ascend_flash_attention\nimport torch_npu", "raise ImportError('no runtime')")
    assert result.returncode == 1 and result.stderr.rstrip().endswith("ImportError: no runtime")


def test_absent_torch_npu(start):
    result = start("import ascend_flash_attention\nimport torch_npu", present=False)
    assert result.stderr.rstrip().endswith("ModuleNotFoundError: No module named 'torch_npu'")


def test_no_runtime_is_no_emulation(start):
    script = "from ascend_flash_attention import _torch_npu\nprint(_torch_npu.is_emulated())"
    assert start(script, present=False).stdout == "False\n"


def test_emulated_while_its_runtime_is_loaded(start):
    script = """
import ctypes
from pathlib import Path
from ascend_flash_attention import _torch_npu
import ascendc_cpu.native
ctypes.CDLL(str(ascendc_cpu.native.lib_dir() / "acl" / "libascendcl.so"))
print(_torch_npu.is_emulated())
"""
    assert start(script, present=False).stdout == "True\n"
