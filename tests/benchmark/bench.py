# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Speed of the operator against torch and others, at the cases of the table that are tagged bench.

    python -m tests.benchmark.bench [--quick] [--cases REGEX] [--contenders sdpa,ours] [--passes forward] [--rounds 5]

All contenders run alternating in one process: CPU time on one thread (little disturbed by other processes), then wall
time on --threads threads. Passes: forward, and training, which is forward and gradient; its metrics begin with
training_. Prints a table and writes a CSV with commit and machine. Judges nothing: see judge.py.
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

from tests.benchmark import quiet
from tests.benchmark.contenders import BASELINE, CONTENDERS, training, useful_flops
from tests.benchmark.measure import alternate
from tests.benchmark.not_applicable import NotApplicable
from tests.benchmark.progress import Progress
from tests.cases.inputs import make_inputs
from tests.cases.loader import STEPS, UNLIMITED, load, select

ROOT = Path(__file__).parents[2]
RESULTS = Path(__file__).parent / "results"  # what the READMEs say: publish.py
OUT = ROOT / "build" / "bench"
PASSES = ("forward", "training")
CLOCKS = ("cpu", "wall")
# The shapes by which a version is judged in minutes: long dense and causal, short, decode, window, a call's own cost.
QUICK = (
    r"^head_to_head-BNSD-(fp32|bf16)-b1n8s4096x4096d128$|"
    r"^head_to_head_breadth-BNSD-(fp32|bf16)-b1n8s512x512d128-mode3$|^decode_bench|^window_bench|^tiny_bench"
)
BACKWARD_FLOPS = 2.5  # five matrix products, the forward has two
RUN_COLUMNS = ("commit", "machine", "torch", "load", "disturbed")
# median_s: seconds a call; ratio: throughput over torch SDPA; difference: largest |out - out of SDPA|
ROW_COLUMNS = ("case", "metric", "contender", "rounds", "median_s", "gflops", "ratio", "spread", "difference")
WIDTHS = (56, 23, 11, 6, 10, 8, 7, 7, 10)


def git(*arguments):
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else ""


def commit():
    """Short hash, with + if tracked files but results have changes; unknown outside of a git clone."""
    changed = git("status", "--porcelain", "-uno", "--", ":/", f":(exclude,top){RESULTS.relative_to(ROOT)}")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+" if changed else "")


