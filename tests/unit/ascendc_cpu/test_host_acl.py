# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The ACL subset: objects, getters, memory, errors, the banner."""

import ctypes
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from ascendc_cpu.acl_objects import AclObjects, recent_error
from ascendc_cpu.native import runtime

INVALID_PARAM, REPEAT_INITIALIZE, INVALID_FILE, REPEAT_FINALIZE, INVALID_DEVICE = 100000, 100002, 100003, 100037, 200002


@pytest.fixture
def acl(sdk_libraries):
    recent_error()
    return runtime()


def read_list(function, tensor):
    values, number = ctypes.POINTER(ctypes.c_int64)(), ctypes.c_uint64()
    assert function(ctypes.c_void_p(tensor), ctypes.byref(values), ctypes.byref(number)) == 0
    return values[: number.value]  # freed by the process's end: delete[] is C++'s


def test_tensor_getters(acl):
    with AclObjects() as objects:
        tensor = objects.tensor((3, 4, 5), "float16", 4096, (1, 3, 12), 7)
        assert read_list(acl.aclGetViewShape, tensor) == [3, 4, 5]
        assert read_list(acl.aclGetStorageShape, tensor) == [3, 4, 5]
        assert read_list(acl.aclGetViewStrides, tensor) == [1, 3, 12]
        offset, dtype, data_format, address = ctypes.c_int64(), ctypes.c_int(), ctypes.c_int(), ctypes.c_void_p()
        pointer = ctypes.c_void_p(tensor)
        assert acl.aclGetViewOffset(pointer, ctypes.byref(offset)) == 0
        assert acl.aclGetDataType(pointer, ctypes.byref(dtype)) == 0
        assert acl.aclGetFormat(pointer, ctypes.byref(data_format)) == 0
        assert acl.aclGetRawTensorAddr(pointer, ctypes.byref(address)) == 0
        assert (offset.value, dtype.value, data_format.value, address.value) == (7, 1, 2, 4096)
        dense = objects.tensor((3, 4, 5), "float16")
        assert read_list(acl.aclGetViewStrides, dense) == [20, 5, 1]


@pytest.mark.parametrize("kind", ["Int", "Float", "Bool"])
def test_arrays(acl, kind):
    dtype = {"Int": "int64", "Float": "float32", "Bool": "bool"}[kind]
    size = ctypes.c_uint64()
    with AclObjects() as objects:
        for values in ([], [1], [1, 0, 1]):
            array = ctypes.c_void_p(objects.array(dtype, values))
            assert getattr(acl, f"aclGet{kind}ArraySize")(array, ctypes.byref(size)) == 0
            assert size.value == len(values)


def test_bad_tensors(acl):
    with AclObjects() as objects:
        with pytest.raises(ValueError, match=r"viewDims\[1\]: got -1"):
            objects.tensor((3, -1), "float32")
        with pytest.raises(ValueError, match="viewDims: more than 2\\^63 - 1 elements"):
            objects.tensor((2**32, 2**32), "int8")
        with pytest.raises(ValueError, match="dtype: got complex64"):
            objects.tensor((3,), "complex64")
    acl.aclCreateTensor.restype = ctypes.c_void_p
    arguments = [ctypes.byref(ctypes.c_int64(1)), ctypes.c_uint64(1), 99, None, ctypes.c_int64(0), 2, None]
    assert acl.aclCreateTensor(*arguments, ctypes.c_uint64(0), None) is None
    assert recent_error() == "aclCreateTensor: dataType: got 99"


def test_null_arguments(acl):
    assert acl.aclGetViewOffset(None, ctypes.byref(ctypes.c_int64())) == 161001
    assert acl.aclSetAclOpExecutorRepeatable(None) == 161001
    assert acl.aclDestroyAclOpExecutor(None) == 161001
    text = recent_error()
    assert "aclGetViewOffset" in text and "aclDestroyAclOpExecutor" in text
    assert recent_error() == ""


def test_error_records_outside_host_functions(acl):
    acl.DlogRecord(63, 3, b"%s is %d", b"answer", 42)
    acl.DlogRecord(63, 2, b"a warning")
    assert recent_error() == "answer is 42"


def test_errors_that_nobody_reads_are_bounded(acl):
    for i in range(10000):
        acl.DlogRecord(63, 3, b"error %d", i)
    text = recent_error()
    assert len(text) <= 16 * 1024 and text.endswith("error 9999")


def test_errors_belong_to_their_thread(acl):
    acl.aclDestroyAclOpExecutor(None)
    seen = []
    thread = threading.Thread(target=lambda: seen.append(recent_error()))
    thread.start()
    thread.join()
    assert seen == [""]
    assert "aclDestroyAclOpExecutor" in recent_error()


def test_memory(acl):
    source = np.random.default_rng().integers(0, 256, 1000, dtype=np.uint8)
    target = np.zeros(1000, np.uint8)
    device = ctypes.c_void_p()
    assert acl.aclrtMalloc(ctypes.byref(device), ctypes.c_size_t(1000), 0) == 0
    assert device.value % 512 == 0
    assert (
        acl.aclrtMemcpy(device, ctypes.c_size_t(1000), ctypes.c_void_p(source.ctypes.data), ctypes.c_size_t(1000), 1)
        == 0
    )
    assert acl.aclrtMemset(device, ctypes.c_size_t(1000), 7, ctypes.c_size_t(10)) == 0
    assert (
        acl.aclrtMemcpy(ctypes.c_void_p(target.ctypes.data), ctypes.c_size_t(1000), device, ctypes.c_size_t(1000), 2)
        == 0
    )
    source[:10] = 7
    np.testing.assert_array_equal(target, source)
    assert acl.aclrtMemcpy(device, ctypes.c_size_t(999), device, ctypes.c_size_t(1000), 3) == INVALID_PARAM
    assert "count 1000 is above destMax 999" in recent_error()
    assert acl.aclrtFree(device) == 0
    assert acl.aclrtMalloc(ctypes.byref(device), ctypes.c_size_t(0), 0) == INVALID_PARAM


def test_devices_and_streams(acl, monkeypatch):
    count, stream = ctypes.c_uint32(), ctypes.c_void_p()
    assert acl.aclrtGetDeviceCount(ctypes.byref(count)) == 0 and count.value == 1
    assert acl.aclrtSetDevice(0) == 0
    assert acl.aclrtSetDevice(1) == INVALID_DEVICE
    assert acl.aclrtCreateStream(ctypes.byref(stream)) == 0 and stream.value
    assert acl.aclrtSynchronizeStream(stream) == 0
    assert acl.aclrtDestroyStream(stream) == 0
    acl.aclrtGetSocName.restype = ctypes.c_char_p
    monkeypatch.setenv("ASCENDC_CPU_SOC", "Ascend910B4")
    assert acl.aclrtGetSocName() == b"Ascend910B4"


def test_banner_once_and_from_init_only(sdk_libraries):
    script = f"""
import ctypes
acl = ctypes.CDLL({str(sdk_libraries / "libascendc_cpu.so")!r})
print(acl.aclInit(None), acl.aclInit(None), acl.aclFinalize(), acl.aclFinalize())
print(acl.aclInit(b""), acl.aclInit(b"x.json"))
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=os.environ)
    assert result.stdout.split() == ["0", str(REPEAT_INITIALIZE), "0", str(REPEAT_FINALIZE), "0", str(INVALID_FILE)]
    assert result.stderr == "ascendc_cpu emulation\n"
