# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Memory, queues, flags, registers and arguments: a kernel that misuses one is found out, its twin is not."""

import numpy as np
import pytest
from twin import KernelFile, Mistake, cases, expect, integers, poisoned, summary, vector_runner

COUNT = 256

MEMORY = KernelFile("memory_vector")
MEMORY_MISTAKES = {
    "NEVER_UB": Mistake("NeverWritten", "ErrorRead2", "UB", "V", "Add"),
    "NEVER_TAIL": Mistake("NeverWritten", "ErrorRead2", "UB", "V", "Adds"),
    "NEVER_GM": Mistake("NeverWritten", "ErrorRead2", "GM", "MTE2", "DataCopy", argument=1),
    "NEVER_LANES": Mistake("NeverWritten", "ErrorRead2", "UB", "MTE3", "DataCopy"),
    "NEVER_ATOMIC": Mistake("NeverWritten", "ErrorRead2", "GM", "MTE3", "DataCopy", argument=1),
    "NEVER_RESULT": Mistake("NeverWritten", "ErrorRead2", "UB", "MTE3", "DataCopy"),
    "OUT_READ": Mistake("OutOfBounds", "ErrorRead3", "UB", "V", "Adds"),
    "OUT_WRITE": Mistake("OutOfBounds", "ErrorWrite2", "UB", "V", "Adds"),
    "OUT_GM_READ": Mistake("OutOfBounds", "ErrorRead3", "GM", "MTE2", "DataCopy", argument=0),
    "OUT_GM_WRITE": Mistake("OutOfBounds", "ErrorWrite2", "GM", "MTE3", "DataCopy", argument=1),
    "NO_BUFFER": Mistake("NotAllocated", "ErrorWrite1", "UB", "V", "Adds"),
    "NOT_INITIALISED": Mistake("NoBuffer", "ErrorBuffer0", also=("NotAllocated", "Misaligned")),
    "NO_TENSOR": Mistake("WrongMemory", "ErrorBuffer3", api="Adds"),
    "MISALIGNED_READ": Mistake("Misaligned", "ErrorRead4", api="Adds"),
    "MISALIGNED_WRITE": Mistake("Misaligned", "ErrorWrite4", api="Adds"),
    "MISALIGNED_LOAD": Mistake("Misaligned", "ErrorWrite4", "UB", "MTE2", "DataCopy"),
    "WRONG_MEMORY": Mistake("WrongMemory", "ErrorBuffer3", api="Adds"),
    "OVERWRITTEN": Mistake("OverwrittenUnread", "ErrorWrite3", "UB", "MTE2", "DataCopy"),
    "SELECT_SCRATCH": Mistake("SelectScratch", "ErrorWrite2", api="Select"),
}

QUEUES = KernelFile("queues")
QUEUES_MISTAKES = {
    "FREED_READ": Mistake("NotAllocated", "ErrorRead1", "UB", "V", "Adds"),
    "FREED_WRITE": Mistake("NotAllocated", "ErrorWrite1", "UB", "V", "Duplicate"),
    "NEVER_ALLOCATED": Mistake("NotAllocated", "ErrorWrite1", "UB", "V", "Adds"),
    "WHILE_ENQUEUED": Mistake("BufferState", "ErrorBuffer2", "UB", "V", "Adds"),
    "FREED_TWICE": Mistake("QueueMisuse", "ErrorFree"),
    "OTHER_QUEUE": Mistake("QueueMisuse", "ErrorBuffer1", also=("LeakedBuffer",)),
    "FREED_WHILE_ENQUEUED": Mistake("QueueMisuse", also=("LeakedBuffer", "UnpairedFlag")),
    "ENQUEUED_TWICE": Mistake("QueueMisuse", "ErrorBuffer2", also=("LeakedBuffer", "UnpairedFlag")),
    "LEAKED": Mistake("LeakedBuffer", "ErrorLeak"),
}

