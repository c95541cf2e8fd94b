# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What the report says about the machine, and msprof."""

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

from .processes import ROOT

_PROFILE_SECONDS = 600


def _first_lines(command: list[str], count: int = 1) -> str:
    if shutil.which(command[0]) is None:
        return f"{command[0]}: not found"
    shown = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return " ".join((shown.stdout or shown.stderr).strip().splitlines()[:count])


def _cann() -> str:
    home = os.environ.get("ASCEND_HOME_PATH")
    if not home:
        return "ASCEND_HOME_PATH is not set"
    info = Path(home) / "compiler/version.info"
    found = re.search(r"^Version=(\S+)", info.read_text(), re.MULTILINE) if info.is_file() else None
    return f"{found.group(1) if found else 'unknown version'} in {home}"


def _torch(python: str, variables: dict[str, str]) -> str:
    code = "import torch, torch_npu; print('torch', torch.__version__ + ', torch_npu', torch_npu.__version__ + ',', "
    code += "torch.npu.get_device_name(0))"
    variables = {**variables, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
    shown = subprocess.run([python, "-c", code], env=variables, capture_output=True, text=True)
    text = (shown.stdout if shown.returncode == 0 else shown.stderr).strip()
    return text.splitlines()[-1] if text else f"{python}: exit code {shown.returncode}"


def facts(python: str, variables: dict[str, str]) -> dict[str, str]:
    """Machine, driver, CANN, torch and this repository."""
    return {
        "machine": f"{platform.node()}, {platform.machine()}, {os.cpu_count()} host cores",
        "driver": _first_lines(["npu-smi", "-v"]),
        "CANN": _cann(),
        "Python side": _torch(python, variables),
        "commit": _first_lines(["git", "-C", str(ROOT), "log", "-1", "--format=%h %cI %s"]),
    }


def profile(python: str, jobs: Path, folder: Path, index: int, variables: dict[str, str]) -> str:
    """Run one case under msprof; what came of it."""
    tool = shutil.which("msprof")
    if tool is None:
        return "msprof: not found"
    folder.mkdir(parents=True, exist_ok=True)
    variables = {**variables, "PYTHONPATH": str(ROOT), "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
    worker = [python, "-m", "scripts.acceptance.worker", str(jobs), str(folder / "results.jsonl"), str(index)]
    command = [tool, "op", f"--output={folder}", "--launch-count=5", *worker]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=_PROFILE_SECONDS
        )
    except subprocess.TimeoutExpired:
        return f"msprof op: no end within {_PROFILE_SECONDS} s"
    (folder / "msprof.log").write_text(done.stdout + done.stderr)
    duration = re.findall(r"Task Duration.*", done.stdout)
    return f"msprof op: exit code {done.returncode}, {duration[0] if duration else 'see'} {folder / 'msprof.log'}"
