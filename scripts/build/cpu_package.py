# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The op package for the CPU: what the wheel has installed, in the layout of a CANN op package."""

import json
import platform
import shutil
from pathlib import Path

from . import environment, package
from .environment import BuildError

STAGE = "build/package/cpu"
BUILD = "build/cpu"
# Below the vendor's folder; every library of the package looks for libascendc_cpu.so there (cmake/ascendc_cpu.cmake).
RUNTIME = "ascendc_cpu/lib"
TBE = "op_impl/ai_core/tbe"
_DTYPE_NAMES = {"DT_BF16": "bfloat16", "DT_FLOAT": "float32"}


def _tensor(param: dict) -> dict:
    dtypes = [_DTYPE_NAMES.get(dtype) or dtype.removeprefix("DT_").lower() for dtype in param["dtypes"]]
    return {
        "name": param["name"],
        "paramType": "required" if param["required"] else "optional",
        "dtype": ",".join(dtypes),
        "format": ",".join(["ND"] * len(dtypes)),
    }


def _attribute(attr: dict) -> dict:
    entry = {"type": attr["type"], "value": "all"}
    if attr["required"]:
        return {**entry, "paramType": "required"}
    return {**entry, "paramType": "optional", "defaultValue": str(attr["default"])}


def ops_info(opdefs: list[dict]) -> dict:
    """Definitions in the form of CANN's aic-<soc>-ops-info.json."""
    table = {}
    for op in opdefs:
        entry = {f"input{index}": _tensor(param) for index, param in enumerate(op["inputs"])}
        entry |= {f"output{index}": _tensor(param) for index, param in enumerate(op["outputs"])}
        entry["attr"] = {"list": ",".join(attr["name"] for attr in op["attrs"])}
        entry |= {f"attr_{attr['name']}": _attribute(attr) for attr in op["attrs"]}
        entry["opFile"] = entry["opInterface"] = {"value": op["name"]}
        table[op["type"]] = entry
    return table


def _require(folder: Path) -> list[Path]:
    """Kernel libraries of the staged package; BuildError names what is missing."""
    machine = f"lib/linux/{platform.machine()}"
    kernels = sorted((folder / TBE / "kernel/cpu").glob("*/lib*_kernels.so"))
    wanted = [
        folder / "op_api/lib/libcust_opapi.so",
        folder / TBE / "op_tiling" / machine / "libcust_opmaster_rt2.0.so",
        folder / "op_proto" / machine / "libcust_opsproto_rt2.0.so",
        folder / RUNTIME / "libascendc_cpu.so",
        folder / RUNTIME / "libascendc_cpu_isa_generic.so",
    ]
    missing = [str(path.relative_to(folder)) for path in wanted if not path.is_file()]
    if missing or not kernels:
        raise BuildError(f"the CPU build is incomplete, no {', '.join(missing or ['kernel library'])}")
    return kernels


def stage(root: Path, operator: Path, sdk: Path, vendor: str) -> Path:
    """The vendor's folder in build/package/cpu, from the folders of the two installed Python packages."""
    folder = root / STAGE / "vendors" / vendor
    shutil.rmtree(root / STAGE, ignore_errors=True)
    shutil.copytree(operator / "vendors/custom", folder, symlinks=True)
    # Runtime, instruction sets and whatever else of the SDK belongs to a process that uses the operator.
    shutil.copytree(sdk / "lib", folder / RUNTIME, symlinks=True)
    opdefs = []
    for kernels in _require(folder):
        name = kernels.parent.name
        opdefs += json.loads((root / BUILD / name / "autogen/opdefs.json").read_text())["ops"]
    config = folder / TBE / "config/cpu/aic-cpu-ops-info.json"
    config.parent.mkdir(parents=True)
    config.write_text(json.dumps(ops_info(opdefs), indent=1) + "\n")
    tiling = f"lib/linux/{platform.machine()}/libcust_opmaster_rt2.0.so"
    (folder / TBE / "op_tiling/liboptiling.so").symlink_to(tiling)
    return folder


def build(root: Path, python: Path, vendor: str) -> Path:
    """Pack the installed CPU build; returns the .run file."""
    folders = [environment.package_folder(python, name) for name in ("ascend_flash_attention", "ascendc_cpu")]
    folder = stage(root, *folders, vendor)
    return package.pack(root, folder, package.describe(root, vendor, ["cpu"]))
