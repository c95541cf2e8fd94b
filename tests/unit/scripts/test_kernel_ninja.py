# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[3] / "cmake" / "kernel_ninja.py"
NINJA = Path(sys.executable).parent / "ninja"


@pytest.fixture
def kernels(tmp_path):
    """A folder with a blank in its name, one source with a header and one without."""
    root = tmp_path / "a folder"
    (root / "sources").mkdir(parents=True)
    (root / "common.h").write_text("#define VALUE 100\n")
    (root / "sources/one.cpp").write_text('#include "common.h"\nextern "C" int One() { return VALUE; }\n')
    (root / "sources/two.cpp").write_text('extern "C" int Two() { return 2; }\n')
    return root


def generate(root: Path, sources: list[Path], *more: str) -> subprocess.CompletedProcess:
    listing = "".join(f"print({str(source)!r});" for source in sources)
    command = [sys.executable, TOOL, "--library", root / "lib/libk.so", "--build-file", root / "build.ninja",
               "--compiler", "g++", *more, "--flag=-fPIC", f"--flag=-I{root}", "--link=-Wl,-rpath,$ORIGIN/x",
               "--", sys.executable, "-c", listing]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True)


def ninja(root: Path) -> str:
    return subprocess.run([NINJA, "-C", root], capture_output=True, text=True, check=True).stdout


def test_library_holds_what_the_generator_named(kernels):
    assert generate(kernels, [kernels / "sources/one.cpp"]).returncode == 0
    ninja(kernels)
    library = ctypes.CDLL(kernels / "lib/libk.so")
    assert library.One() == 100 and not hasattr(library, "Two")
    dynamic = subprocess.run(["readelf", "-d", kernels / "lib/libk.so"], capture_output=True, text=True).stdout
    assert "[$ORIGIN/x]" in dynamic


def test_only_what_includes_a_header_is_built_again(kernels):
    generate(kernels, sorted((kernels / "sources").iterdir()))
    ninja(kernels)
    assert "no work to do" in ninja(kernels)
    later = (kernels / "lib/libk.so").stat().st_mtime + 10
    os.utime(kernels / "common.h", (later, later))
    output = ninja(kernels)
    assert "kernel object one.o" in output and "two.o" not in output


def test_launcher_stands_before_the_compiler_of_objects(kernels):
    generate(kernels, [kernels / "sources/one.cpp"], "--launcher=env", "--launcher=A B=1")
    commands = [line for line in (kernels / "build.ninja").read_text().splitlines() if line.startswith("  command")]
    assert commands[0].startswith("  command = env 'A B=1' g++ ") and commands[1].startswith("  command = g++ -shared")
    ninja(kernels)


def test_failing_generator_fails(kernels):
    assert generate(kernels, [kernels / "sources/one.cpp"]).returncode == 0
    command = [sys.executable, TOOL, "--library", "l", "--build-file", "b", "--compiler", "g++", "--",
               sys.executable, "-c", "raise SystemExit(3)"]  # fmt: skip
    assert subprocess.run(command, cwd=kernels).returncode == 3
    assert not (kernels / "b").exists()


def test_no_sources_is_an_error(kernels):
    result = generate(kernels, [])
    assert result.returncode != 0 and "no kernel sources" in result.stderr
