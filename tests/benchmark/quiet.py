# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Is somebody else using the machine? Wall time means nothing then, CPU time is off by a few percent."""

import os
import time

BUSY_SECONDS = 0.2
STOLEN = 0.05  # share of the wall time that a busy loop may lose
LOAD_A_CORE = 0.3


def stolen_share():
    """Share of its wall time that a busy loop of this thread did not run."""
    wall, cpu = time.perf_counter(), time.thread_time()
    while time.perf_counter() - wall < BUSY_SECONDS:
        pass
    return max(0.0, 1 - (time.thread_time() - cpu) / (time.perf_counter() - wall))


def disturbance():
    """What speaks against measuring now; empty: nothing."""
    cores = len(os.sched_getaffinity(0))
    load, stolen = os.getloadavg()[0], stolen_share()
    found = [f"load {load:.1f} on {cores} cores"] if load > LOAD_A_CORE * cores else []
    return found + ([f"{stolen:.0%} of a busy loop's time went elsewhere"] if stolen > STOLEN else [])


def wait_until_quiet(minutes, say=print):
    """Returns as soon as nothing speaks against measuring, or after `minutes`; the last disturbance()."""
    end = time.monotonic() + 60 * minutes
    while (found := disturbance()) and time.monotonic() < end:
        say(f"waiting: {', '.join(found)}")
        time.sleep(min(20, max(0.0, end - time.monotonic())))
    return found