def machine():
    """Processor and number of cores this process may use; a virtual machine may hide the name, not family and model."""
    fields = dict(re.findall(r"^(model name|cpu family|model)\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M))
    name = fields.get("model name", platform.machine())
    if "cpu family" in fields and "model" in fields:
        name += f" (family {fields['cpu family']} model {fields['model']})"
    return f"{name} x{len(os.sched_getaffinity(0))}"


def takes(case, kind):
    """Whether a pass makes sense for a case: training steps are square, dense or causal."""
    windowed = case.sparse_mode == 4 or (case.sparse_mode == 0 and case.next_tokens != UNLIMITED)
    return kind == "forward" or (case.s1 == case.s2 > 1 and not windowed)


def prepare(case, names, kind):
    """Contender -> callable, of those that take the case."""
    inputs, runs = make_inputs(case, seed=1), {}
    for name in names:
        try:
            build = CONTENDERS[name]
            runs[name] = build(case, inputs) if kind == "forward" else training(build, case, inputs)
        except NotApplicable as reason:
            print(f"{case.name} {kind}: not {name}: {reason}", file=sys.stderr)
    return runs


def difference(result, expected):
    """Largest absolute difference of two results, NaN for one that is not attention."""
    if not isinstance(result, tuple):
        result, expected = (result,), (expected,)
    if result[0].shape != expected[0].shape:
        return float("nan")
    return max((a.float() - b.float()).abs().max().item() for a, b in zip(result, expected, strict=True))


def measure_case(case, names, kind, options, progress):
    """Rows of the table for one case and pass, as dicts of strings."""
    runs = prepare(case, names, kind)
    expected = runs[BASELINE]()
    differences = {name: difference(run(), expected) for name, run in runs.items()}
    flops = useful_flops(case) * (1 if kind == "forward" else 1 + BACKWARD_FLOPS)
    clocks = options.clocks.split(",")
    total = len(clocks) * options.rounds * len(runs)
    done = iter(range(1, total + 1))
    for clock, threads in (("cpu", 1), ("wall", options.threads)):
        if clock not in clocks:
            continue
        metric = f"{'' if kind == 'forward' else kind + '_'}{clock}_{threads}_thread{'s' if threads > 1 else ''}"
        name = f"{case.name} {metric}"
        timings = alternate(
            runs, options.rounds, clock, threads, lambda name=name: progress.show(name, next(done) / total)
        )
        progress.clear()
        for name, timing in timings.items():
            yield {
                "case": case.name,
                "metric": metric,
                "contender": name,
                "rounds": str(options.rounds),
                "median_s": f"{timing.median:.6g}",
                "gflops": "" if name == "read" else f"{flops / timing.median / 1e9:.1f}",
                "ratio": f"{timing.speed_over(timings[BASELINE]):.3f}",
                "spread": f"{timing.spread:.3f}",
                "difference": f"{differences[name]:.1e}",
            }


def print_row(values):
    print(" ".join(f"{value:<{width}}" for value, width in zip(values, WIDTHS, strict=True)).rstrip(), flush=True)


def _list(name, text, allowed, parser):
    values = text.split(",")
    if not set(values) <= set(allowed):
        parser.error(f"--{name}: got {text}, allowed: {', '.join(allowed)}")
    return values


def add_arguments(parser):
    parser.add_argument("--quick", action="store_true", help="a few shapes and three rounds")
    parser.add_argument(
        "--cases", help="regular expression that case names must contain; default: all, or the quick ones"
    )
    parser.add_argument("--contenders", default=",".join(CONTENDERS), help="default: all; torch SDPA always runs")
    parser.add_argument("--passes", default=",".join(PASSES), help="default: forward,training")
    parser.add_argument("--clocks", default=",".join(CLOCKS), help="default: cpu,wall")
    parser.add_argument("--rounds", type=int, help="default: 5, quick 3")
    parser.add_argument("--threads", type=int, default=2, help="of the wall time")
    parser.add_argument("--wait", type=float, default=0.0, metavar="MINUTES", help="wait that long for a quiet machine")
    parser.add_argument("--csv", type=Path, help="default: build/bench/<commit>.csv")


def plan(parser, options):
    """Checks and completes options; cases, contender names, passes."""
    options.rounds = options.rounds if options.rounds is not None else 3 if options.quick else 5
    if options.rounds < 1 or options.threads < 1:
        parser.error(f"--rounds and --threads: got {options.rounds} and {options.threads}, allowed 1 and more")
    if "ASCENDC_CPU_NUM_THREADS" in os.environ:
        parser.error("ASCENDC_CPU_NUM_THREADS is set; unset it, the number of threads is varied here")
    names = [name for name in _list("contenders", options.contenders, CONTENDERS, parser) if name != BASELINE]
    _list("clocks", options.clocks, CLOCKS, parser)
    wanted = options.cases if options.cases is not None else QUICK if options.quick else ""
    cases = [case for case in select(load(), ["bench"], STEPS) if re.search(wanted, case.name)]
    if not cases:
        parser.error(f"--cases {options.cases!r}: no case tagged bench matches")
    return cases, [BASELINE, *names], _list("passes", options.passes, PASSES, parser)


def run_description(wait):
    """Columns of every row: what was measured, where, and whether the machine was in use by others."""
    disturbed = quiet.wait_until_quiet(wait, lambda text: print(text, file=sys.stderr))
    if disturbed:
        print(f"the machine is not quiet ({', '.join(disturbed)}): wall times mean little", file=sys.stderr)
    return {
        "commit": commit(),
        "machine": machine(),
        "torch": torch.__version__,
        "load": f"{os.getloadavg()[0]:.2f}",
        "disturbed": "; ".join(disturbed),
    }


def measure(parser, options):
    """Measures, prints, and writes the CSV, whose path it returns."""
    cases, names, passes = plan(parser, options)
    run = run_description(options.wait)
    path = options.csv or OUT / f"{run['commit'].rstrip('+')}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    print(", ".join(f"{key} {value}" for key, value in run.items()))
    print_row(ROW_COLUMNS)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, RUN_COLUMNS + ROW_COLUMNS)
        writer.writeheader()
        steps = [(case, kind) for case in cases for kind in passes if takes(case, kind)]
        progress = Progress(len(steps))
        for case, kind in steps:
            for row in measure_case(case, names, kind, options, progress):
                writer.writerow(run | row)
                file.flush()
                print_row(row.values())
            progress.step()
    print(f"written: {path}")
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    measure(parser, parser.parse_args())


if __name__ == "__main__":
    main()
