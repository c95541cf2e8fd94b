# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Contexts, streams, events, callbacks, memory information and options of the ACL runtime."""

import ctypes
import os
import threading
import time

import pytest
from ascendc_cpu.acl_objects import recent_error
from ascendc_cpu.native import runtime

OK, INVALID_PARAM, CONTEXT_NULL, INVALID_DEVICE, INVALID_HANDLE = 0, 100000, 107002, 200002, 200005
UNSUPPORTED, OP_NOT_FOUND, REPEAT_SUBSCRIBE, NO_STREAM, NO_THREAD, TIMEOUT = (
    200006,
    100024,
    100033,
    100034,
    100035,
    100036,
)
CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
NO_BLOCK, BLOCK = 0, 1


@pytest.fixture
def acl(sdk_libraries):
    recent_error()
    return runtime()


def out(function, *arguments, kind=ctypes.c_void_p):
    """Value that a successful call writes through its first pointer."""
    result = kind()
    assert function(ctypes.byref(result), *arguments) == OK, recent_error()
    return result


def in_thread(function):
    """What `function` returns on a new thread."""
    results = []
    thread = threading.Thread(target=lambda: results.append(function()))
    thread.start()
    thread.join()
    return results[0]


def test_a_thread_without_context_says_so_by_code_alone(acl):
    device = ctypes.c_int32(5)
    assert in_thread(lambda: (acl.aclrtGetDevice(ctypes.byref(device)), recent_error())) == (CONTEXT_NULL, "")

    def set_then_get():
        assert acl.aclrtSetDevice(0) == OK
        return out(acl.aclrtGetDevice, kind=ctypes.c_int32).value

    assert in_thread(set_then_get) == 0


def test_contexts(acl):
    def use():
        context = out(acl.aclrtCreateContext, 0)
        assert out(acl.aclrtGetCurrentContext).value == context.value
        assert acl.aclrtSetDevice(0) == OK
        primary = out(acl.aclrtGetCurrentContext)
        assert primary.value != context.value
        assert acl.aclrtSetCurrentContext(context) == OK
        assert acl.aclrtDestroyContext(primary) == INVALID_PARAM
        assert acl.aclrtDestroyContext(context) == OK
        assert acl.aclrtGetCurrentContext(ctypes.byref(context)) == CONTEXT_NULL
        return acl.aclrtSetCurrentContext(context), recent_error()

    status, text = in_thread(use)
    assert status == INVALID_HANDLE and "aclrtSetCurrentContext: context: got a handle that does not exist" in text
    assert acl.aclrtCreateContext(ctypes.byref(ctypes.c_void_p()), 1) == INVALID_DEVICE


def test_a_destroyed_stream_is_refused_by_name(acl):
    stream, other = out(acl.aclrtCreateStream), out(acl.aclrtCreateStreamWithConfig, 0, 3)
    ids = [
        out(lambda pointer, s=s: acl.aclrtStreamGetId(s, pointer), kind=ctypes.c_int32).value for s in (stream, other)
    ]
    assert len({*ids, 0}) == 3
    assert acl.aclrtSynchronizeStream(None) == OK, "the default stream"
    assert acl.aclrtDestroyStream(stream) == OK
    for call in (acl.aclrtDestroyStream, acl.aclrtSynchronizeStream):
        assert call(stream) == INVALID_HANDLE
        assert f"{call.__name__}: stream" in recent_error()
    assert acl.aclrtDestroyStreamForce(other) == OK


