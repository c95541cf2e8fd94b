# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Finds CANN and what it offers for custom operators. Decided by files, never by version numbers."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .environment import BuildError

HINT = (
    "source CANN's set_env.sh, which sets ASCEND_HOME_PATH, or name its folder with -p CANN "
    "(no NPU here? --soc=cpu makes a package for this machine's processor)"
)
TEMPLATE = "tools/op_project_templates/ascendc/customize"
_ASC_FOLDERS = ("compiler/tikcpp/ascendc_kernel_cmake", "*-linux/tikcpp/ascendc_kernel_cmake")
_ASC_CONFIG_FOLDERS = (*_ASC_FOLDERS, "*-linux/lib64/cmake", "lib64/cmake")
_DEFAULTS = ("ascend-toolkit/latest", "cann", "latest")


@dataclass
class Cann:
    """One installed CANN: `route` is "asc" (find_package(ASC)) or "template" (the project template of 8.1)."""

    home: Path
    route: str
    version: str
    op_build: Path
    cmake_folders: list[Path] = field(default_factory=list)


def _candidates() -> Iterator[Path]:
    if os.environ.get("ASCEND_HOME_PATH"):
        yield Path(os.environ["ASCEND_HOME_PATH"])
    if os.environ.get("ASCEND_OPP_PATH"):
        yield Path(os.environ["ASCEND_OPP_PATH"]).parent
    for root in (Path("/usr/local/Ascend"), Path.home() / "Ascend"):
        yield from (root / name for name in _DEFAULTS)


def _home(package_path: str | None) -> Path:
    if package_path is not None:
        if not Path(package_path).is_dir():
            raise BuildError(f"-p: {package_path} is no folder; {HINT}")
        return Path(package_path).resolve()
    named = os.environ.get("ASCEND_HOME_PATH")
    if named and not Path(named).is_dir():
        raise BuildError(f"ASCEND_HOME_PATH names {named}, which is no folder; {HINT}")
    for path in _candidates():
        if path.is_dir():
            return path.resolve()
    raise BuildError(f"CANN not found; {HINT}")


def _version(home: Path) -> str:
    info = home / "compiler/version.info"
    found = re.search(r"^Version=(\S+)", info.read_text(), re.MULTILINE) if info.is_file() else None
    return found.group(1) if found else "unknown"


def _with(home: Path, folders: tuple[str, ...], file: str) -> list[Path]:
    return [path.parent for folder in folders for path in sorted(home.glob(f"{folder}/{file}"))]


def probe(package_path: str | None) -> Cann:
    """The CANN to build with; BuildError when there is none, or it has no way to build custom operators."""
    home = _home(package_path)
    configs = _with(home, _ASC_CONFIG_FOLDERS, "asc-config.cmake")
    functions = [path.parent for path in _with(home, _ASC_FOLDERS, "fwk_modules/func.cmake")]
    template = home / TEMPLATE
    if configs and functions:
        cann = Cann(home, "asc", _version(home), home / "tools/opbuild/op_build", [*configs, *functions])
    elif (template / "CMakeLists.txt").is_file() and (template / "cmake/func.cmake").is_file():
        cann = Cann(home, "template", _version(home), home / "toolkit/tools/opbuild/op_build", [template])
    else:
        raise BuildError(
            f"{home} has neither asc-config.cmake with fwk_modules/func.cmake (below {', '.join(_ASC_CONFIG_FOLDERS)}) "
            f"nor {TEMPLATE}: is it CANN's toolkit? Else {HINT}"
        )
    if not cann.op_build.is_file():
        raise BuildError(f"{cann.op_build} is missing: CANN's toolkit package is incomplete")
    return cann


def environment(cann: Cann) -> dict[str, str]:
    """What CANN's own script sets, with the compiler found on PATH."""
    variables = dict(os.environ)
    scripts = [cann.home / "set_env.sh", cann.home.parent / "set_env.sh", cann.home / "bin/setenv.bash"]
    script = next((path for path in scripts if path.is_file()), None)
    active = variables.get("ASCEND_HOME_PATH")
    if script is not None and not (active and Path(active).resolve() == cann.home):
        # The script may read unset variables and may fail halfway; what it has set until then counts.
        shown = subprocess.run(["bash", "-c", 'source "$0" >&2; env -0', script], stdout=subprocess.PIPE, check=True)
        variables |= dict(pair.split("=", 1) for pair in shown.stdout.decode().split("\0") if "=" in pair)
    variables["ASCEND_HOME_PATH"] = str(cann.home)
    variables.pop("ASCEND_CUSTOM_OPP_PATH", None)  # installed custom packages are no part of the build
    variables.setdefault("ASCEND_OPP_PATH", str(cann.home / "opp"))
    for folder in sorted(cann.home.glob("*/ccec_compiler/bin")):
        variables["PATH"] = f"{variables['PATH']}{os.pathsep}{folder}"
    for tool, how in (
        ("cmake", "3.16 or newer"),
        ("make", ""),
        ("bisheng", "CANN's kernel compiler; is CANN complete?"),
    ):
        names = (tool, "ccec") if tool == "bisheng" else (tool,)
        if not any(shutil.which(name, path=variables["PATH"]) for name in names):
            raise BuildError(f"{' or '.join(names)} is not on PATH{f' ({how})' if how else ''}")
    return variables
