# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""compile(): kernel sources to a loaded library."""

import ctypes
import functools
import hashlib
import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from . import checked_sources, native
from .kernel_module import KernelModule
from .kernel_objects import DTYPES, KernelObject, plan_objects, write_objects
from .kernel_sources import KernelSources, read_sources

MODE_FLAGS = {
    "fast": ("-O2",),
    # call stacks of findings
    "checked": ("-O1", "-g1", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls"),
}
_loaded: dict[str, ctypes.CDLL] = {}  # by file name, which tells the content; of this process
FLAGS = ("-std=c++17", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-Wall")


class CompileError(RuntimeError):
    """The compiler's own text."""


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode != 0:
        raise CompileError(f"{shlex.join(command)}\n{done.stderr}")
    return done.stdout


def _compiler() -> list[str]:
    return shlex.split(os.environ.get("CXX", "")) or ["g++"]


@functools.cache
def _compiler_version(command: tuple[str, ...]) -> str:
    return _run([*command, "--version"])


def _ge_dtype(name: str, ctype: str) -> str:
    for dtype, (candidate, _) in DTYPES.items():
        if ctype in (candidate, dtype):
            return dtype
    raise ValueError(f"dtypes[{name!r}] is {ctype!r}, allowed are {', '.join(c for c, _ in DTYPES.values())}")


def _column(dtypes: Mapping[str, str]) -> dict[str, str]:
    for name in dtypes:
        if not name.startswith("DTYPE_"):
            raise ValueError(f"dtypes has {name!r}, its names are those of macros: DTYPE_X")
    return {name.removeprefix("DTYPE_"): _ge_dtype(name, ctype) for name, ctype in dtypes.items()}


def _entry_file(sources: str | os.PathLike, entry: str) -> Path:
    path = Path(sources)
    path = path / f"{entry}.cpp" if path.is_dir() else path
    if not path.is_file():
        raise FileNotFoundError(f"kernel source {path} does not exist")
    return path


def _content_hash(parts: Sequence[str], files: Sequence[Path]) -> str:
    digest = hashlib.sha256("\0".join(parts).encode())
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _build(
    objects: Sequence[KernelObject], files: Sequence[Path], search: Sequence[Path], folder: Path, target: Path
) -> None:
    """files: the kernel's own, found in `search`."""
    mode = objects[0].mode
    flags = [*FLAGS, *MODE_FLAGS[mode]]
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        copies = Path(scratch) / "sources"
        if mode == "checked":
            checked_sources.copy_checked(files, copies)
        mirrored = [checked_sources.mirrored(path, copies) for path in search] if mode == "checked" else []
        includes = [f"-I{path}" for path in (*mirrored, *search, *native.include_dirs(mode))]
        sources = write_objects(objects, Path(scratch))
        outputs = [str(path.with_suffix(".o")) for path in sources]
        commands = [
            [*_compiler(), *flags, *includes, "-c", str(source), "-o", output]
            for source, output in zip(sources, outputs, strict=True)
        ]
        with ThreadPoolExecutor(min(len(commands), os.cpu_count() or 1)) as pool:
            list(pool.map(_run, commands))
        linked = Path(scratch) / target.name
        runtime = native.lib_dir()
        _run(
            [*_compiler(), "-shared", *outputs, "-o", str(linked), f"-L{runtime}", "-lascendc_cpu", "-Wl,-z,defs"]
            + [f"-Wl,-rpath,{runtime}"]
        )
        linked.rename(target)  # whole or not at all: another process may build the same


def compile(
    sources: str | os.PathLike,
    entry: str,
    dtypes: Mapping[str, str] | None = None,
    tiling_keys: Sequence[int] = (0,),
    include_dirs: Sequence[str | os.PathLike] = (),
    kernel_type: str | None = None,
    build_dir: str | os.PathLike | None = None,
) -> KernelModule:
    """Compile a kernel for the CPU and load it.

    sources: the file with the entry function, or an op_kernel folder that has <entry>.cpp.
    dtypes: the macros the kernel mentions, e.g. {"DTYPE_X": "half"}; ORIG_DTYPE_X follows.
    kernel_type: e.g. "KERNEL_TYPE_AIV_ONLY", for sources without KERNEL_TASK_TYPE_DEFAULT.
    build_dir: where libraries are cached by content, default ~/.cache/ascendc_cpu.
    The compiler is $CXX, or g++. Raises CompileError with its output, ValueError for contradictory arguments.
    """
    own_dirs = [Path(path).resolve() for path in include_dirs]
    found: KernelSources = read_sources(_entry_file(sources, entry), own_dirs)
    if not tiling_keys:
        raise ValueError("tiling_keys is empty, pass at least one")
    objects = plan_objects("<op>", entry, found, [_column(dtypes or {})], tiling_keys, kernel_type)
    identity = _identity(objects, found)
    op = f"{entry}@{identity}"  # of its own: other versions of the same kernel may be loaded too
    objects = [replace(each, op=op) for each in objects]
    search = [*own_dirs, found.entry_file.parent]
    folder = _cache_folder(build_dir)
    parts = (identity, objects, found.files, search, folder)
    fast, checked = (functools.partial(_load, *parts, mode) for mode in MODE_FLAGS)
    return KernelModule(op, objects[0].column, fast(), checked)


def load_checked_operator(
    op_type: str,
    entry: str,
    sources: str | os.PathLike,
    columns: Sequence[Mapping[str, str]],
    tiling_keys: Sequence[int] | None = None,
    include_dirs: Sequence[str | os.PathLike] = (),
    build_dir: str | os.PathLike | None = None,
) -> ctypes.CDLL:
    """Kernels of an operator for checked launches, which find them as long as the result is alive.

    columns: dtype columns of the operator, {"QUERY": "DT_FLOAT", ...}; see kernel_objects.opdef_columns.
    tiling_keys: default those that the sources name. The rest as in compile().
    """
    own_dirs = [Path(path).resolve() for path in include_dirs]
    found = read_sources(_entry_file(sources, entry), own_dirs)
    objects = plan_objects(op_type, entry, found, columns, tiling_keys or found.tiling_keys or [0])
    search = [*own_dirs, found.entry_file.parent]
    return _load(_identity(objects, found), objects, found.files, search, _cache_folder(build_dir), "checked")


def _cache_folder(build_dir: str | os.PathLike | None) -> Path:
    folder = Path(build_dir or Path.home() / ".cache" / "ascendc_cpu").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _identity(objects: Sequence[KernelObject], found: KernelSources) -> str:
    """Of everything that the compiled kernel depends on."""
    headers = [path for mode in MODE_FLAGS for folder in native.include_dirs(mode) for path in folder.rglob("*.h")]
    flags = [*FLAGS, *(flag for mode in MODE_FLAGS.values() for flag in mode)]
    parts = [*_compiler(), _compiler_version(tuple(_compiler())), *flags, *(each.text() for each in objects)]
    return _content_hash([*parts, str(native.lib_dir())], [*found.files, *headers, Path(checked_sources.__file__)])


def _load(
    identity: str,
    objects: Sequence[KernelObject],
    files: Sequence[Path],
    search: Sequence[Path],
    folder: Path,
    mode: str,
) -> ctypes.CDLL:
    """Build the library of one mode unless it is there, and load it unless its equal is: kernels register once."""
    target = folder / f"{objects[0].entry}_{identity}_{mode}.so"
    if not target.is_file():
        _build([replace(each, mode=mode) for each in objects], files, search, folder, target)
    native.runtime()
    if target.name not in _loaded:
        _loaded[target.name] = ctypes.CDLL(str(target))
    return _loaded[target.name]
