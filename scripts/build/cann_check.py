# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What CANN's build must have produced. Its scripts report some failures by leaving a file out."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from .cann_stage import OPERATORS, Names

TBE = "op_impl/ai_core/tbe"


def declared_functions(stage: Path) -> set[str]:
    """aclnn functions that the headers in op_api promise."""
    headers = [path for op in OPERATORS for path in (stage / op / "op_api").glob("aclnn_*.h")]
    return {name for path in headers for name in re.findall(r"\b(aclnn\w+)\(", path.read_text())}


def _exported(library: Path) -> set[str]:
    shown = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    return {line.split()[-1] for line in shown.stdout.splitlines()}


def _combinations(entry: dict) -> int:
    """How many kernels CANN compiles: one for each combination of the dtypes of required inputs and outputs. Columns
    of the definition that differ in an optional input only share a kernel."""
    tensors = [value for key, value in entry.items() if re.fullmatch(r"(input|output)\d+", key)]
    required = [tensor["dtype"].split(",") for tensor in tensors if tensor["paramType"] == "required"]
    return len(set(zip(*required, strict=True)))


def _kernel_problems(folder: Path, soc: str, snake: str, entry: dict) -> Iterator[str]:
    kernels = folder / TBE / "kernel" / soc / snake
    objects = {path.stem for path in kernels.glob("*.o") if path.stat().st_size > 0}
    described = {path.stem for path in kernels.glob("*.json")}
    expected = _combinations(entry)
    if len(objects & described) != expected:
        found = len(objects & described)
        yield f"{kernels.relative_to(folder)}: {found} kernels, {expected} combinations of required dtypes"
    for name in (f"{snake}.json", "binary_info_config.json"):
        if not (folder / TBE / "kernel/config" / soc / name).is_file():
            yield f"{TBE}/kernel/config/{soc}/{name} is missing"


def _soc_problems(folder: Path, soc: str, names: Names) -> Iterator[str]:
    info = folder / TBE / "config" / soc / f"aic-{soc}-ops-info.json"
    if not info.is_file():
        yield f"{info.relative_to(folder)} is missing"
        return
    table = json.loads(info.read_text())
    for op in OPERATORS:
        op_type = names.op_type(op)
        if op_type not in table:
            yield f"{info.relative_to(folder)}: no {op_type}"
        else:
            yield from _kernel_problems(folder, soc, names.snake(op), table[op_type])


def problems(folder: Path, stage: Path, vendor: str, socs: list[str], names: Names) -> list[str]:
    """Everything that the vendor's folder lacks."""
    found = []
    sources = [f"{vendor}_impl/dynamic/{names.snake(op)}.{suffix}" for op in OPERATORS for suffix in ("py", "cpp")]
    for pattern in ("op_tiling/lib/linux/*/libcust_opmaster_rt2.0.so", *sources):
        if not list((folder / TBE).glob(pattern)):
            found.append(f"{TBE}/{pattern} is missing")
    for pattern in ("op_proto/lib/linux/*/libcust_opsproto_rt2.0.so", "op_proto/inc/op_proto.h", "version.info"):
        if not list(folder.glob(pattern)):
            found.append(f"{pattern} is missing")
    api = folder / "op_api/lib/libcust_opapi.so"
    if not api.is_file():
        found.append(f"{api.relative_to(folder)} is missing")
    else:
        hidden = declared_functions(stage) - _exported(api)
        found += [f"libcust_opapi.so does not export {name}" for name in sorted(hidden)]
    for soc in socs:
        found += _soc_problems(folder, soc, names)
    return found
