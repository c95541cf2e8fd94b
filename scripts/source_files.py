# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The files that the checks look at: everything but hidden folders and what builds leave behind."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_BUILD_FOLDERS = {"build", "build_out"}  # at the top only; scripts/build is source


def source_files(root: Path, suffixes: set[str] | None = None) -> Iterator[Path]:
    """Paths relative to `root`, sorted; `suffixes` such as {".py"}, None for all."""
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        folders = relative.parts[:-1]
        if any(folder.startswith(".") or folder == "__pycache__" for folder in folders):
            continue
        if folders and folders[0] in _BUILD_FOLDERS or not path.is_file():
            continue
        if suffixes is None or path.suffix in suffixes:
            yield relative
