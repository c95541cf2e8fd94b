# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Each kind of finding from a tiny kernel that has the mistake, and nothing from its correct twin."""

import json
from pathlib import Path

import numpy as np
import pytest

import ascendc_cpu

KERNELS = Path(__file__).parent / "kernels"

# scenario: (kind, npu_check's class, API that is reported)
VECTOR = {
    "NO_FLAG": ("UnorderedRead", "ErrorSync2", "Adds"),
    "NO_BARRIER": ("UnorderedRead", "ErrorSync2", "Adds"),
    "NO_BARRIER_MTE3": ("UnorderedWrite", "ErrorSync1", "DataCopy"),
    "WRITE_TOO_EARLY": ("UnorderedWrite", "ErrorSync1", "Duplicate"),
    "NEVER_WRITTEN": ("NeverWritten", "ErrorRead2", "Adds"),
    "PAST_ARGUMENT": ("OutOfBounds", "ErrorWrite2", "DataCopy"),
    "PAST_BUFFER": ("OutOfBounds", "ErrorWrite2", "Duplicate"),
    "NOT_ALLOCATED": ("NotAllocated", "ErrorWrite1", "Duplicate"),
    "FREED": ("NotAllocated", "ErrorWrite1", "Duplicate"),
    "IN_QUEUE": ("BufferState", "ErrorBuffer2", "Adds"),
    "MISALIGNED": ("Misaligned", "ErrorWrite4", "DataCopy"),
    "LOADED_TWICE": ("OverwrittenUnread", "ErrorWrite3", "DataCopy"),
    "WAIT_WITHOUT_SET": ("UnpairedFlag", "ErrorSync3", "WaitFlag"),
    "FLAG_LEFT": ("UnpairedFlag", "ErrorSync3", "SetFlag"),
    "SET_TWICE": ("DoubledFlag", "ErrorSync4", "SetFlag"),
    "ID_IN_USE": ("DoubledFlag", "ErrorSync4", "SetFlag"),
    "LEAK": ("LeakedBuffer", "ErrorLeak", "TPipe"),
    "FREED_TWICE": ("QueueMisuse", "ErrorFree", "FreeTensor"),
    "WRONG_QUEUE": ("QueueMisuse", "ErrorBuffer1", "FreeTensor"),
    "NO_BUFFER": ("NoBuffer", "ErrorBuffer0", "Duplicate"),
    "WRONG_MEMORY": ("WrongMemory", "ErrorBuffer3", "Duplicate"),
    "ARGUMENT": ("Argument", "", "DataCopy"),
    "TRUNCATION": ("Truncation", "", "static_cast"),
    "ATOMIC_LEFT": ("StickyState", "", "SetAtomic"),
    "COUNTER_LEFT": ("StickyState", "", "SetMaskCount"),
    "ATOMIC_ON_NOTHING": ("NeverWritten", "ErrorRead2", "DataCopy"),
    "SCALAR_UNORDERED": ("UnorderedRead", "ErrorSync2", "GetValue"),
    "CACHE_DIRTY": ("CacheLine", "", "DataCopy"),
    "SCRATCH": ("SelectScratch", "ErrorWrite2", "Select"),
    "MASKED_LANES": ("NeverWritten", "ErrorRead2", "Adds"),
    "SHARED_LINE": ("CacheLine", "", "SetValue"),
    "SHARED_GM": ("UnorderedWrite", "ErrorSync1", "DataCopy"),
}
CUBE = {
    "CUBE_NO_FLAG": ("UnorderedRead", "ErrorSync2", "Fixpipe"),
    "CUBE_NO_BARRIER": ("UnorderedRead", "ErrorSync2", "Mmad"),
    "CUBE_PAD_ROWS": ("NeverWritten", "ErrorRead2", "Mmad"),
    "CUBE_PAD_OF_C": ("NeverWritten", "ErrorRead2", "Fixpipe"),
    "CUBE_GEMV": ("Gemv", "", "Mmad"),
    "CUBE_MISALIGNED": ("Misaligned", "ErrorWrite4", "DataCopy Nd2Nz"),
    "CROSS_NO_WAIT": ("UnorderedRead", "ErrorSync2", "DataCopy"),
    "CROSS_WRONG_PIPE": ("UnorderedRead", "ErrorSync2", "DataCopy"),
    "CROSS_LEFT": ("CrossCoreFlag", "ErrorSync3", ""),
    "CROSS_IDLE_AIV": ("Deadlock", "ErrorSync3", "CrossCoreWaitFlag"),
    "CROSS_OVERFLOW": ("CrossCoreFlag", "ErrorSync3", "CrossCoreSetFlag"),
    "CROSS_DEADLOCK": ("Deadlock", "ErrorSync3", "CrossCoreWaitFlag"),
    "CROSS_NO_SYNC_ALL": ("UnorderedRead", "ErrorSync2", "DataCopy"),
}
TWO_GROUPS = ("SHARED_LINE", "SHARED_GM", "CROSS_NO_SYNC_ALL")


