# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Pictures of the CSV files of bench.py and memory.py. Needs matplotlib.

python -m tests.benchmark.plots CSV [CSV ...]    writes <name>.png beside each
"""

import argparse
import csv
import sys
from pathlib import Path

BASELINE = "sdpa"
METRIC = "cpu_1_thread"


def _pyplot():
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def _origin(row):
    disturbed = f", measured with {row['disturbed']}" if row.get("disturbed") else ""
    return f"commit {row['commit']}, {row['machine']}{disturbed}"


def _save(figure, path):
    figure.savefig(path, dpi=120, bbox_inches="tight")
    print(f"written: {path}")


def speed(rows, path):
    """Bars of throughput over torch SDPA on one thread, a group for each case and pass."""
    chosen = [row for row in rows if row["metric"].endswith(METRIC) and row["contender"] not in (BASELINE, "read")]
    groups = list(dict.fromkeys((row["case"], row["metric"]) for row in chosen))
    names = list(dict.fromkeys(row["contender"] for row in chosen))
    figure, axes = _pyplot().subplots(figsize=(9, 0.3 * len(groups) * max(1, len(names)) / 2 + 1.5))
    height = 0.8 / len(names)
    for index, name in enumerate(names):
        ratios = {(r["case"], r["metric"]): float(r["ratio"]) for r in chosen if r["contender"] == name}
        places = [place + index * height for place, group in enumerate(groups) if group in ratios]
        bars = axes.barh(places, [ratios[group] - 1 for group in groups if group in ratios], height, left=1, label=name)
        axes.bar_label(bars, [f"{ratios[group]:.2f}" for group in groups if group in ratios], fontsize=6, padding=2)
    labels = [case + (" training" if metric != METRIC else "") for case, metric in groups]
    axes.set_yticks([place + 0.4 - height / 2 for place in range(len(groups))], labels, fontsize=7)
    axes.invert_yaxis()
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.margins(x=0.1)
    axes.set_xlabel("throughput over torch SDPA, CPU time on one thread")
    axes.set_title(_origin(rows[0]), fontsize=7)
    axes.legend()
    _save(figure, path)


def memory(rows, path):
    """Lines of extra memory over the length, logarithmic, one for each contender and number of heads."""
    figure, axes = _pyplot().subplots(figsize=(7, 4))
    for name, heads in dict.fromkeys((row["contender"], row["heads"]) for row in rows):
        points = [(int(r["s"]), float(r["extra_mib"])) for r in rows if (r["contender"], r["heads"]) == (name, heads)]
        axes.plot(*zip(*points, strict=True), marker="o", label=f"{name}, {heads} heads")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("sequence length")
    axes.set_ylabel("MiB beside inputs and output")
    axes.set_title(_origin(rows[0]), fontsize=7)
    axes.legend()
    _save(figure, path)


def draw(path):
    """The picture that fits a CSV, beside it."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        raise ValueError(f"{path}: no rows")
    (memory if "extra_mib" in rows[0] else speed)(rows, path.with_suffix(".png"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", type=Path, nargs="+")
    for path in parser.parse_args().csv:
        draw(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
