# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Builds the SDK's libraries without CMake, for running its tests in a bare checkout."""

import hashlib
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

COMPILER = os.environ.get("CXX", "g++")
COMMON = ["-std=c++17", "-fPIC", "-Wall", "-Wextra", "-ffp-contract=off"]
ISA_PARTS = ("vector", "copy", "cube", "random", "isa")
RUNTIME_PARTS = ("core", "check", "host", "acl")
AVX2 = ["-mavx2", "-mfma", "-mf16c"]
AVX512 = [*AVX2, "-mprefer-vector-width=512", *(f"-mavx512{part}" for part in ("f", "bw", "dq", "vl", "vbmi", "bf16"))]
ISA_FLAGS = {"generic": [], "avx2": AVX2, "avx512": AVX512}


def _compile(source: Path, flags: list[str], headers: bytes, folder: Path) -> Path:
    text = source.read_bytes()
    name = hashlib.sha256(b"\0".join([" ".join(flags).encode(), headers, source.name.encode(), text])).hexdigest()[:16]
    target = folder / f"{source.stem}_{name}.o"
    if not target.is_file():
        partial = target.with_suffix(f".{os.getpid()}.o")
        subprocess.run([COMPILER, *flags, "-c", str(source), "-o", str(partial)], check=True)
        partial.rename(target)
    return target


def _link(objects: list[Path], target: Path, flags: list[str]) -> None:
    partial = target.with_suffix(f".{os.getpid()}.so")
    subprocess.run(
        [COMPILER, "-shared", *map(str, objects), "-o", str(partial), f"-Wl,-soname,{target.name}", *flags], check=True
    )
    partial.rename(target)


def build_libraries(root: Path) -> Path:
    """Compile what has changed since the last call; returns the folder of the libraries."""
    sdk = root / "ascendc_cpu"
    folder = root / "build" / "test_sdk"
    folder.mkdir(parents=True, exist_ok=True)
    include = [f"-I{sdk / folder}" for folder in ("src", "include/kernel", "include/mode/fast", "include/host")]
    headers = b"".join(path.read_bytes() for path in sorted(sdk.glob("include/kernel/ascendc_cpu/*.h")))
    for part in ("src", "include/host"):
        headers += b"".join(path.read_bytes() for path in sorted(sdk.glob(f"{part}/**/*.h")))
    jobs = {
        "runtime": (
            [path for part in RUNTIME_PARTS for path in sorted(sdk.glob(f"src/{part}/*.cpp"))],
            ["-O2", "-fno-omit-frame-pointer"],
        )
    }
    isa_sources = [path for part in ISA_PARTS for path in sorted(sdk.glob(f"src/{part}/*.cpp"))]
    for name, flags in ISA_FLAGS.items():
        jobs[name] = (isa_sources, ["-O3", "-fvisibility=hidden", f'-DASCENDC_CPU_ISA_NAME="{name}"', *flags])
    objects = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, (sources, flags) in jobs.items():
            flags = [*COMMON, *flags, *include]
            objects[name] = [pool.submit(_compile, source, flags, headers, folder) for source in sources]
    objects = {name: [future.result() for future in futures] for name, futures in objects.items()}
    _link(objects.pop("runtime"), folder / "libascendc_cpu.so", ["-pthread", "-ldl", "-Wl,-z,nodelete"])
    for name, files in objects.items():
        if files:
            flags = [f"-L{folder}", "-lascendc_cpu", "-Wl,-rpath,$ORIGIN"]
            _link(files, folder / f"libascendc_cpu_isa_{name}.so", flags)
    return folder
