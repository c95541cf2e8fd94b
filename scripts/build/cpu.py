# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""CPU target: one wheel with both Python packages and all libraries, built in build/cpu and installed in .venv."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from .environment import BuildError
from .options import Options

LOG = "build/cpu.log"
_NINJA_STEP = re.compile(r"\[\d+/\d+\] ")


def clean(root: Path) -> int:
    """Remove build/."""
    shutil.rmtree(root / "build", ignore_errors=True)
    return 0


def _environment(options: Options) -> dict[str, str]:
    return {
        **os.environ,
        "CMAKE_BUILD_PARALLEL_LEVEL": str(options.jobs),
        "SKBUILD_CMAKE_DEFINE": f"ASCENDC_CPU_KERNEL_OPTIMIZE={options.optimize}",
        "SKBUILD_BUILD_VERBOSE": "true" if options.verbose else "false",
        "TORCH_DEVICE_BACKEND_AUTOLOAD": "0",
    }


def _show(line: str, verbose: bool) -> None:
    if verbose or _NINJA_STEP.search(line):
        print(line.strip(), flush=True)


def build(root: Path, python: Path, options: Options) -> int:
    """Build and install; compiler steps are printed as they come, everything goes to build/cpu.log."""
    log = root / LOG
    log.parent.mkdir(exist_ok=True)
    # Build requirements are the pins of the environment, so no isolated copy of torch has to be downloaded.
    command = [python, "-m", "pip", "install", "-v", "--no-build-isolation", "--no-deps", "--no-index",
               "--disable-pip-version-check", "--force-reinstall", root]  # fmt: skip
    lines = []
    with (
        log.open("w") as file,
        subprocess.Popen(
            command, cwd=root, env=_environment(options), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as process,
    ):
        for line in process.stdout:
            file.write(line)
            lines.append(line)
            _show(line, options.verbose)
    if process.returncode != 0:
        errors = [line for line in lines if "rror" in line or "FAILED" in line]
        raise BuildError("the build failed:\n" + "".join((errors or lines)[-40:]) + f"all output is in {LOG}")
    return 0
