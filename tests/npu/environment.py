# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The virtual environment of the torch_npu tests, build/torch_npu/venv.

It holds torch_npu, copies of this project's two installed packages and the extension for npu tensors; everything else,
torch included, is taken from the environment that runs the tests, by a .pth file. torch_npu must not be installed
there: with it, `import torch` needs an NPU runtime.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import torch

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "torch_npu" / "venv"
TORCH_NPU = "torch_npu==2.13.0"
PACKAGES = ("ascend_flash_attention", "ascendc_cpu")


class Unavailable(Exception):
    """Why the environment cannot be made."""


def _last_line(text):
    return (text.strip().splitlines() or ["no output"])[-1]


def _run(*command):
    result = subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True)
    if result.returncode != 0:
        raise Unavailable(f"{' '.join(map(str, command[1:5]))}: {_last_line(result.stderr or result.stdout)}")


def site_packages(folder=FOLDER):
    return folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"


def _copy_packages(source, target):
    """The installed packages, fresh; their libraries find each other by relative paths."""
    for name in PACKAGES:
        shutil.rmtree(target / name, ignore_errors=True)
        shutil.copytree(source / name, target / name, symlinks=True)


def _build_extension(target):
    """The extension for npu tensors, when its sources or the packages' headers are newer."""
    library = target / "ascend_flash_attention" / "libascend_flash_attention_npu.so"
    kept = FOLDER.parent / library.name
    framework = ROOT / "flash_attention_score" / "framework"
    sources = [*framework.glob("*.h"), framework / "npu_extension.cpp", target / "torch_npu" / "version.py"]
    if not kept.exists() or kept.stat().st_mtime < max(path.stat().st_mtime for path in sources):
        torch = Path(sysconfig.get_path("platlib")) / "torch"
        _run(sys.executable, "-m", "scripts.build.npu_extension", "--torch", torch,
             "--torch-npu", target / "torch_npu", "--out", kept)  # fmt: skip
    shutil.copy2(kept, library)


def make():
    """The environment's interpreter. Unavailable when the wheel cannot be installed or the extension not be built."""
    python = FOLDER / "bin" / "python"
    source, target = Path(sysconfig.get_path("platlib")), site_packages()
    missing = [name for name in (*PACKAGES, "torch") if not (source / name).is_dir()]
    if missing:
        raise Unavailable(f"{', '.join(missing)} not installed in {sys.prefix}; run `bash build.sh --test`")
    if torch.version.cuda is not None:
        raise Unavailable(f"torch {torch.__version__} is a CUDA build, beside which torch_npu does not load")
    if not (target / "torch_npu").is_dir():
        _run(sys.executable, "-m", "venv", "--clear", FOLDER)
        _run(python, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps", TORCH_NPU)
    (target / "tests.pth").write_text(f"{source}\n")
    _copy_packages(source, target)
    _build_extension(target)
    return python


def variables(package=True):
    """Environment variables as the installed package's set_env.bash leaves them, or without package and runtime."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ASCEND")}
    for name in ("TORCH_DEVICE_BACKEND_AUTOLOAD", "LD_LIBRARY_PATH", "PYTHONPATH"):
        clean.pop(name, None)
    if not package:
        return clean
    script = site_packages() / "ascend_flash_attention" / "set_env.bash"
    show = 'source "$1" && printf "%s\\n" "$ASCEND_CUSTOM_OPP_PATH" "$LD_LIBRARY_PATH"'
    lines = subprocess.run(
        ["bash", "-c", show, "bash", str(script)], env=clean, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    return {**clean, "ASCEND_CUSTOM_OPP_PATH": lines[0], "LD_LIBRARY_PATH": lines[1]}
