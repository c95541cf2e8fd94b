# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The two-phase call of generated aclnn code: results, absent optionals, views, error codes."""

import ctypes
import os
import shutil
import subprocess
import sys
import threading

import numpy as np
import pytest
from ascendc_cpu.acl_objects import AclObjects, recent_error
from ascendc_cpu.native import runtime
from host_call import ALIGNMENT_SLACK, AddScaled

GUARD = 64  # poisoned elements on both sides of an output
SUCCESS, NULLPTR, INVALID, RUNTIME_ERROR, TILING_ERROR = 0, 161001, 161002, 361001, 561002


@pytest.fixture(scope="module")
def add_scaled(add_scaled_library):
    return AddScaled(add_scaled_library)


@pytest.fixture(autouse=True)
def no_old_errors(add_scaled):
    recent_error()


@pytest.fixture
def random(seed):
    return np.random.default_rng(seed)


def data(random, *shape, dtype="float32"):
    return random.standard_normal(shape).astype(dtype)


def guarded(*shape, dtype="float32"):
    """An output between poison, and all of its memory."""
    elements = int(np.prod(shape))
    memory = np.full(elements + 2 * GUARD, np.nan, dtype)
    return memory[GUARD : GUARD + elements].reshape(shape), memory


def check_guards(memory):
    assert np.isnan(memory[:GUARD]).all() and np.isnan(memory[-GUARD:]).all()


def expected(x1, x2, bias=0.0, shift=0, scale=0.5):
    return x1.astype(np.float64) + scale * x2.astype(np.float64) + np.asarray(bias, np.float64) + shift


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("shape", [(1,), (7,), (3, 5), (2, 3, 64), (1, 127)])
@pytest.mark.parametrize("blocks", [1, 2, 5])
def test_result(add_scaled, random, dtype, shape, blocks):
    x1, x2 = data(random, *shape, dtype=dtype), data(random, *shape, dtype=dtype)
    out, memory = guarded(*shape, dtype=dtype)
    total, total_memory = guarded(blocks)
    assert add_scaled(x1, x2, out, None, None, total, blocks=blocks) == SUCCESS, recent_error()
    tolerance = 2e-3 if dtype == "float16" else 1e-6
    np.testing.assert_allclose(out.astype(np.float64), expected(x1, x2), rtol=tolerance, atol=tolerance)
    assert total.sum() == out.size
    check_guards(memory)
    check_guards(total_memory)


@pytest.mark.parametrize("with_bias", [False, True])
@pytest.mark.parametrize("shifts", [None, [], [5], [5, -2, 10]])
def test_absent_optionals(add_scaled, random, with_bias, shifts):
    x1, x2 = data(random, 4, 9), data(random, 4, 9)
    bias = data(random, 4, 9) if with_bias else None
    out, memory = guarded(4, 9)
    assert add_scaled(x1, x2, out, bias, shifts) == SUCCESS, recent_error()
    want = expected(x1, x2, bias if with_bias else 0.0, sum(shifts or []))
    np.testing.assert_allclose(out, want, rtol=1e-6, atol=1e-5)
    check_guards(memory)


def views(random):
    """Views of one base array each, with the place they came from to the contiguous copy expected."""
    base = data(random, 6, 8, 10)
    yield "transposed", base.transpose(2, 0, 1)
    yield "every second", base[::2, 1:7:3]
    yield "reversed", base[:, ::-1]
    yield "broadcast", np.broadcast_to(base[0, 0], (6, 10))
    yield "slice of rows", base[2:5]
    yield "one element", base[3:4, 2:3, 4:5]


@pytest.mark.parametrize("index", range(6))
def test_views_of_an_auto_contiguous_input(add_scaled, random, index):
    _, view = list(views(random))[index]
    before = np.array(view)
    x2 = data(random, *view.shape)
    out, memory = guarded(*view.shape)
    assert add_scaled(view, x2, out) == SUCCESS, recent_error()
    np.testing.assert_allclose(out, expected(before, x2), rtol=1e-6, atol=1e-6)
    np.testing.assert_array_equal(view, before)
    check_guards(memory)


def test_contiguous_view_with_offset_needs_no_auto_contiguous(add_scaled, random):
    x1, base = data(random, 3, 7), data(random, 5, 7)
    out, _ = guarded(3, 7)
    assert add_scaled(x1, base[1:4], out) == SUCCESS, recent_error()
    np.testing.assert_allclose(out, expected(x1, base[1:4]), rtol=1e-6, atol=1e-6)


def test_strided_view_of_an_input_that_is_not_auto_contiguous(add_scaled, random):
    x2 = data(random, 7, 3).T
    assert add_scaled(data(random, 3, 7), x2, np.empty((3, 7), np.float32)) == INVALID
    assert "input x2" in recent_error()


