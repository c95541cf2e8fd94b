# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Orders: a kernel that leaves one out is found out, its twin is not."""

import numpy as np
import pytest
from twin import KernelFile, Mistake, cases, expect, integers, poisoned, summary, vector_runner

COUNT = 256


def read(memory, pipe, api="DataCopy", **more):
    return Mistake("UnorderedRead", "ErrorSync2", memory, pipe, api, **more)


def write(memory, pipe, api="DataCopy", **more):
    return Mistake("UnorderedWrite", "ErrorSync1", memory, pipe, api, **more)


VECTOR = KernelFile("order_vector")
VECTOR_MISTAKES = {
    "MTE2_V": read("UB", "V", "Adds"),
    "V_MTE3": read("UB", "MTE3"),
    "V_V": read("UB", "V", "Adds"),
    "V_MTE2": write("UB", "MTE2"),
    "MTE3_V": write("UB", "V", "Adds"),
    "MTE3_MTE2": read("GM", "MTE2", argument=1),
    "MTE3_MTE3": write("GM", "MTE3", argument=1),
    "S_V": read("UB", "V", "Adds"),
    "V_S": read("UB", "S", "GetValue"),
    "OTHER_EVENT": read("UB", "V", "Adds"),
    "EARLY_FLAG": read("UB", "V", "Adds"),
    "GROUPS": read("GM", "MTE2", argument=1, also=("NeverWritten",)),
}

DMA = KernelFile("order_dma")
DMA_MISTAKES = {
    "S_MTE3": read("UB", "MTE3"),
    "MTE2_S": read("UB", "S", "GetValue"),
    "MTE3_S": write("UB", "S", "SetValue"),
    "MTE2_MTE3": read("UB", "MTE3"),
    "MTE3_MTE2_UB": write("UB", "MTE2"),
    "BARRIER_OF_ONE_PIPE": read("UB", "MTE3"),
    "LATE_WAIT": read("UB", "V", "Adds"),
    "OTHER_ID": read("UB", "V", "Adds"),
    "PING_PONG": write("UB", "MTE2"),
}

CORES = KernelFile("order_cores")
CORES_MISTAKES = {
    "SAME_BYTES": write("GM", "MTE3", argument=1),
    "NO_ATOMIC": write("GM", "MTE3", argument=1),
    "SKIPPED_SYNC": Mistake("Deadlock", "ErrorSync3"),
    "SYNC_BEFORE_STORE_ENDS": Mistake(
        ("UnorderedRead", "UnorderedWrite"), "", "GM", argument=1, also=("NeverWritten",)
    ),
    "READ_BEFORE_WRITE": Mistake(("UnorderedRead", "UnorderedWrite"), "", "GM", argument=1),
}

EXACT = KernelFile("exact_bytes")
EXACT_MISTAKES = {
    "LOADED_BLOCKS": read("UB", "V", "Adds"),
    "LAST_REPEAT": Mistake("OutOfBounds", "ErrorWrite2", "UB", "V", "Adds"),
    "STORED_ROWS": write("GM", "MTE3", argument=1),
    "UNPADDED_BYTES": write("GM", "MTE3", argument=1),
    "REPEATED_BLOCK": Mistake("NeverWritten", "ErrorRead2", "UB", "V", "Add"),
}

AGAIN = KernelFile("mmad_again")
AGAIN_MISTAKES = {"FRACTALS_OF_C": read("L0C", "M", "Mmad", also=("UnorderedWrite",))}

PAIR = KernelFile("order_pair")
PAIR_MISTAKES = {
    "AIV_TO_AIV": Mistake(("UnorderedRead", "UnorderedWrite"), "", "GM", argument=1, also=("NeverWritten",)),
    "WORKSPACE_AGAIN": Mistake(("UnorderedRead", "UnorderedWrite"), "", "GM", argument=2),
    "EVERY_CORE": Mistake(("UnorderedRead", "UnorderedWrite"), "", "GM", argument=2, also=("NeverWritten",)),
}

