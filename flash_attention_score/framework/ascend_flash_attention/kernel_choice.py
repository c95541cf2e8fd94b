# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Which code computes attention in this process."""

import ctypes
import os
from dataclasses import dataclass
from pathlib import Path

from ascend_flash_attention import _installation, _tiling_library

EMULATION = "ascendc_cpu emulation"
_DEVICES = ("cpu", "npu")


@dataclass(frozen=True)
class KernelChoice:
    """What runs calls on tensors of `device`. Paths are None where that part does not exist."""

    device: str
    backend: str  # "ascendc_cpu emulation", "CANN", or "none"
    reason: str
    library: Path | None = None  # libcust_opapi.so; None with backend CANN: its built-in operator
    runtime: Path | None = None  # libascendc_cpu.so or libascendcl.so
    kernels: Path | None = None  # library of the kernel objects, emulation only
    isa: str | None = None  # instruction set of the emulation: avx512, avx2 or generic
    soc: str | None = None  # row of the platform table that the emulation plans for
    cores: int | None = None  # cube cores of it
    threads: int | None = None  # that carry out the cores

    def __str__(self) -> str:
        lines = [f"{self.device} tensors: {self.backend}", f"  because   {self.reason}"]
        if self.isa:
            lines.append(f"  executes  instruction set {self.isa}, {self.threads} threads")
            lines.append(f"  plans for {self.soc}, {self.cores} cores of one AIC and two AIV")
        named = (("library", self.library), ("runtime", self.runtime), ("kernels", self.kernels))
        return "\n".join(lines + [f"  {name:9} {path}" for name, path in named if path])


def _loaded(name: str) -> Path | None:
    """File of a library that this process has loaded."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        path = line.split(maxsplit=5)[5:]
        if path and path[0].rpartition("/")[2] == name:
            return Path(path[0])
    return None


def _kernels_of(library: Path | None) -> Path | None:
    pattern = "op_impl/ai_core/tbe/kernel/cpu/flash_attention_score/lib*_kernels.so"
    return next(library.parents[2].glob(pattern), None) if library else None


def _emulation(device: str, reason: str, library: Path | None, runtime: Path) -> KernelChoice:
    import torch

    functions = ctypes.CDLL(str(runtime))
    functions.AscendcCpuIsaName.restype = functions.AscendcCpuLastError.restype = ctypes.c_char_p
    isa = functions.AscendcCpuIsaName()
    if isa is None:
        raise ValueError(functions.AscendcCpuLastError().decode())
    chip = _tiling_library.chip(None)
    return KernelChoice(
        device,
        EMULATION,
        reason,
        library,
        runtime,
        _kernels_of(library),
        isa.decode(),
        chip["soc"],
        chip["cores"],
        int(os.environ.get("ASCENDC_CPU_NUM_THREADS") or torch.get_num_threads()),
    )


def _on_npu() -> KernelChoice:
    runtime = _loaded("libascendcl.so") or _installation.on_library_path("libascendcl.so")
    if runtime is None:
        return KernelChoice(
            "npu", "none", "no libascendcl.so is loaded or in LD_LIBRARY_PATH: source CANN's set_env.sh"
        )
    emulated = _installation.is_emulation(runtime)
    for found in _installation.op_libraries():
        if not found.path.is_file():
            continue
        if found.problem:
            return KernelChoice("npu", "none", f"{found.path}: {found.problem}", found.path, runtime)
        if emulated:
            return _emulation("npu", found.rule, found.path, runtime.resolve().parents[1] / "libascendc_cpu.so")
        return KernelChoice("npu", "CANN", found.rule, found.path, runtime)
    if emulated:
        reason = "no op package is installed and the emulation has no built-in operators: source its set_env.bash"
        return KernelChoice("npu", "none", reason, None, runtime)
    return KernelChoice("npu", "CANN", "no op package is installed: CANN's built-in operator", None, runtime)


def which_kernel(device: str = "cpu") -> KernelChoice:
    """What runs npu_flash_attention for tensors of a device, with paths; print it to read it.

    Args:
        device: cpu: the kernels of this package, carried out by ascendc_cpu, an emulation. npu: what torch_npu finds in
            this environment, which may be the same emulation under CANN's library names.

    Raises:
        ValueError: an unknown device, or a setting of the emulation that cannot be had (ASCENDC_CPU_ISA).
    """
    if device not in _DEVICES:
        raise ValueError(f"device must be {' or '.join(_DEVICES)}, got {device!r}")
    if device == "npu":
        return _on_npu()
    runtime, library = _loaded("libascendc_cpu.so"), _loaded(_installation.OPAPI)
    if runtime is None:
        return KernelChoice("cpu", "none", "libascendc_cpu.so is not loaded: import ascend_flash_attention fails here")
    reason = "CPU tensors are computed by the operator's AscendC sources, compiled for this processor"
    return _emulation("cpu", reason, library, runtime)
