# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The virtual environment .venv: created once, packages installed only when the pinned versions change."""

import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

REQUIREMENTS = "scripts/build/requirements.txt"


class BuildError(Exception):
    """Something that the user has to change; printed as one line."""


def require_compiler() -> None:
    """Raise BuildError unless a C++ compiler is there ($CXX, else g++)."""
    compiler = (shlex.split(os.environ.get("CXX", "")) or ["g++"])[0]
    if shutil.which(compiler) is None:
        raise BuildError(f"C++ compiler {compiler!r} not found: install it (apt-get install g++) or set CXX")


def _create(venv: Path) -> None:
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        raise BuildError("python3 has no venv: install it (apt-get install python3-venv)")
    print(f"creating {venv.name}", flush=True)
    if subprocess.run([sys.executable, "-m", "venv", "--clear", venv]).returncode != 0:
        raise BuildError(f"python3 -m venv failed in {venv} (message above)")


def _works(python: Path) -> bool:
    return python.exists() and subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode == 0


def ensure(root: Path, requirements: str = REQUIREMENTS, *pip_options: str) -> Path:
    """Make .venv hold the packages of `requirements`; returns its interpreter."""
    venv = root / ".venv"
    python = venv / "bin" / "python"
    if not _works(python):
        _create(venv)
    pins = root / requirements
    stamp = venv / f"{requirements.replace('/', '_')}.sha256"
    digest = hashlib.sha256(pins.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != digest:
        print(f"installing {requirements} (once, and again when it changes)", flush=True)
        pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "--quiet", *pip_options, "-r", pins]
        if subprocess.run(pip).returncode != 0:
            raise BuildError(f"pip could not install {requirements} (message above)")
        stamp.write_text(digest)
    return python


def package_folder(python: Path, package: str) -> Path:
    """Where a package is installed."""
    code = f"import importlib.util; print(importlib.util.find_spec({package!r}).submodule_search_locations[0])"
    output = subprocess.run([python, "-c", code], check=True, text=True, stdout=subprocess.PIPE).stdout
    return Path(output.strip())


if __name__ == "__main__":
    try:
        ensure(Path(__file__).resolve().parents[2], *sys.argv[1:])
    except BuildError as error:
        sys.exit(f"build.sh: {error}")
