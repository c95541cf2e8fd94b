# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Build the extension that runs the operators on tensors of torch_npu, with the headers of its wheel.

    python -m scripts.build.npu_extension [--torch FOLDER] [--torch-npu FOLDER] [--out FILE]

Needs the packages torch and torch_npu, neither CANN nor an NPU, and imports neither of them. By default those of the
interpreter that runs this, and into its installed ascend_flash_attention.
"""

import argparse
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

from .environment import BuildError

FRAMEWORK = Path(__file__).resolve().parents[2] / "flash_attention_score" / "framework"
LIBRARY = "libascend_flash_attention_npu.so"
NPU_INCLUDES = (
    "include",
    "include/third_party/acl/inc",
    "include/third_party/hccl/inc",
    "include/third_party/op-plugin",
    "include/third_party/op-plugin/op_plugin/include",
)


def package_folder(name: str) -> Path:
    """Folder of an installed package, which is not imported. BuildError when there is none."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise BuildError(f"{name} is not installed in {sys.prefix}")
    return Path(spec.origin).parent


def _version_macro(torch_npu: Path) -> str:
    """V2R13 for 2.13: the wheel's headers choose by it."""
    version = re.search(r"__version__ = .(\d+)\.(\d+)", (torch_npu / "version.py").read_text())
    if version is None:
        raise BuildError(f"no version in {torch_npu / 'version.py'}")
    return f"V{version.group(1)}R{version.group(2)}"


def command(torch: Path, torch_npu: Path, out: Path) -> list[str]:
    """The compiler command. BuildError when Python's headers are missing."""
    python = Path(sysconfig.get_path("include"))
    if not (python / "Python.h").is_file():
        raise BuildError(f"no Python.h in {python}, which torch_npu's headers include: install python3-dev")
    includes = [torch / "include", torch / "include/torch/csrc/api/include", python]
    includes += [torch_npu / folder for folder in NPU_INCLUDES]
    compiler = shlex.split(os.environ.get("CXX", "")) or ["g++"]
    flags = ["-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden", "-shared", "-Wall", "-Wextra", "-Werror"]
    flags += [f"-DCURRENT_VERSION={_version_macro(torch_npu)}"]
    flags += [word for folder in includes for word in ("-isystem", str(folder))]
    link = [f"-L{torch / 'lib'}", "-lc10", "-ltorch_cpu", f"-L{torch_npu / 'lib'}", "-ltorch_npu"]
    return [*compiler, *flags, str(FRAMEWORK / "npu_extension.cpp"), "-o", str(out), *link]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torch", type=Path, help="folder of the package torch")
    parser.add_argument("--torch-npu", type=Path, help="folder of the package torch_npu")
    parser.add_argument("--out", type=Path, help="the library to write")
    options = parser.parse_args()
    out = options.out or package_folder("ascend_flash_attention") / LIBRARY
    torch = options.torch or package_folder("torch")
    torch_npu = options.torch_npu or package_folder("torch_npu")
    return subprocess.run(command(torch, torch_npu, out)).returncode


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BuildError as error:
        sys.exit(f"npu_extension: {error}")
