# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Pictures of the CSV files of bench.py and memory.py. Needs matplotlib.

python -m tests.benchmark.plots CSV [CSV ...]    writes <name>.png beside each
"""

import argparse
import csv
import sys
from pathlib import Path

from tests.benchmark.labels import DTYPES, dtype, label

BASELINE = "sdpa"
METRIC = "cpu_1_thread"
OWN_COST = "tiny_bench"  # microseconds, not a throughput
COLOURS = {"ours": "tab:blue", "unfused": "tab:orange", "folded": "tab:red", "onnxruntime": "tab:green"}


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


def _bars(axes, rows, labels, names):
    """Bars of one data type, beside the label of their shape."""
    height = 0.8 / len(names)
    for index, name in enumerate(names):
        ratios = {label(r["case"], r["metric"]): float(r["ratio"]) for r in rows if r["contender"] == name}
        shown = [text for text in labels if text in ratios]
        places = [labels.index(text) + index * height for text in shown]
        bars = axes.barh(
            places, [ratios[text] - 1 for text in shown], height, left=1, label=name, color=COLOURS.get(name)
        )
        axes.bar_label(bars, [f"{ratios[text]:.2f}" for text in shown], fontsize=6, padding=2)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.tick_params(labelsize=7)
    axes.margins(x=0.2, y=0.08)


def speed(rows, path):
    """Throughput over torch SDPA on one thread: a panel for each data type, a group of bars for each case and pass."""
    chosen = [row for row in rows if row["metric"].endswith(METRIC) and row["contender"] not in (BASELINE, "read")]
    chosen = [row for row in chosen if not row["case"].startswith(OWN_COST)] or chosen
    labels = list(dict.fromkeys(label(row["case"], row["metric"]) for row in chosen))
    names = [name for name in COLOURS if name in {row["contender"] for row in chosen}]
    panels = [kind for kind in DTYPES if kind in {dtype(row["case"]) for row in chosen}]
    figure, all_axes = _pyplot().subplots(
        1,
        len(panels),
        squeeze=False,
        sharey=True,
        layout="constrained",
        figsize=(2.5 + 2.2 * len(panels), 0.15 * len(labels) * len(names) + 1.3),
    )
    for axes, kind in zip(all_axes[0], panels, strict=True):
        _bars(axes, [row for row in chosen if dtype(row["case"]) == kind], labels, names)
        axes.set_title(kind, fontsize=8)
    first = all_axes[0][0]
    first.set_yticks([place + 0.4 * (1 - 1 / len(names)) for place in range(len(labels))], labels, fontsize=7)
    first.invert_yaxis()
    what = "throughput on a CPU over torch SDPA (1), CPU time on one thread"
    figure.suptitle(f"{what}\n{_origin(rows[0])}", fontsize=7)
    figure.legend(*first.get_legend_handles_labels(), loc="outside lower center", ncols=len(names), fontsize=7)
    _save(figure, path)


def memory(rows, path):
    """Lines of extra memory over the length, logarithmic, one for each contender and number of heads."""
    figure, axes = _pyplot().subplots(figsize=(7, 4))
    for name, heads in dict.fromkeys((row["contender"], row["heads"]) for row in rows):
        points = [(int(r["s"]), float(r["extra_mib"])) for r in rows if (r["contender"], r["heads"]) == (name, heads)]
        axes.plot(*zip(*points, strict=True), marker="o", label=f"{name}, {heads} heads")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("sequence length")
    axes.set_ylabel("MiB beside inputs and output")
    axes.set_title(f"one forward call on a CPU, float32, D = 64\n{_origin(rows[0])}", fontsize=7)
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