def test_events_measure_the_time_between_them(acl):
    start, end = out(acl.aclrtCreateEventWithFlag, 8), out(acl.aclrtCreateEvent)
    status, elapsed = ctypes.c_int(7), ctypes.c_float()
    assert acl.aclrtQueryEventStatus(start, ctypes.byref(status)) == OK and status.value == 0
    assert acl.aclrtSynchronizeEvent(start) == INVALID_PARAM and "not recorded" in recent_error()
    assert acl.aclrtEventElapsedTime(ctypes.byref(elapsed), start, end) == INVALID_PARAM
    assert acl.aclrtRecordEvent(start, None) == OK
    time.sleep(0.02)
    assert acl.aclrtRecordEvent(end, None) == OK
    assert acl.aclrtQueryEventStatus(end, ctypes.byref(status)) == OK and status.value == 1
    assert acl.aclrtEventElapsedTime(ctypes.byref(elapsed), start, end) == OK
    assert 20 <= elapsed.value < 5000
    assert acl.aclrtResetEvent(end, None) == OK
    assert acl.aclrtQueryEventStatus(end, ctypes.byref(status)) == OK and status.value == 0
    assert acl.aclrtDestroyEvent(end) == OK and acl.aclrtDestroyEvent(start) == OK
    assert acl.aclrtRecordEvent(end, None) == INVALID_HANDLE


def test_waiting_for_an_event_that_nobody_records(acl):
    plain, extended = out(acl.aclrtCreateEvent), out(acl.aclrtCreateEventExWithFlag, 1)
    assert acl.aclrtStreamWaitEvent(None, plain) == INVALID_PARAM
    assert "aclrtStreamWaitEvent: the event is not recorded" in recent_error()
    assert acl.aclrtStreamWaitEvent(None, extended) == OK
    assert acl.aclrtRecordEvent(plain, None) == OK and acl.aclrtStreamWaitEvent(None, plain) == OK


def test_host_functions_run_in_stream_order(acl):
    order = []
    functions = [CALLBACK(lambda _, i=i: order.append(i)) for i in range(5)]
    for function in functions:
        assert acl.aclrtLaunchHostFunc(None, function, None) == OK
    assert order == [0, 1, 2, 3, 4]


def test_callbacks_run_in_order_on_the_subscribed_thread(acl):
    stream, seen = out(acl.aclrtCreateStream), []
    assert acl.aclrtLaunchCallback(CALLBACK(print), None, NO_BLOCK, stream) == NO_STREAM
    subscribed, stop = threading.Event(), threading.Event()

    def process():
        assert acl.aclrtProcessReport(0) == NO_THREAD
        me = ctypes.c_uint64(threading.get_ident())
        assert acl.aclrtSubscribeReport(me, stream) == OK
        assert acl.aclrtSubscribeReport(me, stream) == REPEAT_SUBSCRIBE
        assert acl.aclrtProcessReport(1) == TIMEOUT
        assert acl.aclrtLaunchCallback(CALLBACK(print), None, BLOCK, stream) == UNSUPPORTED
        subscribed.set()
        while not stop.is_set():
            assert acl.aclrtProcessReport(20) in (OK, TIMEOUT)
        return acl.aclrtUnSubscribeReport(me, stream)

    thread = threading.Thread(target=process)
    thread.start()
    assert subscribed.wait(30)
    callbacks = [CALLBACK(lambda _, i=i: seen.append((i, threading.get_ident()))) for i in range(6)]
    for i, callback in enumerate(callbacks):
        block = i == len(callbacks) - 1
        assert acl.aclrtLaunchCallback(callback, None, BLOCK if block else NO_BLOCK, stream) == OK
    assert seen == [(i, thread.ident) for i in range(6)], "a blocking launch returns after its callback"
    stop.set()
    thread.join()
    assert acl.aclrtLaunchCallback(callbacks[0], None, NO_BLOCK, stream) == NO_STREAM


def test_memory_information_follows_allocations(acl):
    def information():
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        assert acl.aclrtGetMemInfo(1, ctypes.byref(free), ctypes.byref(total)) == OK
        return free.value, total.value

    before, total = information()
    assert before <= total <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE")
    size = 3 << 20
    memory = out(acl.aclrtMalloc, ctypes.c_size_t(size), 0)
    assert information() == (before - size, total)
    host = out(acl.aclrtMallocHost, ctypes.c_size_t(size))
    assert information() == (before - size, total), "host memory does not count"
    assert acl.aclrtFree(host) == INVALID_PARAM and acl.aclrtFreeHost(host) == OK
    assert acl.aclrtFree(memory) == OK
    assert information() == (before, total)
    assert acl.aclrtFree(memory) == INVALID_PARAM and "is freed" in recent_error()


