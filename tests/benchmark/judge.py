# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Judges a CSV of bench.py against floors; exits with 1 if a ratio is below its floor or was not measured.

python -m tests.benchmark.judge CSV [FLOORS]
"""

import argparse
import csv
import sys
from pathlib import Path

import yaml

FLOORS = Path(__file__).parent / "floors.yaml"
FLOOR_KEYS = {"case", "metric", "contender", "floor", "goal"}


def read_floors(path):
    floors = yaml.safe_load(path.read_text(encoding="utf-8"))
    for floor in floors:
        if set(floor) != FLOOR_KEYS:
            raise ValueError(f"{path}: keys: got {sorted(floor)}, allowed {sorted(FLOOR_KEYS)}")
    return floors


def verdicts(rows, floors):
    """(verdict, ratio or None, floor) for each floor; verdict: missing, below floor, above floor, goal reached."""
    measured = {(row["case"], row["metric"], row["contender"]): float(row["ratio"]) for row in rows}
    for floor in floors:
        ratio = measured.get((floor["case"], floor["metric"], floor["contender"]))
        if ratio is None:
            yield "missing", ratio, floor
        elif not ratio >= floor["floor"]:  # also true for NaN
            yield "below floor", ratio, floor
        else:
            yield "goal reached" if ratio >= floor["goal"] else "above floor", ratio, floor


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", type=Path)
    parser.add_argument("floors", type=Path, nargs="?", default=FLOORS)
    options = parser.parse_args(arguments)
    with options.csv.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    failed = False
    for verdict, ratio, floor in verdicts(rows, read_floors(options.floors)):
        failed |= verdict in ("missing", "below floor")
        shown = "-" if ratio is None else f"{ratio:.3f}"
        name = f"{floor['case']} {floor['metric']} {floor['contender']}"
        print(f"{verdict:<13} {shown:>6}  floor {floor['floor']:<5} goal {floor['goal']:<5} {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
