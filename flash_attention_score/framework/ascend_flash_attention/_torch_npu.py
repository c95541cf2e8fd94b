# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What this package adds to torch_npu once that is imported, which it never does itself: it needs an NPU runtime."""

import ctypes
import importlib.abc
import importlib.util
import os
import sys
from pathlib import Path

import torch

_FOLDER = Path(__file__).parent
_NPU_EXTENSION = _FOLDER / "libascend_flash_attention_npu.so"
_EMULATION_EXTENSION = _FOLDER / "libascend_flash_attention_emulation.so"
_OPERATORS = ("flash_attention_score", "flash_attention_score_grad", "dropout_rng_state")
_missing_kernels = None  # keeps registrations alive


def is_emulated() -> bool:
    """Whether the ACL runtime of this process is ascendc_cpu's, which has no NPU behind it."""
    try:
        runtime = ctypes.CDLL("libascendcl.so", mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
    except OSError:
        return False  # none is loaded
    return hasattr(runtime, "AscendcCpuRun")


def _refuse(*_arguments, **_options):
    raise NotImplementedError(
        f"{_NPU_EXTENSION.name} is missing: ascend_flash_attention was built without torch_npu beside torch; run "
        "`python -m scripts.build.npu_extension` in a clone of the project"
    )


def _load_kernels() -> None:
    global _missing_kernels
    if _NPU_EXTENSION.exists():
        torch.ops.load_library(_NPU_EXTENSION)
        return
    _missing_kernels = torch.library.Library("ascend_flash_attention", "IMPL")
    for name in _OPERATORS:
        _missing_kernels.impl(name, _refuse, "PrivateUse1")


def _attach(torch_npu, functions) -> None:
    """Kernels for npu tensors; `functions` under names that torch_npu does not have; all of aten in an emulation."""
    _load_kernels()
    for function in functions:
        if not hasattr(torch_npu, function.__name__):
            setattr(torch_npu, function.__name__, function)
    if is_emulated():
        torch.ops.load_library(_EMULATION_EXTENSION)


class _AfterImport(importlib.abc.MetaPathFinder):
    """Lets `then(module)` run at the end of the first import of `name`."""

    def __init__(self, name, then):
        self.name, self.then = name, then

    def find_spec(self, fullname, path=None, target=None):
        if fullname != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_then(module):
                execute(module)
                self.then(module)

            spec.loader.exec_module = execute_then
        return spec


def attach(*functions) -> None:
    """Add `functions` to torch_npu, now if it is imported, else when it is."""
    module = sys.modules.get("torch_npu")
    if module is not None:
        _attach(module, functions)
    else:
        sys.meta_path.insert(0, _AfterImport("torch_npu", lambda module: _attach(module, functions)))
