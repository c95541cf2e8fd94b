# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Builds host_op/ into an op package, as the CMake build does for the real operator."""

import os
import platform
import subprocess
import sys
from pathlib import Path

from ascendc_cpu import kernel_objects, native, op_build

COMPILER = os.environ.get("CXX", "g++")
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
SOURCE = Path(__file__).parent / "host_op"
HOST_INCLUDE = Path(__file__).resolve().parents[3] / "ascendc_cpu" / "include" / "host"


def compile_library(sources: list[Path], target: Path, standard: str, includes: list[Path]) -> Path:
    """A shared library linked to libascendc_cpu.so, all warnings being errors."""
    target.parent.mkdir(parents=True, exist_ok=True)
    libraries = native.lib_dir()
    command = [COMPILER, f"-std={standard}", *WARNINGS, "-O1", "-fPIC", "-shared", *(f"-I{each}" for each in includes)]
    command += [*map(str, sources), "-o", str(target), f"-L{libraries}", "-lascendc_cpu", f"-Wl,-rpath,{libraries}"]
    subprocess.run([*command, "-Wl,-z,defs"], check=True)
    return target


def compile_host(names: list[str], target: Path) -> Path:
    """op_host sources of the test operator, as C++11."""
    sources = [SOURCE / "op_host" / f"add_scaled_{name}.cpp" for name in names]
    return compile_library(sources, target, "c++11", [HOST_INCLUDE, SOURCE / "op_kernel"])


def _build_kernels(opdefs: Path, folder: Path, target: Path) -> None:
    arguments = ["--op-type", "AddScaled", "--entry", "add_scaled", "--sources", str(SOURCE / "op_kernel")]
    kernel_objects.main([*arguments, "--opdefs", str(opdefs), "--out", str(folder)])
    includes = [*native.include_dirs(), SOURCE / "op_kernel"]
    compile_library(sorted(folder.glob("*.cpp")), target, "c++17", includes)


def build_package(folder: Path) -> Path:
    """Returns libcust_opapi.so of the package built below `folder`."""
    vendor = folder / "vendors" / "custom"
    machine = f"lib/linux/{platform.machine()}"
    definition = compile_host(["def"], folder / "libdefs.so")
    autogen = folder / "autogen"
    command = [sys.executable, "-m", "ascendc_cpu.op_build", "--definition", str(definition), "--out", str(autogen)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    subprocess.run([*command, "--prefix", "Inner"], check=True, env=environment)
    compile_host(["tiling"], vendor / "op_impl/ai_core/tbe/op_tiling" / machine / "libcust_opmaster_rt2.0.so")
    compile_host(["infershape"], vendor / "op_proto" / machine / "libcust_opsproto_rt2.0.so")
    kernels = vendor / "op_impl/ai_core/tbe/kernel/cpu/add_scaled/libadd_scaled_kernels.so"
    _build_kernels(autogen / op_build.OPDEFS_FILE, folder / "kernels", kernels)
    target = vendor / "op_api/lib/libcust_opapi.so"
    return compile_library([autogen / "aclnnInner_add_scaled.cpp"], target, "c++17", [HOST_INCLUDE, autogen])
