# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Definitions of operators to opdefs.json and inner aclnn code, as CANN's op_build does for the NPU.

    python -m ascendc_cpu.op_build --definition libdefs.so --out autogen --prefix Inner

The definition library holds *_def.cpp alone, with plain OP_ADD registrations, and links libascendc_cpu.so.
"""

import argparse
import ctypes
import json
from collections.abc import Sequence
from pathlib import Path

from .aclnn_generator import aclnn_header, aclnn_source
from .kernel_objects import DTYPES, write_if_changed

OPDEFS_FILE = "opdefs.json"
OPTIONS = {1: "OPTIONAL", 2: "REQUIRED"}
VALUE_DEPEND_DTYPES = ("DT_INT64", "DT_FLOAT", "DT_BOOL")


def _check_param(op: str, direction: str, param: dict, columns: int) -> None:
    where = f"{op}: {direction} {param['name']}"
    if param["option"] not in OPTIONS:
        raise ValueError(f"{where}: ParamType: got {param['option'] or 'nothing'}, allowed: REQUIRED, OPTIONAL")
    if len(param["dtypes"]) != columns or columns == 0:
        raise ValueError(f"{where}: DataType: got {len(param['dtypes'])} columns, expected {columns or 'at least 1'}")
    if param["formats"] and len(param["formats"]) != columns:
        raise ValueError(f"{where}: Format: got {len(param['formats'])} columns, expected {columns}")
    for dtype in param["dtypes"]:
        if dtype not in DTYPES:
            raise ValueError(f"{where}: DataType: got {dtype}, allowed: {', '.join(DTYPES)}")
    if param["value_depend"]:
        kinds = sorted(set(param["dtypes"]))
        if direction == "output":
            raise ValueError(f"{where}: ValueDepend is for inputs")
        if len(kinds) != 1 or kinds[0] not in VALUE_DEPEND_DTYPES:
            raise ValueError(
                f"{where}: ValueDepend: got {kinds}, allowed: the same in all columns, {', '.join(VALUE_DEPEND_DTYPES)}"
            )


def check_definition(op: dict) -> None:
    """ValueError naming the operator, the argument, what it has and what is allowed."""
    name = op["type"]
    if not op["outputs"]:
        raise ValueError(f"{name}: no Output")
    columns = max(len(each["dtypes"]) for each in op["inputs"] + op["outputs"])
    for direction in ("input", "output"):
        for param in op[f"{direction}s"]:
            _check_param(name, direction, param, columns)
    shared = {each["name"] for each in op["inputs"]} & {each["name"] for each in op["outputs"]}
    if shared:
        raise ValueError(f"{name}: {', '.join(sorted(shared))} is input and output: in-place is not implemented")
    for attr in op["attrs"]:
        where = f"{name}: attribute {attr['name']}"
        if attr["type"] is None:
            raise ValueError(f"{where}: it has no type")
        if not attr["required"] and attr["default"] is None:
            raise ValueError(f"{where}: an optional attribute needs a default value")


def read_definitions(library: Path) -> list[dict]:
    """Operators that the definition library registers, checked, in the order of their types."""
    handle = ctypes.CDLL(str(Path(library).resolve()))
    handle.AscendcCpuOpDefsJson.restype = ctypes.c_char_p
    ops = json.loads(handle.AscendcCpuOpDefsJson())["ops"]
    if not ops:
        raise ValueError(f"{library}: no OP_ADD in this library")
    for op in ops:
        check_definition(op)
    return ops


def build(definition: Path, out: Path, prefix: str = "") -> list[Path]:
    """Write opdefs.json and aclnn<prefix>_<op>.h and .cpp into `out`; unchanged files are left alone."""
    ops = read_definitions(definition)
    written = [write_if_changed(out / OPDEFS_FILE, json.dumps({"ops": ops}, indent=1) + "\n")]
    for op in ops:
        stem = f"aclnn{prefix}_{op['name']}"
        written.append(write_if_changed(out / f"{stem}.h", aclnn_header(op, prefix)))
        written.append(write_if_changed(out / f"{stem}.cpp", aclnn_source(op, prefix)))
    return written


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m ascendc_cpu.op_build", description=__doc__.split("\n")[0])
    parser.add_argument("--definition", required=True, type=Path, help="library built from *_def.cpp")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--prefix", default="", help="of the generated names, after aclnn, e.g. Inner")
    options = parser.parse_args(arguments)
    for path in build(options.definition, options.out, options.prefix):
        print(path)


if __name__ == "__main__":
    main()
