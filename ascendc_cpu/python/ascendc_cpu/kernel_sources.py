# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What the text of a kernel says: the headers it includes, the dtype names and tiling keys it mentions, its type."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# Kernel types of the device, and how many cores of each side a group has. MIX_x_1_0 use one side only.
KERNEL_TYPES = {
    "KERNEL_TYPE_AIV_ONLY": "AIV_ONLY",
    "KERNEL_TYPE_AIC_ONLY": "AIC_ONLY",
    "KERNEL_TYPE_MIX_AIV_1_0": "AIV_ONLY",
    "KERNEL_TYPE_MIX_AIC_1_0": "AIC_ONLY",
    "KERNEL_TYPE_MIX_AIC_1_1": "MIX_AIC_1_1",
    "KERNEL_TYPE_MIX_AIC_1_2": "MIX_AIC_1_2",
}

_COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|([^"<\s].*))', re.MULTILINE)
_DTYPE = re.compile(r"\b(?:ORIG_)?DTYPE_([A-Z0-9_]+)\b")
_KEY = re.compile(r"\bTILING_KEY_IS\s*\(\s*(\w+)\s*\)")
_DEFAULT_TYPE = re.compile(r"\bKERNEL_TASK_TYPE_DEFAULT\s*\(\s*(\w+)\s*\)")
_C_FUNCTION = re.compile(r'\bextern\s+"C"\s+[\w\s]*?\bvoid\s+(\w+)\s*\(')
_KEY_TYPE = re.compile(r"\bKERNEL_TASK_TYPE\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)")


@dataclass(frozen=True)
class KernelSources:
    """Entry file, its own headers, and what their text says."""

    entry_file: Path
    files: tuple[Path, ...]
    other_headers: tuple[str, ...]  # included with <>, and none of the files: the standard library's
    c_functions: tuple[str, ...]  # extern "C", the entry and others, sorted
    dtype_names: tuple[str, ...]  # without DTYPE_, sorted
    tiling_keys: tuple[int, ...]  # literals of TILING_KEY_IS, sorted
    default_type: str | None
    key_types: dict[int, str]

    def kernel_type(self, key: int, override: str | None = None) -> str:
        """AIV_ONLY, AIC_ONLY, MIX_AIC_1_1 or MIX_AIC_1_2."""
        name = override or self.key_types.get(key) or self.default_type
        if name is None:
            raise ValueError(f"{self.entry_file.name} has no KERNEL_TASK_TYPE_DEFAULT; pass kernel_type")
        full = name if name.startswith("KERNEL_TYPE_") else f"KERNEL_TYPE_{name}"
        if full not in KERNEL_TYPES:
            raise ValueError(f"kernel type {name} of {self.entry_file.name}: allowed are {', '.join(KERNEL_TYPES)}")
        return KERNEL_TYPES[full]


def _without_comments(text: str) -> str:
    return _COMMENT_OR_STRING.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)


def _integer(literal: str, what: str) -> int:
    try:
        return int(literal.rstrip("uUlL"), 0)
    except ValueError:
        raise ValueError(f"{what}: {literal} is not an integer literal") from None


def read_sources(entry_file: Path, include_dirs: Sequence[Path] = ()) -> KernelSources:
    """Follow the includes of `entry_file` as far as they lie in `include_dirs` or beside it, in the compiler's order.

    ValueError for an include whose name is a macro: nobody would notice that the file behind it has changed.
    """
    folders = [*include_dirs, entry_file.parent]
    texts: dict[Path, str] = {}
    other_headers: set[str] = set()
    pending = [entry_file.resolve()]
    while pending:
        path = pending.pop()
        if path in texts:
            continue
        texts[path] = _without_comments(path.read_text())
        for quoted, angled, macro in _INCLUDE.findall(texts[path]):
            if macro:
                raise ValueError(
                    f"{path.name}: #include {macro.strip()}: write the file's name, a macro is not followed"
                )
            searched = [path.parent, *folders] if quoted else folders
            found = next((f for folder in searched if (f := folder / (quoted or angled)).is_file()), None)
            if found:
                pending.append(found.resolve())
            elif angled:
                other_headers.add(angled)
    text = "\n".join(texts.values())
    defaults = set(_DEFAULT_TYPE.findall(text))
    if len(defaults) > 1:
        raise ValueError(f"{entry_file.name}: several KERNEL_TASK_TYPE_DEFAULT: {', '.join(sorted(defaults))}")
    return KernelSources(
        entry_file=entry_file.resolve(),
        files=tuple(texts),
        other_headers=tuple(sorted(other_headers)),
        c_functions=tuple(sorted(set(_C_FUNCTION.findall(text)))),
        dtype_names=tuple(sorted(set(_DTYPE.findall(text)))),
        tiling_keys=tuple(sorted({_integer(key, "TILING_KEY_IS") for key in _KEY.findall(text)})),
        default_type=defaults.pop() if defaults else None,
        key_types={_integer(key, "KERNEL_TASK_TYPE"): value for key, value in _KEY_TYPE.findall(text)},
    )