@pytest.fixture(scope="module")
def kernels(kernel_cache):
    return {
        name: ascendc_cpu.compile(KERNELS / f"{name}.cpp", name, build_dir=kernel_cache)
        for name in ("check_vector", "check_cube")
    }


def aligned(floats):
    """float32 array that starts a cache line."""
    memory = np.empty(floats + 16, np.float32)
    start = -memory.ctypes.data % 64 // 4
    return memory[start : start + floats]


def run(kernels, scenario, wrong, **options):
    name, names = ("check_vector", VECTOR) if scenario in VECTOR else ("check_cube", CUBE)
    arguments = [np.ones(2048, np.float32), aligned(256 if name == "check_vector" else 1024)]
    groups = 2 if scenario in TWO_GROUPS else 1
    number = np.uint32(list(names).index(scenario))
    return kernels[name].launch(groups, *arguments, number, np.uint32(wrong), check=True, unwritten=[1], **options)


@pytest.mark.parametrize("scenario", [*VECTOR, *CUBE])
def test_mistake_is_found(kernels, scenario):
    kind, official_class, api = {**VECTOR, **CUBE}[scenario]
    report = run(kernels, scenario, True)
    found = [each for each in report.findings if (each.kind, each.official_class) == (kind, official_class)]
    assert found, str(report)
    assert api in {each.here.api for each in found}, str(report)
    lines = [each.here.line for each in found if each.here.line]
    places = {"check_vector.cpp", "check_cube.cpp"}
    if api and kind not in ("StickyState", "LeakedBuffer"):
        assert lines and Path(lines[0].file).name in places, str(report)
    if kind.startswith("Unordered"):
        assert found[0].other.line and Path(found[0].other.line.file).name in places
    assert json.loads(report.json())["findings"][0]["kind"]


@pytest.mark.parametrize("scenario", [*VECTOR, *CUBE])
def test_correct_twin_is_clean(kernels, scenario):
    report = run(kernels, scenario, False)
    assert not report.findings, str(report)


def test_auto_sync_orders_vector_and_scalar(kernels):
    for scenario in ("NO_BARRIER", "SCALAR_UNORDERED"):
        assert not run(kernels, scenario, True, auto_sync=True).findings
    assert any(each.kind == "UnorderedRead" for each in run(kernels, "NO_FLAG", True, auto_sync=True).findings)


def test_bytes_are_exact(kernels):
    (found,) = [each for each in run(kernels, "NEVER_WRITTEN", True).findings if each.kind == "NeverWritten"]
    assert (found.memory, found.begin, found.end) == ("UB", 0, 1024)
    (found,) = [each for each in run(kernels, "PAST_ARGUMENT", True).findings if each.kind == "OutOfBounds"]
    assert (found.memory, found.argument, found.begin, found.end) == ("GM", 1, 32, 32 + 1024)


def test_fast_launch_is_not_checked(kernels):
    output = np.zeros(256, np.float32)
    module = kernels["check_vector"]
    number = np.uint32(list(VECTOR).index("NO_BARRIER"))
    assert module.launch(1, np.ones(2048, np.float32), output, number, np.uint32(1)) is None