def test_pointer_attributes(acl):
    attributes = (ctypes.c_uint32 * 7)()
    memory, host = out(acl.aclrtMalloc, ctypes.c_size_t(1000), 0), out(acl.aclrtMallocHost, ctypes.c_size_t(1000))
    for pointer, location in ((memory.value + 999, 1), (host.value, 0), (memory.value + 1000, 2)):
        assert acl.aclrtPointerGetAttributes(ctypes.c_void_p(pointer), attributes) == OK
        assert attributes[1] == location
    assert acl.aclrtFree(memory) == OK and acl.aclrtFreeHost(host) == OK


def test_options_are_handed_back(acl):
    acl.aclGetCompileoptSize.restype = ctypes.c_size_t
    assert acl.aclGetCompileoptSize(10) == 1, "unset: an empty text"
    assert acl.aclSetCompileopt(10, b"disable") == OK
    size = acl.aclGetCompileoptSize(10)
    text = ctypes.create_string_buffer(size)
    assert acl.aclGetCompileopt(10, text, ctypes.c_size_t(size)) == OK and text.value == b"disable"
    assert acl.aclGetCompileopt(10, text, ctypes.c_size_t(size - 1)) == INVALID_PARAM
    assert acl.aclSetCompileopt(17, b"1") == INVALID_PARAM and "opt: got 17, allowed: 0 to 16" in recent_error()
    value = ctypes.c_int64()
    assert acl.aclrtSetSysParamOpt(0, ctypes.c_int64(1)) == OK
    assert acl.aclrtGetSysParamOpt(0, ctypes.byref(value)) == OK and value.value == 1


def test_saturation_and_overflow_detection_are_refused(acl):
    assert acl.aclrtSetDeviceSatMode(1) == OK and acl.aclrtSetDeviceSatMode(0) == UNSUPPORTED
    assert acl.aclrtSetStreamOverflowSwitch(None, 0) == OK and acl.aclrtSetStreamOverflowSwitch(None, 1) == UNSUPPORTED


def test_soc_name_is_one_that_callers_know(acl, monkeypatch):
    acl.aclrtGetSocName.restype = ctypes.c_char_p
    monkeypatch.delenv("ASCENDC_CPU_SOC", raising=False)
    assert acl.aclrtGetSocName() == b"Ascend910B1"
    monkeypatch.setenv("ASCENDC_CPU_SOC", "Ascend910B3")
    cores = ctypes.c_int64()
    assert acl.aclrtGetSocName() == b"Ascend910B3"
    assert acl.aclGetDeviceCapability(0, 1, ctypes.byref(cores)) == OK and cores.value == 40
    monkeypatch.setenv("ASCENDC_CPU_SOC", "Ascend910A")
    assert acl.aclrtGetSocName() is None and "ASCENDC_CPU_SOC: got 'Ascend910A'" in recent_error()


def test_built_in_operators_are_refused_by_name(acl):
    arguments = [0, None, None, 0, None, None, None, 0, 0, None, None]
    assert acl.aclopCompileAndExecute(b"Transpose", *arguments) == OP_NOT_FOUND
    assert "Transpose" in recent_error()


def test_descriptions(acl):
    acl.aclCreateTensorDesc.restype = ctypes.c_void_p
    acl.aclGetTensorDescNumDims.restype = ctypes.c_size_t
    size = ctypes.c_int64()
    desc = ctypes.c_void_p(acl.aclCreateTensorDesc(1, 2, (ctypes.c_int64 * 2)(3, 7), 2))
    assert (acl.aclGetTensorDescType(desc), acl.aclGetTensorDescFormat(desc)) == (1, 2)
    assert acl.aclGetTensorDescNumDims(desc) == 2
    assert acl.aclGetTensorDescDimV2(desc, ctypes.c_size_t(1), ctypes.byref(size)) == OK and size.value == 7
    assert acl.aclGetTensorDescDimV2(desc, ctypes.c_size_t(2), ctypes.byref(size)) == INVALID_PARAM
    assert acl.aclSetTensorShape(desc, 2, None) == INVALID_PARAM
    acl.aclDestroyTensorDesc(desc)