def test_data_written_between_the_phases_is_used(add_scaled, random):
    base, x2 = data(random, 5, 4), data(random, 4, 5)
    out, _ = guarded(4, 5)
    with AclObjects() as objects:
        plan = add_scaled.plan(objects, base.T, x2, out)
    base[:] = data(random, 5, 4)
    assert add_scaled.run(plan) == SUCCESS
    np.testing.assert_allclose(out, expected(base.T, x2), rtol=1e-6, atol=1e-6)


def test_repeatable_executor(add_scaled, random):
    x1, x2 = data(random, 3, 4), data(random, 3, 4)
    out, _ = guarded(3, 4)
    with AclObjects() as objects:
        plan = add_scaled.plan(objects, x1, x2, out)
    assert runtime().aclSetAclOpExecutorRepeatable(plan.executor) == SUCCESS
    for _ in range(3):
        x1[:] = data(random, 3, 4)
        assert add_scaled.run(plan) == SUCCESS
        np.testing.assert_allclose(out, expected(x1, x2), rtol=1e-6, atol=1e-6)
    assert runtime().aclDestroyAclOpExecutor(plan.executor) == SUCCESS


def test_workspace_is_the_user_part_only(add_scaled, random):
    x1, x2 = data(random, 100), data(random, 100)
    out, _ = guarded(100)
    with AclObjects() as objects:
        plan = add_scaled.plan(objects, x1, x2, out)
        assert plan.workspace_size == 100 * 4 + ALIGNMENT_SLACK
        assert add_scaled.run(plan, np.empty(plan.workspace_size - 1, np.uint8)) == INVALID
        assert "workspaceSize" in recent_error()
        plan = add_scaled.plan(objects, x1, x2, out)
        assert add_scaled.run(plan, np.empty(0, np.uint8)) == NULLPTR
        assert "workspace" in recent_error()


@pytest.mark.parametrize("shape", [(0,), (3, 0, 4)])
def test_empty_outputs_do_nothing(add_scaled, shape):
    empty = np.empty(shape, np.float32)
    with AclObjects() as objects:
        plan = add_scaled.plan(objects, empty, empty, empty)
    assert (plan.status, plan.workspace_size) == (SUCCESS, 0)
    assert add_scaled.run(plan) == SUCCESS


def test_empty_outputs_are_checked_by_the_tiling(add_scaled):
    empty = np.empty((3, 0, 4), np.float32)
    with AclObjects() as objects:
        plan = add_scaled.plan(objects, empty, empty, empty, case="reject")
    assert plan.status != SUCCESS
    assert "tiling failed" in recent_error()


@pytest.mark.parametrize("missing", ["x1", "x2", "out"])
def test_required_tensor_missing(add_scaled, random, missing):
    arrays = [None if name == missing else data(random, 3) for name in ("x1", "x2", "out")]
    assert add_scaled(*arrays) == NULLPTR
    assert f"{missing} is required and got nullptr" in recent_error()


def test_tensor_without_data(add_scaled, random):
    with AclObjects() as objects:
        tensors = [ctypes.c_void_p(objects.tensor((3,), "float32", address)) for address in (0, 0, 0)]
        status = add_scaled.library.aclnnInnerAddScaledGetWorkspaceSize(
            tensors[0],
            tensors[1],
            None,
            None,
            ctypes.c_int64(1),
            ctypes.c_double(1.0),
            None,
            None,
            tensors[2],
            None,
            ctypes.byref(ctypes.c_uint64()),
            ctypes.byref(ctypes.c_void_p()),
        )
    assert status == NULLPTR
    assert "x1: its data is nullptr" in recent_error()


def test_dtype_combination_that_no_column_has(add_scaled, random):
    x1, x2 = data(random, 3), data(random, 3, dtype="float16")
    assert add_scaled(x1, x2, np.empty(3, np.float32)) == INVALID
    text = recent_error()
    assert "got x1=DT_FLOAT x2=DT_FLOAT16 out=DT_FLOAT" in text
    assert "x1=DT_FLOAT16 x2=DT_FLOAT16 out=DT_FLOAT16" in text


def test_wrong_output_shape(add_scaled, random):
    x = data(random, 3, 4)
    assert add_scaled(x, x, np.empty((3, 5), np.float32)) == INVALID
    assert "output out: got shape [3, 5], expected [3, 4]" in recent_error()
    assert add_scaled(x, x, np.empty((3, 4), np.float32), None, None, np.empty(3, np.float32)) == INVALID
    assert "block_total: got shape [3], expected [2]" in recent_error()


def test_empty_optional_output_is_allowed(add_scaled, random):
    x = data(random, 3, 4)
    out, _ = guarded(3, 4)
    assert add_scaled(x, x, out, None, None, np.empty(0, np.float32)) == SUCCESS, recent_error()
    np.testing.assert_allclose(out, expected(x, x), rtol=1e-6, atol=1e-6)


