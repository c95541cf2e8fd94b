# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What the doctor looks at. Each check gives findings: a state, a topic, what is there, and what to do."""

import importlib.metadata
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ascend_flash_attention import _installation

OK, NOTE, BAD = "ok", "note", "BAD"
_PROBE_SECONDS = 120
# Text of a failed import -> what to do about it. The first that fits is taken.
_REMEDIES = (
    (r"undefined symbol: acl", "an ACL library is loaded that does not belong to the package or to torch_npu: compare "
     "LD_LIBRARY_PATH with the paths below, source one set_env only"),
    (r"undefined symbol", "built for another torch: rebuild the package with this one (bash build.sh)"),
    (r"TORCH_DEVICE_BACKEND_AUTOLOAD", "torch cannot load torch_npu, see there"),
    (r"libascend_hal|libdrvdsmi", "the NPU driver's libraries are missing: install the driver, or unset CANN's "
     "variables to use the CPU"),
    (r"lib(hccl|ascendcl|acl_op_compiler|ge_runner|graph|acl_tdt_channel)\.so", "torch_npu needs CANN's libraries: "
     "source CANN's set_env.sh or the set_env.bash of a CPU op package"),
    (r"GLIBC", "built on a newer system: rebuild the package here (bash build.sh)"),
    (r"the package is not built", "run `bash build.sh` in a clone of the project"),
)  # fmt: skip


@dataclass(frozen=True)
class Machine:
    """What the checks see; the defaults are this machine."""

    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    root: Path = Path("/")
    python: str = sys.executable


@dataclass(frozen=True)
class Finding:
    state: str
    topic: str
    text: str
    advice: str = ""


def remedy(text: str) -> str:
    """What to do about the text of a failed import; empty for an unknown one."""
    return next((advice for pattern, advice in _REMEDIES if re.search(pattern, text)), "")


