# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Markdown of the results."""

from collections import Counter

SIDES = ("package", "built-in")
BAD = ("fail", "crash", "hang", "no start")


def _name(result: dict) -> str:
    return result["case"] + (" (gradient)" if result.get("direction") == "gradient" else "")


def _cell(result: dict) -> str:
    if result["status"] == "pass":
        return f"pass, error {result['error']:.2g}"
    return result["status"]


def _time(result: dict) -> str:
    return f"{result['ms']:.3f}" if "ms" in result else "-"


def _ratio(ours: dict, theirs: dict) -> str:
    return f"{theirs['ms'] / ours['ms']:.2f}" if "ms" in ours and "ms" in theirs else "-"


def verdict(results: dict[str, list[dict]]) -> tuple[bool, str]:
    """Whether the package passes, and one line."""
    counts = Counter(result["status"] for result in results["package"])
    failed = sum(counts[status] for status in BAD)
    refused = [r for r, built_in in zip(results["package"], results["built-in"], strict=True)
               if r["status"] == "refused" and built_in["status"] in ("pass", "ran")]  # fmt: skip
    checked = counts["pass"]
    good = failed == 0 and not refused and checked > 0
    text = f"{checked} cases pass, {failed} fail, {len(refused)} that the built-in operator takes are refused"
    return good, f"{'PASSED' if good else 'NOT PASSED'}: {text}"


def markdown(facts: dict[str, str], results: dict[str, list[dict]], notes: list[str], emulation: bool) -> str:
    """The whole report."""
    lines = ["# Acceptance of the op package", ""]
    if emulation:
        lines += ["**A package for the CPU: npu:0 was emulated. This says nothing about an NPU.**", ""]
    lines += [f"**{verdict(results)[1]}**", "", "| | |", "|---|---|"]
    lines += [f"| {key} | {value} |" for key, value in facts.items()]
    for side in SIDES:
        libraries = sorted({result["library"] for result in results[side] if "library" in result})
        names = ", ".join(library or "CANN's built-in operator" for library in libraries) or "nothing ran"
        counts = Counter(result["status"] for result in results[side])
        summary = ", ".join(f"{count} {status}" for status, count in counts.most_common())
        lines.append(f"| {side} | {summary}; code: {names} |")
    lines += ["", *(f"- {note}" for note in notes), "", "## Cases", ""]
    lines += [
        "Errors: the largest against float64, of the output or of dq, dk, dv. Times: ms a call with the queue, median.",
        "",
    ]
    lines += [
        "| case | package | built-in | package ms | built-in ms | built-in / package |",
        "|---|---|---|---:|---:|---:|",
    ]
    for ours, theirs in zip(results["package"], results["built-in"], strict=True):
        row = [_name(ours), _cell(ours), _cell(theirs), _time(ours), _time(theirs), _ratio(ours, theirs)]
        lines.append(f"| {' | '.join(row)} |")
    for side in SIDES:
        told = [result for result in results[side] if result["status"] not in ("pass", "ran")]
        lines += ["", f"## What the {side} side said", ""]
        lines += [f"- {_name(result)}: {result['status']}: {result.get('message', '')}" for result in told] or [
            "nothing"
        ]
    return "\n".join(lines) + "\n"
