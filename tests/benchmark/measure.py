# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Alternating timing of several functions in one process."""

import statistics
import time
from dataclasses import dataclass

import torch

MIN_SAMPLE_SECONDS = 0.05  # short calls are repeated until a sample takes this long

CLOCKS = {"cpu": time.process_time, "wall": time.perf_counter}


@dataclass(frozen=True)
class Timing:
    """Seconds a call, one sample a round. Rounds of different contenders belong together."""

    samples: list

    @property
    def median(self):
        return statistics.median(self.samples)

    @property
    def spread(self):
        """(largest - smallest sample) / median."""
        return (max(self.samples) - min(self.samples)) / self.median

    def speed_over(self, other):
        """Throughput relative to another contender: median over rounds of the ratio within a round."""
        return statistics.median(b / a for a, b in zip(self.samples, other.samples, strict=True))


def _sample(run, repeats, clock):
    begin = clock()
    for _ in range(repeats):
        run()
    return (clock() - begin) / repeats


def alternate(runs, rounds, clock_name, threads, progress=lambda: None):
    """Times the functions of a dict in turn, in reversed order every second round; name -> Timing.

    clock_name: cpu (time of all threads of the process) or wall. Sets torch's thread number while it measures.
    """
    clock = CLOCKS[clock_name]
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        # The first call is not counted: it loads, allocates and settles the number of repeats.
        first = {name: max(_sample(run, 1, time.perf_counter), 1e-7) for name, run in runs.items()}
        repeats = {name: max(1, round(MIN_SAMPLE_SECONDS / seconds)) for name, seconds in first.items()}
        samples = {name: [] for name in runs}
        for index in range(rounds):
            for name in list(runs)[:: 1 if index % 2 == 0 else -1]:
                samples[name].append(_sample(runs[name], repeats[name], clock))
                progress()
    finally:
        torch.set_num_threads(before)
    return {name: Timing(values) for name, values in samples.items()}