def version_of(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _import_failure(machine: Machine, module: str, **variables: str) -> str:
    """Last line of the error that `import module` gives in a process of its own; empty: it works."""
    run = subprocess.run(
        [machine.python, "-c", f"import {module}"],
        env={**machine.environ, **variables},
        capture_output=True,
        text=True,
        timeout=_PROBE_SECONDS,
    )
    lines = run.stderr.strip().splitlines() or [f"exit code {run.returncode}, nothing on stderr"]
    return lines[-1] if run.returncode else ""


def system(machine: Machine) -> Iterator[Finding]:
    yield Finding(OK, "system", f"{platform.platform()}, Python {platform.python_version()}")
    devices, driver = _installation.npu_devices(machine.root), _installation.driver_version(machine.root)
    if devices:
        yield Finding(OK, "NPU driver", f"{driver or 'unknown version'}, devices {', '.join(devices)}")
    else:
        found = f"driver {driver}, but" if driver else "no driver,"
        yield Finding(
            NOTE, "NPU driver", f"{found} no /dev/davinci*: there is no NPU here, kernels can only be emulated"
        )


def cann(machine: Machine) -> Iterator[Finding]:
    home = machine.environ.get("ASCEND_HOME_PATH") or machine.environ.get("ASCEND_TOOLKIT_HOME")
    installed = _installation.installed_cann(machine.environ, machine.root)
    if home:
        version = _installation.read_version(Path(home))
        if version:
            yield Finding(OK, "CANN", f"{version} in {home}")
        else:
            yield Finding(BAD, "CANN", f"ASCEND_HOME_PATH is {home}, which holds no version.info",
                          "source the set_env.sh of an installed CANN, or unset ASCEND_HOME_PATH")  # fmt: skip
    elif installed:
        yield Finding(NOTE, "CANN", f"installed in {installed[0]}, not used by this shell",
                      f"source {installed[0]}/set_env.sh, or the one above it")  # fmt: skip
    else:
        yield Finding(NOTE, "CANN", "not installed: CPU only")
    if home and not machine.environ.get("ASCEND_OPP_PATH"):
        yield Finding(BAD, "CANN", "ASCEND_OPP_PATH is not set: no operator package is found",
                      "source CANN's set_env.sh instead of setting ASCEND_HOME_PATH alone")  # fmt: skip
    runtime = _installation.on_library_path("libascendcl.so", machine.environ)
    if runtime:
        kind = "ascendc_cpu emulation" if _installation.is_emulation(runtime) else "CANN's"
        yield Finding(OK, "libascendcl.so", f"{runtime}, {kind}")
        if home and kind != "CANN's":
            yield Finding(NOTE, "libascendcl.so", "it comes before CANN's in LD_LIBRARY_PATH: npu tensors are emulated",
                          "to use the NPU start a shell without the CPU package's set_env.bash")  # fmt: skip


def torch_packages(machine: Machine) -> Iterator[Finding]:
    torch_version, npu_version = version_of("torch"), version_of("torch_npu")
    if torch_version is None:
        yield Finding(BAD, "torch", "not installed", "install torch 2.13.0, or use the .venv that build.sh makes")
        return
    failure = _import_failure(machine, "torch", TORCH_DEVICE_BACKEND_AUTOLOAD="0")
    yield Finding(
        BAD if failure else OK, "torch", f"{torch_version}{': ' + failure if failure else ''}", remedy(failure)
    )
    if npu_version is None:
        yield Finding(NOTE, "torch_npu", "not installed: no npu tensors, CPU tensors need none")
        return
    if npu_version.split(".")[:2] != torch_version.split(".")[:2]:
        yield Finding(BAD, "torch_npu", f"{npu_version} with torch {torch_version}",
                      "install the two of one release: their first two numbers must agree")  # fmt: skip
    failure = _import_failure(machine, "torch_npu", TORCH_DEVICE_BACKEND_AUTOLOAD="0")
    text = f"{npu_version}{': ' + failure if failure else ''}"
    yield Finding(BAD if failure else OK, "torch_npu", text, remedy(failure))
    if failure and machine.environ.get("TORCH_DEVICE_BACKEND_AUTOLOAD") != "0":
        yield Finding(BAD, "torch_npu", "torch loads it whenever torch is imported, which fails for that reason",
                      "export TORCH_DEVICE_BACKEND_AUTOLOAD=0 where no NPU is used")  # fmt: skip


def op_packages(machine: Machine) -> Iterator[Finding]:
    libraries = _installation.op_libraries(machine.environ)
    present = [library for library in libraries if library.path.is_file()]
    for library in libraries:
        if library not in present:
            yield Finding(NOTE, "op package", f"{library.path} does not exist ({library.rule})",
                          "remove that entry, or install the package again")  # fmt: skip
    for rank, library in enumerate(present):
        first = "taken for npu tensors" if rank == 0 else f"hidden by {present[0].vendor}"
        version = _installation.read_version(library.vendor)
        text = f"{library.vendor}{f' {version}' if version else ''}: {first} ({library.rule})"
        if library.problem:
            yield Finding(BAD if rank == 0 else NOTE, "op package", f"{text}; {library.problem}",
                          "put the package that has the operator in front: source its bin/set_env.bash")  # fmt: skip
        else:
            yield Finding(OK if rank == 0 else NOTE, "op package", text)
    if not present:
        yield Finding(NOTE, "op package", "none is installed: npu tensors take CANN's built-in operator, if any")


def package(machine: Machine) -> Iterator[Finding]:
    version = version_of("ascend-flash-attention") or "version unknown (not installed by pip)"
    failure = _import_failure(machine, "ascend_flash_attention")
    text = f"{version} in {Path(__file__).parent}{': ' + failure if failure else ''}"
    yield Finding(BAD if failure else OK, "this package", text, remedy(failure))


CHECKS = (system, cann, torch_packages, op_packages, package)
