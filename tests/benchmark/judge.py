# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Judges CSV files of bench.py against floors; exits with 1 if one is missed or was not measured.

python -m tests.benchmark.judge [--measured] [--floors YAML] CSV [CSV ...]

Wall time of a machine that was not quiet counts as not measured.
"""

import argparse
import csv
import re
import sys
from pathlib import Path

import yaml

FLOORS = Path(__file__).parent / "floors.yaml"
# A floor is a throughput relative to `over` (torch SDPA if absent), or a time of a call in microseconds. `case` is a
# regular expression: the worst of the cases counts.
FLOOR_KEYS = {"case", "metric", "contender", "floor", "goal"}
TIME_KEYS = {"case", "metric", "contender", "at_most_us"}
BASELINE = "sdpa"


def read_rows(paths):
    """Rows of all files; what they were measured on is in every row."""
    rows = []
    for path in paths:
        with path.open(newline="", encoding="utf-8") as file:
            rows += csv.DictReader(file)
    return rows


def read_floors(path):
    floors = yaml.safe_load(path.read_text(encoding="utf-8"))
    for floor in floors:
        if set(floor) not in (FLOOR_KEYS, FLOOR_KEYS | {"over"}, TIME_KEYS):
            raise ValueError(
                f"{path}: keys: got {sorted(floor)}, allowed {sorted(FLOOR_KEYS)}, with or without over, "
                f"or {sorted(TIME_KEYS)}"
            )
    return floors


def _value(measured, floor, case):
    """What a floor is about, of one case: the ratio, or the microseconds; None if it was not measured."""
    row = measured.get((case, floor["metric"], floor["contender"]))
    over = measured.get((case, floor["metric"], floor.get("over", BASELINE)))
    if row is None or (row["disturbed"] and "wall" in floor["metric"]):
        return None
    if "at_most_us" in floor:
        return float(row["median_s"]) * 1e6
    if "over" not in floor:
        return float(row["ratio"])
    return None if over is None else float(row["ratio"]) / float(over["ratio"])


def _worst(measured, floor):
    """Of the cases whose names the floor's expression matches; NaN is worse than anything."""
    cases = dict.fromkeys(case for case, *_ in measured if re.fullmatch(floor["case"], case))
    values = [value for case in cases if (value := _value(measured, floor, case)) is not None]
    worst = max if "at_most_us" in floor else min
    return worst(values, key=lambda value: (value == value, value) if worst is min else (value != value, value),
                 default=None)  # fmt: skip


def verdicts(rows, floors):
    """(verdict, value or None, floor) for each floor; verdict: missing, below floor, above floor, goal reached."""
    measured = {(row["case"], row["metric"], row["contender"]): row for row in rows}
    for floor in floors:
        value = _worst(measured, floor)
        if value is None:
            yield "missing", value, floor
        elif "at_most_us" in floor:
            yield "goal reached" if value <= floor["at_most_us"] else "below floor", value, floor
        elif not value >= floor["floor"]:  # also true for NaN
            yield "below floor", value, floor
        else:
            yield "goal reached" if value >= floor["goal"] else "above floor", value, floor


def describe(verdict, value, floor):
    shown = "-" if value is None else f"{value:.3f}"
    wanted = f"at most {floor['at_most_us']} us" if "at_most_us" in floor else f"{floor['floor']} / {floor['goal']}"
    over = f" over {floor['over']}" if "over" in floor else ""
    return f"{verdict:<13} {shown:>7}  {wanted:<16} {floor['case']} {floor['metric']} {floor['contender']}{over}"


def judge(rows, floors, measured_only=False):
    """Prints every verdict; False if a floor is missed. measured_only: floors without a measurement are left out."""
    good = True
    for verdict, value, floor in verdicts(rows, floors):
        if verdict == "missing" and measured_only:
            continue
        good &= verdict not in ("missing", "below floor")
        print(describe(verdict, value, floor))
    return good


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", type=Path, nargs="+")
    parser.add_argument("--floors", type=Path, default=FLOORS)
    parser.add_argument("--measured", action="store_true", help="leave out floors whose case was not measured")
    options = parser.parse_args(arguments)
    return 0 if judge(read_rows(options.csv), read_floors(options.floors), options.measured) else 1


if __name__ == "__main__":
    sys.exit(main())
