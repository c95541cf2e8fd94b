# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Groups, cross-core flags and barriers of the runtime, with any number of threads."""

import threading

import numpy as np
import pytest

RING, SYNC_ALL, MODE_ZERO, MODE_ONE, DEADLOCK, OVERFLOW, PARTIAL_SYNC = range(7)
LEFT_SET, LEFT_PAIR, LEFT_ALL, BAD_FLAG, BAD_EVENT, THROW, AIC_SYNC, AIV_EVENT, THROW_INT, NO_UB = range(10, 20)
GROUPS = [(1, 1), (2, 1), (24, 1), (24, 2), (24, 5), (64, 3)]


@pytest.fixture(scope="module")
def sync(kernel_file):
    return kernel_file("sync_scenarios")


def run(kernel, scenario, groups, threads, rounds, size=1, culprit=0):
    out = np.zeros(size, np.int64)
    workspace = np.full(3 * groups, -1, np.int64)
    tiling = np.array([scenario, rounds, culprit, 0], np.uint32)
    kernel.launch(groups, out, workspace, tiling=tiling, threads=threads)
    return out


def rotated(rounds, cores):
    """The rows of RunRotation, from zeros."""
    return np.repeat(np.arange(rounds + 1), cores)


@pytest.mark.parametrize("groups, threads", GROUPS)
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 17, 100])
def test_ring_between_aic_and_aivs(sync, groups, threads, steps):
    sums = run(sync, RING, groups, threads, steps, size=2 * groups)
    assert (sums == sum(i * i for i in range(steps))).all()


@pytest.mark.parametrize("groups, threads", GROUPS)
def test_sync_all(sync, groups, threads):
    rows = run(sync, SYNC_ALL, groups, threads, 20, size=21 * 3 * groups)
    np.testing.assert_array_equal(rows, rotated(20, 3 * groups))


@pytest.mark.parametrize("groups, threads", GROUPS)
def test_mode_0_flags(sync, groups, threads):
    rows = run(sync, MODE_ZERO, groups, threads, 33, size=34 * 3 * groups)
    np.testing.assert_array_equal(rows[: 34 * 2 * groups], rotated(33, 2 * groups))
    np.testing.assert_array_equal(rows[34 * 2 * groups :], rotated(33, groups))


@pytest.mark.parametrize("groups, threads", GROUPS)
def test_mode_1_flags(sync, groups, threads):
    rows = run(sync, MODE_ONE, groups, threads, 9, size=10 * 2 * groups)
    np.testing.assert_array_equal(rows, np.tile(rotated(9, 2), groups))


def failing(sync, match, scenario, groups=4, threads=2, rounds=1, culprit=2):
    import ascendc_cpu

    with pytest.raises(ascendc_cpu.KernelError, match=match) as error:
        run(sync, scenario, groups, threads, rounds, size=3 * groups, culprit=culprit)
    # the next launch is not disturbed
    rows = run(sync, SYNC_ALL, groups, threads, 5, size=6 * 3 * groups)
    np.testing.assert_array_equal(rows, rotated(5, 3 * groups))
    return str(error.value)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_deadlock_names_waiting_cores_and_flags(sync, threads):
    text = failing(sync, "deadlock", DEADLOCK, groups=24, threads=threads, culprit=17)
    assert "AIC 17 waits in CrossCoreWaitFlag<2>(flagId 7)" in text
    assert "AIV 17.1 has ended" in text
    assert "AIC 16" not in text  # its group has ended


@pytest.mark.parametrize("threads", [1, 3])
def test_deadlock_in_sync_all(sync, threads):
    text = failing(sync, "deadlock", PARTIAL_SYNC, groups=20, threads=threads, culprit=3)
    assert "AIV 0.1 waits in SyncAll<false>" in text
    assert "AIC 3 " not in text
    assert "and 33 more" in text  # 19 groups of 3 cores, 24 of them listed


def test_counters_hold_15_sets(sync):
    run(sync, OVERFLOW, 4, 2, 15, culprit=1)
    text = failing(sync, "set number 16", OVERFLOW, rounds=16, culprit=1)
    assert text.startswith("AIC 1: CrossCoreSetFlag") and "flagId 2" in text


def test_flags_left_set_are_errors(sync):
    assert "flagId 4" in failing(sync, "AIV 2.0: .*CrossCoreWaitFlag are missing", LEFT_SET)
    failing(sync, r"AIV 2.1: CrossCoreSetFlag<1>\(flagId 4\) was never joined", LEFT_PAIR)
    failing(sync, r"AIV 2.0: CrossCoreSetFlag<0>\(flagId 4\) was never answered", LEFT_ALL)


@pytest.mark.parametrize(
    "scenario, match",
    [
        (BAD_FLAG, "(AIC 2|AIV 2.[01]): CrossCoreWaitFlag: flagId is 16, allowed are 0 to 15"),
        (BAD_EVENT, "(AIC 2|AIV 2.[01]): SetFlag: eventId is 8, allowed are 0 to 7"),
        (THROW, "(AIC 2|AIV 2.[01]): exception in the kernel: std::bad_alloc"),
        (THROW_INT, "(AIC 2|AIV 2.[01]): exception in the kernel: an exception that is not"),
        (NO_UB, "AIC 2: GetValue/SetValue: tensor is in UB, which an AIC does not have"),
        (AIC_SYNC, "AIC 2: SyncAll: SyncAll<true> is between AIVs"),
        (AIV_EVENT, "AIV 2.[01]: SetFlag: HardEvent 2 connects a pipe that an AIV does not have"),
    ],
)
@pytest.mark.parametrize("threads", [1, 4])
def test_errors_name_the_core(sync, scenario, match, threads):
    failing(sync, match, scenario, threads=threads)


def test_many_short_launches(sync):
    """Threads come and leave at every possible moment."""
    for repeat in range(1000):
        groups = 1 + repeat % 7
        sums = run(sync, RING, groups, 2 + repeat % 2, 20, size=2 * groups)
        assert (sums == sum(i * i for i in range(20))).all()


def test_launches_from_several_threads(sync):
    failures = []

    def worker(index):
        try:
            for repeat in range(20):
                rounds = 3 + (index + repeat) % 5
                groups = 5 + index
                if index == 3:  # its failures do not reach the others
                    failing(sync, "deadlock", DEADLOCK, groups=groups)
                rows = run(sync, SYNC_ALL, groups, 1 + repeat % 3, rounds, size=(rounds + 1) * 3 * groups)
                np.testing.assert_array_equal(rows, rotated(rounds, 3 * groups))
        except BaseException as error:  # noqa: BLE001 - reported by the main thread
            failures.append(error)

    threads = [threading.Thread(target=worker, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
