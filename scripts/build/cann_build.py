# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The op package for NPUs: CANN's own tools build the staged tree, what they made is checked and packed.

Nobody has run this with a real CANN yet; tests/mock_cann imitates one.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

from . import cann_check, cann_compare, cann_probe, cann_stage, package
from .cann_probe import Cann
from .cann_stage import OPERATORS, Names
from .environment import BuildError
from .options import NPU_SOCS, VENDOR, Options

FOLDER = "build/cann"
_SHOWN = 12  # lines of a failed step's output
_ERRORS = re.compile(r"error|FA:|failed|not found|No such file", re.IGNORECASE)


def _explain(lines: list[str]) -> str:
    ours = [line.strip() for line in lines if "FA: " in line][:1]
    cmake = next((i for i, line in enumerate(lines) if line.startswith("CMake Error")), None)
    if not ours and cmake is not None:  # its text follows on lines of their own
        ours = [line.rstrip() for line in lines[cmake : cmake + _SHOWN] if line.strip()]
    telling = ours or [line.rstrip() for line in lines if _ERRORS.search(line)] or [line.rstrip() for line in lines]
    return "\n    ".join(telling[-_SHOWN:])


class _Steps:
    """Runs commands one after the other; the first that fails ends the build with one message."""

    def __init__(self, root: Path, variables: dict[str, str], verbose: bool):
        self.root, self.variables, self.verbose = root, variables, verbose

    def run(self, what: str, command: list, folder: Path) -> str:
        print(f"{what} ...", flush=True)
        began = time.monotonic()
        log = self.root / FOLDER / f"{what.split()[0]}.log"
        lines = []
        with (
            log.open("w") as file,
            subprocess.Popen(command, cwd=folder, env=self.variables, text=True, errors="replace",
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process,
        ):  # fmt: skip
            for line in process.stdout:
                file.write(line)
                lines.append(line)
                if self.verbose:
                    print(line, end="", flush=True)
        if process.returncode != 0:
            where = log.relative_to(self.root)
            raise BuildError(f"step '{what}' failed:\n    {_explain(lines)}\nall output is in {where}")
        print(f"    {time.monotonic() - began:.0f} s")
        return "".join(lines)


def _configuration(cann: Cann, stage: Path, socs: list[str], vendor: str, names: Names) -> list[str]:
    units = ";".join(socs)
    return [
        "cmake", "-S", str(stage), "-B", str(stage / "build_out"), "-G", "Unix Makefiles",
        "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_INSTALL_PREFIX={stage / 'build_out'}",
        f"-DASCEND_CANN_PACKAGE_PATH={cann.home}", f"-DASCEND_PYTHON_EXECUTABLE={sys.executable}",
        f"-DASCEND_COMPUTE_UNIT={units}", f"-Dvendor_name={vendor}", f"-DFA_VENDOR={vendor}",
        "-DENABLE_SOURCE_PACKAGE=True", "-DENABLE_BINARY_PACKAGE=True", "-DENABLE_TEST=False",
        f"-DFA_SNAKES={';'.join(names.snake(op) for op in OPERATORS)}",
        f"-DFA_ASC_FOLDERS={';'.join(map(str, cann.cmake_folders))}",
    ]  # fmt: skip


def _compare(cann: Cann, stage: Path, soc: str, names: Names) -> None:
    ini = stage / f"build_out/autogen/aic-{soc}-ops-info.ini"
    for op, official in OPERATORS.items():
        ours = cann_compare.from_ini(ini, names.op_type(op))
        if ours is None:
            raise BuildError(f"op_build wrote no {names.op_type(op)} to {ini.name}")
        theirs = cann_compare.built_in(cann.home, soc, official)
        print("\n".join(cann_compare.report(official, theirs, ours)), flush=True)
    if names.private:
        print("The package's types are private: CANN's own operators stay visible beside them")


def _unpack(steps: _Steps, stage: Path, vendor: str) -> Path:
    made = sorted((stage / "build_out").glob("custom_opp_*.run"))
    if len(made) != 1:
        raise BuildError(f"CANN's build left {len(made)} custom_opp_*.run files in {stage / 'build_out'}, expected 1")
    steps.run("unpack", ["bash", str(made[0]), "--noexec", f"--extract={stage / 'unpacked'}"], stage)
    folder = stage / "unpacked/packages/vendors" / vendor
    if not folder.is_dir():
        raise BuildError(f"{made[0].name} holds no packages/vendors/{vendor}")
    return folder


def build(root: Path, options: Options) -> Path:
    """Stage, configure, compile, check, pack; returns the .run file."""
    cann = cann_probe.probe(options.package_path)
    variables = cann_probe.environment(cann)
    socs = options.soc or [NPU_SOCS[0]]
    vendor = options.vendor_name or VENDOR
    names = Names(options.private_optype)
    route = {"asc": "its ASC package", "template": "its 8.1 project template"}[cann.route]
    print(f"CANN {cann.version} in {cann.home}, built with {route}, for {', '.join(socs)}", flush=True)
    stage = root / FOLDER / cann.route
    cann_stage.prepare(root, stage, cann, names)
    steps = _Steps(root, variables, options.verbose)
    steps.run("configure (runs op_build)", _configuration(cann, stage, socs, vendor, names), stage)
    _compare(cann, stage, socs[0], names)
    build_command = ["cmake", "--build", str(stage / "build_out"), f"-j{options.jobs}", "--target"]
    steps.run("kernels", [*build_command, "binary"], stage)
    steps.run("package", [*build_command, "package"], stage)
    folder = _unpack(steps, stage, vendor)
    missing = cann_check.problems(folder, stage, vendor, socs, names)
    if missing:
        raise BuildError("CANN's build ended without an error, but:\n    " + "\n    ".join(missing[:_SHOWN]))
    return package.pack(root, folder, package.describe(root, vendor, socs))
