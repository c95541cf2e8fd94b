# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What of CANN, its driver and its op packages is on this machine, read from files and variables alone."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

OPAPI = "libcust_opapi.so"
# A package serves torch_npu only if its library exports this.
FORWARD_ENTRY = b"aclnnFlashAttentionScoreGetWorkspaceSize"
_CANN_FOLDERS = ("cann", "ascend-toolkit/latest", "latest")
_VERSION_FILES = ("version.info", "compiler/version.info", "toolkit/version.info", "opp/version.info")


@dataclass(frozen=True)
class OpLibrary:
    """A libcust_opapi.so that calls on NPU tensors may end in, and the rule by which it is found."""

    path: Path
    rule: str

    @property
    def problem(self) -> str:
        """Why it cannot serve the operator; empty: it can."""
        try:
            content = self.path.read_bytes()
        except OSError as error:
            return error.strerror or str(error)
        return "" if FORWARD_ENTRY in content else f"does not export {FORWARD_ENTRY.decode()}"

    @property
    def vendor(self) -> Path:
        return self.path.parents[2]


def _custom_folders(environ: Mapping[str, str]) -> Iterator[OpLibrary]:
    for folder in filter(None, environ.get("ASCEND_CUSTOM_OPP_PATH", "").split(":")):
        yield OpLibrary(Path(folder) / "op_api/lib" / OPAPI, f"ASCEND_CUSTOM_OPP_PATH entry {folder}")


def _vendor_folders(environ: Mapping[str, str]) -> Iterator[OpLibrary]:
    opp = environ.get("ASCEND_OPP_PATH")
    if not opp:
        return
    config = Path(opp) / "vendors/config.ini"
    try:
        text = config.read_text(encoding="utf-8")
    except OSError:
        return
    for names in re.findall(r"^\s*load_priority\s*=(.*)$", text, re.M):
        for name in filter(None, map(str.strip, names.split(","))):
            yield OpLibrary(config.parent / name / "op_api/lib" / OPAPI, f"load_priority of {config}: {name}")


def op_libraries(environ: Mapping[str, str] = os.environ) -> list[OpLibrary]:
    """Every place that is searched for libcust_opapi.so, in order; the files need not exist.

    The order of CANN and torch_npu: folders of ASCEND_CUSTOM_OPP_PATH from left to right, then the vendors of
    $ASCEND_OPP_PATH/vendors/config.ini, then CANN's built-in operators.
    """
    return [*_custom_folders(environ), *_vendor_folders(environ)]


def on_library_path(name: str, environ: Mapping[str, str] = os.environ) -> Path | None:
    """First file of this name in LD_LIBRARY_PATH."""
    folders = filter(None, environ.get("LD_LIBRARY_PATH", "").split(":"))
    return next((Path(folder) / name for folder in folders if (Path(folder) / name).is_file()), None)


def is_emulation(runtime: Path) -> bool:
    """Whether this libascendcl.so is the CPU runtime under CANN's name: it lies in acl/ beside libascendc_cpu.so."""
    return (runtime.resolve().parents[1] / "libascendc_cpu.so").is_file()


def read_version(folder: Path) -> str | None:
    """Version of a CANN or driver folder."""
    for name in _VERSION_FILES:
        try:
            text = (folder / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        found = re.search(r"^\s*(?:package_)?version\s*=\s*\[?([^\]\s]+)", text, re.M | re.I)
        if found:
            return found[1]
    return None


def installed_cann(environ: Mapping[str, str] = os.environ, root: Path = Path("/")) -> list[Path]:
    """CANN folders in the usual places, whether or not this shell uses them."""
    bases = [root / "usr/local/Ascend", Path(environ.get("HOME", "/nonexistent")) / "Ascend"]
    return [base / name for base in bases for name in _CANN_FOLDERS if (base / name).is_dir()]


def npu_devices(root: Path = Path("/")) -> list[str]:
    """Names of the NPU device files that the driver has made."""
    return sorted(path.name for path in (root / "dev").glob("davinci[0-9]*"))


def driver_version(root: Path = Path("/")) -> str | None:
    return read_version(root / "usr/local/Ascend/driver")