def test_host_text_of_a_failed_tiling(add_scaled, random):
    x = data(random, 3)
    with AclObjects() as objects:
        plan = add_scaled.plan(objects, x, x, np.empty(3, np.float32), case="reject")
    assert (plan.status, plan.workspace_size, plan.executor.value) == (TILING_ERROR, 0, None)
    assert recent_error() == "AddScaled: tiling failed: AddScaled: blocks 7 are too many"
    assert recent_error() == ""


def test_kernel_that_does_not_exist(add_scaled, random):
    x = data(random, 3)
    assert add_scaled(x, x, np.empty(3, np.float32), case="unknown key") == RUNTIME_ERROR
    assert "tiling key 77" in recent_error()


def test_package_without_its_kernels(add_scaled, add_scaled_library, tmp_path, random):
    """A copy of the package in a process of its own, since kernels that are loaded stay."""
    vendor = tmp_path / "vendors" / "custom"
    shutil.copytree(add_scaled_library.parents[2], vendor)
    shutil.rmtree(vendor / "op_impl" / "ai_core" / "tbe" / "kernel")
    script = f"""
import numpy as np
from ascendc_cpu.acl_objects import recent_error
from host_call import AddScaled
x = np.ones(3, np.float32)
print(AddScaled({str(vendor / "op_api" / "lib" / "libcust_opapi.so")!r})(x, x, x.copy()), recent_error())
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert result.stdout.startswith("561107 ") and "libadd_scaled_kernels.so" in result.stdout


def test_an_empty_number_of_threads_is_none(add_scaled_library):
    script = f"""
import os
import numpy as np
from ascendc_cpu.native import runtime
from host_call import AddScaled
x, add_scaled = np.ones(50, np.float32), AddScaled({str(add_scaled_library)!r})
before = len(os.listdir("/proc/self/task"))
runtime().AscendcCpuSetNumThreads(5)
print(add_scaled(x, x, x.copy(), blocks=7), len(os.listdir("/proc/self/task")) - before)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "ASCENDC_CPU_NUM_THREADS": ""}
    result = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert result.stdout.split() == [str(SUCCESS), "4"]  # this thread and four helpers


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_bits_do_not_depend_on_threads(add_scaled, random, threads, monkeypatch):
    monkeypatch.delenv("ASCENDC_CPU_NUM_THREADS", raising=False)
    x1, x2 = data(random, 50), data(random, 50)
    results = []
    for before, count in ((0, 1), (1, threads)):
        assert runtime().AscendcCpuSetNumThreads(count) == before
        out, _ = guarded(50)
        assert add_scaled(x1, x2, out, blocks=7) == SUCCESS, recent_error()
        results.append(out.copy())
    runtime().AscendcCpuSetNumThreads(0)
    np.testing.assert_array_equal(*results)


def test_an_executor_that_cannot_lend_a_thread(add_scaled, random, monkeypatch):
    monkeypatch.setenv("ASCENDC_CPU_NUM_THREADS", "2")
    x1, x2, asked = data(random, 50), data(random, 50), []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    def execute(_context, times, _call, _argument):
        asked.append(times)

    results = []
    for executor in (None, execute):
        runtime().AscendcCpuSetExecutor(executor, None, 2)
        out, _ = guarded(50)
        assert add_scaled(x1, x2, out, blocks=7) == SUCCESS, recent_error()
        results.append(out.copy())
    runtime().AscendcCpuSetExecutor(None, None, 0)
    assert asked == [2]
    np.testing.assert_array_equal(*results)


def test_an_executor_lends_its_threads(add_scaled, random, monkeypatch):
    """The calls come one after the other here, from a thread of its own."""
    monkeypatch.setenv("ASCENDC_CPU_NUM_THREADS", "3")
    calls = []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.CFUNCTYPE(None, ctypes.c_void_p), ctypes.c_void_p)
    def execute(context, times, call, argument):
        calls.append((context, times))
        thread = threading.Thread(target=lambda: [call(argument) for _ in range(times)])
        thread.start()
        thread.join()

    x1, x2 = data(random, 50), data(random, 50)
    expected, _ = guarded(50)
    assert add_scaled(x1, x2, expected, blocks=7) == SUCCESS, recent_error()
    runtime().AscendcCpuSetExecutor(execute, ctypes.c_void_p(5), 3)
    try:
        out, _ = guarded(50)
        assert add_scaled(x1, x2, out, blocks=7) == SUCCESS, recent_error()
        monkeypatch.setenv("ASCENDC_CPU_NUM_THREADS", "4")  # more than it has
        assert add_scaled(x1, x2, out.copy(), blocks=7) == SUCCESS, recent_error()
    finally:
        runtime().AscendcCpuSetExecutor(None, None, 0)
    assert calls == [(5, 3)]
    np.testing.assert_array_equal(out, expected)
    assert add_scaled(x1, x2, out, blocks=7) == SUCCESS and len(calls) == 1
