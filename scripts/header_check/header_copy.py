# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A temporary copy of AscendC headers that a stock clang can read. The headers are those of whoever runs the check."""

import re
import shutil
from pathlib import Path

INCLUDE = Path(__file__).resolve().parent / "include"
# Parts of a header folder, and the include paths below it; those that are there are used.
PARTS = ("include", "impl", "basic_api", "highlevel_api")
INCLUDE_PATHS = (
    "include",  # asc-devkit
    "include/basic_api",
    "include/utils",
    "basic_api",  # CANN 8.1, ascendc/include
    "basic_api/interface",
    "basic_api/impl",
    "highlevel_api",
)
# (files, pattern, replacement); nothing else is changed.
EDITS = (
    # String literals are in global memory there; here they cannot be.
    (r".*", r"__gm__\s+const\s+char\b|const\s+__gm__\s+char\b", "const char"),
    (
        r"asc_aicore_printf_impl\.h",
        r"reinterpret_cast<__gm__ const uint8_t\*>\((dumphead|fmt)\)",
        r"(__gm__ const uint8_t*)(\1)",
    ),
    # The call check takes a plain global for a host variable.
    (r"asc_debug_utils\.h", r"^inline (?=.*\bg_sysPrintFifoSpace\b)", "__BLOCK_LOCAL__ inline "),
    (
        r"matmul_utils\.h",
        r"^(?=const (Local|Global)Tensor<T> (GLOBAL_)?NULL_TENSOR;)",
        "__BLOCK_LOCAL__ ",
    ),
)


def _edit(path: Path) -> None:
    text = path.read_text(errors="surrogateescape")
    changed = text
    for files, pattern, replacement in EDITS:
        if re.fullmatch(files, path.name):
            changed = re.sub(pattern, replacement, changed, flags=re.MULTILINE)
    if changed != text:
        path.write_text(changed, errors="surrogateescape")


def _write_kernel_tiling(folder: Path) -> None:
    """The tiling structs of the high-level API as one header, where the folder does not bring it."""
    headers = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*_tilingdata.h"))
    if not headers or any(folder.rglob("kernel_tiling/kernel_tiling.h")):
        return
    target = folder / "kernel_tiling" / "kernel_tiling.h"
    target.parent.mkdir()
    includes = "".join(f'#include "{header}"\n' for header in headers)
    names = "namespace AscendC {\nnamespace tiling {\nusing namespace optiling;\n}\n}\nusing namespace optiling;\n"
    target.write_text(f"#ifndef KERNEL_TILING_H\n#define KERNEL_TILING_H\n{includes}{names}#endif\n")


def _write_intrinsics(target: Path, source: Path | None) -> None:
    """The declarations of `source` without its includes, and those that it lacks, callable from a kernel."""
    text = source.read_text() if source else ""
    text = re.sub(r"^\s*#\s*include\b.*$", "", text, flags=re.MULTILINE)
    # A misprint of the list of CANN 8.1: these write L0B.
    text = re.sub(r"(\bload_cbuf_to_cb\w*\()__ca__", r"\1__cb__", text)
    lines = [
        "#if defined(__CUDA__)",
        "#pragma clang force_cuda_host_device begin",
        "#endif",
        text,
        '#include "missing_intrinsics.h"' if source else "",
        "#if defined(__CUDA__)",
        "#pragma clang force_cuda_host_device end",
        "#endif",
    ]
    target.write_text("\n".join(lines) + "\n")


def copy_headers(headers: Path, intrinsics: Path | None, target: Path) -> list[str]:
    """Copy and edit `headers` below `target`; include options for it. `intrinsics`: a header that declares the
    compiler's instructions, None when the headers need none."""
    copy = target / "headers"
    parts = [part for part in PARTS if (headers / part).is_dir()]
    if parts:
        for part in parts:
            shutil.copytree(headers / part, copy / part)
    else:
        shutil.copytree(headers, copy)
    for path in copy.rglob("*"):
        if path.suffix in (".h", ".hpp", ".cppm"):
            _edit(path)
    _write_kernel_tiling(copy)
    _write_intrinsics(target / "intrinsics.h", intrinsics)
    paths = [copy, *(copy / path for path in INCLUDE_PATHS if (copy / path).is_dir()), target, INCLUDE]
    return [option for path in paths for option in ("-I", str(path))]