CUBE = KernelFile("order_cube")
CUBE_MISTAKES = {
    "MTE2_MTE1": read("L1", "MTE1", "LoadData", also=("UnorderedWrite",)),
    "MTE1_M": read("", "M", "Mmad"),
    "M_M": read("L0C", "M", "Mmad", also=("UnorderedWrite",)),
    "M_FIX": read("L0C", "FIX", "Fixpipe", also=("UnorderedWrite",)),
    "MTE1_MTE2": write("L1", "MTE2"),
    "M_MTE1": write("", "MTE1", "LoadData"),
    "FIX_M": write("L0C", "M", "Mmad"),
    "UNIT_FLAG": read("L0C", "FIX", "Fixpipe", also=("UnorderedWrite",)),
}

MIX = KernelFile("order_mix")
MIX_MISTAKES = {
    "AIC_TO_AIV": read("GM", "MTE2", argument=2, also=("NeverWritten",)),
    "AIC_TO_AIV_PIPE": read("GM", "MTE2", argument=2, also=("NeverWritten",)),
    "AIV_TO_AIC": Mistake(("UnorderedRead", "UnorderedWrite"), "", "GM", argument=3, also=("NeverWritten",)),
    "AIV_TO_AIC_PIPE": read("GM", "MTE2", argument=3, also=("NeverWritten",)),
    "ONE_AIV_NEVER": Mistake("Deadlock", "ErrorSync3", api="CrossCoreWaitFlag"),
    "LEFT_SET": Mistake("CrossCoreFlag", "ErrorSync3"),
    "SIXTEEN": Mistake("CrossCoreFlag", "ErrorSync3"),
    "BOTH_WAIT": Mistake("Deadlock", "ErrorSync3", api="CrossCoreWaitFlag"),
}


def run_cube(cache, scenario, wrong, seed):
    a, b, c = integers(seed, 16, 32, dtype=np.float16), integers(seed + 1, 16, 32, dtype=np.float16), poisoned(16, 16)
    report = CUBE.launch(cache, scenario, wrong, [a, b, c], [2])
    return report, c, a.astype(np.float32) @ b.astype(np.float32).T


def run_mix(cache, scenario, wrong, seed):
    a, b = integers(seed, 32, 16, dtype=np.float16), integers(seed + 1, 16, 16, dtype=np.float16)
    product, y, copy = poisoned(32, 16), poisoned(32, 16), poisoned(32, 16)
    report = MIX.launch(cache, scenario, wrong, [a, b, product, y, copy], [2, 3, 4])
    return report, copy, np.maximum(a.astype(np.float32) @ b.astype(np.float32).T, 0)


def run_again(cache, scenario, wrong, seed):
    a, b, c = integers(seed, 64, 16, dtype=np.float16), integers(seed + 1, 48, 16, dtype=np.float16), poisoned(64, 48)
    report = AGAIN.launch(cache, scenario, wrong, [a, b, c], [2])
    return report, c, 2 * (a.astype(np.float32) @ b.astype(np.float32).T)


def run_pair(cache, scenario, wrong, seed):
    x, y, workspace = integers(seed, COUNT), poisoned(COUNT), poisoned(COUNT)
    report = PAIR.launch(cache, scenario, wrong, [x, y, workspace], [1, 2], groups=2 if scenario == "EVERY_CORE" else 1)
    return report, y, x + 1


FILES = [
    (VECTOR, vector_runner(VECTOR, COUNT, two_groups=("GROUPS",)), VECTOR_MISTAKES),
    (DMA, vector_runner(DMA, COUNT), DMA_MISTAKES),
    (CORES, vector_runner(CORES, COUNT, two_groups=CORES.scenarios), CORES_MISTAKES),
    (CUBE, run_cube, CUBE_MISTAKES),
    (MIX, run_mix, MIX_MISTAKES),
    (PAIR, run_pair, PAIR_MISTAKES),
    (EXACT, vector_runner(EXACT, COUNT), EXACT_MISTAKES),
    (AGAIN, run_again, AGAIN_MISTAKES),
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
