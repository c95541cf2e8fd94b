# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Memory that one forward call needs beside its inputs and outputs: unfused attention and ours, each in a process.

    python -m tests.benchmark.memory [--quick] [--csv FILE]

Peak of resident memory, float32, D = 64, on two threads. Prints a table and writes a CSV.
"""

import argparse
import csv
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMES = ("unfused", "ours")
LENGTHS, HEADS = (512, 1024, 2048, 4096), (16, 40)
COLUMNS = ("commit", "machine", "heads", "s", "contender", "extra_mib", "saved")
MIB = 1 << 20


def _status_bytes(field):
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"/proc/self/status: no field {field}")


def probe(name, heads, length):
    """Prints the bytes by which the peak of this process rises above inputs and output."""
    import torch

    from tests.benchmark.contenders import CONTENDERS
    from tests.cases.inputs import make_inputs
    from tests.cases.loader import load

    (template,) = [case for case in load() if case.name.startswith("tiny_bench")]
    small = replace(template, n1=heads, n2=heads)
    torch.set_num_threads(2)
    CONTENDERS[name](small, make_inputs(small, 1))()  # libraries and thread pools are there afterwards
    case = replace(small, s1=length, s2=length)
    run = CONTENDERS[name](case, make_inputs(case, 1))
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again at what is resident now
    before = _status_bytes("VmRSS")
    out = run()
    print(_status_bytes("VmHWM") - before - out.nbytes)


def measure(heads, length):
    """Contender -> extra bytes, at least one."""
    extra = {}
    for name in NAMES:
        command = [sys.executable, "-m", "tests.benchmark.memory", "--probe", name, str(heads), str(length)]
        run = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True)
        extra[name] = max(1, int(run.stdout.split()[-1]))
    return extra


def rows(lengths, run):
    for heads in HEADS:
        for length in lengths:
            extra = measure(heads, length)
            for name, size in extra.items():
                saved = 1 - size / extra["unfused"]
                yield run | {"heads": heads, "s": length, "contender": name, "extra_mib": f"{size / MIB:.1f}",
                             "saved": f"{saved:.3f}"}  # fmt: skip


def write(path, quick, run):
    """The table as a CSV; lengths up to 1024 if quick."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for row in rows(LENGTHS[:2] if quick else LENGTHS, run):
            writer.writerow(row)
            file.flush()
            print(f"memory: {row['heads']} heads, S {row['s']}, {row['contender']}: {row['extra_mib']} MiB extra, "
                  f"{float(row['saved']):.1%} less than unfused", flush=True)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="two lengths")
    parser.add_argument("--csv", type=Path, help="default: build/bench/memory-<commit>.csv")
    parser.add_argument("--probe", nargs=3, metavar=("CONTENDER", "HEADS", "S"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.probe:
        return probe(options.probe[0], *map(int, options.probe[1:]))
    from tests.benchmark.bench import OUT, commit, machine

    run = {"commit": commit(), "machine": machine()}
    path = options.csv or OUT / f"memory-{run['commit'].rstrip('+')}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, options.quick, run)
    print(f"written: {path}")


if __name__ == "__main__":
    main()
