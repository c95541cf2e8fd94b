# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Speed of the forward operator against torch, at the cases of the table that are tagged bench.

    python -m tests.benchmark.bench [--cases REGEX] [--steps slice] [--contenders sdpa,ours] [--rounds 5]

All contenders run alternating in one process: CPU time on one thread (little disturbed by other processes), then wall
time on --threads threads. Prints a table and writes a CSV with commit and machine. Judges nothing: see judge.py.
"""

import argparse
import csv
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import torch

from tests.benchmark.contenders import BASELINE, CONTENDERS, useful_flops
from tests.benchmark.measure import alternate
from tests.cases.inputs import make_inputs
from tests.cases.loader import STEPS, load, select

ROOT = Path(__file__).parents[2]
RESULTS = Path(__file__).parent / "results"
RUN_COLUMNS = ("commit", "machine", "torch", "load")
# median_s: seconds a call; ratio: throughput over torch SDPA; difference: largest |out - out of SDPA|
ROW_COLUMNS = ("case", "metric", "contender", "rounds", "median_s", "gflops", "ratio", "spread", "difference")
WIDTHS = (56, 14, 9, 6, 10, 8, 7, 7, 10)


def git(*arguments):
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else ""


def commit():
    """Short hash, with + if tracked files have changes; unknown outside of a git clone."""
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+" if git("status", "--porcelain", "-uno") else "")


def machine():
    """Processor and number of cores this process may use; a virtual machine may hide the name, not family and model."""
    fields = dict(re.findall(r"^(model name|cpu family|model)\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M))
    name = fields.get("model name", platform.machine())
    if "cpu family" in fields and "model" in fields:
        name += f" (family {fields['cpu family']} model {fields['model']})"
    return f"{name} x{len(os.sched_getaffinity(0))}"


def measure_case(case, names, options):
    """Rows of the table for one case, as dicts of strings."""
    inputs = make_inputs(case, seed=1)
    runs = {name: CONTENDERS[name](case, inputs) for name in names}
    expected = runs[BASELINE]().float()
    difference = {name: (run().float() - expected).abs().max().item() for name, run in runs.items()}
    flops = useful_flops(case)
    for clock, threads in (("cpu", 1), ("wall", options.threads)):
        metric = f"{clock}_{threads}_thread{'s' if threads > 1 else ''}"
        done = iter(range(1, options.rounds * len(runs) + 1))

        def progress(done=done, metric=metric):
            total = options.rounds * len(runs)
            print(f"\r{case.name} {metric} {next(done)}/{total} ", end="", file=sys.stderr, flush=True)

        timings = alternate(runs, options.rounds, clock, threads, progress)
        print("\r\033[K", end="", file=sys.stderr, flush=True)
        for name, timing in timings.items():
            yield {
                "case": case.name,
                "metric": metric,
                "contender": name,
                "rounds": str(options.rounds),
                "median_s": f"{timing.median:.6g}",
                "gflops": f"{flops / timing.median / 1e9:.1f}",
                "ratio": f"{timing.speed_over(timings[BASELINE]):.3f}",
                "spread": f"{timing.spread:.3f}",
                "difference": f"{difference[name]:.1e}",
            }


def print_row(values):
    print(" ".join(f"{value:<{width}}" for value, width in zip(values, WIDTHS, strict=True)).rstrip(), flush=True)


def parse_options():
    """(options, contender names, cases) of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default="", help="regular expression that case names must contain")
    parser.add_argument("--steps", default="slice", help=f"steps of the case table: {', '.join(STEPS)}")
    parser.add_argument("--contenders", default=f"{BASELINE},ours", help=", ".join(CONTENDERS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2, help="of the wall time")
    parser.add_argument("--csv", type=Path, help="default: results/<commit>.csv beside this file")
    options = parser.parse_args()
    if options.rounds < 1 or options.threads < 1:
        parser.error(f"--rounds and --threads: got {options.rounds} and {options.threads}, allowed 1 and more")
    if "ASCENDC_CPU_NUM_THREADS" in os.environ:
        parser.error("ASCENDC_CPU_NUM_THREADS is set; unset it, the number of threads is varied here")
    names = [BASELINE] + [name for name in options.contenders.split(",") if name != BASELINE]
    unknown = set(names) - set(CONTENDERS)
    if unknown:
        parser.error(f"--contenders: got {', '.join(sorted(unknown))}, allowed {', '.join(CONTENDERS)}")
    cases = [c for c in select(load(), ["bench"], options.steps.split(",")) if re.search(options.cases, c.name)]
    if not cases:
        parser.error(f"--cases {options.cases!r} --steps {options.steps}: no case tagged bench matches")
    return options, names, cases


def main():
    options, names, cases = parse_options()
    run = {"commit": commit(), "machine": machine(), "torch": torch.__version__, "load": f"{os.getloadavg()[0]:.2f}"}
    path = options.csv or RESULTS / f"{run['commit'].rstrip('+')}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    print(", ".join(f"{key} {value}" for key, value in run.items()))
    print_row(ROW_COLUMNS)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, RUN_COLUMNS + ROW_COLUMNS)
        writer.writeheader()
        for case in cases:
            for row in measure_case(case, names, options):
                writer.writerow(run | row)
                file.flush()
                print_row(row.values())
    print(f"written: {path}")


if __name__ == "__main__":
    main()
