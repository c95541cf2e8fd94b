# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The runtime and the process around it: memory, forks, float environment, instruction sets."""

import ctypes
import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
MIB = 1024 * 1024
TINY = 1e-40


def resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def touch(kernel, groups, threads, is_synced):
    out = np.zeros(groups, np.int64)
    kernel.launch(groups, out, tiling=np.array([is_synced, 0], np.uint32), threads=threads)
    words = 192 * 1024 // 4
    np.testing.assert_array_equal(out, np.arange(groups) * words + words * (words - 1) // 2)


def in_child(function):
    """Run in a forked process: a fresh count of resident memory. Failures come back as its exit code."""
    pid = os.fork()
    if pid == 0:
        try:
            function()
        except BaseException as error:  # noqa: BLE001 - the child must not return into pytest
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


@pytest.fixture(scope="module")
def toucher(kernel_file):
    return kernel_file("memory_toucher")


def script(body, **environment):
    """A fresh interpreter: nothing of this process's launches is resident there."""
    preamble = f"import sys; sys.path[:0] = {sys.path!r}\nimport numpy as np, ascendc_cpu\n"
    return subprocess.run(
        [sys.executable, "-c", preamble + body], env={**os.environ, **environment}, text=True, capture_output=True
    )


GROWTH = """
from test_runtime_process import resident_bytes, touch
kernel = ascendc_cpu.compile({source!r}, "memory_toucher", build_dir={cache!r})
np.arange(3).sum(); np.testing.assert_array_equal([1], [1])
before = resident_bytes()
for repeat in range({launches}):
    touch(kernel, {groups}, {threads}, {is_synced})
    if repeat == 0:
        first = resident_bytes()
print(first - before, resident_bytes() - before)
"""


def growth(kernel_cache, **parameters):
    source = str(HERE / "kernels" / "memory_toucher.cpp")
    done = script(GROWTH.format(source=source, cache=str(kernel_cache), **parameters))
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()]


FAILURES = """
from test_runtime_process import resident_bytes
from test_runtime_sync import DEADLOCK, run
kernel = ascendc_cpu.compile({source!r}, "sync_scenarios", build_dir={cache!r})
for repeat in range(150):
    if repeat == 50:
        before = resident_bytes()
    try:
        run(kernel, DEADLOCK, 24, 2, 1, culprit=repeat % 24)
        raise SystemExit("no deadlock")
    except ascendc_cpu.KernelError:
        pass
print(resident_bytes() - before)
"""


def test_failed_launches_give_their_memory_back(kernel_file, kernel_cache):
    kernel_file("sync_scenarios")
    source = str(HERE / "kernels" / "sync_scenarios.cpp")
    done = script(FAILURES.format(source=source, cache=str(kernel_cache)))
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < MIB // 2  # 100 stacks left behind would be 0.8 MiB


@pytest.mark.parametrize("threads", [1, 2])
def test_without_waits_memory_depends_on_threads_only(toucher, kernel_cache, threads):
    _, total = growth(kernel_cache, groups=40, threads=threads, is_synced=0, launches=50)
    assert total < (threads * 2.5 + 1) * MIB


def test_waiting_groups_keep_their_memory_and_give_it_back(toucher, kernel_cache):
    first, total = growth(kernel_cache, groups=20, threads=2, is_synced=1, launches=20)
    assert 20 * 192 * 1024 < first < 20 * 2.5 * MIB
    assert total < first + MIB


def test_launch_after_fork(toucher):
    def launch_in_child():
        assert len(os.listdir("/proc/self/task")) == 1
        for is_synced in (0, 1, 1):
            touch(toucher, 20, 3, is_synced)
        assert len(os.listdir("/proc/self/task")) == 3  # helpers of its own

    touch(toucher, 20, 3, 1)
    in_child(launch_in_child)
    touch(toucher, 20, 3, 1)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="reads the mxcsr register")
def test_float_environment_is_the_default_inside_and_kept_outside(kernel_file, tmp_path):
    source = tmp_path / "mxcsr.c"
    source.write_text(
        "#include <xmmintrin.h>\nunsigned get(void) { return _mm_getcsr(); }\nvoid set(unsigned v) { _mm_setcsr(v); }\n"
    )
    library = tmp_path / "mxcsr.so"
    subprocess.run([os.environ.get("CXX", "g++"), "-x", "c", "-shared", "-fPIC", source, "-o", library], check=True)
    register = ctypes.CDLL(str(library))
    kernel = kernel_file("dtype_probe", dtypes={"DTYPE_X": "half"}, tiling_keys=[3, 7])
    tiling = np.array([1, 3, TINY, 0], np.float32)
    third = np.float32(1) / np.float32(3)
    subnormal = np.float32(TINY)
    saved = register.get()
    for mode in (0x1F80 | 0x8040, 0x1F80 | 0x4000, 0x1F80 | 0x2000):  # FTZ and DAZ; round up; round down
        outs = [np.zeros(5, np.float32) for _ in range(4)]
        register.set(mode)
        for out in outs:
            kernel.launch(1, out, tiling=tiling, key=3, threads=2)
        after = register.get()
        register.set(saved)
        assert after & ~0x3F == mode  # without the sticky exception bits
        assert all(out[3] == third and out[4] == subnormal for out in outs)


def test_instruction_set_by_environment(kernel_cache):
    body = "print(ascendc_cpu.isa_name())"
    assert script(body, ASCENDC_CPU_ISA="generic").stdout.strip() == "generic"
    refused = script(body, ASCENDC_CPU_ISA="sse9")
    assert 'ASCENDC_CPU_ISA is "sse9", allowed are avx512, avx2, generic' in refused.stderr


def test_threads_by_environment(toucher, kernel_cache):
    body = f"""
kernel = ascendc_cpu.compile({str(HERE / "kernels" / "memory_toucher.cpp")!r}, "memory_toucher",
                             build_dir={str(kernel_cache)!r})
from test_runtime_process import touch
touch(kernel, 20, None, 0)
"""
    assert script(body, ASCENDC_CPU_NUM_THREADS="3").returncode == 0
    assert 'ASCENDC_CPU_NUM_THREADS is "0", allowed are 1 to 4096' in script(body, ASCENDC_CPU_NUM_THREADS="0").stderr
