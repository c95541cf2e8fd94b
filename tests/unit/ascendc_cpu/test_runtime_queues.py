# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""TPipe, TBuf and TQue."""

import numpy as np
import pytest

DOUBLE_BUFFER, STATE, EVENTS = range(3)
UB_BYTES = 192 * 1024


@pytest.fixture(scope="module")
def queues(kernel_file):
    return kernel_file("queue_scenarios")


def run(kernel, scenario, rounds=0, size=16):
    out = np.full(size, -1, np.int64)
    kernel.launch(1, out, tiling=np.array([scenario, rounds], np.uint32))
    return out


@pytest.mark.parametrize("rounds", [2, 3, 50])
def test_double_buffer(queues, rounds):
    out = run(queues, DOUBLE_BUFFER, rounds, size=rounds)
    np.testing.assert_array_equal(out, [i * 1000 + i % 2 for i in range(rounds)])


def test_queue_state_and_addresses(queues):
    out = run(queues, STATE)
    # sizes in elements: 64 bytes of float; 100 bytes rounded up to 128 of half
    assert list(out[:12]) == [16, 0, 1, 1, 1, 0, 0, 64, 1, 64, 128 + 32, 0]


def test_event_ids(queues):
    import ascendc_cpu

    out = np.full(8, -1, np.int64)
    with pytest.raises(ascendc_cpu.KernelError, match="AllocEventID: all 8 ids of HardEvent 22 are in use"):
        queues.launch(1, out, tiling=np.array([EVENTS, 0], np.uint32))
    assert list(out[:7]) == [0, 1, 1, 1, 0, 0, 1]


@pytest.mark.parametrize(
    "scenario, match",
    [
        (10, f"InitBuffer: {UB_BYTES - 96} bytes of UB asked, {UB_BYTES - 128} of {UB_BYTES} are left"),
        (11, "AllocTensor: none of the queue's 2 buffers is idle"),
        (12, "DeQue: the queue is empty"),
        (13, "FreeTensor: the tensor's buffer is idle"),
        (14, "EnQue: the queue's depth is 1"),
        (15, "InitBuffer: 1 buffers asked, 0 of 64 are left"),
        (16, "TBuf: 9 elements of 4 bytes at byte offset 32: the buffer has 64 bytes"),
        (17, "TBuf: 1 elements of 4 bytes at byte offset 4: .* multiples of 32"),
        (18, "InitBuffer: 1 buffers of 0 bytes"),
        (19, "GetValue/SetValue: tensor takes .* left in UB"),
        (20, "FreeTensor: the tensor's buffer is in the queue"),
    ],
)
def test_misuse(queues, scenario, match):
    import ascendc_cpu

    with pytest.raises(ascendc_cpu.KernelError, match="AIV 0: " + match):
        run(queues, scenario)
