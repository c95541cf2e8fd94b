# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Prints nanoseconds per call, and per 16 floats, of the vector instructions that attention spends its time in.

Needs ASCENDC_CPU_LIB_DIR (the folder of libascendc_cpu.so) and ascendc_cpu importable; ASCENDC_CPU_ISA picks the
instruction set. CPU time of one thread, best of several runs.
"""

import sys
import time
from pathlib import Path

KERNEL = Path(__file__).parent / "kernels" / "sdk_vector.cpp"
ROUNDS = 2000
RUNS = 25
# name, floats of one round (0: only the call matters); the order is that of the kernel's switch
CASES = [
    ("Adds of 8 elements", 0),
    ("Add of one repeat", 0),
    ("Muls", 4096),
    ("Add", 4096),
    ("Max", 4096),
    ("Exp", 4096),
    ("Ln", 4096),
    ("Cast float to half", 4096),
    ("Cast float to bfloat16", 4096),
    ("Cast half to float", 4096),
    ("Cast uint8 to half", 4096),
    ("Sub of a row value, 8 x 512", 4096),
    ("Max fold and WholeReduceMax, 8 x 512", 4096),
    ("Add fold and WholeReduceSum, 8 x 512", 4096),
    ("Select by bit rows, 8 x 64", 512),
    ("Select tensor, scalar", 4096),
    ("CompareScalar of halves", 4096),
    ("Add of 37 lanes, 8 repeats", 8 * 37),
    ("Brcb of 8 values", 0),
    ("Duplicate", 4096),
]


def seconds(kernel, what: int, rounds: int) -> float:
    begin = time.process_time()
    kernel.launch(1, what, rounds, threads=1)
    return time.process_time() - begin


def main() -> int:
    import ascendc_cpu

    kernel = ascendc_cpu.compile(KERNEL, "sdk_vector")
    print(f"instruction set {ascendc_cpu.isa_name()}, {ROUNDS} rounds, best of {RUNS}")
    print(f"{'':38}{'ns/call':>10}{'ns/16 floats':>14}")
    for what, (name, floats) in enumerate(CASES):
        idle = min(seconds(kernel, what, 0) for _ in range(RUNS))
        best = min(seconds(kernel, what, ROUNDS) for _ in range(RUNS)) - idle
        call = best / ROUNDS * 1e9
        print(f"{name:38}{call:10.1f}{f'{call * 16 / floats:14.2f}' if floats else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
