# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Measures what the READMEs say about speed and memory and writes it there.

    bash build.sh --bench --publish [--parts forward,memory] [--rounds 3] [--wait MINUTES] [--tables]

Writes results/<part>.csv and .png and what stands between the markers in the READMEs. --tables measures nothing: it
writes pictures and READMEs from the CSV files that are there. About 10 minutes on 2 cores with nothing else on them.
"""

import argparse
import csv
import sys

from tests.benchmark import bench, judge, memory, plots, tables

# Part -> runs of bench, each (cases, further options). Contenders that are slower by far are timed where a floor or a
# table needs them: unfused attention takes 10 s in float16.
OURS, FORWARD = ("--contenders", "ours"), ("--passes", "forward")
SPEED = {
    "forward": (
        ("^head_to_head-BNSD-(fp32|bf16)", "--contenders", "ours,unfused,onnxruntime", *FORWARD),
        ("^head_to_head(_breadth|-BNSD-fp16)", *OURS, *FORWARD),
    ),
    "training": (("^head_to_head-BNSD-(fp32|bf16)", *OURS, "--passes", "training"),),
    "decode": (("^(decode|window|tiny|llama_7b_decode)", *FORWARD),),
    "head_dims": (("^head_dims", *OURS, *FORWARD, "--clocks", "cpu"),),
    "layer": (("^llama_7b_prefill", *OURS),),
}
PARTS = (*SPEED, "memory")


def results(part):
    return bench.RESULTS / f"{part}.csv"


def measure(part, rounds, wait):
    path = results(part)
    path.parent.mkdir(parents=True, exist_ok=True)
    if part == "memory":
        memory.write(path, False, {"commit": bench.commit(), "machine": bench.machine()})
        return
    rows = []
    for cases, *options in SPEED[part]:
        parser = argparse.ArgumentParser(prog=part)
        bench.add_arguments(parser)
        arguments = ["--cases", cases, *options, "--rounds", str(rounds), "--wait", str(wait), "--csv", str(path)]
        rows += judge.read_rows([bench.measure(parser, parser.parse_args(arguments))])
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, bench.RUN_COLUMNS + bench.ROW_COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default=",".join(PARTS), help="default: all")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--wait", type=float, default=0.0, metavar="MINUTES", help="wait that long for a quiet machine")
    parser.add_argument("--tables", action="store_true", help="measure nothing")
    options = parser.parse_args(arguments)
    parts = options.parts.split(",")
    if not set(parts) <= set(PARTS):
        parser.error(f"--parts: got {options.parts}, allowed: {', '.join(PARTS)}")
    for part in parts:
        if not options.tables:
            measure(part, options.rounds, options.wait)
        plots.draw(results(part))
    speed = judge.read_rows([results(part) for part in SPEED])
    with results("memory").open(newline="", encoding="utf-8") as file:
        tables.write_readmes(speed, list(csv.DictReader(file)))
    return 0 if judge.judge(speed, judge.read_floors(judge.FLOORS)) else 1


if __name__ == "__main__":
    sys.exit(main())
