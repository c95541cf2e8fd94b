# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Where the SDK's headers and libraries are, and libascendc_cpu.so itself."""

import ctypes
import functools
import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
LIB_DIR_VARIABLE = "ASCENDC_CPU_LIB_DIR"


def include_dirs(mode: str = "fast") -> list[Path]:
    """Folders of the kernel headers; mode: fast or checked."""
    for root in (_PACKAGE / "include", _PACKAGE.parents[1] / "include"):  # installed, checkout
        if (root / "kernel" / "kernel_operator.h").is_file():
            return [root / "kernel", root / "mode" / mode]
    raise FileNotFoundError(f"the kernel headers of ascendc_cpu are not beside {_PACKAGE}")


def lib_dir() -> Path:
    """Folder of libascendc_cpu.so: the environment's, or the package's own lib/."""
    configured = os.environ.get(LIB_DIR_VARIABLE)
    folder = Path(configured) if configured else _PACKAGE / "lib"
    if not (folder / "libascendc_cpu.so").is_file():
        raise FileNotFoundError(f"no libascendc_cpu.so in {folder}: build it, or set {LIB_DIR_VARIABLE} to its folder")
    return folder.resolve()


@functools.cache
def runtime() -> ctypes.CDLL:
    """libascendc_cpu.so with the signatures of its C functions."""
    library = ctypes.CDLL(str(lib_dir() / "libascendc_cpu.so"))
    library.AscendcCpuLaunch.argtypes = [
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.c_uint64,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.POINTER(ctypes.c_uint64),
        ctypes.c_int,
    ]
    library.AscendcCpuLaunchWithConstants.argtypes = [
        *library.AscendcCpuLaunch.argtypes,
        ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(ctypes.c_uint8),
    ]
    library.AscendcCpuLaunchChecked.argtypes = [
        *library.AscendcCpuLaunch.argtypes[:4],
        *library.AscendcCpuLaunch.argtypes[5:],
        ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(ctypes.c_uint8),
        ctypes.c_int,
    ]
    library.AscendcCpuLaunchChecked.restype = ctypes.c_char_p
    library.AscendcCpuOpenCheckSession.argtypes = [ctypes.c_int]
    library.AscendcCpuOpenCheckSession.restype = None
    library.AscendcCpuCloseCheckSession.restype = ctypes.c_char_p
    library.AscendcCpuIsaName.restype = ctypes.c_char_p
    library.AscendcCpuLastError.restype = ctypes.c_char_p
    return library


def last_error() -> str:
    return runtime().AscendcCpuLastError().decode(errors="replace")


def isa_name() -> str:
    """The instruction set library in use: avx512, avx2 or generic. ValueError when ASCENDC_CPU_ISA cannot be had."""
    name = runtime().AscendcCpuIsaName()
    if name is None:
        raise ValueError(last_error())
    return name.decode()