STATE = KernelFile("state")
STATE_MISTAKES = {
    "WAIT_UNSET": Mistake("UnpairedFlag", "ErrorSync3"),
    "SET_LEFT": Mistake("UnpairedFlag", "ErrorSync3"),
    "SET_TWICE": Mistake("DoubledFlag", "ErrorSync4", also=("UnpairedFlag",)),
    "ATOMIC_LEFT": Mistake("StickyState"),
    "COUNTER_LEFT": Mistake("StickyState"),
    "FIELD_CAST": Mistake("Truncation"),
    "FIELD_CAST_OLD_STYLE": Mistake("Truncation"),
    "FIELD_CONVERTED": Mistake("Truncation"),
    "REPEAT_TOO_SMALL": Mistake("Truncation"),
    "SHARED_LINE": Mistake("CacheLine", "", "GM", "S", "SetValue", argument=1),
    "NOT_CLEANED": Mistake("CacheLine", "", "GM", "MTE2", "DataCopy", argument=1),
    "STALE_LINE": Mistake("CacheLine", "", "GM", "S", "GetValue", argument=1),
    "PART_OF_BLOCK": Mistake("Argument", api="DataCopy"),
    "PAD_LENGTH": Mistake("Argument", api="DataCopyPad"),
    "PAD_LEFT": Mistake("Argument", api="DataCopyPad"),
    "CAST_MODE": Mistake("Argument", api="Cast"),
    "COMPARE_COUNT": Mistake("Argument", api="Compare"),
    "DST_BLOCK_STRIDE": Mistake("Argument", api="Adds"),
    "OVERLAP": Mistake(("Argument", "UnorderedRead", "UnorderedWrite"), api="Adds"),
    "OVERLAP_NEXT": Mistake(("Argument", "UnorderedRead", "UnorderedWrite"), api="Adds"),
}

CUBE = KernelFile("cube_rules")
CUBE_MISTAKES = {
    "GEMV_ONE_LOAD": Mistake("Gemv", api="Mmad"),
    "GEMV_TWO_LOADS": Mistake("Gemv", api="Mmad"),
    "FIX_COLUMNS": Mistake("Argument", api="Fixpipe"),
    "MMAD_SIZE": Mistake("Argument", api="Mmad", also=("OutOfBounds", "NeverWritten")),
    "FIX_STRIDE": Mistake("Argument", api="Fixpipe"),
    "MISALIGNED_L1": Mistake("Misaligned", "ErrorWrite4", "L1", "MTE2", "DataCopy"),
    "MISALIGNED_L0A": Mistake("Misaligned", "ErrorWrite4", api="LoadData"),
    "MISALIGNED_L0C": Mistake("Misaligned", "ErrorWrite4", "L0C", "M", "Mmad"),
    "NEVER_ROWS": Mistake("NeverWritten", "ErrorRead2", "L0C", "FIX", "Fixpipe"),
    "NEVER_COLUMNS": Mistake("NeverWritten", "ErrorRead2", "L0C", "FIX", "Fixpipe"),
    "NEVER_K": Mistake("NeverWritten", "ErrorRead2"),
    "OUT_L1": Mistake(("OutOfBounds", "NotAllocated"), "", "L1", "MTE1", "LoadData"),
    "OPERANDS_SWAPPED": Mistake("WrongMemory", "ErrorBuffer3", api="Mmad"),
    "NO_UB": Mistake("WrongMemory", "ErrorBuffer3", api="DataCopy"),
}


def run_cube(cache, scenario, wrong, seed):
    a, b, c = integers(seed, 16, 16, dtype=np.float16), integers(seed + 1, 16, 16, dtype=np.float16), poisoned(16, 16)
    report = CUBE.launch(cache, scenario, wrong, [a, b, c], [2])
    left, right = a.astype(np.float32), b.astype(np.float32)
    rows = {"NEVER_ROWS": 5, "GEMV_ONE_LOAD": 1, "GEMV_TWO_LOADS": 1}.get(scenario, 16)
    product = left @ (right if scenario == "NEVER_K" else right.T)
    return report, c[:rows], product[:rows] * (2 if scenario.startswith("GEMV") else 1)


FILES = [
    (MEMORY, vector_runner(MEMORY, COUNT), MEMORY_MISTAKES),
    (QUEUES, vector_runner(QUEUES, COUNT), QUEUES_MISTAKES),
    (STATE, vector_runner(STATE, COUNT, two_groups=("SHARED_LINE",)), STATE_MISTAKES),
    (CUBE, run_cube, CUBE_MISTAKES),
]


@pytest.mark.parametrize("file, run, scenario, mistake", cases(FILES))
def test_mistake_is_found(file, run, scenario, mistake, kernel_cache, seed):
    report, _, _ = run(kernel_cache, scenario, True, seed)
    expect(file, scenario, mistake, report)


@pytest.mark.parametrize("file, run, scenario, mistake", cases(FILES))
def test_twin_is_clean(file, run, scenario, mistake, kernel_cache, seed):
    report, got, want = run(kernel_cache, scenario, False, seed)
    assert not report.findings, summary(file, report)
    np.testing.assert_array_equal(got, want)
