# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Folders that look like an installed CANN: with the ASC package, or with the project template of 8.1."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.build.cpu_package import ops_info

from .tools import ROOT, SOCS, definitions

HERE = Path(__file__).parent
LIBRARIES = ("exe_graph", "register", "tiling_api", "nnopbase", "ascendcl", "graph")
SHORT = {"inputs": 12, "attrs": 9}  # what CANN 8.1's FlashAttentionScore has of today's lists


def _program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def _copy(source: Path, target: Path) -> None:
    shutil.copytree(source, target)
    for path in target.rglob("func.cmake"):
        path.write_text(path.read_text().replace("@TOOLS@", str(HERE / "tools.py")))


def _common(home: Path, version: str, op_build: str) -> None:
    home.mkdir(parents=True)
    # The SDK's host headers have CANN's names.
    (home / "include").symlink_to(ROOT / "ascendc_cpu/include/host")
    (home / "lib64").mkdir()
    for name in LIBRARIES:
        library = home / "lib64" / f"lib{name}.so"
        subprocess.run(["g++", "-shared", "-o", library, "-x", "c++", "/dev/null"], check=True)
    subprocess.run(["ar", "rc", home / "lib64/librt2_registry.a"], check=True)
    (home / "compiler").mkdir()
    (home / "compiler/version.info").write_text(f"Version={version}\nversion_dir=mock\n")
    _program(home / "compiler/ccec_compiler/bin/bisheng", "exit 1")
    _program(home / op_build, f"exec '{sys.executable}' '{HERE / 'tools.py'}' op_build \"$@\"")
    (home / "set_env.sh").write_text(
        f"export ASCEND_HOME_PATH={home}\nexport ASCEND_OPP_PATH={home}/opp\nexport MOCK_CANN_SET_ENV=1\n"
    )


def _built_in(home: Path, inputs: int, attributes: int) -> None:
    ops = [{**op, "inputs": op["inputs"][:inputs], "attrs": op["attrs"][:attributes]} for op in definitions()]
    for soc in SOCS:
        path = home / f"opp/built-in/op_impl/ai_core/tbe/config/{soc}/aic-{soc}-ops-info.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(ops_info(ops)))


def asc(home: Path) -> Path:
    """Like CANN 9: find_package(ASC), the newest built-in lists."""
    _common(home, "9.9.0-mock", "tools/opbuild/op_build")
    _copy(HERE / "asc", home / "compiler/tikcpp/ascendc_kernel_cmake")
    _built_in(home, 99, 99)
    return home


def template(home: Path) -> Path:
    """Like CANN 8.1: the project template, shorter built-in lists."""
    _common(home, "7.7.0-mock", "toolkit/tools/opbuild/op_build")
    _copy(HERE / "template", home / "tools/op_project_templates/ascendc/customize")
    _built_in(home, SHORT["inputs"], SHORT["attrs"])
    return home
